import { readFileSync } from "node:fs";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mountAdmin } from "../../../examples/own-tables/admin.ts";
import { setConversations } from "../../../examples/own-tables/setConversations.ts";
import map from "../../../examples/own-tables/tables.ts";
import type { RecordSet } from "../../../src/records.js";
import type { ConversationChange } from "../../../src/store.js";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { checkMap, installMap } from "../../../src/stores/postgres/upkeep/installMap.js";
import { type OpenStore, type StoredConversation, storeCasesFor } from "../../../src/testing/index.js";
import { number, uuid } from "../../helpers/hostIDs.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { settle } from "../../helpers/postgres/sessions.js";

const person = (number: number) => `00000000-0000-0000-0000-${String(number).padStart(12, "0")}`;

const server = postgresForFile(async (pool) => {
  await pool.query(readFileSync(new URL("../../../examples/own-tables/schema.sql", import.meta.url), "utf8"));
  await migratePostgres(pool);
  await installMap(pool, quoted("im_admin"), map);
  await pool.query(`
    INSERT INTO chat.tenant VALUES ('acme'), ('zeta');
    INSERT INTO chat.person (id, tenant_id, display_name)
      SELECT format('00000000-0000-0000-0000-%s', lpad(n::text, 12, '0'))::uuid, CASE WHEN n > 200 THEN 'zeta' ELSE 'acme' END, 'Name ' || n
        FROM generate_series(1, 300) n;
    INSERT INTO chat.room VALUES (7, 'acme', 'Readers', false), (8, 'zeta', 'Writers', false), (9, 'acme', 'Old', true);
    INSERT INTO chat.membership (tenant_id, room_id, person_id, joined_at, role)
      SELECT tenant_id, CASE tenant_id WHEN 'acme' THEN 7 ELSE 8 END, id, '2024-01-01Z', CASE display_name WHEN 'Name 5' THEN 'owner' ELSE 'member' END
        FROM chat.person;
    INSERT INTO chat.avatar VALUES ('${person(5)}', 'https://example.org/5.png');
    INSERT INTO chat.session VALUES ('of-acme', 'acme', 'alice'), ('of-zeta', 'zeta', 'zoe'), ('of-a-user', 'acme', NULL)`);
  await settle(pool);
});

const app = Fastify();
let url = "";
beforeAll(async () => {
  mountAdmin(app, server.pool);
  url = await app.listen({ port: 0 });
});
afterAll(() => app.close());

async function ask(cookie: string, path: string, input: object) {
  const response = await fetch(`${url}/admin${path}`, {
    method: "POST",
    headers: { operationID: "1", token: "-", cookie: `theme=dark; session=${cookie}` },
    body: JSON.stringify({ pagination: { pageNumber: 1, showNumber: 2 }, ...input }),
  });
  return response.json();
}

const members = (cookie: string, groupID: string, input = {}) =>
  ask(cookie, "/group/get_group_member_list", { groupID, ...input });

it("answers a tenant's administrator with the rows of the tenant, and nobody else", async () => {
  expect(await members("of-acme", "7")).toMatchObject({
    errCode: 0,
    data: {
      total: 200,
      members: [
        { groupID: "7", userID: person(5), roleLevel: 100, nickname: "Name 5", faceURL: "https://example.org/5.png" },
        { groupID: "7", userID: person(1), roleLevel: 20, joinTime: 1_704_067_200_000 },
      ],
    },
  });
  expect(await members("of-zeta", "8", { keyword: "name 25" })).toMatchObject({ data: { total: 10 } });
  expect((await members("of-zeta", "7")).errCode).toBe(1004);
  expect((await members("of-acme", "9")).errCode).toBe(1004);
  expect((await members("of-zeta", "acme:7")).errCode).toBe(1004);
  for (const cookie of ["of-a-user", "nobody", ""]) expect((await members(cookie, "7")).errCode).toBe(1002);
});

