import fc from "fast-check";
import { expect, it } from "vitest";
import { csvOf } from "../../adapters/csv/csv.js";
import { linesOf, readUserIDs } from "../../console/conversations/userIDs.js";
import { isUserTable, readUserTable } from "../../console/conversations/userTable.js";

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
  expect(await readUserIDs(text)).toEqual({ userIDs, duplicates: 0, tooLong: [] });
});

it("counts repeated IDs, and names impossible ones", async () => {
  const long = "😀".repeat(65);
  expect(await readUserIDs(`u1\n${long}\nu1\n${"😀".repeat(64)}\n${long}`)).toEqual({
    userIDs: ["u1", long, "😀".repeat(64)],
    duplicates: 2,
    tooLong: [long],
  });
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
])("takes users from a table: %s", async (_, text, users, column) => {
  expect(await readUserTable(text)).toEqual({ users, leftOut: [], column, hasNoUsers: false });
});

it("leaves out cells that would be read as other users", async () => {
  const table = await readUserTable('"u1,u2",x\n"a;b"\n"c\td"\nu3');
  expect(table).toMatchObject({ users: "u3", leftOut: ["u1,u2", "a;b", "c\td"] });
});

it("finds no users in a table of groups", async () => {
  const text = "groupID,groupName,ownerUserID\ng1,Chess,u1";
  expect(await readUserTable(text)).toEqual({ users: "", leftOut: [], column: "", hasNoUsers: true });
});

it.each([
  ["userID\nu1", true],
  ["groupID,userID\ng1,u1", true],
  ["u1,u2\nu3", false],
  ["groupID\ng1", false],
])("knows a table of users by its first line: %j", (text, expected) => {
  expect(isUserTable(text)).toBe(expected);
});

it("reads every ID that the console writes into a CSV file or a list, or reports it as left out", async () => {
  const id = fc.oneof(
    fc.string({
      unit: fc.constantFrom("'", "+", "=", "-", "@", '"', ",", " ", ";", "u", "1", "号"),
      minLength: 1,
      maxLength: 6,
    }),
    fc.string({ unit: "grapheme", minLength: 1 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(id, { minLength: 1 }), async (ids) => {
      const { users, leftOut } = linesOf(ids);
      expect(new Set([...(await readUserIDs(users)).userIDs, ...leftOut])).toEqual(new Set(ids));

      const trimmed = ids.filter((id) => id === id.trim());
      const csv = csvOf(trimmed.map((userID) => ({ groupID: "g1", userID, nickname: 'a\r\n"b",' })));
      const table = await readUserTable(csv);
      expect(new Set([...(await readUserIDs(table.users)).userIDs, ...table.leftOut])).toEqual(new Set(trimmed));
    }),
  );
});
