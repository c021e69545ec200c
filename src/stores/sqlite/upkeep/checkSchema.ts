/** What is to be true of the definitions: all that im-admin makes is there, as it is made. */
import type { Finding } from "../../finding.js";
import type { Check } from "../comparison.js";
import { compare } from "../comparison.js";
import { schemaVersion } from "../schema/migrations.js";
import { holdsRecords } from "../schema/recordTables.js";
import { keptParts, type Sources, schemaOf } from "../schema/schema.js";
import type { SchemaObject } from "../schema/schemaObject.js";
import {
  isSame,
  readStored,
  type StoredObject,
  shadowTables,
  storedAs,
  versionObject,
} from "../schema/storedSchema.js";
import { literal, sql } from "../sql.js";

export function definitionsCheck(sources: Sources): Check {
  const ours = [versionObject, ...schemaOf(sources)];
  const kept = ours.filter((object) => !holdsRecords(object));
  return {
    what: "the definitions of tables, indexes and triggers",
    async find(database) {
      const stored = await readStored(database);
      return [
        ...kept.flatMap((object) => differences(stored, object)),
        ...shadowTables.flatMap((name) => differences(stored, { type: "table", name })),
        ...stored.filter(isOnKeptTable).filter(isForeign).map(foreign),
      ];
    },
  };

  function isForeign({ name }: StoredObject): boolean {
    return !ours.some((object) => isSame(object.name, name));
  }
}

/** Other versions of im-admin make other definitions, so the number is wrong where the definitions are right. */
export const versionCheck: Check = compare("the version of the schema", [
  {
    problem: `im_admin_schema_version does not have the one row ${schemaVersion}`,
    wrong: sql`
      SELECT coalesce(group_concat(version, ', '), 'none') FROM im_admin_schema_version
        HAVING count(*) <> 1 OR max(version) <> ${literal(schemaVersion)}`,
  },
]);

type Expected = Pick<SchemaObject, "type" | "name"> & Partial<SchemaObject>;

function differences(all: readonly StoredObject[], { type, name, sql }: Expected): Finding[] {
  const stored = storedAs(all, { type, name });
  if (stored === undefined) return [wrong(`the ${type} ${name} is missing`)];
  if (stored.type !== type)
    return [wrong(`the ${type} ${name} is missing: the ${stored.type} of that name is none of ours`)];
  if (sql === undefined || stored.text === sql.text) return [];
  return [wrong(`the ${type} ${name} is another one than im-admin makes`)];
}

const keptTables = [versionObject, ...keptParts].filter(({ type }) => type === "table").map(({ name }) => name);

/** Others could change with it what only im-admin writes, or refuse it. SQLite's own indexes have no text. */
function isOnKeptTable({ type, table, text }: StoredObject): boolean {
  const isAdded = (type === "trigger" || type === "index") && text !== "";
  return isAdded && [...keptTables, ...shadowTables].some((name) => isSame(name, table));
}

function foreign({ type, name, table }: StoredObject): Finding {
  return wrong(`the ${type} ${name} is none of ours, and stands on ${table}, which only im-admin writes`);
}

function wrong(problem: string): Finding {
  return { kind: "wrong", problem, count: 1 };
}
