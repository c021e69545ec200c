import { createRequire } from "node:module";
import ts from "typescript";
import { expect, it } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { defineTables, type TableMap } from "../../../src/tables/index.js";
import { checkMap, installMap } from "../../../src/tables/postgres/installed.js";
import { blocksIn } from "../../helpers/docs/pages.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { settle } from "../../helpers/postgres/sessions.js";

const server = postgresForFile();

/** The map of a server on the page, by the first word of its comment. */
function mapOf(name: string): TableMap {
  const { code = "" } = blocksIn("ts").find((block) => block.code.startsWith(`// ${name}:`)) ?? {};
  const { outputText } = ts.transpileModule(code, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  const loaded: { exports: { default?: TableMap } } = { exports: {} };
  const load = new Function("module", "exports", "require", outputText);
  load(loaded, loaded.exports, (path: string) =>
    path === "im-admin/tables" ? { defineTables } : createRequire(import.meta.url)(path),
  );
  return loaded.exports.default ?? {};
}

/** The tables, as far as the maps know of them, with two users in a group. */
const servers = {
  Synapse: {
    schema: `
      CREATE TABLE profiles (user_id text NOT NULL UNIQUE, displayname text, avatar_url text, full_user_id text NOT NULL UNIQUE);
      CREATE TABLE rooms (room_id text PRIMARY KEY, is_public boolean, creator text, room_version text, has_auth_chain_index boolean);
      CREATE TABLE room_stats_state (room_id text PRIMARY KEY, name text, topic text, avatar text, join_rules text);
      CREATE TABLE local_current_membership (room_id text NOT NULL, user_id text NOT NULL, event_id text NOT NULL, membership text NOT NULL);
      CREATE UNIQUE INDEX local_current_membership_idx ON local_current_membership (user_id, room_id);
      CREATE INDEX local_current_membership_room_idx ON local_current_membership (room_id);
      CREATE TABLE ignored_users (ignorer_user_id text NOT NULL, ignored_user_id text NOT NULL);
      CREATE UNIQUE INDEX ignored_users_uniqueness ON ignored_users (ignorer_user_id, ignored_user_id);
      INSERT INTO profiles VALUES ('u1', 'Ann', 'mxc://example.org/a', '@u1:example.org'), ('u2', NULL, NULL, '@u2:example.org');
      INSERT INTO rooms VALUES ('!c1:example.org', true, '@u1:example.org', '10', true);
      INSERT INTO room_stats_state VALUES ('!c1:example.org', 'Readers', 'Books');
      INSERT INTO local_current_membership VALUES ('!c1:example.org', '@u1:example.org', '$1', 'join'),
        ('!c1:example.org', '@u2:example.org', '$2', 'join'), ('!c1:example.org', '@u3:example.org', '$3', 'leave');
      INSERT INTO ignored_users VALUES ('@u1:example.org', '@u9:elsewhere.example')`,
    written: "UPDATE local_current_membership SET membership = 'join'",
    group: "!c1:example.org",
    members: [
      { userID: "@u1:example.org", nickname: "Ann", faceURL: "mxc://example.org/a" },
      { userID: "@u2:example.org", nickname: "" },
    ],
    joined: {
      groupID: "!c1:example.org",
      groupName: "Readers",
      introduction: "Books",
      creatorUserID: "@u1:example.org",
    },
    blocked: ["@u9:elsewhere.example"],
  },
};

const page = { offset: 0, limit: 10 };

it.each(Object.entries(servers))(
  "%s: lists are read from its own tables by the map of the page",
  async (name, chat) => {
    const { schema, written, group, members, joined, blocked } = chat;
    await server.pool.query("DROP SCHEMA IF EXISTS im_admin CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    await server.pool.query(schema);
    await migratePostgres(server.pool);
    await installMap(server.pool, quoted("im_admin"), mapOf(name));
    await settle(server.pool);
    const store = createPostgresStore({ pool: server.pool });
    const list = { groupID: group, keyword: "", ...page };
    const [first] = members;
    expect(await store.listGroupMembers(list)).toMatchObject({ total: 2, items: members });
    expect(await store.listGroupMembers({ ...list, keyword: "ann" })).toMatchObject({ total: 1, items: [first] });
    const userID = first?.userID ?? "";
    expect(await store.listJoinedGroups({ userID, ...page })).toMatchObject({
      total: 1,
      items: [{ ...joined, memberCount: 2 }],
    });
    const blacks = await store.listBlacks({ ownerUserID: userID, ...page });
    expect(blacks?.items.map(({ blackUserInfo }) => blackUserInfo.userID)).toEqual(blocked);
    expect(await store.listReceivedGroupRequests({ userID, ...page })).toEqual({ total: 0, items: [] });
    await server.pool.query(written);
    expect((await store.listGroupMembers(list))?.total).toBe(3);
    expect(await checkMap(server.pool, quoted("im_admin"))).toEqual([]);
  },
);
