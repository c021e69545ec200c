/** For how long a server does nothing else while it answers one large request that the default limits allow. */

import { longTextGroups } from "../longTexts.js";
import { digest, type Measurement } from "../measure.js";
import { startServer } from "../startServer.js";
import { median, quantile } from "../statistics.js";
import type { Trial } from "../trial.js";
import type { DatabaseName, World } from "../world.js";
import { clientOf, heavyCalls, members, type Operation, operation, setConversations } from "./httpLoad.js";

/** How often each request is made: ten times in a thorough run. */
const timesOf = ({ milliseconds }: World) => Math.ceil(milliseconds / 40);

/** All members of a group with long texts. */
function longTexts(groupID: string): Operation {
  const pagination = { pageNumber: 1, showNumber: 100 };
  return operation("/group/get_group_member_list", { groupID, pagination });
}

const text = (characters: number) => ({ ex: "x".repeat(characters) });

const inLongTexts = {
  "100 members with 65,536 characters of ASCII": () => [longTexts(longTextGroups.ascii)],
  "100 members with 65,536 Chinese characters": () => [longTexts(longTextGroups.chinese)],
};
const inLists = {
  ...heavyCalls,
  "a search that finds everybody, page of 1000": (world: World) => [members(world, 1000, { keyword: "2" })],
  "setConversations for 100 users with 10,000 characters": () => [
    setConversations(text(10_000), 100),
    setConversations(text(9_999), 100),
  ],
  "setConversations for 1,000 users with 65,536 characters": () => [
    setConversations(text(65_536), 1_000),
    setConversations(text(65_535), 1_000),
  ],
};

export const blockTrials: Trial[] = [
  ...trialsOver("imAdminLongTexts orderly", "im-admin with long texts", inLongTexts),
  ...trialsOver("imAdmin orderly", "im-admin", inLists),
];

function trialsOver(
  database: DatabaseName,
  contestant: string,
  requests: Readonly<Record<string, (world: World) => readonly (Operation | undefined)[]>>,
): Trial[] {
  return Object.entries(requests).map(([name, requestsOf]) => ({
    name: `longest block: ${name}`,
    contestants: [contestant],
    databases: [database],
    unit: "ms",
    measure: (_contestant, world) => measureBlocks(contestant, requestsOf(world), world),
  }));
}

async function measureBlocks(
  contestant: string,
  requests: readonly (Operation | undefined)[],
  world: World,
): Promise<Measurement> {
  const server = await startServer({ contestant, world });
  const send = clientOf(server, true);
  // The first request of a server loads and compiles its code.
  await send(operation("/user/search_notification_account", { pagination: { pageNumber: 1, showNumber: 20 } }));
  const blocks: number[] = [];
  const answers = new Set<string>();
  for (let round = 0; round < timesOf(world); round += 1) {
    for (const request of requests) {
      if (request === undefined) continue;
      await server.longestBlock();
      answers.add(digest(await send(request)));
      const block = await server.longestBlock();
      blocks.push(block);
    }
  }
  server.stop();
  const mean = blocks.reduce((sum, block) => sum + block, 0) / blocks.length;
  return {
    value: median(blocks),
    mean,
    p99: quantile(blocks, 0.99),
    calls: blocks.length,
    answers: [...answers].join(),
    // A store knows of a list from its first page how long the items are.
    details: { firstMilliseconds: Math.round(blocks[0] ?? 0) },
  };
}
