/** A server for the HTTP trials, in a process of its own; it tells its port, and ends with its parent. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fixedTokenAuthenticator } from "../adapters/auth.js";
import { serve } from "../adapters/node.js";
import { openSqliteStore } from "../src/stores/drivers/sqlite.js";
import { openLists } from "./contestants/open.js";
import { pathOf, type World } from "./world.js";

/** What the server is told to be. */
export interface ServerJob {
  contestant: string;
  world: World;
  token: string;
}

process.once("message", async ({ contestant, world, token }: ServerJob) => {
  const port = contestant === "im-admin" ? await serveImAdmin(world, token) : await serveBare(world);
  process.send?.({ port });
});
process.once("disconnect", () => process.exit());

async function serveImAdmin(world: World, token: string): Promise<number> {
  const store = openSqliteStore({ path: pathOf(world, "imAdmin orderly") });
  const authenticate = fixedTokenAuthenticator([{ token, adminUserID: "imAdmin" }]);
  return (await serve({ store, authenticate, port: 0 })).port;
}

/** As little as one can write: no token, no checks, no errors. */
async function serveBare(world: World): Promise<number> {
  const lists = await openLists("better-sqlite3", world, "orderly");
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { groupID, pagination } = JSON.parse(body);
    const { pageNumber, showNumber } = pagination;
    const range = { offset: (pageNumber - 1) * showNumber, limit: showNumber };
    const page = await lists.listGroupMembers({ groupID, keyword: "", ...range });
    const data = { total: page?.total, members: page?.items };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ errCode: 0, errMsg: "", errDlt: "", data }));
  }
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
