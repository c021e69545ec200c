/** Builds all kept data of a database again, in one transaction. */
import { recordNames } from "../../../records.js";
import { type OnStep, told } from "../../steps.js";
import type { SqlDatabase } from "../database.js";
import type { Mark } from "../map/marks.js";
import { schemaVersion } from "../schema/migrations.js";
import { recordIn } from "../schema/recordTables.js";
import { keptParts, noteTables, noting, type Sources, schemaOf } from "../schema/schema.js";
import type { SchemaObject } from "../schema/schemaObject.js";
import type { Sizes } from "../schema/sizes.js";
import { drops, readStored, type StoredObject, storedAs, versionObject } from "../schema/storedSchema.js";
import { literal, our, type Sql, sql } from "../sql.js";
import { buildFrom, building } from "./buildFrom.js";
import { installedSources } from "./installMap.js";
import { noteSources } from "./mapStatements.js";

/**
 * Drops every object of ours except the tables of records and of notes, also changed ones, and makes it again from the
 * records.
 *
 * @throws Error if records cannot be read, or have the same key
 */
export async function repairLists(opened: SqlDatabase, sizes: Sizes, onStep: OnStep = () => {}): Promise<void> {
  const database = opened.direct ?? opened;
  const sources = await installedSources(database);
  const stored = await readStored(database);
  await building(database, sources, async (marks) => {
    await database.write(told(renewal(sizes, sources, stored, marks), onStep));
  });
}

/** What a repair makes again: everything but the tables of records and of notes. */
function madeAgain(sources: Sources): SchemaObject[] {
  const isMade = (object: SchemaObject) => recordIn(object) === undefined && !noteTables.includes(object);
  return [versionObject, ...schemaOf(sources).filter(isMade)];
}

/** The statements that make everything again from the records. */
export function renewal(
  sizes: Sizes,
  sources: Sources,
  stored: readonly StoredObject[],
  marks?: readonly Mark[],
): Sql[] {
  const own = recordNames.filter((record) => !sources.has(record));
  return [
    ...drops(stored, madeAgain(sources)),
    ...own.map((table) => sql`REINDEX ${our(table)}`),
    versionObject.sql,
    sql`INSERT INTO im_admin_schema_version (version) VALUES (${literal(schemaVersion)})`,
    ...noteTables.filter((table) => !storedAs(stored, table)).map((table) => table.sql),
    ...keptParts.map((part) => part.sql),
    ...noteSources(sources),
    ...noting(sources).map((object) => object.sql),
    ...buildFrom(sources, sizes, new Set(recordNames), marks),
  ];
}
