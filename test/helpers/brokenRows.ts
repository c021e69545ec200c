/**
 * A host whose columns are all JSON, and a model of it. A broken column holds a text that is no JSON, so each expression
 * of the map that reads it fails. The model says for each list what it answers, or that it fails.
 */
import type { Page } from "../../src/pagination.js";
import { type RecordName, recordFields, recordKeys } from "../../src/records.js";
import type { Store } from "../../src/store.js";
import { snakeCase } from "../../src/stores/snakeCase.js";
import { defineTables, type TableMap } from "../../src/tables/index.js";
import { listedNumbers } from "../../src/tables/numbers.js";
import type { Random } from "./chance.js";
import { exampleOf } from "./exampleStore.js";

export const kinds = ["users", "groups", "groupMembers", "blacks", "groupRequests"] as const;
type Kind = (typeof kinds)[number];

const columnsOf = (kind: Kind) => recordFields[kind].map(([field]) => field);
const valuesOf = (kind: Kind) => columnsOf(kind).slice(recordKeys[kind].length);

/** The tables, with an index for each list. */
export const hostTables = kinds
  .map((kind) => {
    const keys = recordKeys[kind].map(snakeCase);
    const columns = [
      ...keys.map((key) => `${key} text NOT NULL`),
      ...[...valuesOf(kind), "state"].map((field) => `${snakeCase(field)} text`),
    ];
    const second = keys[1] === undefined ? "" : `CREATE INDEX ${kind}_second ON host.${kind} (${keys[1]});`;
    return `CREATE TABLE host.${kind} (${columns.join(", ")}, PRIMARY KEY (${keys.join(", ")})); ${second}`;
  })
  .join("\n");

/** @param value reads the value of a column, as SQL */
export function hostMap(schema: string, value: (column: string) => string): TableMap {
  return defineTables(
    Object.fromEntries(
      kinds.map((kind) => [
        kind,
        {
          from: `${schema}${kind}`,
          key: Object.fromEntries(recordKeys[kind].map((key) => [key, snakeCase(key)])),
          where: `${value("state")} = 'on'`,
          fields: Object.fromEntries(valuesOf(kind).map((field) => [field, value(snakeCase(field))])),
        },
      ]),
    ) as TableMap,
  );
}

interface Row {
  kind: Kind;
  key: readonly string[];
  values: Record<string, string | number>;
  isOn: boolean;
  broken: Set<string>;
}

