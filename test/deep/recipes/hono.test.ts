import { describe, expect, it } from "vitest";
import { block } from "../../helpers/docs/recipePage.js";
import { expectServed } from "../../helpers/http/published.js";
import { membersText, requestOf } from "../../helpers/http/request.js";
import { sendTo } from "../../helpers/http/send.js";
import { runFetch, sendOnNode } from "../helpers/fetchRecipes.js";

describe("Hono", () => {
  const mounted = block("Hono");
  const routed = mounted.replace(/^app\.mount.*$/m, block("Hono", 1).trim());

  it.each([
    ["mounted", mounted],
    ["on a route", routed],
  ])("%s, in any runtime and on Node", async (_name, program) => {
    const recipe = await runFetch(program);
    await expectServed(sendTo(recipe.default.fetch));
    await expectServed(await sendOnNode(recipe));
  });

  it.each([
    ["mounted", mounted, true],
    ["on a route", routed, false],
  ])("hands bindings to the store, %s", async (_name, program, hasContext) => {
    const given: unknown[] = [];
    const options = `import { options as shared } from "./imAdmin.js";
      const store = (_request, bindings, context) => (bindings.given.push(context), shared.store);
      const options = { ...shared, store };`;
    const { default: app } = await runFetch(program.replace(/^import \{ options \}.*$/m, options));
    const context = { waitUntil() {}, passThroughOnException() {} };
    for (const contexts of [[context], []]) {
      const { path, ...init } = requestOf({ request: {} });
      const request = new Request(`http://localhost/admin${path}`, init as RequestInit);
      expect(await (await app.fetch(request, { given }, ...contexts)).text()).toBe(membersText);
    }
    expect(given).toStrictEqual([hasContext ? context : undefined, undefined]);
  });
});
