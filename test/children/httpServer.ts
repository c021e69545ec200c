/** A server of Bun's or Deno's own. */
import { createFetchHandler } from "../../adapters/fetch.js";
import { longWorld } from "../helpers/http/longWorld.js";
import { optionsFor } from "../helpers/http/setup.js";
import { httpWorld } from "../helpers/http/world.js";

type Handler = (request: Request) => Promise<Response>;
declare const Bun: { serve(options: { port: number; hostname: string; fetch: Handler }): { port: number } } | undefined;
declare const Deno: {
  serve(options: { port: number; hostname: string; onListen(address: { port: number }): void }, handler: Handler): void;
};

const hostname = "127.0.0.1";

const store =
  typeof Bun === "undefined"
    ? (await import("../../src/stores/drivers/nodeSqlite.js")).openNodeSqliteStore({ path: ":memory:" })
    : (await import("../../src/stores/drivers/bunSqlite.js")).openBunSqliteStore({ path: ":memory:" });
await store.put(process.env["world"] === "long" ? longWorld : httpWorld);

const handler = createFetchHandler(optionsFor(store));
const fetch: Handler = (request) => handler(request);

if (typeof Bun === "undefined") {
  Deno.serve({ port: 0, hostname, onListen: ({ port }) => void process.stdout.write(`port ${port}\n`) }, fetch);
} else {
  process.stdout.write(`port ${Bun.serve({ port: 0, hostname, fetch }).port}\n`);
}
