/** A server for the HTTP trials, in a process of its own; it tells its port, and ends with its parent. */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { jwtAuthenticator, signAdminToken } from "../adapters/auth.js";
import { serve } from "../adapters/node.js";
import { openSqliteStore } from "../src/stores/drivers/sqlite.js";
import { openLists } from "./contestants/open.js";
import { pathOf, type World } from "./world.js";

/** The settings of the server. */
export interface ServerJob {
  contestant: string;
  world: World;
}

/** The server's message when it listens. */
export interface Listening {
  port: number;
  token: string;
}

const servers: Readonly<Record<string, (world: World) => Promise<Listening>>> = {
  "im-admin": (world) => serveImAdmin(pathOf(world, "imAdmin orderly")),
  "bare node:http": (world) => serveBare(world, false),
  "bare, from memory": (world) => serveBare(world, true),
};

process.once("message", async ({ contestant, world }: ServerJob) => {
  process.send?.(await servers[contestant]?.(world));
  // Each further message asks for the time of the processor.
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
});
process.once("disconnect", () => process.exit());

async function serveImAdmin(path: string): Promise<Listening> {
  const store = openSqliteStore({ path });
  const secret = randomBytes(32).toString("base64url");
  const authenticate = jwtAuthenticator({ secrets: [secret], adminUserIDs: ["imAdmin"] });
  const { port } = await serve({ store, authenticate, port: 0, observer: { onError() {} } });
  return { port, token: await signAdminToken({ secret, userID: "imAdmin" }) };
}

/**
 * As little as one can write: no token, no checks, no errors.
 *
 * @param isKept whether it reads the first page that it is asked for, and answers that from then on
 */
async function serveBare(world: World, isKept: boolean): Promise<Listening> {
  const lists = await openLists("better-sqlite3", world, "orderly");
  let kept: string | undefined;
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { groupID, pagination } = JSON.parse(body);
    const { pageNumber, showNumber } = pagination;
    const range = { offset: (pageNumber - 1) * showNumber, limit: showNumber };
    response.setHeader("content-type", "application/json");
    if (kept !== undefined) return void response.end(kept);
    const page = await lists.listGroupMembers({ groupID, keyword: "", ...range });
    const data = { total: page?.total, members: page?.items };
    const text = JSON.stringify({ errCode: 0, errMsg: "", errDlt: "", data });
    if (isKept) kept = text;
    response.end(text);
  }
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, token: "" };
}
