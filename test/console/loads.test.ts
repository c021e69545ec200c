import { expect, it } from "vitest";
import { CallFailure } from "../../console/api/callFailure.js";
import { fromEnd, fromStart } from "../../console/list/loads.js";
import { readRows } from "../../console/list/readRows.js";

/** A list whose newest row comes first, and the pages that were asked for. Row 0 is the oldest. */
function listOf(lengthNow: () => number) {
  const asked: string[] = [];
  const ask = async (pageNumber: number, showNumber: number) => {
    asked.push(`${pageNumber} of ${showNumber}`);
    const total = lengthNow();
    const start = (pageNumber - 1) * showNumber;
    const length = Math.max(0, Math.min(showNumber, total - start));
    return { total, items: Array.from({ length }, (_, index) => total - 1 - start - index) };
  };
  return { ask, asked };
}

/** The same, but no page may have more than some rows. */
function heavyListOf(length: number, fitting: number) {
  const { ask } = listOf(() => length);
  const asked: number[] = [];
  const heavy = async (pageNumber: number, showNumber: number) => {
    asked.push(showNumber);
    if (showNumber > fitting) throw tooHeavy(fitting);
    return ask(pageNumber, showNumber);
  };
  return { heavy, asked };
}

function tooHeavy(fitting: number): CallFailure {
  const what = `pagination.showNumber must be at most ${fitting}: more have over 4194304 bytes`;
  return new CallFailure("refused", { operationID: "o", errCode: 1001, errDlt: `1001 ArgsError: ${what}` });
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

it.each([0, 1, 49, 50, 51, 99, 100, 101, 999, 1_000, 1_001, 1_007, 9_800])(
  "shows each page of a list of %i rows from its end",
  async (length) => {
    const { ask } = listOf(() => length);
    const load = fromEnd(ask);
    for (let first = 0; first <= length; first += 50) {
      const { total, items } = await load(first, 50);
      expect([total, items]).toEqual([length, numbers(first, Math.min(first + 50, length) - 1)]);
    }
  },
);

it("asks once for the length, and then once for each page", async () => {
  const { ask, asked } = listOf(() => 9_800);
  const load = fromEnd(ask);
  await load(0, 50);
  await load(50, 50);
  await load(9_750, 50);
  expect(asked).toHaveLength(4);
  expect(asked[0]).toBe("1 of 50");
  expect(asked[3]).toMatch(/^1 of /);
});

it("shows two pages that are asked for at once", async () => {
  const { ask } = listOf(() => 1_230);
  const load = fromEnd(ask);
  const [one, other] = await Promise.all([load(650, 50), load(700, 50)]);
  expect([one.items, other.items]).toEqual([numbers(650, 699), numbers(700, 749)]);
});

it("asks only once for the rows of a short list", async () => {
  const { ask, asked } = listOf(() => 50);
  await fromEnd(ask)(0, 50);
  expect(asked).toEqual(["1 of 50"]);
});

it.each([1, -1, 9, -9, 700, -700])("shows the right rows when %i rows have come meanwhile", async (change) => {
  let length = 3_000;
  const { ask } = listOf(() => length);
  const load = fromEnd(ask);
  await load(0, 50);
  length += change;
  expect(await load(1_000, 50)).toMatchObject({ total: 3_000 + change, items: numbers(1_000, 1_049) });
  expect(await load(0, 50)).toMatchObject({ total: 3_000 + change, items: numbers(0, 49) });
});

it("asks no more often while rows come and go one by one", async () => {
  let length = 3_000;
  const { ask, asked } = listOf(() => (length += length % 2 === 0 ? 1 : -1));
  const load = fromEnd(ask);
  await load(0, 50);
  asked.length = 0;
  for (let first = 0; first < 2_900; first += 50)
    expect((await load(first, 50)).items).toEqual(numbers(first, first + 49));
  expect(asked).toHaveLength(58);
});

it("gives up on a list that is another one each time", async () => {
  const lengths = [3_000, 90_000, 5_000, 70_000];
  const { ask, asked } = listOf(() => lengths.shift() ?? 0);
  expect((await fromEnd(ask)(0, 50)).total).toBe(5_000);
  expect(asked).toHaveLength(3);
});

it.each([
  ["from its start", fromStart, (length: number) => numbers(0, length - 1).reverse()],
  ["from its end", fromEnd, (length: number) => numbers(0, length - 1)],
] as const)("reads a whole list %s with hardly more requests than it has thousands", async (_, order, expected) => {
  const { ask, asked } = listOf(() => 9_800);
  const load = order(ask);
  await load(0, 50);
  asked.length = 0;
  const rows: number[] = [];
  for await (const { items } of readRows(load, {})) rows.push(...items);
  expect(rows).toEqual(expected(9_800));
  expect(asked.length).toBeLessThanOrEqual(11);
  const some: number[] = [];
  for await (const { items } of readRows(load, { first: 1_234, last: 3_456 })) some.push(...items);
  expect(some).toEqual(expected(9_800).slice(1_234, 3_457));
});

it("loses no row of a list that becomes longer while it is read from its end", async () => {
  let length = 5_000;
  const { ask } = listOf(() => length++);
  const rows: number[] = [];
  for await (const { items } of readRows(fromEnd(ask), {})) rows.push(...items);
  expect(rows).toEqual(numbers(0, length - 2));
});

it.each([1, 7, 300, 999])("goes on with smaller pages where only %i rows fit", async (fitting) => {
  for (const order of [fromStart, fromEnd]) {
    const { heavy } = heavyListOf(2_345, fitting);
    const rows: number[] = [];
    for await (const { items } of readRows(order(heavy), {})) rows.push(...items);
    expect(rows.sort((one, other) => one - other)).toEqual(numbers(0, 2_344));
  }
});

it("does not ask again for a page that is refused for another reason", async () => {
  const { heavy, asked } = heavyListOf(100, 0);
  const ask = async (...page: [number, number]) => {
    await heavy(...page).catch(() => {});
    throw tooHeavy(50);
  };
  await expect(fromStart(ask)(0, 50)).rejects.toThrow("must be at most 50");
  expect(asked).toEqual([50]);
});
