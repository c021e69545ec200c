/** What decides about a list may depend on rows alone, also in views that a map reads. */
import { expect, it } from "vitest";
import { migratePostgres } from "../../../src/stores/postgres/index.js";
import { refusal } from "../../helpers/postgres/refusal.js";
import { postgresForFile } from "../../helpers/postgres/server.js";

const server = postgresForFile(async (pool) => {
  await migratePostgres(pool);
  await pool.query(`
    CREATE SCHEMA chat;
    CREATE TYPE chat.mood AS ENUM ('glad', 'sad');
    CREATE FUNCTION chat.joined(text, text) RETURNS text LANGUAGE sql STABLE AS 'SELECT $1 || $2';
    CREATE AGGREGATE chat.all_of (text) (SFUNC = chat.joined, STYPE = text);
    CREATE TABLE chat.person (id text PRIMARY KEY, name text, hash bytea, at timestamptz, noon timestamp, born date, lasted interval, mood chat.mood);`);
});

const session = "the time or the session decides by";

it.each([
  ["at > now()", `${session} now()`],
  ["at > CURRENT_TIMESTAMP", `${session} CURRENT_TIMESTAMP, CURRENT_USER or the like`],
  ["name = CURRENT_USER", `${session} CURRENT_TIMESTAMP, CURRENT_USER or the like`],
  ["name = current_setting('app.name', true)", `${session} current_setting()`],
  ["name = version()", `${session} version()`],
  ["random() > 0.5", "random() differs from call to call"],
  ["at + interval '1 day' > at", `${session} timestamptz_pl_interval()`],
  ["at > born", `${session} timestamptz_gt_date()`],
  ["extract(hour FROM at) > 3 AND extract(epoch FROM at) > 3", `${session} extract()`],
  ["date_part('hour', at) > date_part('epoch', at)", `${session} date_part()`],
  ["to_char(at, 'YYYY') = '2020'", `${session} to_char()`],
  ["to_tsvector(name) IS NULL", `${session} to_tsvector()`],
  ["name::timestamptz = at", `${session} how a text becomes a timestamp with time zone`],
  ["name::date[] IS NULL", `${session} how a text becomes a date`],
  ["ARRAY[name]::date[] IS NULL", `${session} how a text becomes a date`],
  ["lasted::text = name", `${session} the text of a interval`],
  ["byteaout(hash) IS NULL", `${session} byteaout()`],
  ["ROW(id, at) > ROW(name, born)", `${session} timestamptz_gt_date()`],
  ["at = ANY (ARRAY[born])", `${session} timestamptz_eq_date()`],
  ["nullif(at, born) IS NULL", `${session} timestamptz_eq_date()`],
  ["at IS DISTINCT FROM noon", `${session} timestamptz_eq_timestamp()`],
  ["(SELECT chat.all_of(q.name) FROM chat.person q) > ''", "chat.joined() may read what im-admin does not see"],
  ["id IN (SELECT q.id FROM chat.person q TABLESAMPLE SYSTEM (50))", "TABLESAMPLE differs from call to call"],
  ["xmlforest(name) IS NULL", "has SQL that im-admin does not know: XMLEXPR"],
])("%s must not decide, also in a view or a view of a view", async (condition, reason) => {
  const views = `CREATE VIEW chat.one AS SELECT id FROM chat.person WHERE ${condition}; CREATE VIEW chat.two AS SELECT id FROM chat.one;`;
  expect(await refusal(server.pool, condition, "person"), "in the map").toContain(`users.where: ${reason}`);
  for (const inView of [
    "id IN (SELECT one.id FROM chat.one)",
    "EXISTS (SELECT FROM chat.two WHERE two.id = person.id)",
  ]) {
    expect(await refusal(server.pool, inView, "person", views), inView).toContain(`users.where: ${reason}`);
  }
});

it.each([
  ["at < 'now'", `${session} a constant such as 'now'`],
  ["at <@ '[2020-01-01Z,now)'::tstzrange", `${session} a constant such as 'now'`],
  ["at = ANY ('{now}')", `${session} a constant such as 'now'`],
  ["born = ' Today '", `${session} a constant`],
  ["at > '2020-01-01'", `${session} a constant`],
  ["born > '01/02/2020'", `${session} a constant`],
  ["lasted > '-1 2:00'", `${session} a constant`],
  ["name = NULL", `${session} a constant`],
])("%s must not decide in a map, which each session reads anew", async (condition, reason) => {
  expect(await refusal(server.pool, condition, "person")).toContain(`users.where: ${reason}`);
});

it.each([
  "extract(epoch FROM at) > 3 AND date_part('epoch', at) > 3",
  "extract(hour FROM noon) > 3",
  "(at AT TIME ZONE 'UTC')::date > '2020-01-01'",
  "at > '2020-01-01Z'",
  "born > '2020-01-01' AND noon < '2020-01-01 10:00'",
  "lasted > '1 day'",
  "mood::text = 'glad' AND mood = 'glad' AND name::chat.mood = mood",
  "concat(name, '-', id) <> '' AND format('%s (%s)', name, id) <> ''",
  "encode(hash, 'hex') > '' AND md5(convert_to(name, 'UTF8')) > ''",
  "upper(name) LIKE 'A%' AND name ~ '^a' AND name = ANY ('{a,b}') AND id IN ('a', 'b')",
  "ARRAY[name]::uuid[] IS NOT NULL AND name::jsonb ->> 'x' = 'y' AND name::numeric > 3",
  "CASE name WHEN 'now' THEN true ELSE false END AND coalesce(name, 'today') = 'now'",
  "(SELECT max(q.at) FROM chat.person q GROUP BY GROUPING SETS ((q.id), ()) ORDER BY 1 LIMIT 1) IS NOT NULL",
  "id IN (WITH RECURSIVE up (id) AS (SELECT 'a' UNION SELECT up.id || 'b' FROM up) SELECT up.id FROM up)",
  "(SELECT row_number() OVER (PARTITION BY q.name ORDER BY q.at) FROM chat.person q) > 1",
])("%s may decide", async (condition) => {
  expect(await refusal(server.pool, condition, "person")).toBeUndefined();
});
