/** Statements that note what each part of a map reads. They refuse a part that cannot be right, with its name. */
import { keyFields, type RecordName } from "../../../records.js";
import type { KeyColumns } from "../../../tables/map.js";
import { aliasOf, isQuery } from "../../../tables/mapNames.js";
import { placingFields } from "../../lists/placing.js";
import { snakeCase } from "../../snakeCase.js";
import { listsOf } from "./listSql.js";
import { asSource, column, fieldValues, keyText, type Place, text } from "./place.js";

interface Part {
  /** The place in the map: `users.nickname`. */
  path: string;
  /** A query of this part alone. */
  query: string;
  /** Whether it decides which records are listed, in which order, or by which words they are found. */
  decides: boolean;
  /** Whether triggers make keys of it, with the settings of the sessions that write. */
  isKey: boolean;
}

export function partNotes(place: Place): string[] {
  const { name, mapped } = place;
  if (mapped === undefined) return [];
  const own = isQuery(mapped.from) ? "NULL" : text(mapped.from);
  const also = `ARRAY[${(mapped.also ?? []).map(({ table }) => text(table)).join(", ")}]::text[]`;
  return partsOf(place).map(
    ({ path, query, decides, isKey }) =>
      `SELECT im_admin.note_part(${text(snakeCase(name))}, ${text(path)}, ${text(query)}, ${decides}, ${isKey}, ${own}, ${also});`,
  );
}

/** The fields that decide. */
function decidingFields(name: RecordName): readonly string[] {
  if (listsOf[name].length === 0) return [];
  const words = listsOf[name].some(({ name }) => name !== undefined) ? ["nickname"] : [];
  return [...[...keyFields[name], ...placingFields[name]].map(([field]) => field), ...words];
}

function partsOf(place: Place): Part[] {
  const { name, mapped, alias, separator } = place;
  if (mapped === undefined) return [];
  const { from, key, where, latest, fields = {}, also = [] } = mapped;
  const rows = `SELECT 1 AS one FROM ${asSource(from)}`;
  const deciding = decidingFields(name);
  const decides = deciding.length > 0;
  const sameKey = place.keyParts.map(({ column: own }) => `${column(alias, own)} = ${column(alias, own)}`);
  const part = (path: string, condition: string, isDeciding = decides, isKey = false) => ({
    path: `${name}.${path}`,
    query: `${rows} WHERE ${condition}`,
    decides: isDeciding,
    isKey,
  });
  return [
    // A query decides by all that it reads.
    { path: `${name}.from`, query: rows, decides: decides && isQuery(from), isKey: false },
    ...(latest === undefined ? [] : [part("latest", [`${column(alias, latest)} IS NULL`, ...sameKey].join(" AND "))]),
    ...(where === undefined ? [] : [part("where", `(${where})`)]),
    ...fieldValues(place)
      .filter(([field]) => field in key || field in fields)
      .map(([field, value]) =>
        part(field, `(${value}) IS NULL`, deciding.includes(field), field in key && !isQuery(from)),
      ),
    ...also.map(({ table, key: theirs }, index) => {
      const keys = Object.values<KeyColumns>(theirs).map(
        (one) => `(${keyText(one, aliasOf(table), separator)}) IS NULL`,
      );
      return {
        path: `${name}.also[${index}]`,
        query: `SELECT 1 AS one FROM ${asSource(table)} WHERE ${keys.join(" OR ")}`,
        decides: false,
        isKey: true,
      };
    }),
  ];
}
