/**
 * Functions that evaluate the fields of a host's rows one by one, so that an expression that fails for a row costs only
 * what it must.
 */
import { keyFields, type RecordName, recordFields } from "../../records.js";
import { snakeCase } from "../../stores/snakeCase.js";
import { listedNumbers } from "../numbers.js";
import { carefulFields, carefulRoutine } from "./careful.js";
import { asSource, castOf, hasID, keyText, type Place, partOfKey, text } from "./place.js";
import { recordRows } from "./view.js";

/** The look-up function of the records that items show beside their own, which may be gone. */
const shownBeside: Readonly<Partial<Record<RecordName, string>>> = { users: "user_at", groups: "group_at" };

/** The functions that look up a profile or a group carefully. */
export function carefulLookup(name: RecordName): string | undefined {
  const routine = shownBeside[name];
  return routine && `im_admin.careful_${routine}`;
}

const failsForRow = "IF NOT im_admin.is_of_row(SQLSTATE) THEN RAISE; END IF;";

/** The names and the parameters of these functions, for their removal. */
export function carefulRoutines(place: Place): string[] {
  const { name, mapped } = place;
  if (mapped === undefined) return [];
  const parameters = keyFields[name].map(() => "text").join(", ");
  const lookup = carefulLookup(name);
  return [
    ...carefulFields(place).map((field) => `${carefulRoutine(place, field)}(${parameters})`),
    ...(lookup === undefined ? [] : [`${lookup}(text)`]),
    `im_admin.keys_of_${snakeCase(name)}()`,
    `im_admin.unreadable_${snakeCase(name)}(text, text)`,
  ];
}

/** The functions that find what cannot be read. They need the view of the records. */
export function unreadableFunctions(place: Place): string[] {
  return place.mapped === undefined ? [] : [...lookupOf(place), keysOf(place), unreadable(place)];
}

/** The function that evaluates a field by itself. The view of the records calls it. */
export function carefulFunction(place: Place, field: string): string {
  const { name } = place;
  const routine = carefulRoutine(place, field);
  const kind = recordFields[name].find(([named]) => named === field)?.[1];
  const type = kind === undefined ? "text" : castOf(kind);
  const otherwise = type === "text" ? "''" : `${kind?.otherwise}`;
  const parameters = keyFields[name].map(([key]) => `asked_${snakeCase(key)}`);
  const given = parameters.map((parameter) => `${routine.replace("im_admin.", "")}.${parameter}`);
  const conditions = keyFields[name].map(([key], index) => hasID(place, "row", key, given[index] ?? ""));
  return `CREATE FUNCTION ${routine}(${parameters.map((parameter) => `${parameter} text`).join(", ")}) RETURNS ${type}
  LANGUAGE plpgsql STABLE AS $careful$
#variable_conflict use_column
BEGIN
  RETURN coalesce((
    SELECT row.${snakeCase(field)} FROM (
      ${indented(recordRows(place), 6)}
    ) row WHERE ${conditions.join(" AND ")} LIMIT 1), ${otherwise});
EXCEPTION WHEN OTHERS THEN
  ${failsForRow}
  PERFORM im_admin.note_unreadable(${text(name)}, ${text(field)}, ARRAY[${given.join(", ")}], SQLSTATE);
  RETURN ${otherwise};
END $careful$;
COMMENT ON FUNCTION ${routine} IS 'The ${field} of a record, which is ${text(otherwise).slice(1, -1)} if it cannot be read.';`;
}

/** If the record itself cannot be read, it is answered as if it were gone. */
function lookupOf({ name, relation }: Place): string[] {
  const routine = carefulLookup(name);
  if (routine === undefined) return [];
  const own = routine.replace("im_admin.", "");
  return [
    `CREATE FUNCTION ${routine}(asked_id text) RETURNS SETOF ${relation} LANGUAGE plpgsql STABLE AS $careful$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT * FROM im_admin.${shownBeside[name]}(${own}.asked_id);
EXCEPTION WHEN OTHERS THEN
  ${failsForRow}
  PERFORM im_admin.note_unreadable(${text(name)}, 'where', ARRAY[${own}.asked_id], SQLSTATE);
END $careful$;
COMMENT ON FUNCTION ${routine} IS 'The record with an ID; none if its key, order or filter cannot be read.';`,
  ];
}

