import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import type { RecordSet } from "../../../../src/records.js";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { serve } from "../../../helpers/cliProcess.js";
import { temporaryFolder } from "../../../helpers/stores.js";
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
  /** Goes to a place, which the part after the `#` names, and waits for a text there. */
  goTo(place: string, seen?: string): Promise<void>;
  /** The text in the clipboard. */
  copied(): Promise<string>;
  stop(): Promise<unknown>;
}

interface Options extends BrowserContextOptions {
  /** A database in memory by default. */
  database?: string;
  /** The first place, and a text to wait for there. */
  place?: string;
  seen?: string;
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

  return async ({ database = ":memory:", place = "/", seen, flags = [], error, ...options } = {}) => {
    const server = await serve(["--demo", "--console", "--secret", secret, "--db", database, ...flags]);
    const usual = { viewport: { width: 1280, height: 800 }, locale: "en-US" };
    const permissions = ["clipboard-read", "clipboard-write"];
    const context = await browser.newContext({ ...usual, permissions, ...options });
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    const complaints = await watch(page, server.url);
    onTestFinished(async ({ task }) => {
      if (task.result?.state === "fail") {
        process.stderr.write(`${task.name}: ${page.url()}\n${await page.locator("body").innerText()}\n`);
      }
      // Answers that the test makes up may still be on their way.
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
      expect([...new Set(complaints)]).toEqual(error === undefined ? [] : [error]);
    });

    const bodies: [path: string, body: Record<string, unknown>][] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") bodies.push([new URL(request.url()).pathname, request.postDataJSON()]);
    });
    async function goTo(hash: string, seen?: string): Promise<void> {
      await page.goto(`${server.url}/console#${hash}`);
      if (seen !== undefined) await page.getByText(seen).first().waitFor();
    }
    await goTo(`token=${server.token}&place=${place}`, seen);
    return {
      page,
      url: server.url,
      token: server.token,
      sent: (path) => bodies.flatMap(([sentTo, body]) => (sentTo.endsWith(path) ? [body] : [])),
      goTo,
      copied: () => page.evaluate(() => navigator.clipboard.readText()),
      stop: server.stop,
    };
  };
}

/** A file with these records. */
export async function databaseOf(records: RecordSet): Promise<string> {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  await store.put(records);
  await store.close();
  return path;
}

/** Answers with the members of a group named `large`, without storing them. */
export async function answerMembers(page: Page, total: number): Promise<void> {
  await page.route("**/get_group_member_list", (route) => {
    const { groupID, pagination } = route.request().postDataJSON();
    if (groupID !== "large") return route.continue();
    const { pageNumber, showNumber } = pagination;
    const members = Array.from({ length: showNumber }, (_, index) => {
      const row = (pageNumber - 1) * showNumber + index + 1;
      return { groupID, userID: `u${row}`, nickname: `Member ${row}`, roleLevel: 20, joinTime: 0, muteEndTime: 0 };
    });
    return route.fulfill({ status: 200, body: bodyOf({ total, members }) });
  });
}

/** Sets a conversation for so many users that the page asks for their number. */
export async function confirmSetting(page: Page, users: string): Promise<void> {
  await page.getByLabel(`Type ${users} to confirm`).fill(users);
  await page.getByRole("button", { name: `Set for ${users} users` }).click();
}

/** The body of a successful answer. */
export function bodyOf(data: object): string {
  return JSON.stringify({ errCode: 0, errMsg: "", errDlt: "", data });
}

/** Collects what must never happen: script errors, violations of the policy, and requests to other servers. */
async function watch(page: Page, url: string): Promise<string[]> {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const asked = request.url();
    if (!asked.startsWith(`${url}/`) && !asked.startsWith("blob:")) complaints.push(asked);
    if (/token(?!$)|secret/.test(asked)) complaints.push(`the address has a token or a secret: ${asked}`);
  });
  await page.exposeFunction("complain", (violation: string) => complaints.push(violation));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      (globalThis as unknown as { complain(text: string): void }).complain(`${violatedDirective} ${blockedURI}`);
    });
  });
  return complaints;
}
