/** Light reads over HTTP while others make heavy calls: what 99 of 100 of them do not exceed, in times of what they take alone. */
import { Agent, request } from "node:http";
import { digest } from "../measure.js";
import { largeGroup, managedGroup, managingUser, smallGroup, userID } from "../scale.js";
import { startServer } from "../startServer.js";
import { quantile } from "../statistics.js";
import type { Trial } from "../trial.js";
import type { World } from "../world.js";

/** How many callers make heavy calls, each one after the other. */
const heavyCallers = 4;
/** How often a light read is due, in milliseconds. */
const pause = 10;
/** How many of the times that a trial's calls are measured elsewhere this one goes on, since it needs many of them. */
const times = 10;

/** A request, made before anything is measured. */
export interface Operation {
  path: string;
  body: Buffer;
}

export function operation(path: string, body: object): Operation {
  return { path, body: Buffer.from(JSON.stringify(body)) };
}

export const light = operation("/group/get_group_member_list", {
  groupID: smallGroup,
  pagination: { pageNumber: 1, showNumber: 20 },
});

/** The last page of the large group, of all members or of those with a keyword that all have. */
export function members({ scale }: World, showNumber: number, more: object = {}): Operation {
  const pagination = { pageNumber: Math.floor(scale.members / showNumber), showNumber };
  return operation("/group/get_group_member_list", { groupID: largeGroup, pagination, ...more });
}

export function setConversations(fields: object, users = 10_000): Operation {
  const userIDs = Array.from({ length: users }, (_, number) => userID(number));
  const conversation = { conversationID: `sg_${largeGroup}`, conversationType: 3, groupID: largeGroup, ...fields };
  return operation("/conversation/set_conversations", { userIDs, conversation });
}

const longText = "x".repeat(65_536);

/** The calls that are made in turn. */
type HeavyCalls = (world: World) => readonly [Operation, Operation?];

export const heavyCalls: Readonly<Record<string, HeavyCalls>> = {
  "a page of 1000": (world) => [members(world, 1000)],
  "a keyword that all members have, last page": (world) => [members(world, 20, { keyword: "2" })],
  "the same with a filter": (world) => [members(world, 20, { keyword: "2", filter: 4 })],
  "join requests of 1,000 groupIDs": () => [
    operation("/group/get_recv_group_applicationList", {
      fromUserID: managingUser(2),
      groupIDs: Array.from({ length: 1000 }, (_, number) => managedGroup(2, number)),
      pagination: { pageNumber: 1, showNumber: 20 },
    }),
  ],
  "setConversations for 10,000 users": () => [
    setConversations({ burnDuration: 0 }),
    setConversations({ burnDuration: 1 }),
  ],
  "the same with 131,072 characters each, which is refused": () => [
    setConversations({ ex: longText, attachedInfo: longText }),
  ],
};

/** A client with a connection that it keeps, or with a new one for each request. */
export function clientOf({ port, token }: { port: number; token: string }, keepAlive: boolean) {
  const agent = new Agent({ keepAlive, maxSockets: keepAlive ? 1 : Number.POSITIVE_INFINITY });
  return function send({ path, body }: Operation): Promise<string> {
    const headers = { operationID: "benchmark", token, "content-length": body.length };
    return new Promise((resolve, reject) => {
      const sent = request({ agent, port, host: "127.0.0.1", method: "POST", path, headers }, async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${path} was answered with ${response.statusCode}`));
      });
      sent.on("error", reject).end(body);
    });
  };
}

type Send = ReturnType<typeof clientOf>;

/** How late each light answer is after it was due: who cannot even connect waits as well. */
async function timeLightReads(send: Send, milliseconds: number): Promise<number[]> {
  const took: number[] = [];
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    const due = performance.now() + pause;
    await new Promise((resolve) => setTimeout(resolve, pause));
    await send(light);
    took.push(performance.now() - due);
  }
  return took;
}

function loadTrial(name: string, callsOf: HeavyCalls): Trial {
  return {
    name: `light reads over HTTP beside ${name}, p99`,
    contestants: ["kept connections", "new connections"],
    databases: ["imAdmin orderly"],
    unit: "times idle",
    async measure(contestant, world) {
      const server = await startServer({ contestant: "im-admin", world });
      const client = () => clientOf(server, contestant === "kept connections");
      const reader = client();
      const answers = digest(await reader(light));
      const [heavy, other = heavy] = callsOf(world);
      await client()(heavy);
      await timeLightReads(reader, world.milliseconds);
      const idle = quantile(await timeLightReads(reader, times * world.milliseconds), 0.99);

      let isOver = false;
      let heavyCallCount = 0;
      const callers = Array.from({ length: heavyCallers }, async () => {
        const send = client();
        while (!isOver) await send(heavyCallCount++ % 2 === 0 ? heavy : other);
      });
      const took = await timeLightReads(reader, times * world.milliseconds);
      isOver = true;
      await Promise.all(callers);
      server.stop();
      const p99 = quantile(took, 0.99);
      const details = { idleMicroseconds: Math.round(idle * 1000), heavyCalls: heavyCallCount };
      return { value: p99 / idle, mean: p99 / idle, p99, calls: took.length, answers, details };
    },
  };
}

export const httpLoadTrials: Trial[] = Object.entries(heavyCalls).map(([name, calls]) => loadTrial(name, calls));
