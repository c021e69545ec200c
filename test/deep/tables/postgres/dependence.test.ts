/** What decides about a list may depend on rows alone: every type, wherever its text is made, however deep it is hidden. */
import { expect, it, onTestFinished } from "vitest";
import { migratePostgres } from "../../../../src/stores/postgres/index.js";
import { refusal } from "../../../helpers/postgres/refusal.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";

/** Types with a value, and whether its text is the same under all settings of a session. */
const types: readonly (readonly [type: string, value: string, isSteady: boolean])[] = [
  ["text", "'a'", true],
  ["varchar", "'a'", true],
  ["uuid", "'6b8d5b43-23f1-4d0b-9a6d-1a2b3c4d5e6f'", true],
  ["integer", "7", true],
  ["bigint", "7", true],
  ["numeric", "7.5", true],
  ["boolean", "true", true],
  ["json", "'{\"a\": 1}'", true],
  ["jsonb", "'{\"a\": 1}'", true],
  ["inet", "'10.0.0.1'", true],
  ["time", "'10:00'", true],
  ["chat.mood", "'glad'", true],
  ["chat.level", "7", true],
  ["chat.seat", "ROW('a', 7)", true],
  ["integer[]", "'{1,2}'", true],
  ["chat.mood[]", "'{glad}'", true],
  ["int4range", "'[1,3)'", true],
  ["int4multirange", "'{[1,3)}'", true],
  ["bytea", "'\\x61'", false],
  ["real", "0.1", false],
  ["double precision", "0.1", false],
  ["money", "'1'", false],
  ["date", "'2020-03-01'", false],
  ["timestamp", "'2020-03-01 10:00'", false],
  ["timestamptz", "'2020-03-01 10:00Z'", false],
  ["interval", "'1 day 2 hours'", false],
  ["point", "'(0.1,0.2)'", false],
  ["box", "'(0.1,0.2),(0.3,0.4)'", false],
  ["chat.birthday", "'2020-03-01'", false],
  ["chat.visit", "ROW('a', '2020-03-01 10:00Z')", false],
  ["bytea[]", "'{a}'", false],
  ["chat.birthday[]", "'{2020-03-01}'", false],
  ["tstzrange", "'[2020-03-01 10:00Z,)'", false],
  ["datemultirange", "'{[2020-03-01,2020-04-01)}'", false],
];

/** Where a text is made of a value. */
const places = [
  "(X)::text",
  "(X)::varchar(90)",
  "concat('x', X)",
  "concat_ws(',', 'x', X)",
  "concat(VARIADIC ARRAY[X])",
  "format('%s', X)",
  "'x'::text || (X)",
  "quote_literal(X)",
  "(coalesce(X, X))::text",
  "(CASE WHEN id = 'a' THEN X END)::text",
  "(nullif(id, 'a'), (X)::text)::chat.pair::text",
  "(SELECT X)::text",
  "(ARRAY(SELECT X))::text",
  "(ARRAY[X])::text",
  "(ARRAY[X])[1]::text",
  "array_to_string(ARRAY[X], ',')",
  "(ARRAY[X]::text[])[1]",
  "to_json(X)::text",
  "to_jsonb(X)::text",
  "json_build_array(X)::text",
  "jsonb_build_object('x', X)::text",
  "(SELECT json_agg(one.x)::text FROM (SELECT X AS x) one)",
  "(SELECT jsonb_object_agg('x', one.x)::text FROM (SELECT X AS x) one)",
  "(SELECT string_agg(one.x::text, ',') FROM (SELECT X AS x) one)",
  "(SELECT first_value(X::text) OVER ())",
  "(VALUES (X::text))",
  "(SELECT one.x::text FROM (SELECT X AS x) one)",
  "(WITH one AS MATERIALIZED (SELECT X AS x) SELECT x::text FROM one)",
];

/** How deep it is hidden: in the map, in a view that it reads, or in a view of that view. */
const nestings = [
  (text: string) => ["", `${text} > ''`],
  (text: string) => [
    view("one", text, "chat.sample"),
    "EXISTS (SELECT FROM chat.one WHERE one.id = sample.id AND x > '')",
  ],
  (text: string) => [
    `${view("one", text, "chat.sample")} CREATE VIEW chat.two AS SELECT * FROM chat.one;`,
    "id IN (SELECT two.id FROM chat.two WHERE x > '')",
  ],
];

function view(name: string, text: string, table: string): string {
  return `CREATE VIEW chat.${name} AS SELECT id, ${text} AS x FROM ${table};`;
}

/** No operator joins a text and an array. */
function placesOf(type: string): string[] {
  return places.filter((place) => !type.endsWith("[]") || !place.includes("||"));
}

const server = postgresForFile(async (pool) => {
  await migratePostgres(pool);
  await pool.query(`
    CREATE SCHEMA chat;
    CREATE TYPE chat.mood AS ENUM ('glad', 'sad');
    CREATE DOMAIN chat.level AS integer CHECK (VALUE > 0);
    CREATE DOMAIN chat.birthday AS date;
    CREATE TYPE chat.seat AS (row text, number integer);
    CREATE TYPE chat.visit AS (who text, at timestamptz);
    CREATE TYPE chat.pair AS (one text, two text);
    CREATE TABLE chat.sample (id text PRIMARY KEY, ${types.map(([type], index) => `c${index} ${type}`).join(", ")});
    INSERT INTO chat.sample VALUES ('a', ${types.map(([, value]) => value).join(", ")});`);
});

it.each(types)("the text of a %s decides only if it is the same for everybody", async (type, _, isSteady) => {
  const column = `c${types.findIndex(([name]) => name === type)}`;
  const own = placesOf(type);
  const taken: string[] = [];
  const strange: (string | undefined)[] = [];
  for (const place of own) {
    for (const nesting of nestings) {
      const [views = "", condition = ""] = nesting(place.replaceAll("X", `sample.${column}`));
      const reason = await refusal(server.pool, condition, "sample", views);
      if (reason === undefined) taken.push(place);
      else if (!reason.includes("the time or the session decides by the text of a "))
        strange.push(`${place}: ${reason}`);
    }
  }
  expect(strange).toEqual([]);
  expect(taken).toEqual(isSteady ? own.flatMap((place) => nestings.map(() => place)) : []);
});

it("texts that may decide are the same under all settings", async () => {
  const texts = types.flatMap(([type, , isSteady], index) =>
    isSteady ? placesOf(type).map((place) => place.replaceAll("X", `sample.c${index}`)) : [],
  );
  const client = await server.pool.connect();
  onTestFinished(() => client.release());
  const read = async (settings: string) => {
    await client.query(`BEGIN; ${settings}`);
    const { rows } = await client.query({ text: `SELECT ${texts.join(", ")} FROM chat.sample`, rowMode: "array" });
    await client.query("ROLLBACK");
    return rows;
  };
  expect(
    await read(`SET LOCAL TimeZone = 'Pacific/Kiritimati'; SET LOCAL DateStyle = 'German'; SET LOCAL IntervalStyle = 'iso_8601';
      SET LOCAL extra_float_digits = -10; SET LOCAL bytea_output = 'escape'; SET LOCAL xmlbinary = 'hex'`),
  ).toEqual(await read("SET LOCAL TimeZone = 'America/New_York'; SET LOCAL DateStyle = 'SQL, MDY'"));
});
