import { openSqliteStore } from "../../src/stores/sqlite.js";
import { openConnection } from "../plain.js";
import { pathOf, type World } from "../world.js";
import { drizzleLists } from "./drizzle.js";
import type { Lists } from "./lists.js";
import { offsetLists } from "./offset.js";

/** How each contestant that answers lists is opened. */
const contestants: Readonly<Record<string, (world: World) => Lists>> = {
  "im-admin": (world) => openSqliteStore({ path: pathOf(world, "imAdmin") }),
  "better-sqlite3": (world) => offsetLists(openConnection(pathOf(world, "plain"))),
  drizzle: (world) => drizzleLists(openConnection(pathOf(world, "plain"))),
};

export const listContestants = Object.keys(contestants);

export function openLists(contestant: string, world: World): Lists {
  const open = contestants[contestant];
  if (open === undefined) throw new Error(`there is no contestant ${contestant}`);
  return open(world);
}
