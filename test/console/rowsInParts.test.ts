import { expect, it } from "vitest";
import { rowsInParts } from "../../console/history/rowsInParts.js";
import { readRows } from "../../console/list/readRows.js";

const { signal } = new AbortController();

it.each([
  ["parts that are longer than a page", [2_500, 1, 999]],
  ["parts that are shorter than a page, some empty", [1, 0, 700, 0, 700, 700, 0]],
  ["one part", [1_000]],
  ["no row", [0]],
])("reads all rows in their order, each part once: %s", async (_, sizes) => {
  const asked: number[] = [];
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const load = rowsInParts(total, sizes.length, async (part) => {
    asked.push(part);
    return Array.from({ length: sizes[part] ?? 0 }, (_, index) => `${part}-${index}`);
  });
  const rows: string[] = [];
  for await (const { items } of readRows(load, { signal })) rows.push(...items);
  expect(rows).toEqual(sizes.flatMap((size, part) => Array.from({ length: size }, (_, index) => `${part}-${index}`)));
  expect(asked).toEqual([...new Set(asked)]);
});

it("goes on with the page that did not come", async () => {
  let isBroken = true;
  const load = rowsInParts(3_000, 3, async (part) => {
    if (part === 1 && isBroken) throw new Error("no answer");
    return Array.from({ length: 1_000 }, (_, index) => part * 1_000 + index);
  });
  expect((await load(0, 1_000)).items[999]).toBe(999);
  await expect(load(1_000, 1_000)).rejects.toThrow("no answer");
  isBroken = false;
  expect((await load(1_000, 1_000)).items[0]).toBe(1_000);
  expect((await load(2_000, 1_000)).items.at(-1)).toBe(2_999);
});
