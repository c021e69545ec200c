/** The commands of MongoDB that im-admin and its tests give, on the documents and changes of MongoLogs. */
import { setTimeout as delay } from "node:timers/promises";
import { calculateObjectSize, EJSON, Long, Timestamp } from "bson";
import type { Document, LoggedChange, MongoLog } from "./mongoLog.mjs";
import type { Fields } from "./wire.js";

/** An error that MongoDB answers. */
export class MongoFailure extends Error {
  readonly answer: Fields;

  constructor(code: number, codeName: string, message: string, label?: string) {
    super(message);
    this.answer = { ok: 0, code, codeName, errmsg: message, ...(label !== undefined && { errorLabels: [label] }) };
  }
}

/** The most bytes of an event, as of a document. */
const mostBytes = 16_777_216;

interface Cursor {
  ns: string;
  next(command: Fields): Promise<{ batch: object[]; isOver: boolean; token?: object }>;
}

type Command = (command: Fields, isOfSet: boolean) => Fields | Promise<Fields>;

export class Commands {
  readonly #logOf: (database: string) => MongoLog;
  readonly #cursors = new Map<number, Cursor>();
  /** The writes of transactions that are open. */
  readonly #open = new Map<string, LoggedChange[]>();
  /** The first place from which changes are still known. */
  readonly #oldest = new Map<MongoLog, number>();
  #made = 0;
  /** The kind of changes that streams leave out, which no MongoDB does. */
  withheld: string | undefined;

  constructor(logOf: (database: string) => MongoLog) {
    this.#logOf = logOf;
  }

  run(name: string, command: Fields, isOfSet: boolean): Fields | Promise<Fields> {
    const run = this.#all[name];
    if (run === undefined) throw new MongoFailure(59, "CommandNotFound", `no such command: '${name}'`);
    return run(command, isOfSet);
  }

  forgetCursors(): void {
    this.#cursors.clear();
    this.#open.clear();
  }

  cutOplog(database: string): void {
    const log = this.#logOf(database);
    log.refresh();
    this.#oldest.set(log, log.changes.length);
  }

  readonly #all: Readonly<Record<string, Command>> = {
    find: (command) => {
      const left = this.#found(command, "find", command["filter"] as Fields);
      const next = async ({ batchSize }: Fields) => {
        const batch = left.splice(0, Number(batchSize ?? 101));
        return { batch, isOver: left.length === 0 };
      };
      return this.#opened({ ns: `${command["$db"]}.${command["find"]}`, next }, command);
    },
    count: (command) => ({ n: this.#log(command).documents(String(command["count"])).length }),
    aggregate: (command, isOfSet) => {
      if (!isOfSet) throw new MongoFailure(40573, "Location40573", "$changeStream is only supported on replica sets");
      return this.#opened(this.#changes(command), command);
    },
    getmore: async (command) => {
      const id = Number(command["getMore"]);
      const cursor = this.#cursors.get(id);
      if (cursor === undefined) {
        throw new MongoFailure(43, "CursorNotFound", `cursor id ${id} not found`, "ResumableChangeStreamError");
      }
      return this.#answered(id, cursor, command, "nextBatch");
    },
    insert: (command) => {
      const documents = command["documents"] as Document[];
      return this.#write(
        command,
        documents.map((document) => ["insert", document._id, document]),
      );
    },
    update: (command) => {
      const updates = command["updates"] as { q: Fields; u: { $set: Fields } }[];
      return this.#write(
        command,
        updates.flatMap(({ q, u }) =>
          this.#found(command, "update", q).map((before) => ["update", before._id, { ...before, ...u.$set }]),
        ),
      );
    },
    delete: (command) => {
      const deletes = command["deletes"] as { q: Fields }[];
      return this.#write(
        command,
        deletes.flatMap(({ q }) => this.#found(command, "delete", q).map(({ _id }) => ["delete", _id, undefined])),
      );
    },
    drop: (command) => {
      this.#log(command).drop(String(command["drop"]));
      return {};
    },
    listcollections: (command) => {
      const log = this.#log(command);
      log.refresh();
      const names = [...log.collections].filter(([, documents]) => documents.size > 0).map(([name]) => ({ name }));
      return { cursor: { id: Long.ZERO, ns: `${command["$db"]}.$cmd.listCollections`, firstBatch: names } };
    },
    committransaction: (command) => {
      const name = transactionOf(command);
      const log = this.#log({ $db: this.#databases.get(name) });
      log.write(this.#open.get(name) ?? [], Number(command["txnNumber"]));
      this.#open.delete(name);
      return {};
    },
  };

  /** In which database a transaction writes. */
  readonly #databases = new Map<string, string>();

