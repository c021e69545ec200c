import { expect, it } from "vitest";
import { moveOf } from "../../console/list/moveOf.js";

it.each([
  ["ArrowDown", 5, 6],
  ["ArrowUp", 5, 4],
  ["PageDown", 5, 14],
  ["PageUp", 50, 41],
  ["Home", 5, 0],
  ["End", 5, 99],
  ["ArrowUp", 0, 0],
  ["ArrowDown", 99, 99],
  ["PageDown", 95, 99],
  // Without an active row, keys begin at the first row in view.
  ["ArrowDown", -1, 20],
  ["ArrowUp", -1, 19],
  ["x", 5, undefined],
])("leads by %s from row %d to %s", (key, current, to) => {
  expect(moveOf(key, { current, first: 20, inView: 10, rows: 100 })).toBe(to);
});
