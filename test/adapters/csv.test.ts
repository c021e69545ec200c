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

it("protects every text so that the protection can be taken away", () => {
  const hostile = fc.string({ unit: fc.constantFrom("'", "=", "-", "＝", ";", "\t", "\r", "\n", " ", "a", '"') });
  fc.assert(
    fc.property(hostile, (text) => {
      const cell = csvLines([{ text }]).slice(0, -2);
      const written = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
      expect(unprotected(written)).toBe(text);
      expect(written).not.toMatch(/(^|[;\t\r\n]) *[=\-＝]/);
    }),
    { numRuns: rounds(50_000) },
  );
});
