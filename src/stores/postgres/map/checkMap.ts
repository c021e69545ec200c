/** Functions that find problems of a map and of the rows of its tables. */
import type { RecordName } from "../../../records.js";
import { recordKeys } from "../../../records.js";
import type { KeyColumns } from "../../../tables/map.js";
import { aliasOf, isQuery } from "../../../tables/mapNames.js";
import { firstLikelyTime, unlikelyTimes } from "../../../tables/numbers.js";
import { snakeCase } from "../../snakeCase.js";
import { listsOf } from "./listSql.js";
import type { Places } from "./lookups.js";
import { bodyOf, keyText, type Place, text } from "./place.js";
import { obstacles, recordRows } from "./view.js";

/**
 * Statements that return a row for each problem, with the number of rows that have it and one of them as an example.
 * Its kind is "wrong" if a repair mends it, "unmendable" if only the host can, and "note" if nothing is wrong. If a
 * statement fails, its error names the table or column of the map that does not exist any more.
 */
export function checks(names: readonly RecordName[]): string[] {
  return names.map((name) => `SELECT * FROM ${checkRoutine(name)}();`);
}

export function checkRoutine(name: RecordName): string {
  return `im_admin.check_${snakeCase(name)}`;
}

/** The functions that these statements call. */
export function checkFunctions(places: Places, names: readonly RecordName[]): string[] {
  return names.map((name) => {
    const queries = places[name].mapped === undefined ? [] : checksOf(places[name]);
    const body = queries.map(
      (query) => `  BEGIN
    RETURN QUERY ${query.replaceAll("\n", "\n    ")}
  EXCEPTION WHEN OTHERS THEN
    IF NOT im_admin.is_of_row(SQLSTATE) THEN RAISE; END IF;
  END;
`,
    );
    return `CREATE FUNCTION ${checkRoutine(name)}() RETURNS TABLE (kind text, problem text, count bigint, example text)
  LANGUAGE plpgsql STABLE SET search_path = im_admin, pg_temp SET row_security = off AS ${bodyOf(
    `
#variable_conflict use_column
BEGIN
  PERFORM im_admin.require_mapped(${text(snakeCase(name))});
${body.join("")}END `,
    "check",
  )};
COMMENT ON FUNCTION ${checkRoutine(name)} IS 'Finds problems of the rows of ${name}.';`;
  });
}

function checksOf(place: Place): string[] {
  const { name, mapped, relation } = place;
  const from = mapped?.from ?? "";
  const keys = recordKeys[name].map(snakeCase).join(", ");
  const reasons = obstacles(place, "row").map(
    ([reason, condition]) => `    WHEN ${condition} THEN ${text(`rows of ${from} are not listed: ${reason}`)}`,
  );
  return [
    unreadableRows(name),
    `SELECT 'note', rows.problem, count(*), min(rows.example) FROM (
  SELECT CASE
${reasons.join("\n")}
    END AS problem, concat_ws(', ', ${keys}) AS example
  FROM (
    ${recordRows(place).replaceAll("\n", "\n    ")}
  ) row
) rows WHERE rows.problem IS NOT NULL GROUP BY rows.problem;`,
    `SELECT 'unmendable', ${text(`rows of ${from} have the same key`)}, count(*), min(same.example)
FROM (SELECT concat_ws(', ', ${keys}) AS example FROM ${relation} GROUP BY ${keys} HAVING count(*) > 1) same
HAVING count(*) > 0;`,
    ...(mapped === undefined ? [] : unlikelyTimes(name, mapped)).map(
      ([field, problem]) => `SELECT 'note', ${text(problem)}, count(*), max(${snakeCase(field)})::text FROM ${relation}
WHERE ${snakeCase(field)} > 0 HAVING max(${snakeCase(field)}) < ${firstLikelyTime};`,
    ),
    // What a query reads, only the tables in it can tell.
    ...(isQuery(from) ? [] : missingIndexes(place)),
    ...(listsOf[name].length === 0 || isQuery(from) ? [] : [missingTriggers(from, snakeCase(name))]),
  ];
}

/** If a row cannot be read, the other queries may find nothing. */
function unreadableRows(name: RecordName): string {
  return `SELECT CASE WHEN found.decides THEN 'unmendable' ELSE 'note' END, ${text(`${name}.`)} || found.field || ' cannot be read (SQLSTATE ' || found.reason
    || CASE WHEN found.decides THEN '), and the lists with these rows fail' ELSE '), and is answered as 0, false or ""' END,
  count(*), min(concat_ws(', ', found.first, found.second))
FROM im_admin.unreadable(${text(snakeCase(name))}, NULL, NULL) found GROUP BY found.field, found.decides, found.reason;`;
}

/** To tell whether a list is short, its rows are counted in an index that begins with the owner of the list. */
function missingIndexes({ name, mapped, keyParts, separator }: Place): string[] {
  const { from = "", key = {} } = mapped ?? {};
  const fields = new Set([...listsOf[name].flatMap(({ parent }) => parent ?? []), recordKeys[name][0]]);
  return [...fields].map((field) => {
    const columns = keyParts.filter((part) => part.field === field).map((part) => part.column);
    const expression = `((${keyText((key as Record<string, KeyColumns>)[field] ?? [], aliasOf(from), separator)}) COLLATE "C")`;
    const begin = columns.length === 0 ? expression : columns.join(", ");
    const array = `ARRAY[${columns.map((column) => text(column)).join(", ")}]::name[]`;
    const begins =
      columns.length === 0
        ? "indkey[0] = 0"
        : `(
      SELECT array_agg(attname ORDER BY attname) FROM unnest(indkey[0:${columns.length - 1}]) number
        JOIN pg_attribute ON attrelid = indrelid AND attnum = number
    ) = (SELECT array_agg(name ORDER BY name) FROM unnest(${array}) name)`;
    return `SELECT 'note', ${text(`${from} has no index that begins with ${begin}: each look at a short list reads all of its rows`)},
  1::bigint, ${text(`CREATE INDEX ON ${from} (${begin})`)}
FROM pg_class WHERE oid = ${text(from)}::regclass AND relkind <> 'v'
  AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = pg_class.oid AND indisvalid AND ${begins});`;
  });
}

/**
 * Finds tables and partitions without the triggers, such as a table that inherits and was made after the map was
 * installed. A table that has got a parent needs triggers for each row.
 */
function missingTriggers(from: string, record: string): string {
  return `WITH RECURSIVE parts AS (
  SELECT ${text(from)}::regclass AS part
  UNION SELECT inhrelid::regclass FROM pg_inherits JOIN parts ON inhparent = part
)
SELECT 'wrong', 'tables lack triggers of im-admin, or have them disabled', count(*), min(parts.part::text)
FROM parts JOIN pg_class ON pg_class.oid = part
WHERE relkind <> 'v' AND (
  SELECT count(*) FROM pg_trigger WHERE tgrelid = part AND tgenabled IN ('O', 'A') AND tgname LIKE 'zz_im_admin_${record}_written_%'
) < CASE WHEN part = ${text(from)}::regclass THEN 1 ELSE 0 END
  + CASE WHEN relkind = 'p' OR relispartition OR EXISTS (SELECT FROM pg_inherits WHERE inhrelid = ${text(from)}::regclass)
    THEN 1 ELSE 3 END
  OR part = ${text(from)}::regclass AND EXISTS (SELECT FROM pg_inherits WHERE inhrelid = part) AND EXISTS (
    SELECT FROM pg_trigger WHERE tgrelid = part AND tgnewtable IS NOT NULL AND tgname LIKE 'zz_im_admin_${record}_written_%')
HAVING count(*) > 0;`;
}
