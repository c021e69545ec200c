import { createServerAdapter } from "@whatwg-node/server";
import { describe, expect, it } from "vitest";
import { block } from "../../helpers/docs/recipePage.js";
import { listening } from "../../helpers/http/hosts.js";
import { expectServed } from "../../helpers/http/published.js";
import { membersText, requestOf } from "../../helpers/http/request.js";
import { sendTo, sendToPort } from "../../helpers/http/send.js";
import { runFetch, sendOnNode } from "../helpers/fetchRecipes.js";

const routersOwn = { status: 404, text: '{"status":404,"error":"Not Found"}' };

describe("itty-router", () => {
  const program = block("itty-router");
  const versions = [
    ["5", program],
    ["6", program.replace('"itty-router"', '"itty-router-6"')],
  ] as const;

  it.each(versions)("version %s, in any runtime and on Node", async (_version, used) => {
    const recipe = await runFetch(used);
    await expectServed(sendTo(recipe.default.fetch), { notFound: routersOwn });
    await expectServed(await sendOnNode(recipe), { notFound: routersOwn });
  });

  it.each(versions)("version %s reads the body after withContent", async (_version, used) => {
    const parsed = used
      .replace("{ AutoRouter }", "{ AutoRouter, withContent }")
      .replace("AutoRouter()", "AutoRouter({ before: [withContent] })");
    const recipe = await runFetch(parsed);
    const { path, ...init } = requestOf({ request: { headers: { "content-type": "application/json" } } });
    const request = new Request(`http://localhost/admin${path}`, init as RequestInit);
    expect(await (await recipe.default.fetch(request)).text()).toBe(membersText);
  });

  // AutoRouter of version 6 fails there with each request, the host's own ones among them.
  it.each([
    ["5", "AutoRouter", 200],
    ["6", "AutoRouter", 500],
    ["6", "Router", 200],
  ] as const)("version %s, %s on @whatwg-node/server", async (version, router, status) => {
    const used = (version === "6" ? versions[1] : versions[0])[1].replaceAll("AutoRouter", router);
    const hello = `router.get("/hello", () => new Response("hello"));\n`;
    const recipe = await runFetch(used.replace("mountAdminRoutes(r", (call) => hello + call));
    const port = await listening(createServerAdapter(recipe.default.fetch));
    const answer = await sendToPort(port)({ method: "GET", path: "/hello", headers: {} });
    expect(answer.status).toBe(status);
    const { path, ...request } = requestOf({ request: {} });
    const listed = await sendToPort(port)({ ...request, path: `/admin${path}` });
    expect(listed.status).toBe(status);
    if (status === 200) expect(listed.text).toBe(membersText);
  });
});
