/** The names of the schema, its tables and their columns. */
import { snakeCase } from "../snakeCase.js";
import { name, quoted, type Sql } from "./sql.js";

/** The table of a kind of records, or the column of a field. */
export function snake(camelCase: string): Sql {
  return name(snakeCase(camelCase));
}

/** The name of a schema as SQL, im_admin by default. */
export function schemaName(schema = "im_admin"): Sql {
  if (typeof schema !== "string" || schema === "" || schema.includes("\0")) {
    throw new TypeError("schema must be the name of a schema, such as im_admin");
  }
  // Bodies of functions, which name the schema, stand between such words.
  const [word] = /\$\w*\$/.exec(schema) ?? [];
  if (word !== undefined) throw new TypeError(`schema must not have ${word} in its name`);
  return quoted(schema);
}
