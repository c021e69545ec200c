/** Tells which program a database belongs to. */
import {
  applicationID,
  hasVersionTable,
  type StoredObject,
  selectStored,
  storedOf,
} from "../sqlite/schema/storedSchema.js";
import { type Connection, pragma } from "./connection.js";

/** The owner of a database: us if it has our tables, nobody if it is empty, or another program. */
export type Owner = "us" | "nobody" | "another program";

export function ownerOf(connection: Connection): Owner {
  // This reads only the header of the file, which works if the schema is damaged.
  const id = pragma(connection, "application_id");
  if (id === applicationID) return "us";
  const stored = storedIn(connection);
  if (hasVersionTable(stored)) return "us";
  return id === 0 && pragma(connection, "user_version") === 0 && stored.length === 0 ? "nobody" : "another program";
}

/**
 * Requires a database of ours or an empty one.
 *
 * @param adopt whether to add our tables to another program's database
 */
export function requireOwn(connection: Connection, adopt: boolean): void {
  if (adopt || ownerOf(connection) !== "another program") return;
  throw new Error(
    `${foreign(connection)}: give im-admin a file of its own, or put its lists over these tables by a map, with im-admin tables --map. adopt: true (--adopt) adds empty tables of its own`,
  );
}

/** Whether another program has tables in the database. */
export function hasForeignTables(connection: Connection): boolean {
  return storedIn(connection).some(({ type, name }) => type === "table" && !/^(sqlite|im_admin)_/i.test(name));
}

/** Says why a database is not ours. */
export function foreign(connection: Connection): string {
  const named = storedIn(connection).filter(({ type, name }) => type !== "index" && !/^sqlite_/i.test(name));
  const [first] = named;
  if (first === undefined) return "it is no database of im-admin, but of another program";
  const more = named.length === 1 ? "" : ` and ${named.length - 1} more`;
  return `it is no database of im-admin, but of another program, with the ${first.type} ${first.name}${more}`;
}

function storedIn(connection: Connection): StoredObject[] {
  return storedOf(connection.all(selectStored.text));
}

/** Marks a database as ours, unless it has a mark already. */
export function mark(connection: Connection): void {
  if (pragma(connection, "application_id") === 0) pragma(connection, `application_id = ${applicationID}`);
}
