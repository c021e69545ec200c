import fc from "fast-check";
import { expect, it } from "vitest";
import { csvOf } from "../../adapters/csv/csv.js";
import { idsIn, readUsers, textOf, usersIn } from "../../console/conversations/users.js";
import { isUserTable, userTable } from "../../console/conversations/userTable.js";

const ids = (count: number, character = "u") => Array.from({ length: count }, (_, index) => `${character}${index}`);

it.each([
  ["lines", "u1\nu2\r\nu3", ["u1", "u2", "u3"]],
  ["commas, semicolons and tabs", " u1, u2;u3\tu4,,\n", ["u1", "u2", "u3", "u4"]],
  [
    "what keeps a spreadsheet from taking them for formulas",
    "'+8613800138000\n'@ann\n'ben",
    ["+8613800138000", "@ann", "'ben"],
  ],
  ["nothing", " \n, ", []],
])("reads IDs: %s", async (_, text, userIDs) => {
  expect([...idsIn(text)]).toEqual(userIDs);
});

it("takes each user once, and names impossible IDs", async () => {
  const long = "😀".repeat(65);
  expect(await readUsers(["u1", long, "u1", "😀".repeat(64), long])).toEqual({
    batches: [["u1", long, "😀".repeat(64)]],
    count: 3,
    duplicates: 2,
    tooLong: [long],
  });
});

it("divides users among requests by their number, and by the bytes of their IDs", async () => {
  const many = await readUsers(ids(25_000));
  expect(many.batches.map(({ length }) => length)).toEqual([10_000, 10_000, 5_000]);
  // 60 characters of three bytes, five digits, two quotes and a comma take 188 bytes.
  const long = await readUsers(Array.from({ length: 5_000 }, (_, index) => "号".repeat(60) + (10_000 + index)));
  expect(long.batches.map(({ length }) => length)).toEqual([4_255, 745]);
});

it.each([
  ["lines", "u1\nu2\r\nu3", "u1\nu2\nu3", ""],
  ["a file with names", '\ufeff"userID","nickname"\r\n"u1","An, n"\r\nu2,Ben', "u1\nu2", "userID"],
  ["users in the second column", "groupID,userID\r\ng1,u1\r\ng1,u2\r\n", "u1\nu2", "userID"],
  ["a name with a blank, and semicolons", 'Name;User ID\nAnn;u1\n"B;en";u2\n;\n', "u1\nu2", "User ID"],
  ["cells of a spreadsheet", "user_id\tName\nu1\tAnn", "u1", "user_id"],
  ["a Chinese name", "群组 ID,用户 ID\ng1,u1", "u1", "用户 ID"],
  ["join requests", "handleUserID,userInfo.userID,groupInfo.ownerUserID\nh,u1,o", "u1", "userInfo.userID"],
  ["a blacklist", "ownerUserID,blackUserInfo.userID\no,u1", "u1", "blackUserInfo.userID"],
  ["lines within cells", 'ex,userID\n"a\r\nb ""c""",u1\n,u2', "u1\nu2", "userID"],
  ["quotes in a cell", '"say ""hi""",x\nu2', 'say "hi"\nu2', ""],
  ["phone numbers", "userID\n'+8613800138000\n''+86", "+8613800138000\n''+86", "userID"],
])("takes users from a table: %s", (_, text, users, column) => {
  const { userIDs, ...table } = userTable(text);
  expect(textOf(usersIn([[...userIDs]]))).toBe(users);
  expect(table).toEqual({ column, hasNoUsers: false });
});

it.each([
  ["too many for a field", ids(20_000)],
  ["a comma", ["u1,u2"]],
  ["a semicolon", ["a;b"]],
  ["a tab", ["c\td"]],
  ["a blank at the end", ["u1 "]],
])("shows no text that would be read as other users: %s", (_, userIDs) => {
  expect(textOf(usersIn([userIDs]))).toBeUndefined();
});

it("finds no users in a table of groups", () => {
  const text = "groupID,groupName,ownerUserID\ng1,Chess,u1";
  expect(userTable(text)).toEqual({ userIDs: [], column: "", hasNoUsers: true });
});

it.each([
  ["userID\nu1", true],
  ["groupID,userID\ng1,u1", true],
  ["u1,u2\nu3", false],
  ["groupID\ng1", false],
])("knows a table of users by its first line: %j", (text, expected) => {
  expect(isUserTable(text)).toBe(expected);
});

it("reads every ID that the console writes into a CSV file or a text", () => {
  const id = fc.oneof(
    fc.string({
      unit: fc.constantFrom("'", "+", "=", "-", "@", '"', ",", " ", ";", "u", "1", "号"),
      minLength: 1,
      maxLength: 6,
    }),
    fc.string({ unit: "grapheme", minLength: 1 }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(id, { minLength: 1 }), (userIDs) => {
      const text = textOf(usersIn([userIDs]));
      expect(text === undefined ? userIDs : [...idsIn(text)]).toEqual(userIDs);

      const trimmed = userIDs.filter((userID) => userID === userID.trim());
      const csv = csvOf(trimmed.map((userID) => ({ groupID: "g1", userID, nickname: 'a\r\n"b",' })));
      expect([...userTable(csv).userIDs]).toEqual(trimmed);
    }),
  );
});
