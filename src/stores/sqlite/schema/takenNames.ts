/** Whether somebody else uses the names that our tables, views, indexes and triggers are to have. */
import { defaultSizes } from "../nodes/tables.js";
import { recordTables } from "../records/tables.js";
import { schemaOf } from "./schema.js";
import {
  hasVersionTable,
  isSame,
  possibleShadows,
  type StoredObject,
  storedAs,
  versionObject,
} from "./storedSchema.js";

/** How many names an error tells at most. */
const mostNames = 5;

/**
 * Requires that a database without a version of ours has room for our schema.
 *
 * @throws Error that names what stands in the way
 */
export function requireFreeNames(stored: readonly StoredObject[]): void {
  const needed = [
    ...(hasVersionTable(stored) ? [] : [versionObject]),
    ...schemaOf(defaultSizes),
    ...possibleShadows.map((name) => ({ type: "table", name }) as const),
  ];
  const taken = needed.flatMap((object) => storedAs(stored, object) ?? []);
  if (taken.length === 0) return;
  if (stored.some(({ name, text }) => isSame(name, "users") && text === recordTables.users.sql.text)) {
    throw new Error(
      "it has tables of im-admin, but schemaVersion does not say which version they have: im-admin check --repair mends a file, anything else needs a backup",
    );
  }
  const told = taken.slice(0, mostNames).map(({ type, name }) => `${type} ${name}`);
  const more = taken.length > told.length ? [`${taken.length - told.length} more`] : [];
  const [last, ...others] = [...told, ...more].reverse();
  const names = others.length === 0 ? `${last} has a name` : `${others.reverse().join(", ")} and ${last} have names`;
  throw new Error(`its ${names} that im-admin needs: give im-admin a database of its own, or rename yours`);
}
