/** Functions that read the rows of a host's table field by field, for those that cannot be read as a whole. */
import { keyFields, recordFields } from "../../../records.js";
import { snakeCase } from "../../snakeCase.js";
import { asSource, bodyOf, castOf, column, fieldValues, hasID, type Place } from "./place.js";
import { recordConditions } from "./view.js";

/** The names and the parameters of these functions, for their removal. */
export function unreadableRoutines({ name }: Place): string[] {
  return ["keys_of", "fields_of"].map((routine) => `im_admin.${routine}_${snakeCase(name)}(text, text)`);
}

export function unreadableFunctions(place: Place): string[] {
  return place.mapped === undefined ? [] : [keysOf(place), fieldsOf(place)];
}

const asked = ["asked_first", "asked_second"] as const;

function keysOf(place: Place): string {
  const routine = `keys_of_${snakeCase(place.name)}`;
  const fields = keyFields[place.name].map(([key]) => key);
  const conditions = fields.map((field, index) => {
    const id = `${routine}.${asked[index]}`;
    return `(${id} IS NULL OR ${hasID(place, "row", field, id)})`;
  });
  const [first, second = "NULL"] = fields.map((field) => `row.${snakeCase(field)}`);
  return `CREATE FUNCTION im_admin.${routine}(asked_first text, asked_second text) RETURNS TABLE (first text, second text)
  LANGUAGE sql STABLE AS ${bodyOf(
    `
  SELECT ${first}, ${second} FROM (${hostColumns(place)}) row
    WHERE ${conditions.join(" AND ")}
`,
    "keys",
  )};
COMMENT ON FUNCTION im_admin.${routine} IS 'The keys of the rows of ${place.name}, also of rows that the filter leaves out. NULL: of any first or second part.';`;
}

/** A column for each field, and one for the filter, so that each can be evaluated alone. */
function fieldsOf(place: Place): string {
  const routine = `fields_of_${snakeCase(place.name)}`;
  const keys = keyFields[place.name].map(([key]) => key);
  const fields = recordFields[place.name].filter(([field]) => !keys.includes(field));
  const filter = recordConditions(place).join(" AND ") || "true";
  const columns = fields.map(([field, kind]) => `"${field}" ${castOf(kind)}`);
  const conditions = keys.map((field, index) => hasID(place, "row", field, `${routine}.${asked[index]}`));
  return `CREATE FUNCTION im_admin.${routine}(asked_first text, asked_second text)
  RETURNS TABLE (${['"where" boolean', ...columns].join(", ")}) LANGUAGE sql STABLE AS ${bodyOf(
    `
  SELECT ${['row."where"', ...fields.map(([field]) => `row.${snakeCase(field)}`)].join(", ")}
    FROM (${hostColumns(place, [`${filter} AS "where"`])}) row
    WHERE ${conditions.join(" AND ")}
`,
    "fields",
  )};
COMMENT ON FUNCTION im_admin.${routine} IS 'The fields of the rows of ${place.name} with a key, and whether the filter takes them.';`;
}

/** Selects all rows of a host's table. What is not used of them is not evaluated. */
function hostColumns(place: Place, more: readonly string[] = []): string {
  const values = fieldValues(place).map(([field, value]) => `${value} AS ${snakeCase(field)}`);
  const parts = place.keyParts.map((part) => `${column(place.alias, part.column)} AS ${part.name}`);
  return `SELECT ${[...values, ...parts, ...more].join(", ")} FROM ${asSource(place.mapped?.from ?? "")}`;
}
