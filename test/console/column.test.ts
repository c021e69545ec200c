import { expect, it } from "vitest";
import { fitColumns, widened } from "../../console/list/column.js";

const columns = [
  { name: "name", least: 8 },
  { name: "id", least: 7, rank: 1 },
  { name: "role", least: 6 },
  { name: "muted", least: 8, rank: 4 },
  { name: "joined", least: 8, rank: 3 },
];

it.each([
  [100, ["name", "id", "role", "muted", "joined"]],
  [41, ["name", "id", "role", "muted", "joined"]],
  [40.9, ["name", "id", "role", "joined"]],
  [31, ["name", "id", "role"]],
  [22, ["name", "role"]],
  [1, ["name", "role"]],
])("shows the columns that have room in %d rem, those of the highest rank last", (room, names) => {
  expect(fitColumns(columns, room).map(({ name }) => name)).toEqual(names);
});

it.each([
  [24, [8, 8, 6]],
  [25.5, [8, 8, 7.5]],
  [40, [8, 8, 9]],
])("gives columns the width that they need, as far as %d rem have it", (room, widths) => {
  const needed = { name: 7, id: 8, role: 9 };
  const shown = [
    { name: "name", least: 8 },
    { name: "id", least: 8 },
    { name: "role", least: 6 },
  ] as const;
  expect(widened(shown, room, ({ name }) => needed[name]).map(({ least }) => least)).toEqual(widths);
});
