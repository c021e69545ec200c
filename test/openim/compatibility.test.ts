import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { jwtAuthenticator } from "../../adapters/auth.js";
import { createFetchHandler } from "../../adapters/fetch.js";
import { serve } from "../../adapters/node.js";
import { type BundledStore, openSqliteStore } from "../../src/stores/drivers/sqlite.js";
import { imAdmin } from "../helpers/cliProcess.js";
import { pageAt } from "../helpers/docs/pages.js";
import { adminUserID, secret } from "../helpers/http/request.js";
import { exchange as exchangeBytes } from "../helpers/http/sockets.js";
import { type Context, contextOf, isSuccess, itemsOf, named, wholeList } from "../helpers/openim/context.js";
import {
  type Answer,
  type Body,
  type Exchange,
  exchanges,
  tokensByName,
  type Version,
  versions,
} from "../helpers/openim/exchanges.js";
import { rows } from "../helpers/openim/rows.js";
import { world, worldFolder } from "../helpers/openim/world.js";

const proved = Object.entries(rows).flatMap(([section, named]) =>
  Object.entries(named).map(([name, row]) => ({ id: `${section}: ${name}`, row })),
);

const [firstOfLists, firstOfAnswer] = ["get_group_member_list", "The answer"].map(
  (section) => proved.find(({ id }) => id.startsWith(`${section}: `))?.id,
);

/** What is sent as bytes, and what the server and im-admin answer. */
const bytes = [
  {
    id: "The answer: to HTTP/1.0",
    sent: "POST /friend/get_black_list HTTP/1.0\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}",
    theirs: ["HTTP/1.0 200 OK", '{"errCode":1001,'],
    ours: ["HTTP/1.1 200 OK", '{"errCode":1001,'],
  },
  {
    id: "The answer: to what is no HTTP",
    sent: "no HTTP\r\n\r\n",
    theirs: ["HTTP/1.1 400 Bad Request", "400 Bad Request"],
    ours: ["HTTP/1.1 400 Bad Request", ""],
  },
];

/** The versions at which each row was seen. */
const seen = new Map<string, Set<Version>>(bytes.map(({ id }) => [id, new Set(versions)]));

/** The rows that an answer of the server contradicts. */
const wrong: string[] = [];

const cases = exchanges.map((exchange, index) => ({
  name: `${index} ${exchange.path}`,
  exchange,
  expected: (Object.keys(exchange.answers) as Version[]).map((version) => expectedAnswer(exchange, version)),
}));

const authenticate = jwtAuthenticator({ secrets: [secret], adminUserIDs: [adminUserID] });
const folder = mkdtempSync(join(tmpdir(), "im-admin-"));
const database = join(folder, "im.db");
let store: BundledStore;

