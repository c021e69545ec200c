import { Logger } from "@nestjs/common";
import { expect, it, onTestFinished } from "vitest";
import { block } from "../../helpers/docs/recipePage.js";
import { expectServed } from "../../helpers/http/published.js";
import { membersText, requestOf } from "../../helpers/http/request.js";
import type { Send } from "../../helpers/http/send.js";
import { ask, run, sendToStarted } from "../helpers/recipes.js";

it("node:http", async () => {
  const send = await sendToStarted(await run(block("node:http")));
  await expectServed(send);
  const { status, text } = await send({ method: "GET", path: "/", headers: {} });
  expect({ status, text }).toStrictEqual({ status: 200, text: "Hello" });
});

it("Fastify", async () => {
  await expectServed(await sendToFastify(block("Fastify")));
});

it("Fastify, with what an earlier hook adds", async () => {
  const hook = `app.addHook("onRequest", async (request, reply) => {
    request.session = { adminUserID: "ann" };
    reply.header("x-hook", "not sent");
  });\n`;
  const authenticate = "authenticate: (_token, { raw }) => raw.session";
  const program = block("Fastify")
    .replace("const app = Fastify();\n", (line) => line + hook)
    .replace("...options", `$&, ${authenticate}`)
    .replace("request.raw", "Object.assign(request.raw, { session: request.session })");
  const send = await sendToFastify(program);
  const { path, ...request } = requestOf({ request: { headers: { token: null } } });
  const { status, text, headers } = await send({ ...request, path: `/admin${path}` });
  expect({ status, text }).toStrictEqual({ status: 200, text: membersText });
  expect(headers.get("x-hook")).toBe(null);
});

it("Fastify, in a handler, with what Fastify's parsers read", async () => {
  const inHandler = block("Fastify").replace(/^app\.all.*?^\}\);$/ms, block("Fastify", 1).trim());
  const send = await sendToFastify(inHandler);
  const answered = (contentType: string | null) => ask(send, { headers: { "content-type": contentType } });
  for (const read of ["application/json", "text/plain"]) {
    expect(await answered(read)).toStrictEqual({ status: 200, text: membersText });
  }
  for (const refused of [null, "application/x-www-form-urlencoded", "///"]) {
    expect(await answered(refused)).toMatchObject({ status: 415 });
  }
});

it("Koa", async () => {
  await expectServed(await sendToStarted(await run(block("Koa"))));
});

it("Koa, after a parser", async () => {
  const parser = `app.use(async (context, next) => {
    context.request.body = JSON.parse(Buffer.concat(await context.req.toArray()).toString());
    await next();
  });\n`;
  const program = block("Koa")
    .replace("const app = new Koa();\n", (line) => line + parser)
    .replace("admin(context.req,", "admin(Object.assign(context.req, { body: context.request.body }),");
  const send = await sendToStarted(await run(program));
  expect(await ask(send)).toStrictEqual({ status: 200, text: membersText });
});

it("Nest", async () => {
  Logger.overrideLogger(false);
  const module = 'import { Module } from "@nestjs/common"; export class AppModule {} Module({})(AppModule);';
  await expectServed(await sendToStarted(await run(block("Nest"), { "app.module": module })));
});

async function sendToFastify(program: string): Promise<Send> {
  const recipe = await run(`${program}export { app };`);
  onTestFinished(() => (recipe["app"] as { close(): Promise<void> }).close());
  return sendToStarted(recipe);
}
