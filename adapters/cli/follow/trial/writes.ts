/** Random writes, such as OpenIM's users cause. */
import { randomBytes } from "node:crypto";
import type { OpenimCollection } from "../../../../src/openim/index.js";
import { scratchName, type TrialClient, type TrialSession } from "./mongo.js";

/** How many users and groups there may be. */
const mostUsers = 15;
const mostGroups = 5;

export const users = Array.from({ length: mostUsers }, (_, number) => `u${number}`);
export const groups = Array.from({ length: mostGroups }, (_, number) => `g${number}`);

/** One write of so many is a transaction. */
const writesPerTransaction = 12;

/** The user who tells by its nickname up to where a copy has followed. */
export const markerID = "marker";

/** The keys of each collection, by what they are. */
const keys: Readonly<Record<OpenimCollection, Readonly<Record<string, readonly string[]>>>> = {
  user: { user_id: users },
  group: { group_id: groups },
  group_member: { group_id: groups, user_id: users },
  group_request: { group_id: groups, user_id: users },
  black: { owner_user_id: users, block_user_id: users },
  conversation: { owner_user_id: users, conversation_id: groups },
};
const names = Object.keys(keys) as OpenimCollection[];

export class Writes {
  readonly #client: TrialClient;
  /** The keys of the documents that there are, by their texts. */
  readonly #there = new Map<string, object>();
  #marked = 0;
  made = 0;
  transactions = 0;

  constructor(client: TrialClient) {
    this.#client = client;
  }

  async some(): Promise<void> {
    // A short trial has transactions too.
    const isTransaction = this.made % writesPerTransaction === 0;
    const name = isTransaction ? "group_member" : (names[below(names.length)] ?? "user");
    const key = Object.fromEntries(Object.entries(keys[name]).map(([field, values]) => [field, one(values)]));
    const text = JSON.stringify([name, key]);
    if (isTransaction) {
      await this.#joinAgain(key);
      this.#there.set(text, key);
    } else if (!this.#there.has(text)) {
      await this.#insert(name, key);
      this.#there.set(text, key);
    } else if (below(3) > 0) await this.#collection(name).updateOne(key, { $set: values() });
    else {
      await this.#collection(name).deleteOne(key);
      this.#there.delete(text);
    }
    this.made += 1;
  }

  /** Writes a mark, and returns it: a copy that has it has all writes before. */
  async mark(): Promise<string> {
    this.#marked += 1;
    const nickname = `mark ${this.#marked}`;
    const key = { user_id: markerID };
    if (this.#marked === 1) await this.#collection("user").insertOne({ ...key, nickname, app_manger_level: 3 });
    else await this.#collection("user").updateOne(key, { $set: { nickname } });
    this.made += 1;
    return nickname;
  }

  /** A member, if there is one, leaves a group and joins it again. OpenIM does such things in one transaction. */
  async #joinAgain(key: object): Promise<void> {
    const session = this.#client.startSession();
    try {
      await session.withTransaction(async () => {
        await this.#collection("group_member").deleteOne(key, { session });
        await this.#insert("group_member", key, session);
      });
      this.transactions += 1;
    } finally {
      await session.endSession();
    }
  }

  #insert(name: OpenimCollection, key: object, session?: TrialSession): Promise<unknown> {
    return this.#collection(name).insertOne({ ...key, ...values() }, { session });
  }

  #collection(name: OpenimCollection) {
    return this.#client.db(scratchName).collection(name);
  }
}

/** Values of all collections together: each copy takes those that it knows. */
function values(): object {
  const text = one(["", "王芳", "a\u0000b", randomBytes(6).toString("hex"), "x".repeat(300)]);
  return {
    nickname: text,
    group_name: text,
    req_msg: text,
    app_manger_level: below(5),
    role_level: one([20, 60, 100]),
    handle_result: below(3) - 1,
    join_time: new Date(below(2 ** 40)),
    create_time: new Date(below(2 ** 40)),
    req_time: new Date(below(2 ** 40)),
    is_pinned: below(2) === 0,
  };
}

function one<Value>(values: readonly Value[]): Value {
  return values[below(values.length)] as Value;
}

function below(limit: number): number {
  return Math.floor(Math.random() * limit);
}
