import { expect, it } from "vitest";
import { defaultSizes } from "../../../src/stores/postgres/nodes/tables.js";
import { schemaOf } from "../../../src/stores/postgres/schema/schema.js";
import { raw } from "../../../src/stores/postgres/sql.js";

it("is made of these statements", async () => {
  const statements = schemaOf(defaultSizes, raw("public.gin_trgm_ops"));
  expect(statements.flatMap(({ values }) => values)).toEqual([]);
  await expect(`${statements.map(({ text }) => text).join(";\n\n")};\n`).toMatchFileSnapshot("schema.sql");
});
