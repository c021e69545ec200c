import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const folder = new URL("../../../src/stores/sqlite/", import.meta.url);

/** The folders, from the bottom up. */
const rooms = ["schema", "unreadable", "pages", "search", "settle", "records", "upkeep"];

it.each(rooms)("%s imports only what stands below it", (room) => {
  const files = readdirSync(new URL(room, folder)).map((file) => `${room}/${file}`);
  const upward = files.flatMap((file) =>
    [...readFileSync(new URL(file, folder), "utf8").matchAll(/ from "\.\.\/(\w+)\//g)]
      .map(([, other = ""]) => other)
      .filter((other) => rooms.indexOf(other) > rooms.indexOf(room))
      .map((other) => `${file} imports ${other}`),
  );
  expect(files).not.toEqual([]);
  expect(upward).toEqual([]);
});

it.each(["database", "sql", "mapped"])("%s.ts stands below all folders", (file) => {
  const text = readFileSync(new URL(`${file}.ts`, folder), "utf8");
  expect([...text.matchAll(/ from "\.\/(\w+)\//g)]).toEqual([]);
});
