import fc from "fast-check";
import { expect, it } from "vitest";
import { csvLines, unprotected } from "../../adapters/csv/csv.js";
import { rounds } from "../helpers/chance.js";

it.each([
  ["=1+1", "'=1+1\r\n"],
  ["-1", "'-1\r\n"],
  ["  @SUM(1)", "'  @SUM(1)\r\n"],
  ["＝1+1", "'＝1+1\r\n"],
  ["＋1", "'＋1\r\n"],
  ["－1", "'－1\r\n"],
  ["＠SUM(1)", "'＠SUM(1)\r\n"],
  ["Ann;=1+1;x", `"Ann;'=1+1;x"\r\n`],
  ["Ann\t=1+1", `"Ann\t'=1+1"\r\n`],
  ["\n=1+1", `"\n'=1+1"\r\n`],
  ["rules:\r\n\r\n=1", `"rules:\r\n\r\n'=1"\r\n`],
  ["'=1", "''=1\r\n"],
  ["a=b-c+d@e", "a=b-c+d@e\r\n"],
  ["Ann; Ben", '"Ann; Ben"\r\n'],
  ["two\n\nlines", '"two\n\nlines"\r\n'],
])("keeps a spreadsheet from reading %j as a formula", (text, line) => {
  expect(csvLines([{ text }])).toBe(line);
});

it("protects no number", () => {
  expect(csvLines([{ number: -1 }])).toBe("-1\r\n");
});

it.each([
  ["0012345", `"=""0012345"""\r\n`],
  ["73928e05", `"=""73928e05"""\r\n`],
  ["u1", `"=""u1"""\r\n`],
  ["", "\r\n"],
  [`x"&HYPERLINK("http://evil.example")&"`, `"=""x""""&HYPERLINK(""""http://evil.example"""")&"""""""\r\n`],
  ["=1+1", `"=""=1+1"""\r\n`],
  ["a;=1+1", `"=""a;'=1+1"""\r\n`],
  ["1".repeat(256), `${"1".repeat(256)}\r\n`],
  [`=${"1".repeat(255)}`, `'=${"1".repeat(255)}\r\n`],
])("writes the ID %j as a formula that is only a text", (userID, line) => {
  expect(csvLines([{ userID }], { quotesIDs: true })).toBe(line);
});

it("quotes the IDs of nested objects too, and nothing else", () => {
  const item = { groupID: "007", nickname: "007", roleLevel: 20, userInfo: { userID: "1e5", ex: "1e5" } };
  expect(csvLines([item], { quotesIDs: true })).toBe(`"=""007""",007,20,"=""1e5""",1e5\r\n`);
  expect(csvLines([item])).toBe("007,007,20,1e5,1e5\r\n");
});

it("protects every text so that the protection can be taken away", () => {
  const hostile = fc.string({ unit: fc.constantFrom("'", "=", "-", "＝", ";", "\t", "\r", "\n", " ", "a", '"') });
  fc.assert(
    fc.property(hostile, (text) => {
      const cell = csvLines([{ text }]).slice(0, -2);
      const written = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
      expect(unprotected(written)).toBe(text);
      expect(written).not.toMatch(/(^|[;\t\r\n]) *[=\-＝]/);
      const quoted = csvLines([{ userID: text }], { quotesIDs: true }).slice(0, -2);
      const formula = quoted.startsWith('"') ? quoted.slice(1, -1).replaceAll('""', '"') : quoted;
      expect(unprotected(formula)).toBe(text);
      // One text from the first quote to the last, which nothing in it ends.
      expect(formula).toMatch(/^$|^="([^"]|"")*"$/);
      expect(formula).not.toMatch(/[;\t\r\n] *[=\-＝]/);
    }),
    { numRuns: rounds(50_000) },
  );
});
