import { unprotected } from "../../adapters/csv/csv.js";
import { inSlices } from "./inSlices.js";

/** Users, divided among as many requests as they need. No list has all of them: a million would block the page. */
export interface Users {
  /** Each ID once, in the order in which they were listed. */
  batches: readonly (readonly string[])[];
  count: number;
  /** How many IDs repeat an earlier one. */
  duplicates: number;
  /** IDs that no user can have. */
  tooLong: readonly string[];
}

export const nobody: Users = { batches: [], count: 0, duplicates: 0, tooLong: [] };

/** The most that one request may have by the server's default limits: users, and bytes of their IDs. */
export const mostUsers = 10_000;
const mostBytes = 800_000;
const mostCharacters = 64;

/** The separators between IDs in a text. */
const separators = /[\r\n,;\t]+/;
/** How many characters browsers lay out in a text field without blocking the page. */
export const mostText = 100_000;

const utf8 = new TextEncoder();

/** Collects users one by one. */
export class UserCollector {
  readonly #seen = new Set<string>();
  readonly #batches: string[][] = [];
  readonly #tooLong: string[] = [];
  /** How many bytes the last batch has. */
  #bytes = Number.POSITIVE_INFINITY;
  #listed = 0;

  readonly add = (userID: string): void => {
    this.#listed += 1;
    if (this.#seen.has(userID)) return;
    this.#seen.add(userID);
    if (userID.length > mostCharacters && [...userID].length > mostCharacters) this.#tooLong.push(userID);
    const bytes = utf8.encode(JSON.stringify(userID)).length + 1;
    const last = this.#batches.at(-1);
    if (last === undefined || last.length === mostUsers || this.#bytes + bytes > mostBytes) {
      this.#batches.push([userID]);
      this.#bytes = bytes;
    } else {
      last.push(userID);
      this.#bytes += bytes;
    }
  };

  get users(): Users {
    const count = this.#seen.size;
    return { batches: this.#batches, count, duplicates: this.#listed - count, tooLong: this.#tooLong };
  }
}

/** Reads users in the background. */
export async function readUsers(userIDs: Iterable<string>, signal?: AbortSignal): Promise<Users> {
  const collector = new UserCollector();
  await inSlices(userIDs, collector.add, signal);
  return collector.users;
}

/** The users of these requests. */
export function usersIn(batches: readonly (readonly string[])[]): Users {
  const all = batches.filter((batch) => batch.length > 0);
  return { ...nobody, batches: all, count: all.reduce((sum, { length }) => sum + length, 0) };
}

/** The IDs in a text, separated by line breaks, commas, semicolons or tabs. */
export function* idsIn(text: string): Generator<string, void, undefined> {
  let start = 0;
  for (const { index, 0: between } of text.matchAll(new RegExp(separators, "g"))) {
    yield* idIn(text.slice(start, index));
    start = index + between.length;
  }
  yield* idIn(text.slice(start));
}

/** The ID in a cell; nothing if it is empty. */
export function idIn(cell: string): string[] {
  const id = unprotected(cell.trim());
  return id === "" ? [] : [id];
}

/** The users as a text with a line for each; undefined if it is too long for a field, or would be read as others. */
export function textOf({ batches, count }: Users): string | undefined {
  if (count > mostText) return undefined;
  const userIDs = batches.flat();
  const isReadable = (id: string) => !separators.test(id) && id === id.trim();
  if (!userIDs.every(isReadable)) return undefined;
  const text = userIDs.map((id) => (unprotected(id) === id ? id : `'${id}`)).join("\n");
  return text.length > mostText ? undefined : text;
}

/** A line for each user. */
export function linesOf(batches: readonly (readonly string[])[]): string {
  return batches.map((batch) => batch.join("\n")).join("\n");
}

/** How many IDs are shown of users that are not shown as a text. */
const shownIDs = 100;

/** The first users, a line for each. */
export function firstOf({ batches, count }: Users): string {
  const lines = (batches[0] ?? []).slice(0, shownIDs);
  return [...lines, ...(count > lines.length ? ["…"] : [])].join("\n");
}
