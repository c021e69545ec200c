/** Statements that create the triggers on a host's tables. They note the keys of touched records. */
import { recordKeys } from "../../../records.js";
import type { KeyColumns } from "../../../tables/map.js";
import { aliasOf, isQuery } from "../../../tables/mapNames.js";
import { snakeCase } from "../../snakeCase.js";
import { listsOf } from "./listSql.js";
import { keyText, type Place, text } from "./place.js";

type Key = Readonly<Record<string, KeyColumns | undefined>>;

/** A table that is watched, with the name of the function that its triggers call. */
interface Watched {
  table: string;
  routine: string;
  /** The part of the map that names a second table. */
  part?: string;
  key: Key;
}

function watchedTables({ name, mapped }: Place): Watched[] {
  if (mapped === undefined || listsOf[name].length === 0) return [];
  const record = snakeCase(name);
  const second = (mapped.also ?? []).map(({ table, key }, index) => ({
    table,
    routine: `${record}_also_${index + 1}`,
    part: `${name}.also[${index}]`,
    key: key as Key,
  }));
  const own = { table: mapped.from, routine: `${record}_written`, key: mapped.key as Key };
  return isQuery(mapped.from) ? second : [own, ...second];
}

/** The functions that the triggers call. */
export function watchingRoutines(place: Place): string[] {
  return watchedTables(place).map(({ routine }) => routine);
}

export function watching(place: Place): string[] {
  return watchedTables(place).map(({ table, routine, part, key }) => {
    const alias = aliasOf(table);
    const keys = (row: string) => {
      const [first, second] = recordKeys[place.name].map((field) => keyOver(key[field], row, alias, place.separator));
      return `ARRAY[${text(first ?? any)}, ${text(second ?? any)}]`;
    };
    const given = [snakeCase(place.name), routine, table].map(text);
    const rows = [keys("OLD"), keys("NEW"), keys(alias), text(alias)];
    return `SELECT im_admin.watch_table(${[...given, part === undefined ? "NULL" : text(part), ...rows].join(", ")});`;
  });
}

/** A part of the key that the table does not name. */
const any = "NULL::text";

/** The text of a key over OLD, NEW or a row with the alias. In an expression, the row has the name of its table. */
function keyOver(key: KeyColumns | undefined, row: string, alias: string, separator: string): string {
  if (key === undefined) return any;
  const isExpression = typeof key === "object" && "sql" in key;
  if (!isExpression || row === alias) return keyText(key, row, separator);
  return `(SELECT ${keyText(key, alias, separator)} FROM (SELECT ${row}.*) AS ${alias})`;
}