it("follows what the chat server writes, in the next answer", async () => {
  await server.pool.query(`
    UPDATE chat.membership SET left_at = now() WHERE person_id = '${person(5)}';
    UPDATE chat.avatar SET url = 'https://example.org/new.png';
    DELETE FROM chat.person WHERE id = '${person(6)}'`);
  expect((await members("of-acme", "7")).data.total).toBe(198);
  await server.pool.query(`INSERT INTO chat.membership (tenant_id, room_id, person_id, joined_at, role)
    VALUES ('acme', 7, '${person(5)}', '2025-01-01Z', 'admin')`);
  expect(await members("of-acme", "7")).toMatchObject({
    data: { total: 199, members: [{ userID: person(5), roleLevel: 60, faceURL: "https://example.org/new.png" }, {}] },
  });
  const joined = await ask("of-acme", "/group/get_joined_group_list", { fromUserID: person(5) });
  expect(joined).toMatchObject({
    data: { total: 1, groups: [{ groupID: "7", groupName: "Readers", memberCount: 199 }] },
  });
  expect(await checkMap(server.pool, quoted("im_admin"))).toEqual([]);
});

/** What the cases of every store promise of `setConversations`. */
const writing = [
  "a conversation is created for users without it, with the supplied fields and the defaults",
  "a stored conversation changes in the supplied fields only",
  "only users whose row really changed are reported",
  "nothing is written if no field is supplied",
  "a peer who is not listed is not touched",
  "no user is changed if one is unknown",
  "an unknown peer is reported like an unknown user",
  "an unknown group and a dismissed one are reported, before unknown users",
  "no user is changed if one has the conversation with another type, peer or group",
  "ten thousand users are set in one call, or none of them",
  "calls at the same time all take effect",
];

describe("setting conversations", () => {
  const tenant = "cases";
  const put = async (text: string, records: Iterable<object> = []) =>
    server.pool.query(`${text} FROM json_array_elements($1::json) given ON CONFLICT DO NOTHING`, [
      JSON.stringify(records),
    ]);
  const open: OpenStore = async (records) => {
    await server.pool.query(
      "DELETE FROM chat.person WHERE tenant_id = 'cases'; DELETE FROM chat.room WHERE tenant_id = 'cases'",
    );
    const store = {
      ...createPostgresStore({ pool: server.pool, settle: false }),
      setConversations: (change: ConversationChange) => setConversations(server.pool, tenant, change),
      async put({ users, groups, conversations }: RecordSet) {
        await put("INSERT INTO chat.person (id, tenant_id) SELECT (given ->> 'userID')::uuid, 'cases'", users);
        await put(
          `INSERT INTO chat.room (id, tenant_id, title, archived)
            SELECT (given ->> 'groupID')::bigint, 'cases', '', coalesce(given ->> 'status', '') = '2'`,
          groups,
        );
        await put(
          `INSERT INTO chat.inbox SELECT 'cases', (given ->> 'ownerUserID')::uuid, given ->> 'conversationID',
              (given ->> 'conversationType')::int, coalesce(given ->> 'userID', ''), coalesce(given ->> 'groupID', ''), given::jsonb`,
          conversations,
        );
      },
      async remove() {},
      async conversations(ownerUserID: string) {
        const { rows } = await server.pool.query(
          "SELECT * FROM chat.inbox WHERE person_id = $1 ORDER BY conversation",
          [ownerUserID],
        );
        return rows.map(
          ({ conversation, type, peer, room, settings }): StoredConversation => ({
            ...unset,
            ...settings,
            ...{ ownerUserID, conversationID: conversation, conversationType: type, userID: peer, groupID: room },
          }),
        );
      },
    };
    await server.pool.query("INSERT INTO chat.tenant VALUES ('cases') ON CONFLICT DO NOTHING");
    await store.put(records);
    return store;
  };
  const unset = {
    ...{ isPinned: false, recvMsgOpt: 0, isPrivateChat: false, burnDuration: 0, ex: "", attachedInfo: "" },
    ...{ minSeq: 0, maxSeq: 0, groupAtType: 0, msgDestructTime: 0, isMsgDestruct: false },
  };
  const cases = Object.entries(storeCasesFor({ userID: uuid, groupID: number })).filter(([sentence]) =>
    writing.includes(sentence),
  );

  it("there are all cases", () => expect(cases).toHaveLength(writing.length));

  it.each(cases)("%s", (_, check) => check(open));
});
