/** The trigger functions for the second tables that listed rows or their texts depend on. */
import { keyFields, type RecordName } from "../../records.js";
import { snakeCase } from "../../stores/snakeCase.js";
import type { AlsoTable, KeyColumns } from "../map.js";
import { aliasOf, columnsOf } from "../mapNames.js";
import { listedNumbers } from "../numbers.js";
import { guarded } from "./guarded.js";
import { listed, listsOf } from "./listed.js";
import { column, fieldValues, type Place } from "./place.js";

/** The trigger functions, with the tables that call them. */
export function alsoFunctions(place: Place): { table: string; routine: string; sql: string }[] {
  const { name, mapped } = place;
  if (listed[name].length === 0) return [];
  const concerning = (mapped?.also ?? []).filter((also) => hasWords(name) || movesRows(place, also));
  return concerning.map((also, index) => {
    const routine = `im_admin.${snakeCase(name)}_also_${index + 1}`;
    const select = (rows: string) => concerned(place, also, rows);
    const changes = {
      INSERT: select("new_rows"),
      DELETE: select("old_rows"),
      UPDATE: `${select("old_rows")}\nUNION ${select("new_rows")}`,
    };
    return {
      table: also.table,
      routine,
      sql: `CREATE FUNCTION ${routine}() RETURNS trigger
  ${guarded(changes, snakeCase(name), also.table, listsOf[name], { also: doubting })}
COMMENT ON FUNCTION ${routine} IS 'Appends changes of ${name} whose places or words depend on the written rows of ${also.table}.';
REVOKE EXECUTE ON FUNCTION ${routine} FROM PUBLIC;`,
    };
  });
}

/** Whether a keyword finds records of a kind. */
const hasWords = (name: RecordName) => name === "users" || name === "groupMembers";

/** A change with an empty key marks a list. A marked list is read from its rows until it is built again. */
const doubting = `
  INSERT INTO list_doubts (list, owner)
    SELECT mark.list, mark.owner FROM unnest(lists, owners, keys) mark (list, owner, key) WHERE mark.key = '';`;

/** The row of a second table. */
const written = "written";

/** The columns of a second table that name a field of the key. */
function theirColumns({ key }: AlsoTable, field: string): readonly string[] {
  return columnsOf((key as Record<string, KeyColumns | undefined>)[field] ?? []);
}

/** FROM with some rows of the second table, and the records that they name. */
export function joinOf({ name, alias, mapped, keyParts }: Place, also: AlsoTable, rows: string): string {
  const joins = keyFields[name].flatMap(([field]) => {
    const own = keyParts.filter((part) => part.field === field);
    return theirColumns(also, field).map(
      (theirs, index) => `${column(alias, own[index]?.column ?? "")} = ${column(written, theirs)}`,
    );
  });
  return `FROM ${rows} ${written} JOIN ${mapped?.from} AS ${alias} ON ${joins.join(" AND ")}`;
}

/** The user whom a row of the second table names; undefined if only the joined record says that. */
function namedUser(place: Place, also: AlsoTable): string | undefined {
  const theirs = theirColumns(also, "userID");
  if (theirs.length === 0) return undefined;
  const own = place.keyParts.filter(({ field }) => field === "userID");
  const keyParts = own.map((part, index) => ({ ...part, column: theirs[index] ?? "" }));
  return new Map(fieldValues({ ...place, alias: written, keyParts })).get("userID");
}

/** The query for the changes to append when rows of the second table are written. */
function concerned(place: Place, also: AlsoTable, rows: string): string {
  const { name } = place;
  const value = new Map(fieldValues(place));
  const doubts = movesRows(place, also)
    ? listed[name].map(({ list, owner }) => `('${list}', ${owner((field) => `(${value.get(field)})`)}, '', 0)`)
    : [];
  const user = hasWords(name) ? namedUser(place, also) : undefined;
  // Without a join: another transaction may have written the record, which is not seen yet.
  const words = `SELECT 'changed_names', '', ${user}, 0 FROM ${rows} ${written} WHERE ${user} IS NOT NULL`;
  const noted =
    hasWords(name) && user === undefined ? [`('changed_names', '', ${value.get("userID")}, 0)`, ...doubts] : doubts;
  if (noted.length === 0) return words;
  // Before, a request may have been in the list of another result.
  const divided = listed[name].filter(({ isDivided }) => isDivided && doubts.length > 0);
  const others = divided.map(({ list, parent = "" }) => {
    const id = `(${value.get(parent)})`;
    return `
    UNION ALL SELECT '${list}', kept.owner, '', 0 FROM im_admin.lists kept
      WHERE kept.list = '${list}' AND kept.owner BETWEEN ${id} || chr(1) AND ${id} || chr(2)`;
  });
  const joined = `SELECT DISTINCT noted.* ${joinOf(place, also, rows)}
  CROSS JOIN LATERAL (
    VALUES ${noted.join(", ")}${others.join("")}
  ) noted (list, owner, key, change)`;
  return user === undefined ? joined : `${words}\nUNION ${joined}`;
}

/** Whether the second table decides which records are listed, or in which order. */
function movesRows({ name, mapped }: Place, { table }: AlsoTable): boolean {
  const fields = mapped?.fields as Record<string, string | undefined> | undefined;
  const texts = [mapped?.where, ...Object.keys(listedNumbers[name] ?? {}).map((field) => fields?.[field])];
  return texts.some((text) => text?.includes(aliasOf(table)));
}
