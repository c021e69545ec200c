import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../src/stores/drivers/sqlite.js";
import { isDeep } from "../helpers/chance.js";
import { imAdmin } from "../helpers/cliProcess.js";
import { served } from "../helpers/http/hosts.js";
import { sendOverHttp } from "../helpers/http/send.js";
import { httpUpstream, servedBeside } from "../helpers/http/upstreams.js";
import { lists } from "../helpers/openim/context.js";
import { type Exchange, exchanges, tokensByName, type Version, versions } from "../helpers/openim/exchanges.js";
import { worldFolder } from "../helpers/openim/world.js";
import { temporaryFolder } from "../helpers/stores.js";

/** The tokens that the gateway must ask about, and what each version answers. */
const administrators: Record<Version, Record<string, number>> = {
  main: { admin: 0, selfMadeAdmin: 1507, signedOut: 1506 },
  "patch.16": { admin: 0, selfMadeAdmin: 0, signedOut: 0 },
};

it.each(isDeep ? versions : versions.slice(0, 1))(
  "gives im-admin's lists or the answers of an OpenIM server: %s",
  async (version) => {
    const path = join(temporaryFolder(), "im.db");
    expect((await imAdmin(["import", worldFolder, "--db", path])).status).toBe(0);
    const store = openSqliteStore({ path });
    onTestFinished(() => store.close());

    const asked = new Set<string | undefined>();
    let current: Exchange | undefined;
    const upstream = await httpUpstream(
      (request, response) => {
        expect(request.url).toBe(pathOf(current));
        const theirs = current?.answers[version];
        request.resume().on("end", () => response.writeHead(theirs?.status ?? 500).end(textOf(theirs?.body)));
      },
      (token) => {
        const name = Object.keys(tokensByName).find((name) => tokensByName[name] === token);
        asked.add(name);
        return JSON.stringify({ errCode: administrators[version][name ?? ""] });
      },
    );
    const gateway = await servedBeside(upstream, { store });
    const alone = await served({ store, authenticate: () => ({ adminUserID: "imAdmin" }) });

    const own = new Set<Exchange>();
    for (const [index, exchange] of exchanges.entries()) {
      const theirs = exchange.answers[version];
      if (theirs === undefined) continue;
      const { method, path, token, headers, body } = exchange;
      current = exchange;
      const request = {
        method,
        path,
        headers: {
          ...headers,
          ...(token !== undefined && { token: tokensByName[token] ?? "" }),
        },
        ...(body !== undefined && { body }),
      };
      const { status, text } = await sendOverHttp(gateway.port, request);
      const ours = await sendOverHttp(alone.port, { ...request, path: pathOf(exchange) });
      const isAdministrator = administrators[version][token ?? ""] === 0;
      if (method !== "POST" || path === "/group/nothing" || (body ?? "").length > 1_048_576) {
        // OpenIM has these to itself, or they are longer than anything that is relayed.
        expect([index, status]).toEqual([index, { GET: 405, OPTIONS: 204 }[method] ?? (body === "{}" ? 404 : 413)]);
        continue;
      }
      const isList = Object.values(lists).some((list) => list.path === pathOf(exchange));
      const isOurs = isAdministrator && isList && ours.text.startsWith('{"errCode":0,');
      if (isOurs) own.add(exchange);
      const expected = isOurs ? [200, ours.text] : [theirs.status, textOf(theirs.body)];
      expect([index, status, text]).toEqual([index, ...expected]);
    }
    expect(own.size).toBeGreaterThan(100);
    expect(exchanges.length - own.size).toBeGreaterThan(90);
    expect([...asked].toSorted()).toEqual(Object.keys(administrators[version]).toSorted());
  },
);

/** The path that OpenIM takes it for. */
const pathOf = (exchange: Exchange | undefined) => decodeURIComponent(exchange?.path ?? "").replace(/\/$/, "");

function textOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}
