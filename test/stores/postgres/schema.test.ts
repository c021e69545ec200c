import { expect, it } from "vitest";
import { defaultSizes } from "../../../src/stores/postgres/nodes/tables.js";
import { schemaOf } from "../../../src/stores/postgres/schema/schema.js";
import { raw, sql } from "../../../src/stores/postgres/sql.js";

it("is made of these statements", async () => {
  const statements = schemaOf(defaultSizes, raw("public.gin_trgm_ops"));
  expect(statements.flatMap(({ values }) => values)).toEqual([]);
  await expect(`${statements.map(({ text }) => text).join(";\n\n")};\n`).toMatchFileSnapshot("schema.sql");
});

it("binds values in the order of their places, within pieces too", () => {
  const piece = sql`b = ${2} AND c = ${["x"]}`;
  const { text, values } = sql`
    SELECT a FROM t
      WHERE a = ${1}
        AND ${piece} AND d = ${null}`;
  expect(text).toBe("SELECT a FROM t\n  WHERE a = $1\n    AND b = $2 AND c = $3 AND d = $4");
  expect(values).toEqual([1, 2, ["x"], null]);
});
