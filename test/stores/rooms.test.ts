import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const source = new URL("../../src/", import.meta.url);

/** The folders of a dialect, from the bottom up. */
const rooms = ["schema", "map", "pages", "search", "settle", "records", "upkeep"];

it("finds imports", () => {
  expect(importsIn("stores/sqlite/search")).toContainEqual([
    "stores/sqlite/search/matching.ts",
    "stores/sqlite/pages/selections.js",
  ]);
});

const everyRoom = ["sqlite", "postgres"].flatMap((dialect) => rooms.map((room) => [dialect, room] as const));

const typescriptIn = (folder: string) =>
  readdirSync(new URL(folder, source), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

/** What the files of a folder of `src`, and of the folders in it, import: the importing file and the imported one. */
function importsIn(folder: string): [file: string, imported: string][] {
  return typescriptIn(folder).flatMap((file) => {
    const url = new URL(`${folder}/${file}`, source);
    const named = readFileSync(url, "utf8").matchAll(/(?:\bfrom|\bimport\(?)\s*"(\.[^"]+)"/g);
    return [...named].map(([, path = ""]): [string, string] => [
      `${folder}/${file}`,
      new URL(path, url).href.slice(source.href.length),
    ]);
  });
}

it.each(everyRoom)("%s: %s imports only the rooms below it", (dialect, room) => {
  const upward = importsIn(`stores/${dialect}/${room}`).filter(([, imported]) => {
    const [, other = ""] = imported.match(`^stores/${dialect}/(\\w+)/`) ?? [];
    return rooms.indexOf(other) > rooms.indexOf(room);
  });
  expect(upward).toEqual([]);
});

it.each([
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
])("%s imports nothing of %s", (dialect, other) => {
  expect(importsIn(`stores/${dialect}`).filter(([, imported]) => imported.startsWith(`stores/${other}/`))).toEqual([]);
});

it.each(["sqlite", "postgres"])("%s has all rooms, and no other folder", (dialect) => {
  const folders = readdirSync(new URL(`stores/${dialect}`, source), { withFileTypes: true });
  expect(folders.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()).toEqual(rooms.toSorted());
});

it.each([
  ["sqlite", ["database", "sql", "failures", "failing"]],
  ["postgres", ["database", "sql", "names", "heavyTurns", "runForCall"]],
] as const)("%s: the files that all rooms use import no room", (dialect, names) => {
  const files = names.map((name) => `stores/${dialect}/${name}.ts`);
  expect(files.filter((file) => !existsSync(new URL(file, source)))).toEqual([]);
  const imports = importsIn(`stores/${dialect}`).filter(([file]) => files.includes(file));
  expect(imports.filter(([, imported]) => rooms.some((room) => imported.includes(`/${room}/`)))).toEqual([]);
});

it.each(["tables", "stores/lists"])("%s makes no SQL: it imports nothing of an engine", (folder) => {
  const imports = importsIn(folder);
  const outward = folder === "tables" ? /^stores\// : /^(stores\/(?!lists\/)|tables\/)/;
  expect(imports).not.toEqual([]);
  expect(imports.filter(([, imported]) => outward.test(imported))).toEqual([]);
});

it("nothing in the stores imports a driver, but drivers", () => {
  const imports = importsIn("stores").filter(([file]) => !file.startsWith("stores/drivers/"));
  expect(imports.filter(([, imported]) => imported.startsWith("stores/drivers/"))).toEqual([]);
});
