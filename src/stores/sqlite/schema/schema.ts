/** All that a database of ours has: what is made first stands first. */
import { type RecordName, recordNames } from "../../../records.js";
import type { HostTable, Source } from "../database.js";
import { changedTable, ownTriggers } from "./changed.js";
import { followedTable, lastImportTable } from "./lastImport.js";
import { listedObjects } from "./listed.js";
import { mapTable, sourceTable } from "./mapTable.js";
import { nodeTables } from "./nodeTables.js";

import { recordTables } from "./recordTables.js";
import type { SchemaObject } from "./schemaObject.js";
import { unreadableTable } from "./unreadableTable.js";

/** What a host's table has of ours, in place of im-admin's own table. */
export interface RecordSource extends Source {
  /** The SELECT, which leaves out what `im_admin_unreadable` has. */
  careful: string;
  /** The triggers that note changed keys. */
  objects: readonly SchemaObject[];
  /** How conversations are written. */
  target?: HostTable | undefined;
}

/** The kinds of records that are in tables of a host. */
export type Sources = ReadonlyMap<RecordName, RecordSource>;

/** The sources that leave out what `im_admin_unreadable` has. */
export function carefulSources(sources: Sources): ReadonlyMap<RecordName, Source> {
  return new Map(Array.from(sources, ([record, { careful, keys }]) => [record, { select: careful, keys }]));
}

/** All records are in im-admin's own tables. */
export const noSources: Sources = new Map();

/** The parts that hold what is kept for the lists. */
export const keptParts: readonly SchemaObject[] = [changedTable(), unreadableTable, ...listedObjects(), ...nodeTables];

/** Tables of what is noted nowhere else. */
export const noteTables: readonly SchemaObject[] = [mapTable, sourceTable, lastImportTable, followedTable];

/** The triggers that note changed keys. */
export function noting(sources = noSources): SchemaObject[] {
  return recordNames.flatMap((record) => sources.get(record)?.objects ?? ownTriggers(record));
}

/** Everything, in an order in which it can be made. */
export function schemaOf(sources = noSources): SchemaObject[] {
  const own = recordNames.filter((record) => !sources.has(record)).map((record) => recordTables[record]);
  return [...own, ...noteTables, ...keptParts, ...noting(sources)];
}
