import { isProtected, unprotected } from "../list/csv.js";
import { inSlices } from "./inSlices.js";

/** The IDs that a text lists, and what is odd about them. */
export interface ListedUserIDs {
  /** Each once, in their order. */
  userIDs: readonly string[];
  /** How many stand there again. */
  duplicates: number;
  /** Those that no user can have. */
  tooLong: readonly string[];
}

export const nobody: ListedUserIDs = { userIDs: [], duplicates: 0, tooLong: [] };

/** What stands between IDs. */
const separators = /[\r\n,;\t]+/;
const mostCharacters = 64;

/** Reads IDs with line breaks, commas, semicolons or tabs between. */
export async function readUserIDs(text: string, signal?: AbortSignal): Promise<ListedUserIDs> {
  const userIDs = new Set<string>();
  const tooLong: string[] = [];
  let listed = 0;
  const take = (cell: string) => {
    const id = unprotected(cell.trim());
    if (id === "") return;
    listed += 1;
    if (id.length > mostCharacters && !userIDs.has(id) && [...id].length > mostCharacters) tooLong.push(id);
    userIDs.add(id);
  };
  await inSlices(cellsOf(text), take, signal);
  return { userIDs: [...userIDs], duplicates: listed - userIDs.size, tooLong };
}

function* cellsOf(text: string): Generator<string, void, undefined> {
  let start = 0;
  for (const { index, 0: between } of text.matchAll(new RegExp(separators, "g"))) {
    yield text.slice(start, index);
    start = index + between.length;
  }
  yield text.slice(start);
}

/** Users as such a text. */
export interface UserLines {
  users: string;
  /** IDs that would be others in it, because they hold what separates IDs or have blanks around them. */
  leftOut: readonly string[];
}

export function linesOf(userIDs: Iterable<string>): UserLines {
  const lines: string[] = [];
  const leftOut: string[] = [];
  for (const id of userIDs) {
    if (separators.test(id) || id !== id.trim()) leftOut.push(id);
    else lines.push(isProtected(id) ? `'${id}` : id);
  }
  return { users: lines.join("\n"), leftOut };
}
