import { expect, it } from "vitest";
import { checkLists } from "../../../../src/stores/sqlite/upkeep/checkAll.js";
import { campfire } from "../../../helpers/chatServers/campfire.js";
import {
  answersAfter,
  answerToSet,
  type ChatServer,
  mapOf,
  noAnswers,
  readAnswers,
  readShown,
} from "../../../helpers/chatServers/chatServer.js";
import { synapseInSqlite } from "../../../helpers/chatServers/synapse.js";
import { openMappedFile, tiny } from "../../../helpers/mappedFile.js";
import { openSqliteDatabase } from "../../../helpers/stores.js";

const servers: Readonly<Record<string, ChatServer>> = { "Synapse on SQLite": synapseInSqlite, Campfire: campfire };

it.each(Object.entries(servers))("%s: lists follow its own writes, by the map of the page", async (name, chat) => {
  const [filled, ...others] = chat.steps;
  const { path, host, store } = await openMappedFile(`${chat.tables}; ${filled.writes}`, mapOf(name), tiny);
  expect(await readShown(store, chat.shown)).toMatchObject(chat.shown);
  expect(await answerToSet(store, chat.shown)).toBe("1001 ArgsError: this server keeps no conversations");
  let expected = answersAfter(noAnswers, filled);
  expect(await readAnswers(store, expected), filled.what).toEqual(expected);
  for (const step of others) {
    host.exec(step.writes);
    expected = answersAfter(expected, step);
    expect(await readAnswers(store, expected), step.what).toEqual(expected);
  }
  const checked = openSqliteDatabase({ path });
  const findings = await checkLists(checked, tiny);
  expect(findings.map(({ problem }) => problem)).toEqual(chat.notes ?? []);
  await checked.close();
});
