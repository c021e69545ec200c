import { openSqliteStore } from "../../src/stores/sqlite.js";
import { openConnection } from "../plain.js";
import { pathOf, type World } from "../world.js";
import type { Lists } from "./lists.js";
import { offsetLists } from "./offset.js";

/** How each contestant that answers lists is opened. */
const contestants: Readonly<Record<string, (world: World) => Lists | Promise<Lists>>> = {
  "im-admin": (world) => openSqliteStore({ path: pathOf(world, "imAdmin") }),
  "better-sqlite3": (world) => offsetLists(openConnection(pathOf(world, "plain"))),
  // Loaded only here, because it takes longer to load than all else.
  drizzle: async (world) => (await import("./drizzle.js")).drizzleLists(openConnection(pathOf(world, "plain"))),
};

export const listContestants = Object.keys(contestants);

export async function openLists(contestant: string, world: World): Promise<Lists> {
  const open = contestants[contestant];
  if (open === undefined) throw new Error(`there is no contestant ${contestant}`);
  return open(world);
}
