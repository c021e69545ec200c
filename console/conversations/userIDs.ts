/** The IDs that a text lists, and what is odd about them. */
export interface ListedUserIDs {
  /** Each once, in their order. */
  userIDs: readonly string[];
  /** How many stand there again. */
  duplicates: number;
  /** Those that no user can have. */
  tooLong: readonly string[];
}

/** What stands between IDs. */
const separators = /[\r\n,;\t]+/;
const mostCharacters = 64;

/** Reads IDs with line breaks, commas, semicolons or tabs between. */
export function readUserIDs(text: string): ListedUserIDs {
  const listed = text
    .split(separators)
    .map((id) => id.trim())
    .filter((id) => id !== "");
  const userIDs = new Set(listed);
  const tooLong = [...userIDs].filter((id) => id.length > mostCharacters && [...id].length > mostCharacters);
  return { userIDs: [...userIDs], duplicates: listed.length - userIDs.size, tooLong };
}

/**
 * The first column of a CSV file, or the lines of another text, without the name of the column. A cell that holds a
 * separator is left out, since it would become several users.
 */
export function firstColumn(text: string): { users: string; leftOut: string[] } {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  const cells = lines.map(
    (line) => /^\s*"((?:[^"]|"")*)"/.exec(line)?.[1]?.replaceAll('""', '"') ?? line.split(separators)[0] ?? "",
  );
  const listed = cells.filter((cell, index) => index > 0 || !/^\s*user_?id\s*$/i.test(cell));
  return {
    users: listed.filter((cell) => !separators.test(cell)).join("\n"),
    leftOut: listed.filter((cell) => separators.test(cell)),
  };
}
