import { gzipSync } from "node:zlib";
import { Miniflare } from "miniflare";
import { expect, it, onTestFinished } from "vitest";
import { serveRecords, token } from "../../helpers/client/servers.js";
import { bundleWorker } from "../../helpers/workerd.js";

it("takes less than 2.5 KB, compressed, and needs nothing of a runtime's modules", async () => {
  const { code, imports } = await bundleWorker('export * from "./adapters/client.ts"', { minify: true });
  expect(imports).toEqual([]);
  expect(gzipSync(code).length).toBeLessThan(2560);
});

it("runs in Workers, by their fetch and by a service binding", async () => {
  const url = await serveRecords();
  const { code } = await bundleWorker(`
    import { createAdminClient, eachItem, TransportError } from "./adapters/client.ts";
    export default {
      async fetch(request, { SERVER, url, token }) {
        const byFetch = createAdminClient({ url, token });
        const byBinding = createAdminClient({ url, token, fetch: (url, init) => SERVER.fetch(url, init) });
        const list = (client) => Array.fromAsync(eachItem(client.searchNotificationAccount, {}));
        const nobody = createAdminClient({ url: "http://127.0.0.1:1", token });
        const failure = await list(nobody).catch((error) => error instanceof TransportError && error.message);
        return Response.json([await list(byFetch), await list(byBinding), failure]);
      },
    };`);
  const miniflare = new Miniflare({
    modules: true,
    script: code,
    compatibilityDate: "2026-04-01",
    bindings: { url, token },
    serviceBindings: { SERVER: { external: { address: new URL(url).host, http: {} } } },
  });
  onTestFinished(() => miniflare.dispose());
  const answer = await fetch(await miniflare.ready);
  const accounts = [{ userID: "n1", faceURL: "news.png", nickName: "News" }];
  expect(await answer.json()).toEqual([
    accounts,
    accounts,
    "http://127.0.0.1:1/user/search_notification_account could not be reached",
  ]);
});
