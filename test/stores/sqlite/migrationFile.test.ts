import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { schemaOf } from "../../../src/stores/sqlite/schema/schema.js";
import { versionObject } from "../../../src/stores/sqlite/schema/storedSchema.js";

/** The file of the first version. `npm run migration` writes it from the definitions. */
it("the migration makes what the definitions say", async () => {
  const statements = [
    versionObject.sql.text,
    ...schemaOf().map(({ sql }) => sql.text),
    "INSERT INTO im_admin_schema_version (version) VALUES (1)",
  ];
  const text = [
    "-- Schema version 1 of im-admin in SQLite, for `wrangler d1 migrations apply` too. `npm run migration` makes it.",
    ...statements.map((statement) => `${statement.trim()};`),
  ].join("\n\n");
  await expect(`${text}\n`).toMatchFileSnapshot("../../../migrations/0001.sql");
  // D1's remote interface has cut triggers at a CASE that stands in no parentheses, and at other line ends.
  expect(text.match(/[^(]\bCASE\b/g)).toBeNull();
  expect(text).not.toMatch(/\r|\bbegin\b|\bend\b/);
  expect(readdirSync(new URL("../../../migrations", import.meta.url))).toEqual(["0001.sql", "postgres"]);
});

it("makes nothing that SQLite 3.24 cannot read", () => {
  const text = readFileSync(new URL("../../../migrations/0001.sql", import.meta.url), "utf8");
  expect(text).not.toMatch(/\bSTRICT\b|->|\bVIEW\b|MATERIALIZED|RETURNING|GENERATED|json/i);
});
