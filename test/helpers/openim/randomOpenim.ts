import { ObjectId } from "bson";
import { recordsOf } from "../../../src/openim/index.js";
import { type RecordName, recordKeys, recordNames } from "../../../src/records.js";
import type { Random } from "../chance.js";
import type { Document, LoggedChange, MongoLog } from "./mongoLog.mjs";

const keys: Readonly<Record<string, readonly string[]>> = {
  user: ["user_id"],
  group: ["group_id"],
  group_member: ["group_id", "user_id"],
  group_request: ["group_id", "user_id"],
  black: ["owner_user_id", "block_user_id"],
  conversation: ["owner_user_id", "conversation_id"],
};
const collections = Object.keys(keys);

/** Writes as OpenIM's users may do, and sometimes as nobody should. No two documents have the same key, as there. */
export class RandomOpenim {
  readonly #log: MongoLog;
  readonly #random: Random;
  #transactions = 0;

  constructor(log: MongoLog, random: Random) {
    this.#log = log;
    this.#random = random;
  }

  /** Makes so many changes or a few more. */
  write(changes: number): void {
    for (let made = 0; made < changes; ) made += this.#writeSome();
  }

  #writeSome(): number {
    if (this.#below(10) > 0) return this.#writeOne();
    this.#transactions += 1;
    // A user leaves a group and joins it again, and somebody else asks to join.
    const [member] = this.#some("group_member");
    if (member === undefined) return this.#writeOne();
    const again = { ...member, _id: new ObjectId(), join_time: new Date(this.#below(1e6)) };
    this.#log.write([deletion("group_member", member), change("insert", "group_member", again)], this.#transactions);
    return 2;
  }

  #writeOne(): number {
    const coll = collections[this.#below(collections.length)] ?? "user";
    const [document] = this.#some(coll);
    const action = this.#below(6);
    if (document === undefined || action < 2) this.#log.write([change("insert", coll, this.#fresh(coll))]);
    else if (action === 2) this.#log.write([deletion(coll, document)]);
    else if (action === 3) this.#log.write([change("update", coll, this.#fresh(coll, document._id))]);
    else this.#log.write([change("update", coll, { ...document, ...this.#values() })]);
    return 1;
  }

  /** A document of the collection, if there is one. */
  #some(coll: string): Document[] {
    const all = this.#log.documents(coll);
    return all.length === 0 ? [] : all.slice(this.#below(all.length)).slice(0, 1);
  }

  #fresh(coll: string, _id: unknown = new ObjectId()): Document {
    const fields = keys[coll] ?? [];
    const taken = new Set(this.#log.documents(coll).map((each) => fields.map((field) => each[field]).join()));
    for (;;) {
      const key = Object.fromEntries(fields.map((field) => [field, `${field[0]}${this.#below(20)}`]));
      if (!taken.has(Object.values(key).join())) return { _id, ...key, ...this.#values() };
      if (this.#below(20) === 0) return { _id, ...key, [fields[0] ?? ""]: `n${new ObjectId().toHexString()}` };
    }
  }

  #values(): Record<string, unknown> {
    const texts = ["", "a\0b", "王芳", "Ann", "x".repeat(300)];
    return {
      nickname: texts[this.#below(texts.length)],
      group_name: texts[this.#below(texts.length)],
      role_level: [20, 60, 100, 5000][this.#below(4)],
      app_manger_level: this.#below(5),
      join_time: new Date(this.#below(1e6)),
      create_time: new Date(this.#below(1e6)),
      req_time: new Date(this.#below(1e6)),
      handle_result: this.#below(3) - 1,
      is_pinned: this.#below(2) === 0,
    };
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

function change(operationType: string, coll: string, fullDocument: Document): LoggedChange {
  return { operationType, ns: { coll }, documentKey: { _id: fullDocument._id }, fullDocument };
}

function deletion(coll: string, { _id }: Document): LoggedChange {
  return { operationType: "delete", ns: { coll }, documentKey: { _id } };
}

/** All records of a database, by their keys as text. */
export type AllRecords = Record<RecordName, Record<string, object>>;

/** The records that a whole import of all documents makes. */
export function importedRecords(documentsOf: (coll: string) => readonly object[]): AllRecords {
  const records: Partial<Record<RecordName, object[]>> = {};
  for (const coll of collections) {
    for (const document of documentsOf(coll)) {
      for (const [name, made] of Object.entries(recordsOf(coll, document))) {
        records[name as RecordName] = [...(records[name as RecordName] ?? []), ...made];
      }
    }
  }
  return byKeys(records);
}

export function byKeys(records: Partial<Record<RecordName, readonly object[]>>): AllRecords {
  const keyed = recordNames.map((name) => {
    const keyOf = (record: object) =>
      recordKeys[name].map((field) => (record as Record<string, unknown>)[field]).join();
    return [name, Object.fromEntries((records[name] ?? []).map((record) => [keyOf(record), record]))];
  });
  return Object.fromEntries(keyed) as AllRecords;
}
