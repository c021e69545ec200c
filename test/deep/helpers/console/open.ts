import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { serve } from "../../../helpers/cliProcess.js";
import { launchBrowser } from "./chromium.js";

/** The server's secret. */
export const secret = "a secret of the console's tests";

/** The browser's time limit on a busy machine, in milliseconds. */
const patience = 30_000;

/** A page with the console, and the server behind it. */
export interface OpenConsole {
  page: Page;
  /** The server's address. */
  url: string;
  token: string;
  /** The bodies of the requests so far to an operation, which the end of its path names. */
  sent(path: string): Record<string, unknown>[];
  /** Goes to a place, which the part after the `#` names. */
  goTo(place: string): Promise<void>;
  stop(): Promise<unknown>;
}

interface Options extends BrowserContextOptions {
  /** A database in memory by default. */
  database?: string;
  /** The first place. */
  place?: string;
  /** Further flags of the server. */
  flags?: readonly string[];
  /** The error that the test causes in the page. */
  error?: string;
}

/** Starts a browser for the tests of a file, and returns a function that opens a console in it. */
export function useConsole(): (options?: Options) => Promise<OpenConsole> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  return async ({ database = ":memory:", place = "/", flags = [], error, ...options } = {}) => {
    const server = await serve(["--demo", "--console", "--secret", secret, "--db", database, ...flags]);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US", ...options });
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    const complaints = await watch(page, server.url);
    onTestFinished(async () => {
      await context.close();
      expect([...new Set(complaints)]).toEqual(error === undefined ? [] : [error]);
    });

    const bodies: [path: string, body: Record<string, unknown>][] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") bodies.push([new URL(request.url()).pathname, request.postDataJSON()]);
    });
    await page.goto(`${server.url}/console#token=${server.token}&place=${place}`);
    return {
      page,
      url: server.url,
      token: server.token,
      sent: (path) => bodies.flatMap(([sentTo, body]) => (sentTo.endsWith(path) ? [body] : [])),
      async goTo(to) {
        await page.goto(`${server.url}/console#${to}`);
      },
      stop: server.stop,
    };
  };
}

/** Collects what must never happen: script errors, violations of the policy, and requests to other servers. */
async function watch(page: Page, url: string): Promise<string[]> {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const asked = request.url();
    if (!asked.startsWith(`${url}/`) && !asked.startsWith("blob:")) complaints.push(asked);
    if (asked.includes("token")) complaints.push(`the address has a token: ${asked}`);
  });
  await page.exposeFunction("complain", (violation: string) => complaints.push(violation));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      (globalThis as unknown as { complain(text: string): void }).complain(`${violatedDirective} ${blockedURI}`);
    });
  });
  return complaints;
}
