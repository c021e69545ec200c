import { expect, it } from "vitest";
import { createFetchHandler } from "../../../adapters/fetch.js";
import { sendTo } from "../../helpers/http/adapters.js";
import { anybody, storeOf } from "../../helpers/http/hosts.js";
import { membersText, paths, requestOf, texts } from "../../helpers/http/request.js";

/** As many slashes as would keep a processor busy for minutes if each were compared with all that follow. */
const slashes = "/".repeat(400_000);

it.each([
  ["", 200, membersText],
  ["x", 404, texts.unknownPath],
  ["/healthz/x", 404, texts.unknownPath],
])("answers at once at a path of very many slashes before %j", async (end, status, text) => {
  const send = sendTo(createFetchHandler({ store: await storeOf(), authenticate: anybody }));
  const request = requestOf({ request: { path: `${paths.members}${slashes}${end}` } });
  expect(await send(request)).toMatchObject({ status, text });
});
