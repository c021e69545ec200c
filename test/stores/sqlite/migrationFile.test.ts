import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { nextFile } from "../../../build/migration.js";
import { migrationTexts } from "../../../src/stores/sqlite/schema/migration.js";
import { schemaVersion } from "../../../src/stores/sqlite/schema/migrations.js";
import { schemaOf } from "../../../src/stores/sqlite/schema/schema.js";
import { definitionsWith } from "../../helpers/nextVersion.js";

it("the files make what the definitions say: otherwise run npm run migration", () => {
  expect(nextFile(migrationTexts, schemaOf())).toBeUndefined();
  const folder = new URL("../../../migrations/", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  expect(files.map((name) => readFileSync(new URL(name, folder), "utf8"))).toEqual(migrationTexts);
});

it.each(migrationTexts)("a file has nothing that SQLite 3.24 or D1 cannot read", (text) => {
  expect(text).not.toMatch(/\bSTRICT\b|->|\bVIEW\b|MATERIALIZED|RETURNING|GENERATED|json_/);
  // D1's remote interface has cut triggers at a CASE that stands in no parentheses, and at other line ends.
  expect(text.match(/[^(]\bCASE\b/g)).toBeNull();
  expect(text).not.toMatch(/\r|\bbegin\b|\bend\b/);
});

it("the next file adds columns of records, and makes triggers anew", () => {
  const definitions = definitionsWith({
    im_admin_users: ["  PRIMARY KEY", "  title TEXT NOT NULL DEFAULT '',\n  PRIMARY KEY"],
    im_admin_blacks_updated: ["AFTER UPDATE OF create_time", "AFTER UPDATE"],
  }).filter(({ name }) => name !== "im_admin_blacks_deleted");
  const next = nextFile(migrationTexts, definitions);
  expect(
    next,
  ).toBe(`-- Schema version ${schemaVersion + 1} of im-admin in SQLite, for \`wrangler d1 migrations apply\` too. \`npm run migration\` makes it.

DROP TRIGGER im_admin_blacks_updated;

DROP TRIGGER im_admin_blacks_deleted;

ALTER TABLE im_admin_users ADD COLUMN title TEXT NOT NULL DEFAULT '';

CREATE TRIGGER im_admin_blacks_updated AFTER UPDATE ON im_admin_blacks
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('blacks', coalesce(NEW.owner_user_id, ''), coalesce(NEW.black_user_id, ''))
    ON CONFLICT DO NOTHING;
END;

UPDATE im_admin_schema_version SET version = ${schemaVersion + 1};
`);
  expect(nextFile([...migrationTexts, `${next}`], definitions)).toBeUndefined();
});

it("the next file makes all kept data anew where a part of it changes, and has the lists built", () => {
  const definitions = definitionsWith({ im_admin_lists: ["total INTEGER", "total REAL"] });
  const next = String(nextFile(migrationTexts, definitions));
  expect(next.match(/^DROP .*/gm)).toContain("DROP TABLE im_admin_lists;");
  expect(next).toContain(
    "INSERT INTO im_admin_changed (kind, first, second)\n  SELECT 'users', user_id, '' FROM im_admin_users;",
  );
  expect(next).not.toMatch(/(DROP|CREATE|ALTER) TABLE im_admin_(users|table_map)\b/);
  expect(nextFile([...migrationTexts, next], definitions)).toBeUndefined();
});

it.each<[string, [string, string]]>([
  ["a column is gone", ["  nickname", "  -- nickname"]],
  ["a column has other checks", ["user_id <> ''", "user_id <> 'none'"]],
  ["a column stands between others", ["  ex TEXT", "  title TEXT,\n  ex TEXT"]],
])("no file is written where a table of records changes otherwise: %s", (_, change) => {
  const definitions = definitionsWith({ im_admin_users: change, im_admin_last_import: ["time INTEGER", "time REAL"] });
  expect(() => nextFile(migrationTexts, definitions)).toThrow(
    "write by hand what becomes of im_admin_users, im_admin_last_import",
  );
});

it("no file is written that drops a table, since its rows may be nowhere else", () => {
  const definitions = schemaOf().filter(({ name }) => !name.startsWith("im_admin_blacks"));
  expect(() => nextFile(migrationTexts, definitions)).toThrow("write by hand what becomes of im_admin_blacks");
});