function keysOf({ name, mapped, alias, separator, ...place }: Place): string {
  const [first = "NULL", second = "NULL"] = keyFields[name].map(([key]) =>
    keyText(partOfKey({ ...place, name, mapped, alias, separator }, key), alias, separator),
  );
  return `CREATE FUNCTION im_admin.keys_of_${snakeCase(name)}() RETURNS TABLE (first text, second text) LANGUAGE sql STABLE AS $keys$
  SELECT ${first}, ${second} FROM ${asSource(mapped?.from ?? "")}
$keys$;
COMMENT ON FUNCTION im_admin.keys_of_${snakeCase(name)} IS 'The keys of all rows, also of those that are no records.';`;
}

function unreadable(place: Place): string {
  const { name, mapped, alias, separator } = place;
  const record = snakeCase(name);
  const given = (mapped?.fields ?? {}) as Readonly<Record<string, string | undefined>>;
  const fields = recordFields[name].flatMap(([field]) => (given[field] === undefined ? [] : [field]));
  const deciding = Object.keys(listedNumbers[name] ?? {});
  const keys = keyFields[name].map(([key]) => key);
  const rows = `(
${" ".repeat(10)}${indented(recordRows(place), 10)}
        ) row`;
  const where = (ids: readonly string[]) =>
    keys.map((key, index) => hasID(place, "row", key, ids[index] ?? "")).join(" AND ");
  const asked = keys.map((key, index) => {
    const id = `unreadable_${record}.asked_${index === 0 ? "first" : "second"}`;
    return `(${id} IS NULL OR ${hasID(place, "row", key, id)})`;
  });
  const keyRows = keys.map((key) => `${keyText(partOfKey(place, key), alias, separator)} AS ${snakeCase(key)}`);
  const parts = place.keyParts.map((part) => `${alias}.${quotedName(part.column)} AS ${part.name}`);
  const of = ["key.id", "key.other"];
  const count = (columns: readonly string[]) =>
    ["count(*)", ...columns.map((field) => `count(row.${snakeCase(field)})`)].join(", ");
  const found = (field: string, decides: boolean) =>
    `RETURN QUERY SELECT key.id::text, key.other::text, ${text(field)}, ${decides}, SQLSTATE::text;`;
  const tryEach = fields.map(
    (field) => `      BEGIN
        PERFORM ${count([field])} FROM ${rows} WHERE ${where(of)};
      EXCEPTION WHEN OTHERS THEN
        ${failsForRow}
        ${found(field, deciding.includes(field))}
      END;`,
  );
  return `CREATE FUNCTION im_admin.unreadable_${record}(asked_first text, asked_second text)
  RETURNS TABLE (first text, second text, field text, decides boolean, reason text) LANGUAGE plpgsql STABLE
  SET search_path = im_admin, pg_temp SET row_security = off SET plan_cache_mode = force_custom_plan SET enable_seqscan = off AS $careful$
#variable_conflict use_column
DECLARE
  key record;
BEGIN
  BEGIN
    PERFORM ${count(fields)} FROM ${rows} WHERE ${asked.join(" AND ")};
    RETURN;
  EXCEPTION WHEN OTHERS THEN
    ${failsForRow}
  END;
  FOR key IN
    SELECT DISTINCT row.${snakeCase(keys[0] ?? "")} AS id, ${keys[1] === undefined ? "NULL" : `row.${snakeCase(keys[1])}`} AS other
      FROM (SELECT ${[...keyRows, ...parts].join(", ")} FROM ${asSource(mapped?.from ?? "")}) row
      WHERE ${asked.join(" AND ")}
  LOOP
    BEGIN
      PERFORM ${count(fields)} FROM ${rows} WHERE ${where(of)};
    EXCEPTION WHEN OTHERS THEN
      ${failsForRow}
      BEGIN
        PERFORM count(*) FROM ${rows} WHERE ${where(of)};
      EXCEPTION WHEN OTHERS THEN
        ${failsForRow}
        ${found("where", true)}
        CONTINUE;
      END;
${tryEach.join("\n")}
    END;
  END LOOP;
END $careful$;
COMMENT ON FUNCTION im_admin.unreadable_${record} IS 'The fields of ${name} that cannot be read.';`;
}

function quotedName(column: string): string {
  return `"${column.replaceAll('"', '""')}"`;
}

function indented(sql: string, spaces: number): string {
  return sql.replaceAll("\n", `\n${" ".repeat(spaces)}`);
}
