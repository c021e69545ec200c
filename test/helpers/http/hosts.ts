import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished, vi } from "vitest";
import { fixedTokenAuthenticator } from "../../../adapters/auth.js";
import type { FetchHandler } from "../../../adapters/fetch.js";
import { type RunningServer, type ServeOptions, serve } from "../../../adapters/node.js";
import type { Observer } from "../../../src/index.js";
import type { BundledStore } from "../../../src/stores/drivers/sqlite.js";
import { memoryStore } from "../stores.js";
import { adminUserID, type HttpRequest, httpWorld, membersBody, paths } from "./request.js";
import { sendTo } from "./send.js";

/** The only token that {@link byToken} knows. */
export const token = "known";
export const byToken = fixedTokenAuthenticator([{ token, adminUserID }]);
export const anybody = () => ({ adminUserID });

/** A store in memory with these records, closed when the test is over. */
export async function storeOf(records = httpWorld): Promise<BundledStore> {
  const store = memoryStore();
  await store.put(records);
  return store;
}

/** Starts the real server, for those who have the token, on a store of its own where none is given. */
export async function served(options: Partial<ServeOptions> = {}): Promise<RunningServer> {
  const server = await serve({ store: options.store ?? (await storeOf()), authenticate: byToken, port: 0, ...options });
  // Nobody waits for it: clients may have left connections open.
  onTestFinished(() => void server.close());
  return server;
}

/** What a handler answers to a request for members, or to another one. */
export async function textFrom(handler: FetchHandler, request: Partial<HttpRequest> = {}): Promise<string> {
  const headers = { operationID: "op-1", token, ...request.headers };
  const { text } = await sendTo(handler)({
    method: "POST",
    path: paths.members,
    body: membersBody,
    ...request,
    headers,
  });
  return text;
}

/** An observer that keeps all that it is told. */
export function recorder() {
  const calls: Parameters<NonNullable<Observer["onCall"]>>[0][] = [];
  const errors: Parameters<NonNullable<Observer["onError"]>>[0][] = [];
  const sets: unknown[] = [];
  const observer: Observer = {
    onCall: (report) => calls.push(report),
    onError: (report) => errors.push(report),
    onConversationsSet: (report) => sets.push(report),
  };
  return { calls, errors, sets, observer };
}

/** Waits until a server listens, and closes it when the test is over. */
export async function portOf(server: Server): Promise<number> {
  if (!server.listening) await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

/** Starts a server for a listener, and gives its port. */
export function listening(listener: RequestListener): Promise<number> {
  return portOf(createServer(listener).listen(0, "127.0.0.1"));
}

/** Stops the timers of this process until the test is over, so that none of them depends on how busy the machine is. */
export function stopTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Waits, turn by turn of the event loop, where timers are stopped: `expect.poll` would have their time pass. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** Has the time pass for which a timer waits, as soon as there is one. */
export async function passTime(milliseconds: number): Promise<void> {
  await until(() => vi.getTimerCount() > 0);
  await vi.advanceTimersByTimeAsync(milliseconds);
}
