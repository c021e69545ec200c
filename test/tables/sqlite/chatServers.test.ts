import { expect, it } from "vitest";
import { campfire } from "../../helpers/chatServers/campfire.js";
import {
  answersAfter,
  type ChatServer,
  mapOf,
  noAnswers,
  readAnswers,
  readShown,
} from "../../helpers/chatServers/chatServer.js";
import { openMappedFile, tiny } from "../../helpers/mappedFile.js";

const servers: Readonly<Record<string, ChatServer>> = { Campfire: campfire };

it.each(Object.entries(servers))("%s: lists follow its own writes, by the map of the page", async (name, chat) => {
  const [filled, ...others] = chat.steps;
  const { host, store } = await openMappedFile(`${chat.tables}; ${filled.writes}`, mapOf(name), tiny);
  expect(await readShown(store, chat.shown)).toMatchObject(chat.shown);
  let expected = answersAfter(noAnswers, filled);
  expect(await readAnswers(store, expected), filled.what).toEqual(expected);
  for (const step of others) {
    host.exec(step.writes);
    expected = answersAfter(expected, step);
    expect(await readAnswers(store, expected), step.what).toEqual(expected);
  }
});
