import { describe, expect, it } from "vitest";
import { block } from "../../helpers/docs/recipePage.js";
import { expectServed } from "../../helpers/http/published.js";
import { membersBody, membersText, texts } from "../../helpers/http/request.js";
import { ask, run, sendToStarted } from "../helpers/recipes.js";

const mounted = block("Express");
const routed = mounted.replace(/^app\.use\("\/admin.*$/m, block("Express", 1).trim());

const served = { status: 200, text: membersText };
const { notJson, noGroupID } = texts;

/** What Express answers itself. */
const errorPage = (status: number) => ({ status, text: expect.stringMatching(/^<!DOCTYPE html>/) });

const form = "application/x-www-form-urlencoded";
const long = membersBody.padEnd(100 * 1024 + 1);

type Sent = [contentType: string | null, body: string, answer: { status: number; text: unknown }];

/** The request that is left after parsers of a host. */
const parsers: Record<string, Sent[]> = {
  "express.json()": [
    ["application/json", membersBody, served],
    ["application/json", "", { status: 200, text: notJson }],
    ["application/json", "{", errorPage(400)],
    ["application/json", "null", errorPage(400)],
    ["application/json", long, errorPage(413)],
    ["application/json; charset=utf-16", membersBody, errorPage(400)],
    [form, membersBody, served],
    ["text/plain", long, served],
    ["///", membersBody, served],
    [null, membersBody, served],
  ],
  'express.text({ type: "*/*" })': [
    ["application/json", membersBody, served],
    [form, membersBody, served],
    ["text/plain; charset=utf-16", membersBody, { status: 200, text: notJson }],
    ["text/plain", "", { status: 200, text: notJson }],
    ["text/plain", long, errorPage(413)],
    [null, membersBody, served],
  ],
  'express.raw({ type: "*/*" })': [
    ["application/json; charset=utf-16", membersBody, served],
    [form, membersBody, served],
    ["///", membersBody, served],
    ["text/plain", "", { status: 200, text: notJson }],
    ["text/plain", long, errorPage(413)],
    [null, membersBody, served],
  ],
  "express.urlencoded({ extended: false })": [
    ["application/json", membersBody, served],
    [form, membersBody, { status: 200, text: noGroupID }],
    [null, membersBody, served],
  ],
};

describe.each([
  ["Express 5", '"express"', "{*path}"],
  ["Express 4", '"express-4"', "*"],
])("%s", (_version, installed, rest) => {
  const running = async (program: string) =>
    sendToStarted(await run(program.replace('"express"', installed).replace("{*path}", rest)));

  it.each([
    ["mounted under a path", mounted],
    ["on a route", routed],
  ])("%s", async (_name, program) => {
    await expectServed(await running(program));
  });

  it.each(Object.entries(parsers))("after %s", async (parser, all) => {
    const send = await running(
      mounted.replace("const app = express();\n", (line) => `${line}app.use(${parser});\napp.set("env", "test");\n`),
    );
    for (const [contentType, body, expected] of all) {
      const answer = await ask(send, { headers: { "content-type": contentType }, body });
      expect({ contentType, ...answer }).toStrictEqual({ contentType, ...expected });
    }
  });
});
