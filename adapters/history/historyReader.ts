import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { Page, PageRange } from "../../src/index.js";
import type { History, HistoryEntry, Setting, SettingBegun, SettingEnded, SettingOutcome } from "./history.js";
import { bytesOf, partNumbers, partPath } from "./parts.js";

/** Where a line is. */
interface Line {
  part: number;
  start: number;
  bytes: number;
}

/** What is remembered of a request. */
interface Request {
  begun: Line;
  ended?: Line;
  users: number;
  /** The same for requests for the same users. */
  digest: string;
  outcome: SettingOutcome;
  changed: number;
}

interface KnownSetting extends Omit<Setting, "requests" | "users" | "changed" | "outcome"> {
  requests: Request[];
}

/** How long requests may belong to one setting, in milliseconds. Some clients use one operationID for ever. */
const longestSetting = 3_600_000;

/** So many bytes of a file tell it from others: they have the first requestID. */
const headBytes = 100;
const chunkBytes = 1_048_576;
const newline = 0x0a;

/** Reads a history from its file. It remembers where each line is, and reads only what was appended since. */
export class HistoryReader {
  readonly #path: string;
  #parts = new Map<number, { head: string; read: number }>();
  #settings: KnownSetting[] = [];
  #byID = new Map<string, KnownSetting>();
  #byKey = new Map<string, KnownSetting>();
  #requests = new Map<string, Request>();
  /** The ends of requests that have yet to be read: a process may be slow to write to the part before. */
  #ends = new Map<string, Partial<Request>>();
  #reading: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  async list({ offset, limit }: PageRange): Promise<Page<Setting>> {
    await this.#update();
    const end = Math.max(0, this.#settings.length - offset);
    const settings = this.#settings.slice(Math.max(0, end - limit), end).reverse();
    return { total: this.#settings.length, items: settings.map(settingOf) };
  }

  async read(settingID: string, number: number): ReturnType<History["read"]> {
    await this.#update();
    const request = this.#byID.get(settingID)?.requests[number];
    if (request === undefined) return undefined;
    const begun = (await this.#entryAt(request.begun)) as SettingBegun;
    return { begun, ended: request.ended && ((await this.#entryAt(request.ended)) as SettingEnded) };
  }

  async #entryAt({ part, start, bytes }: Line): Promise<unknown> {
    const file = await open(partPath(this.#path, part));
    try {
      const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, start);
      return entryOf(buffer.toString());
    } finally {
      await file.close();
    }
  }

  /** Reads what was appended, one call after another. */
  #update(): Promise<void> {
    this.#reading = this.#reading.catch(() => {}).then(() => this.#readParts());
    return this.#reading;
  }

  async #readParts(): Promise<void> {
    const numbers = await partNumbers(this.#path);
    const found = await Promise.all(numbers.map(async (part) => ({ part, ...(await this.#lookAt(part)) })));
    const isSame = ({ part, head, size }: (typeof found)[number]) => {
      const known = this.#parts.get(part);
      return known === undefined || (known.read <= size && head.startsWith(known.head));
    };
    // If somebody has taken a part away, emptied or replaced it, what is known is wrong.
    if (!found.every(isSame) || [...this.#parts.keys()].some((part) => !numbers.includes(part))) this.#forget();
    for (const { part, head, size } of found) {
      const known = { read: 0, ...this.#parts.get(part), head };
      this.#parts.set(part, known);
      if (known.read < size) await this.#readPart(part, known);
    }
  }

  async #lookAt(part: number): Promise<{ head: string; size: number }> {
    const path = partPath(this.#path, part);
    const size = await bytesOf(path);
    const file = await open(path);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      return { head: buffer.toString("latin1", 0, bytesRead), size };
    } finally {
      await file.close();
    }
  }

  #forget(): void {
    this.#parts = new Map();
    this.#settings = [];
    this.#byID = new Map();
    this.#byKey = new Map();
    this.#requests = new Map();
    this.#ends = new Map();
  }

  /** Reads the whole lines behind those that are known. */
  async #readPart(part: number, known: { read: number }): Promise<void> {
    const file = await open(partPath(this.#path, part));
    try {
      let begun: Buffer[] = [];
      for (let place = known.read; ; ) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, place);
        if (bytesRead === 0) return;
        place += bytesRead;
        let rest = buffer.subarray(0, bytesRead);
        for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
          const line = Buffer.concat([...begun, rest.subarray(0, end)]);
          this.#take(line, { part, start: known.read, bytes: line.length });
          known.read += line.length + 1;
          begun = [];
          rest = rest.subarray(end + 1);
        }
        if (rest.length > 0) begun.push(rest);
      }
    } finally {
      await file.close();
    }
  }

  #take(bytes: Buffer, line: Line): void {
    try {
      const entry = entryOf(bytes.toString());
      if (entry.entry === "begun") this.#begin(entry, line);
      if (entry.entry === "ended") this.#end(entry, line);
    } catch {
      // A crash has cut the line, or it is no entry.
    }
  }

  #begin({ entry: _, requestID, userIDs, ...setting }: SettingBegun, begun: Line): void {
    const { time, adminUserID, operationID, conversationID, conversationType, userID, groupID, fields, setsBack } =
      setting;
    const what = setsBack === undefined ? [fields] : [setsBack];
    const key = JSON.stringify([adminUserID, operationID, conversationID, conversationType, userID, groupID, ...what]);
    const digest = createHash("sha256").update(JSON.stringify(userIDs)).digest("base64");
    const last = this.#byKey.get(key);
    const isNext = last !== undefined && operationID !== "" && time - last.time <= longestSetting;
    const known = isNext ? last : { ...setting, settingID: requestID, requests: [] };
    if (!isNext) {
      this.#settings.push(known);
      this.#byID.set(requestID, known);
      this.#byKey.set(key, known);
    }
    const end = this.#ends.get(requestID);
    const request: Request = { begun, users: userIDs.length, digest, outcome: "unknown", changed: 0, ...end };
    known.requests.push(request);
    if (!this.#ends.delete(requestID)) this.#requests.set(requestID, request);
  }

  #end({ requestID, outcome, changed }: SettingEnded, ended: Line): void {
    const request = this.#requests.get(requestID);
    const end = { ended, outcome, changed };
    if (request === undefined) this.#ends.set(requestID, end);
    else Object.assign(request, end);
    this.#requests.delete(requestID);
  }
}

/**
 * The entry of a line. Before it, there may be the beginning of another, whose process was killed while it wrote. No text
 * within an entry has these quotes without a backslash.
 *
 * @throws SyntaxError if there is no whole entry
 */
function entryOf(line: string): HistoryEntry {
  try {
    return JSON.parse(line);
  } catch (error) {
    const start = line.lastIndexOf('{"entry":');
    if (start <= 0) throw error;
    return entryOf(line.slice(start));
  }
}

function settingOf({ requests, setsBack, ...setting }: KnownSetting): Setting {
  const outcome = requests.some((request) => request.outcome === "unknown") ? "unknown" : requests.at(-1)?.outcome;
  const made = requests.filter((request) => request.outcome !== "failed");
  const users = new Map((made.length > 0 ? made : requests).map((request) => [request.digest, request.users]));
  return {
    ...setting,
    requests: requests.length,
    users: sum(users.values()),
    changed: sum(requests.map(({ changed }) => changed)),
    outcome: outcome ?? "unknown",
    ...(setsBack !== undefined && { setsBack }),
  };
}

function sum(numbers: Iterable<number>): number {
  let result = 0;
  for (const number of numbers) result += number;
  return result;
}
