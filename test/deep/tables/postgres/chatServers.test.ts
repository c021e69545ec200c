import { expect, it } from "vitest";
import { createPostgresStore } from "../../../../src/stores/postgres/index.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { checkMap, installMap } from "../../../../src/stores/postgres/upkeep/installMap.js";
import {
  answersAfter,
  answerToSet,
  type ChatServer,
  indexesOf,
  mapOf,
  noAnswers,
  readAnswers,
  readShown,
} from "../../../helpers/chatServers/chatServer.js";
import { dendrite } from "../../../helpers/chatServers/dendrite.js";
import { ejabberd } from "../../../helpers/chatServers/ejabberd.js";
import { mattermost } from "../../../helpers/chatServers/mattermost.js";
import { synapseInPostgres } from "../../../helpers/chatServers/synapse.js";
import { tinode } from "../../../helpers/chatServers/tinode.js";
import { zulip } from "../../../helpers/chatServers/zulip.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { migrateSmall, settle } from "../../../helpers/postgres/sessions.js";

const server = postgresForFile();

const servers: Readonly<Record<string, ChatServer>> = {
  Mattermost: mattermost,
  "Synapse on PostgreSQL": synapseInPostgres,
  Zulip: zulip,
  Tinode: tinode,
  ejabberd,
  Dendrite: dendrite,
};

it.each(Object.entries(servers))("%s: lists follow its own writes, by the map of the page", async (name, chat) => {
  const [filled, ...others] = chat.steps;
  await server.pool.query("DROP SCHEMA IF EXISTS im_admin CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await server.pool.query(`${chat.tables}; ${filled.writes}; ${indexesOf(name)}`);
  await migrateSmall(server.pool);
  await installMap(server.pool, quoted("im_admin"), mapOf(name));
  const store = createPostgresStore({ pool: server.pool });
  expect(await readShown(store, chat.shown)).toMatchObject(chat.shown);
  expect(await answerToSet(store, chat.shown)).toBe("1001 ArgsError: this server keeps no conversations");
  let expected = answersAfter(noAnswers, filled);
  expect(await readAnswers(store, expected), filled.what).toEqual(expected);
  for (const step of others) {
    await server.pool.query(step.writes);
    expected = answersAfter(expected, step);
    expect(await readAnswers(store, expected), `${step.what}, not settled`).toEqual(expected);
    await settle(server.pool);
    expect(await readAnswers(store, expected), step.what).toEqual(expected);
  }
  const findings = await checkMap(server.pool, quoted("im_admin"));
  expect(findings.map(({ problem }) => problem)).toEqual(chat.notes ?? []);
});
