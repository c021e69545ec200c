import type { Server } from "node:http";
import { serve } from "@hono/node-server";
import type { FetchHandler } from "../../../adapters/fetch.js";
import { portOf } from "../../helpers/http/hosts.js";
import { type Send, sendToPort } from "../../helpers/http/send.js";
import { run } from "./recipes.js";

/** What a program on the Fetch standard exports. */
export interface FetchRecipe {
  default: { fetch: FetchHandler };
}

/** Runs a program of docs/recipes.md on the Fetch standard. */
export async function runFetch(program: string): Promise<FetchRecipe> {
  return (await run(program)) as unknown as FetchRecipe;
}

/** Sends to it on Node. */
export async function sendOnNode({ default: { fetch } }: FetchRecipe): Promise<Send> {
  return sendToPort(await portOf(serve({ fetch, port: 0 }) as Server));
}
