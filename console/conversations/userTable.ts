import { csvRows } from "./csvRows.js";
import { idIn } from "./users.js";

/** The names of columns with user IDs. Earlier names come first if a table has several. */
const userNames = ["userid", "userinfo.userid", "blackuserinfo.userid", "用户id", "用戶id", "uid"];
/** Names which show that a first line has the names of columns, although none of them is for users. */
const otherNames = ["groupid", "群组id", "群組id"];

/** The users of a table. */
export interface UserTable {
  userIDs: Iterable<string>;
  /** The name of their column; empty if the table has no names, and the users are in its first column. */
  column: string;
  /** Whether the table has names, but none of a column with users. */
  hasNoUsers: boolean;
}

/** Whether the first line of a text names a column of users. */
export function isUserTable(text: string): boolean {
  return headOf(text).column >= 0;
}

/** The users in a table, such as a CSV file of the console, or in the lines of a text. */
export function userTable(text: string): UserTable {
  const { separator, names, column, isHead } = headOf(text);
  const hasNoUsers = isHead && column < 0;
  const rows = csvRows(text.replace(/^\ufeff/, ""), separator);
  if (isHead) rows.next();
  return { userIDs: hasNoUsers ? [] : cellsOf(rows, Math.max(0, column)), column: names[column] ?? "", hasNoUsers };
}

function* cellsOf(rows: Iterable<string[]>, column: number): Generator<string, void, undefined> {
  for (const row of rows) yield* idIn(row[column] ?? "");
}

function headOf(text: string) {
  const [line = ""] = text.replace(/^\ufeff/, "").split(/[\r\n]/, 1);
  const ways = ([",", ";", "\t"] as const).map((separator) => {
    const [names = []] = csvRows(line, separator);
    return { separator, names: names.map((name) => name.trim()) };
  });
  const { separator, names } = ways.reduce((best, way) => (way.names.length > best.names.length ? way : best));
  const plain = names.map((name) => name.toLowerCase().replaceAll(/[\s_-]/g, ""));
  const found = userNames.find((name) => plain.includes(name));
  const column = found === undefined ? -1 : plain.indexOf(found);
  return { separator, names, column, isHead: column >= 0 || plain.some((name) => otherNames.includes(name)) };
}
