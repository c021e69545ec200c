import { writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { onTestFinished, vi } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { packageFolder } from "../../helpers/docs/programs.js";
import { block } from "../../helpers/docs/recipePage.js";
import { portOf } from "../../helpers/http/hosts.js";
import { type HttpCase, httpWorld, requestOf, secret } from "../../helpers/http/request.js";
import { type Send, sendToPort } from "../../helpers/http/send.js";

/** The folder whose packages programs may import. */
export const deep = fileURLToPath(new URL("../", import.meta.url));

/** What the recipes share, on a file in a folder. */
export function sharedBlock(folder: string): string {
  return block("What they share").replace('"im.db"', JSON.stringify(`${folder}/im.db`));
}

/** A folder with the packages of programs, and a small world in im.db. */
export async function recipeFolder(): Promise<string> {
  setSecret("IM_ADMIN_SECRET", secret);
  const folder = packageFolder(deep);
  await fillStore(`${folder}/im.db`);
  return folder;
}

export async function fillStore(path: string): Promise<void> {
  const store = openSqliteStore({ path });
  await store.put(httpWorld);
  await store.close();
}

/** What a program exports. */
export interface Recipe {
  [name: string]: unknown;
  /** The server that it has started, or its address. */
  listening?: Server | string;
}

/** Runs a program of the page, with its port changed to a free one, beside further modules. */
export async function run(program: string, modules: Readonly<Record<string, string>> = {}): Promise<Recipe> {
  const folder = await recipeFolder();
  const code = program.replace(
    /^(await )?(\w+)\.listen\((.*)3000(.*)\);$/m,
    "export const listening = $1$2.listen($30$4);\n",
  );
  for (const [name, text] of Object.entries({ imAdmin: sharedBlock(folder), recipe: code, ...modules })) {
    writeFileSync(`${folder}/${name}.js`, (await transform(text, { loader: "ts", format: "esm" })).code);
  }
  const { options } = await import(`${folder}/imAdmin.js`);
  onTestFinished(() => options.store.close());
  return import(`${folder}/recipe.js`);
}

/** Sends to the server that a program has started. */
export async function sendToStarted({ listening }: Recipe): Promise<Send> {
  if (listening === undefined) throw new Error("the program listens nowhere");
  return sendToPort(typeof listening === "string" ? Number(new URL(listening).port) : await portOf(listening));
}

/** The answer to a request for the members of g1 below a path, which may differ from the usual one. */
export async function ask(send: Send, request: HttpCase["request"] = {}, base = "/admin") {
  const sent = requestOf({ request });
  const { status, text } = await send({ ...sent, path: base + sent.path });
  return { status, text };
}

/** Sets a variable of the environment until the test is over. */
export function setSecret(name: string, value: string): void {
  vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}
