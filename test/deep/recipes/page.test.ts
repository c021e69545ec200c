import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { blockIn, blocksIn, pageAt } from "../../helpers/docs/pages.js";
import { compile, packageFolder, programs } from "../../helpers/docs/programs.js";
import { block, sections } from "../../helpers/docs/recipePage.js";
import { deep } from "../helpers/recipes.js";

it("has these blocks of code, and a test runs each of them", () => {
  expect([...sections].map(([title, blocks]) => [title, blocks.length])).toEqual([
    ["What they share", 1],
    ["node:http", 1],
    ["Express", 2],
    ["Fastify", 2],
    ["Koa", 1],
    ["Nest", 1],
    ["Hono", 2],
    ["itty-router", 1],
    ["Bun", 1],
    ["Deno", 1],
    ["Next.js and other route handlers", 2],
    ["Cloudflare Workers", 1],
    ["Swagger UI", 1],
    ["Scalar", 1],
    ["A session", 1],
    ["Authorization: Bearer", 1],
    ["A client certificate", 1],
    ["Some addresses only", 1],
    ["Several tenants", 1],
  ]);
});

it("leads to each section from its top", () => {
  const anchorOf = (title: string) =>
    `#${title
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-")}`;
  const { text } = pageAt("docs/recipes.md");
  const linksOf = (text: string) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
  const anchors = [...sections.keys()].map(anchorOf);
  expect(["#what-they-share", ...linksOf(text.slice(0, text.indexOf("\n## ")))]).toEqual(anchors);
});

it("has programs that a strict compiler accepts, like the other pages, with the types of the package", () => {
  const folder = packageFolder(deep);
  writeFileSync(`${folder}/imAdmin.ts`, block("What they share"));
  writeFileSync(`${folder}/app.module.ts`, "export class AppModule {}");
  writeFileSync(`${folder}/queries.ts`, blockIn("docs/clients.md", "infiniteQueryOptions"));
  // Bun, Deno and Workers have their own types.
  const others = [...sections].filter(([title]) => !["Bun", "Deno", "Cloudflare Workers"].includes(title));
  const recipes = others.map(([place, blocks]) => ({
    place,
    code: blocks.join("\n").replace("@/imAdmin", "./imAdmin.js"),
  }));
  expect(compile([...recipes, ...programs(), ...blocksIn("tsx")], folder).mistakes).toEqual([]);
});