  #log({ $db }: Fields): MongoLog {
    return this.#logOf(String($db));
  }

  #found(command: Fields, name: string, filter: Fields = {}): Document[] {
    const wanted = Object.entries(filter);
    const documents = this.#log(command).documents(String(command[name]));
    return documents.filter((each) => wanted.every(([field, value]) => areEqual(each[field], value)));
  }

  #write(command: Fields, writes: (readonly unknown[])[]): Fields {
    const coll = String(Object.values(command)[0]);
    const changes = writes.map(([operationType, _id, fullDocument]) => ({
      operationType: String(operationType),
      ns: { coll },
      documentKey: { _id },
      ...(fullDocument !== undefined && { fullDocument: fullDocument as object }),
    }));
    if (command["autocommit"] === false) {
      const name = transactionOf(command);
      this.#databases.set(name, String(command["$db"]));
      this.#open.set(name, [...(this.#open.get(name) ?? []), ...changes]);
    } else this.#log(command).write(changes);
    return { n: changes.length };
  }

  #opened(cursor: Cursor, command: Fields): Promise<Fields> {
    this.#made += 1;
    this.#cursors.set(this.#made, cursor);
    const options = (command["cursor"] ?? command) as Fields;
    return this.#answered(this.#made, cursor, { ...options, maxTimeMS: 0 }, "firstBatch");
  }

  async #answered(id: number, cursor: Cursor, command: Fields, field: "firstBatch" | "nextBatch"): Promise<Fields> {
    const { batch, isOver, token } = await cursor.next(command);
    if (isOver) this.#cursors.delete(id);
    const place = token !== undefined && { postBatchResumeToken: token };
    return { cursor: { id: Long.fromNumber(isOver ? 0 : id), ns: cursor.ns, [field]: batch, ...place } };
  }

  #changes(command: Fields): Cursor {
    const log = this.#log(command);
    log.refresh();
    const [{ $changeStream }, ...stages] = command["pipeline"] as [Fields, ...Fields[]];
    const { $match, $project } = Object.assign({ $match: {}, $project: {} }, ...stages) as Record<string, Fields>;
    const { resumeAfter } = $changeStream as { resumeAfter?: { _data: string } };
    const oldest = () => this.#oldest.get(log) ?? 0;
    let place = resumeAfter === undefined ? log.changes.length : Number(resumeAfter._data);
    if (place < oldest()) throw new MongoFailure(286, "ChangeStreamHistoryLost", "the oplog is shorter");
    const next = async ({ batchSize, maxTimeMS = 1000 }: Fields) => {
      const until = performance.now() + Number(maxTimeMS);
      const most = Number(batchSize ?? 101);
      const batch: object[] = [];
      for (;;) {
        if (place < oldest()) {
          throw new MongoFailure(136, "CappedPositionLost", "the oplog is shorter", "NonResumableChangeStreamError");
        }
        log.refresh();
        while (place < log.changes.length && batch.length < most) {
          const change = log.changes[place] as LoggedChange;
          place += 1;
          const isTold = change.operationType !== this.withheld && matches(change as unknown as Fields, $match ?? {});
          if (!isTold) continue;
          const event = this.#event(log, change, String(command["$db"]));
          for (const [field, isKept] of Object.entries($project ?? {})) if (isKept === 0) delete event[field];
          if (calculateObjectSize(event) > mostBytes) {
            throw new MongoFailure(10334, "BSONObjectTooLarge", "too long", "NonResumableChangeStreamError");
          }
          batch.push(event);
        }
        if (batch.length > 0 || performance.now() >= until) break;
        await delay(5);
      }
      return { batch, isOver: false, token: { _data: String(place) } };
    };
    return { ns: `${command["$db"]}.$cmd.aggregate`, next };
  }

  #event(log: MongoLog, change: LoggedChange, db: string): Fields {
    const { operationType, ns, documentKey, txnNumber, clusterTime } = change;
    const document = log.collections.get(ns?.coll)?.get(EJSON.stringify(documentKey?._id)) ?? null;
    return {
      ...change,
      ns: { db, ...ns },
      clusterTime: new Timestamp({ t: clusterTime?.high ?? 0, i: 1 }),
      // An update has the document as it is when the change is read.
      ...(operationType === "update" && { fullDocument: document, updateDescription: { updatedFields: document } }),
      ...(txnNumber !== undefined && { txnNumber: Long.fromNumber(txnNumber) }),
    };
  }
}

function transactionOf({ lsid, txnNumber }: Fields): string {
  return EJSON.stringify([lsid, Number(txnNumber)]);
}

function areEqual(left: unknown, right: unknown): boolean {
  return EJSON.stringify(left) === EJSON.stringify(right);
}

/** Whether fields fit a filter of `$or`, `$in` and values. */
function matches(fields: Fields, filter: Fields): boolean {
  return Object.entries(filter).every(([path, wanted]) => {
    if (path === "$or") return (wanted as Fields[]).some((each) => matches(fields, each));
    const value = path.split(".").reduce<unknown>((at, name) => (at as Fields | undefined)?.[name], fields);
    return (wanted as { $in: unknown[] }).$in.includes(value);
  });
}
