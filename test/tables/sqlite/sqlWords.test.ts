import { expect, it } from "vitest";
import { columnsIn, overRow, tablesIn, wordsOf } from "../../../src/stores/sqlite/map/sqlWords.js";

it.each([
  [`'@' || localpart || ':' || "Server Name"`, `'@' || NEW."localpart" || ':' || NEW."Server Name"`],
  ["CAST(text AS TEXT) COLLATE NOCASE", `CAST(NEW."text" AS TEXT) COLLATE NOCASE`],
  ["substr(person.mxid, 2, instr(mxid, ':') - 1e5)", `substr(NEW."mxid", 2, instr(NEW."mxid", ':') - 1e5)`],
  [
    "CASE WHEN a IN ('x', b) THEN x'00' ELSE lower (c) END",
    `CASE WHEN NEW."a" IN ('x', NEW."b") THEN x'00' ELSE lower (NEW."c") END`,
  ],
  ["data ->> '$.id' || [my data]", `NEW."data" ->> '$.id' || NEW."my data"`],
  ["Größe + main.person.z + 0x1F", `NEW."Größe" + NEW."z" + 0x1F`],
])("names the row of the columns in %s", (expression, expected) => {
  expect(overRow(expression, "NEW")).toBe(expected);
  expect(overRow(expression, undefined)).toBe(expected.replaceAll("NEW.", ""));
});

it("finds the columns of an expression", () => {
  expect(columnsIn("coalesce(NULL, first, p.last) IS NOT NULL AND end_time")).toEqual(["first", "last", "end_time"]);
});

it("finds the words behind a name with an apostrophe", () => {
  expect(wordsOf([`"it's" = 'x y' AND role`])).toEqual(["it's", "AND", "role"]);
});

it.each([
  ["EXISTS (SELECT 1 FROM names)", ["names"]],
  ["a IS DISTINCT FROM b", []],
  ["kind = 'from x'", []],
  ["(SELECT n.name FROM chat.names n, b AS c, json_each(n.x) d, (SELECT 1 FROM e) f)", ["e", "names", "b"]],
  ["(SELECT 1 FROM a JOIN b ON a.x = b.x, c WHERE a.y IN (SELECT 1, 2 FROM d))", ["d", "a", "b", "c"]],
  [`WITH x AS (SELECT 1 FROM a), y (z) AS NOT MATERIALIZED (SELECT 1 FROM x) SELECT * FROM y, "B c"`, ["a", "B c"]],
])("finds the tables in %s", (text, tables) => {
  expect(tablesIn(text)).toEqual(tables);
});
