/** How the schema, its tables and their columns are called. */
import { snakeCase } from "../names.js";
import { name, quoted, type Sql } from "./sql.js";

/** The name of the table or column that has the records or the values of a name in JavaScript. */
export function snake(camelCase: string): Sql {
  return name(snakeCase(camelCase));
}

/** A schema as SQL, that of most hosts where none is given. */
export function schemaName(schema = "im_admin"): Sql {
  if (typeof schema !== "string" || schema === "" || schema.includes("\0")) {
    throw new TypeError("schema must be the name of a schema, such as im_admin");
  }
  return quoted(schema);
}