beforeAll(async () => {
  expect((await imAdmin(["import", worldFolder, "--db", database])).status).toBe(0);
  store = openSqliteStore({ path: database });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

describe("an answer is the server's, but for rows of docs/compatibility.md", () => {
  it.each(cases)("$name", async ({ exchange, expected }) => {
    const ours = named(await answer(exchange), contextOf(exchange, "main").list);
    for (const { stored, ...theirs } of expected) {
      const { stored: ourStored, headers, ...answered } = ours;
      expect(answered).toEqual({ status: theirs.status, body: theirs.body });
      expect(headers).toMatchObject(theirs.headers);
      if (stored !== undefined || !isSuccess(theirs)) expect(ourStored ?? []).toEqual(stored ?? []);
    }
  });
});

it.each(bytes)("$id answers as docs/compatibility.md says", async ({ sent, theirs, ours }) => {
  const server = await serve({ store, authenticate, port: 0 });
  onTestFinished(() => server.close());
  const [head = "", body = ""] = (await exchangeBytes(server.port, sent)).split("\r\n\r\n");
  expect([head.split("\r\n")[0], body.slice(0, 16)]).toEqual(ours);
  expect(theirs).not.toEqual(ours);
});

it("docs/compatibility.md says nothing of the server that its answers contradict", () => {
  expect(wrong).toEqual([]);
});

it("docs/compatibility.md says at which versions each row was seen", () => {
  const { text } = pageAt("docs/compatibility.md");
  const said = text.split(/^## /m).flatMap((section) => {
    const [title] = section.split("\n");
    const cells = section.split("\n").map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
    return cells
      .filter((row) => row.length === 6 && !/^-*$/.test(row[1] ?? ""))
      .map((row) => `${title}: ${row[1]} ${row[4]}`);
  });
  expect(said.toSorted()).toEqual(proved.map(({ id }) => `${id} ${known(seen.get(id))}`).toSorted());
});

it("docs/compatibility.md names all codes of the server's answers", () => {
  const codes = exchanges.flatMap(({ answers }) =>
    Object.values(answers).flatMap(({ body }) =>
      typeof body === "object" && body.errCode !== 0 ? [body.errCode] : [],
    ),
  );
  const [, said = ""] = /The codes of the server([^.]*)\./.exec(pageAt("docs/compatibility.md").text) ?? [];
  for (const code of new Set(codes)) expect(said).toContain(String(code));
});

function known(versions: ReadonlySet<Version> | undefined): string {
  if (versions === undefined) return "read";
  return versions.size === 2 ? "seen" : `seen: ${[...versions]}`;
}

/** What im-admin must answer, and notes which rows this proves. */
function expectedAnswer(exchange: Exchange, version: Version): Answer {
  const context = contextOf(exchange, version);
  const given = named(exchange.answers[version] as Answer, context.list);
  const note = (id: string) => seen.set(id, (seen.get(id) ?? new Set()).add(version));
  for (const { id, row } of proved) {
    if (row?.shows?.(given, context)) note(id);
    if (row?.claims?.(given, context) === false) wrong.push(`${id} (${exchange.body})`);
  }

  let current = given;
  for (const { id, row } of proved) {
    if (id === firstOfLists) current = whole(current, context);
    if (id === firstOfAnswer) current = page(current, context);
    const changed = row?.rewrite?.(current, context) ?? current;
    if (changed !== current) note(id);
    current = changed;
  }
  return current;
}

/** The answer with the whole list, of which it has a page. */
function whole(given: Answer, context: Context): Answer {
  const data = isSuccess(given) && typeof given.body === "object" ? given.body.data : undefined;
  if (!data || context.list === undefined || itemsOf(given).length === data["total"]) return given;
  return { ...given, body: wholeList(context).body };
}

/** The answer with the page that was asked for. */
function page(given: Answer, { list, asked }: Context): Answer {
  if (list === undefined || !isSuccess(given) || typeof given.body !== "object") return given;
  const { pageNumber = 1, showNumber = 1 } = (asked.pagination ?? {}) as { pageNumber?: number; showNumber?: number };
  const items = itemsOf(given).slice((pageNumber - 1) * showNumber, pageNumber * showNumber);
  return { ...given, body: { ...given.body, data: { ...given.body.data, items: items.length > 0 ? items : null } } };
}

/** What im-admin answers. A request that sets conversations has a copy of the database for itself. */
async function answer(exchange: Exchange): Promise<Answer> {
  const context = contextOf(exchange, "main");
  if (!("conversation" in context.asked)) return answerOf(store, exchange);
  const own = join(folder, `${exchanges.indexOf(exchange)}.db`);
  copyFileSync(database, own);
  const copy = openSqliteStore({ path: own });
  try {
    const before = await conversations(copy);
    const given = await answerOf(copy, exchange);
    const stored = (await conversations(copy)).filter((text) => !before.includes(text));
    return { ...given, stored: stored.map((text) => JSON.parse(text)) };
  } finally {
    await copy.close();
  }
}

async function conversations(of: BundledStore): Promise<string[]> {
  const all = await Promise.all(world.users.map(({ userID }) => of.conversations(String(userID))));
  return all.flat().map((conversation) => JSON.stringify(conversation));
}

async function answerOf(
  store: BundledStore,
  { method, path, token, headers, body, answers }: Exchange,
): Promise<Answer> {
  const handler = createFetchHandler({
    store,
    authenticate,
    adminToken: { secret, adminUserIDs: [adminUserID] },
  });
  const request = new Request(`http://im-admin.example${path}`, {
    method,
    headers: { ...headers, ...(token !== undefined && { token: tokensByName[token] ?? "" }) },
    ...(method === "POST" && { body: new TextEncoder().encode(body) }),
  });
  const response = await handler(request);
  const parsed = (await response.json()) as Body;
  expect(Object.keys(parsed).slice(0, 3)).toEqual(["errCode", "errMsg", "errDlt"]);
  if (parsed.errCode !== 0) parsed.errDlt = "";
  if (parsed.data?.["token"]) parsed.data["token"] = "<token>";
  const about = Object.keys(answers.main?.headers ?? {});
  return {
    status: response.status,
    headers: Object.fromEntries(about.map((name) => [name, response.headers.get(name)])),
    body: parsed,
  };
}
