import { unprotected } from "../../adapters/csv/csv.js";
import { inSlices } from "./inSlices.js";

/** The IDs of a text, with its repeated IDs and its impossible IDs. */
export interface ListedUserIDs {
  /** Each ID once, in the order of the text. */
  userIDs: readonly string[];
  /** How many entries repeat an earlier ID. */
  duplicates: number;
  /** IDs that no user can have. */
  tooLong: readonly string[];
}

export const nobody: ListedUserIDs = { userIDs: [], duplicates: 0, tooLong: [] };

/** The separators between IDs. */
const separators = /[\r\n,;\t]+/;
const mostCharacters = 64;

/** Reads IDs that are separated by line breaks, commas, semicolons or tabs. */
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

/** The text for users: an ID in each line. */
export interface UserLines {
  users: string;
  /** IDs that the text leaves out, because it would be read as others: with a separator, or blanks around them. */
  leftOut: readonly string[];
}

export function linesOf(userIDs: Iterable<string>): UserLines {
  const lines: string[] = [];
  const leftOut: string[] = [];
  for (const id of userIDs) {
    if (separators.test(id) || id !== id.trim()) leftOut.push(id);
    else lines.push(unprotected(id) === id ? id : `'${id}`);
  }
  return { users: lines.join("\n"), leftOut };
}