const pick = <Value>(random: Random, values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;

/** The rows of the host, and a statement for each change of them. */
export class BrokenRows {
  readonly #random: Random;
  readonly #rows = new Map<string, Row>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Inserts, changes, deletes, breaks or mends a row; returns the statement. */
  change(): string {
    const random = this.#random;
    const kind = pick(random, kinds);
    const id = (field: string) =>
      /^group/.test(field) ? `g${Math.floor(random() * 3)}` : `u${Math.floor(random() * 12)}`;
    const key = recordKeys[kind].map(id);
    const name = JSON.stringify([kind, key]);
    const row = this.#rows.get(name);
    const where = recordKeys[kind].map((field, index) => `${snakeCase(field)} = '${key[index]}'`).join(" AND ");
    const [column, field] = this.#column(kind);
    if (row === undefined) {
      const made: Row = { kind, key, values: {}, isOn: true, broken: new Set() };
      for (const each of valuesOf(kind)) made.values[each] = this.#value(kind, each);
      this.#rows.set(name, made);
      const values = [...key.map((part) => `'${part}'`), ...Object.values(made.values).map(stored), stored("on")];
      return `INSERT INTO host.${kind} VALUES (${values.join(", ")})`;
    }
    const chance = random();
    if (chance < 0.1) {
      this.#rows.delete(name);
      return `DELETE FROM host.${kind} WHERE ${where}`;
    }
    if (row.broken.size === 0 && chance < 0.25) {
      row.broken.add(field);
      return `UPDATE host.${kind} SET ${column} = 'secret' WHERE ${where}`;
    }
    const [mended = field] = row.broken;
    row.broken.delete(mended);
    if (mended === "state") row.isOn = random() < 0.9;
    else row.values[mended] = this.#value(kind, mended);
    const value = mended === "state" ? (row.isOn ? "on" : "off") : (row.values[mended] ?? "");
    return `UPDATE host.${kind} SET ${snakeCase(mended)} = ${stored(value)} WHERE ${where}`;
  }

  /** Mends all rows. */
  mend(): string {
    const statements = [...this.#rows.values()].flatMap(({ kind, key, values, isOn, broken }) => {
      const where = recordKeys[kind].map((field, index) => `${snakeCase(field)} = '${key[index]}'`).join(" AND ");
      return [...broken].map((field) => {
        const value = field === "state" ? (isOn ? "on" : "off") : (values[field] ?? "");
        return `UPDATE host.${kind} SET ${snakeCase(field)} = ${stored(value)} WHERE ${where}`;
      });
    });
    for (const { broken } of this.#rows.values()) broken.clear();
    return statements.join("; ");
  }

  #column(kind: Kind): [column: string, field: string] {
    const field = this.#random() < 0.15 ? "state" : pick(this.#random, valuesOf(kind));
    return [snakeCase(field), field];
  }

  #value(kind: Kind, field: string): string | number {
    if (field === "roleLevel") return pick(this.#random, [20, 60, 100]);
    if (field === "appMangerLevel") return pick(this.#random, [0, 3, 4]);
    const [, { otherwise } = { otherwise: "" }] = recordFields[kind].find(([named]) => named === field) ?? [];
    if (typeof otherwise === "boolean") return 1;
    return typeof otherwise === "number" ? Math.floor(this.#random() * 3) : `v${Math.floor(this.#random() * 5)}`;
  }

  /** Whether the lists with this row fail. */
  #isAside({ kind, broken }: Row): boolean {
    return [...broken].some((field) => field === "state" || listedNumbers[kind]?.[field] !== undefined);
  }

  #some(kind: Kind, has: (key: readonly string[]) => boolean): boolean {
    return [...this.#rows.values()].some((row) => row.kind === kind && has(row.key) && this.#isAside(row));
  }

  /** The store of the example with all that can be read. */
  #readable(): Store {
    const records: { [Name in RecordName]?: object[] } = {};
    for (const row of this.#rows.values()) {
      if (!row.isOn || this.#isAside(row)) continue;
      const keys = recordKeys[row.kind].map((field, index) => [field, row.key[index]]);
      const values = Object.entries(row.values).map(([field, value]) => {
        const otherwise = typeof value === "number" ? 0 : "";
        return [field, row.broken.has(field) ? otherwise : value];
      });
      records[row.kind] = [...(records[row.kind] ?? []), Object.fromEntries([...keys, ...values])];
    }
    return exampleOf(records);
  }

  /** Compares all lists of a store with the model. Each difference is a text. */
  async differences(store: Store): Promise<string[]> {
    const model = this.#readable();
    const found: string[] = [];
    const range = { offset: 0, limit: 50 };
    const compare = async (name: string, fails: boolean, read: (store: Store) => Promise<Page<object> | undefined>) => {
      const answered = await read(store).then(this.#shown, (error: Error) => {
        if (/secret/.test(error.message)) found.push(`${name} tells a value: ${error.message}`);
        return `fails${/cannot be read/.test(error.message) ? "" : `: ${error.message}`}`;
      });
      const expected = fails ? "fails" : this.#shown(await read(model));
      if (answered !== expected) found.push(`${name} answered ${answered}, and not ${expected}`);
    };
    for (const groupID of ["g0", "g1", "g2"]) {
      const fails = this.#some("groups", ([id]) => id === groupID);
      const exists = (await model.listGroupMembers({ groupID, keyword: "", ...range })) !== undefined;
      const isBroken = fails || (exists && this.#some("groupMembers", ([id]) => id === groupID));
      for (const keyword of ["", "v1"]) {
        await compare(`members of ${groupID} with "${keyword}"`, isBroken, (from) =>
          from.listGroupMembers({ groupID, keyword, ...range }),
        );
      }
    }
    for (let number = 0; number < 12; number += 1) {
      const userID = `u${number}`;
      const own = this.#some("users", ([id]) => id === userID);
      const exists = (await model.listBlacks({ ownerUserID: userID, ...range })) !== undefined;
      const members = exists && this.#some("groupMembers", ([, id]) => id === userID);
      const managed = new Set(
        [...this.#rows.values()].flatMap(({ kind, key, values, isOn }) =>
          kind === "groupMembers" && key[1] === userID && isOn && Number(values["roleLevel"]) >= 60 ? [key[0]] : [],
        ),
      );
      const requests = exists && this.#some("groupRequests", ([id]) => managed.has(id));
      await compare(`groups of ${userID}`, own || members, (from) => from.listJoinedGroups({ userID, ...range }));
      await compare(`blacks of ${userID}`, own || (exists && this.#some("blacks", ([id]) => id === userID)), (from) =>
        from.listBlacks({ ownerUserID: userID, ...range }),
      );
      await compare(`requests for ${userID}`, own || members || requests, (from) =>
        from.listReceivedGroupRequests({ userID, ...range }),
      );
    }
    for (const keyword of ["", "v1"]) {
      await compare(
        `accounts with "${keyword}"`,
        this.#some("users", () => true),
        (from) => from.listNotificationAccounts({ keyword, ...range }),
      );
    }
    return found;
  }

  /** What a page shows. Of a group with a member that cannot be read, it is left open how many there are. */
  readonly #shown = (page: Page<object> | undefined): string =>
    JSON.stringify(page && { total: page.total, items: page.items }, (_, value) => {
      if (value?.memberCount === undefined || !this.#some("groupMembers", ([id]) => id === value.groupID)) return value;
      return { ...value, memberCount: undefined, ownerUserID: undefined };
    });
}

const stored = (value: string | number) => `'${JSON.stringify({ v: value })}'`;
