import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import ts from "typescript";
import { expect, it, onTestFinished } from "vitest";
import { block, sections } from "../../helpers/docs/recipePage.js";
import { root } from "../helpers/recipes.js";

const page = readFileSync(`${root}docs/recipes.md`, "utf8");

it("has these blocks of code, each of which a test runs", () => {
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
    ["Next.js and other route handlers", 1],
    ["Cloudflare Workers", 1],
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
  const linksOf = (text: string) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
  const anchors = [...sections.keys()].map(anchorOf);
  expect(["#what-they-share", ...linksOf(page.slice(0, page.indexOf("\n## ")))]).toEqual(anchors);
});

it("has programs that a strict compiler accepts", () => {
  // Inside the package, so that it resolves its own name.
  const folder = mkdtempSync(`${root}.recipe-`);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, code: string) => {
    writeFileSync(`${folder}/${name}.ts`, code);
    return `${folder}/${name}.ts`;
  };
  const files = [
    write("imAdmin", block("What they share")),
    write("app.module", "export class AppModule {}"),
    // Bun, Deno and Workers have their own types.
    ...[...sections]
      .filter(([title]) => !["What they share", "Bun", "Deno", "Cloudflare Workers"].includes(title))
      .map(([, blocks], index) => write(`program${index}`, blocks.join("\n").replace("@/imAdmin", "./imAdmin.js"))),
  ];
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: ["node"],
  });
  expect(ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => [file?.fileName, messageText])).toEqual([]);
});
