import { openSqliteStore } from "../../src/stores/drivers/sqlite.js";
import { openConnection } from "../plain.js";
import type { Kind } from "../scale.js";
import { type DatabaseName, pathOf, type World } from "../world.js";
import { offsetLists } from "./offset.js";
import type { Lists } from "./pageReader.js";

/** How each contestant that answers lists is opened. */
const contestants: Readonly<Record<string, (world: World, kind: Kind) => Lists | Promise<Lists>>> = {
  "im-admin": (world, kind) => openSqliteStore({ path: pathOf(world, `imAdmin ${kind}`) }),
  "better-sqlite3": (world, kind) => offsetLists(openConnection(pathOf(world, `plain ${kind}`))),
};

/** The contestants. */
export const listContestants = Object.keys(contestants);

/** The databases that the contestants read. */
export function listDatabases(kind: Kind): DatabaseName[] {
  return [`imAdmin ${kind}`, `plain ${kind}`];
}

export async function openLists(contestant: string, world: World, kind: Kind): Promise<Lists> {
  const open = contestants[contestant];
  if (open === undefined) throw new Error(`there is no contestant ${contestant}`);
  return open(world, kind);
}
