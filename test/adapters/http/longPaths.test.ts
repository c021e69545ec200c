import { expect, it } from "vitest";
import { createFetchHandler } from "../../../adapters/fetch.js";
import { httpWorld, membersBody, membersText, paths } from "../../helpers/http/request.js";
import { memoryStore } from "../../helpers/stores.js";

/** As many slashes as would keep a processor busy for minutes if each were compared with all that follow. */
const slashes = "/".repeat(400_000);

it.each(["x", "/healthz/x"])("refuses at once a path of very many slashes before %s", async (end) => {
  const handler = createFetchHandler({ store: memoryStore(), authenticate: () => ({ adminUserID: "a" }) });
  const { status } = await handler(new Request(`http://localhost${paths.members}${slashes}${end}`, { method: "POST" }));
  expect(status).toBe(404);
});

it("answers a path that as many slashes follow", async () => {
  const store = memoryStore();
  await store.put(httpWorld);
  const handler = createFetchHandler({ store, authenticate: () => ({ adminUserID: "a" }) });
  const init = { method: "POST", headers: { operationID: "op-1" }, body: membersBody };
  const response = await handler(new Request(`http://localhost${paths.members}${slashes}`, init));
  expect(await response.text()).toBe(membersText);
});
