import { expect, it } from "vitest";
import { firstColumn } from "../../console/conversations/userIDs.js";

it.each([
  ["lines", "u1\nu2\r\nu3", "u1\nu2\nu3", []],
  ["a CSV file with names", '\ufeff"userID","nickname"\r\n"u1","An, n"\r\nu2,Ben', "u1\nu2", []],
  ["quotes in a cell", '"say ""hi""",x\nu2', 'say "hi"\nu2', []],
  ["cells that hold what separates IDs", '"u1,u2",x\n"a;b"\n"c\td"\nu3', "u3", ["u1,u2", "a;b", "c\td"]],
])("reads the first column: %s", (_, text, users, leftOut) => {
  expect(firstColumn(text)).toEqual({ users, leftOut });
});
