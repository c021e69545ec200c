/**
 * A host whose columns are all JSON, and a model of it. A broken column holds a text that is no JSON, so each expression
 * of the map that reads it fails. The model says for each list what it answers, or that it fails.
 */
import type { Page } from "../../src/pagination.js";
import { type RecordName, recordFields, recordKeys } from "../../src/records.js";
import type { Store } from "../../src/store.js";
import { placingFields } from "../../src/stores/lists/placing.js";
import { snakeCase } from "../../src/stores/snakeCase.js";
import { defineTables, type TableMap } from "../../src/stores/tablesSql.js";
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

/** Whether a list answers. */
type Outcome = "answers" | "may fail" | "fails";

/** What several outcomes make together. */
function first(...outcomes: readonly (Outcome | false)[]): Outcome {
  return (["fails", "may fail"] as const).find((outcome) => outcomes.includes(outcome)) ?? "answers";
}

/** Whether a field of a row may have one of these numbers, as far as it can be read. */
function may({ values, broken }: Row, field: string, numbers: readonly number[]): boolean {
  return broken.has(field) || broken.has("state") || numbers.includes(Number(values[field]));
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

  /** Whether the key, the order or the filter of this row cannot be read. */
  #isAside({ kind, broken }: Row): boolean {
    return [...broken].some((field) => field === "state" || placingFields[kind].some(([placing]) => placing === field));
  }

  /**
   * What some rows do to a list with them. If the filter leaves a row out, the server may read the order of the row all the
   * same, and then the list fails.
   */
  #outcome(kind: Kind, has: (key: readonly string[], row: Row) => boolean): Outcome {
    const aside = [...this.#rows.values()].filter(
      (row) => row.kind === kind && has(row.key, row) && this.#isAside(row),
    );
    if (aside.some(({ isOn, broken }) => isOn || broken.has("state"))) return "fails";
    return aside.length > 0 ? "may fail" : "answers";
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

  /**
   * Compares lists of a store with the model. Each difference is a text.
   *
   * @param share how many of the lists are compared; 1 for all
   */
  async differences(store: Store, share = 1): Promise<string[]> {
    const model = this.#readable();
    const found: string[] = [];
    const range = { offset: 0, limit: 50 };
    const compare = async (
      name: string,
      outcome: Outcome,
      read: (store: Store) => Promise<Page<object> | undefined>,
    ) => {
      if (this.#random() > share) return;
      const answered = await read(store).then(this.#shown, (error: Error) => {
        if (/secret/.test(error.message)) found.push(`${name} tells a value: ${error.message}`);
        return `fails${/cannot be read/.test(error.message) ? "" : `: ${error.message}`}`;
      });
      const expected = outcome === "fails" ? "fails" : this.#shown(await read(model));
      if (answered === expected || (outcome === "may fail" && answered === "fails")) return;
      found.push(`${name} answered ${answered}, and not ${expected}`);
    };
    for (const groupID of ["g0", "g1", "g2"]) {
      const group = this.#outcome("groups", ([id]) => id === groupID);
      const exists = (await model.listGroupMembers({ groupID, keyword: "", ...range })) !== undefined;
      const members = this.#outcome("groupMembers", ([id]) => id === groupID);
      for (const keyword of ["", "v1"]) {
        await compare(`members of ${groupID} with "${keyword}"`, first(group, exists && members), (from) =>
          from.listGroupMembers({ groupID, keyword, ...range }),
        );
      }
      // A row of another level is read or not.
      const ofLevel = this.#outcome("groupMembers", ([id], row) => id === groupID && may(row, "roleLevel", [60, 100]));
      const others = members === "answers" ? "answers" : "may fail";
      await compare(`members of ${groupID} with two levels`, first(group, exists && first(ofLevel, others)), (from) =>
        from.listGroupMembers({ groupID, keyword: "", roleLevels: [100, 60], ...range }),
      );
    }
    for (let number = 0; number < 12; number += 1) {
      const userID = `u${number}`;
      const own = this.#outcome("users", ([id]) => id === userID);
      const exists = (await model.listBlacks({ ownerUserID: userID, ...range })) !== undefined;
      const members = this.#outcome("groupMembers", ([, id]) => id === userID);
      // For requests, the server may leave out an ordinary member by the level, before it reads the joinTime.
      const managers = this.#outcome(
        "groupMembers",
        ([, id], row) => id === userID && may(row, "roleLevel", [60, 100]),
      );
      const ordinary = members === "answers" ? "answers" : "may fail";
      const managed = new Set(
        [...this.#rows.values()].flatMap((row) =>
          row.kind === "groupMembers" && row.key[1] === userID && row.isOn && Number(row.values["roleLevel"]) >= 60
            ? [row.key[0]]
            : [],
        ),
      );
      const requests = this.#outcome("groupRequests", ([id]) => managed.has(id));
      await compare(`groups of ${userID}`, first(own, exists && members), (from) =>
        from.listJoinedGroups({ userID, ...range }),
      );
      const blacks = this.#outcome("blacks", ([id]) => id === userID);
      await compare(`blacks of ${userID}`, first(own, exists && blacks), (from) =>
        from.listBlacks({ ownerUserID: userID, ...range }),
      );
      await compare(`requests for ${userID}`, first(own, exists && first(managers, requests, ordinary)), (from) =>
        from.listReceivedGroupRequests({ userID, ...range }),
      );
      const ofResult = this.#outcome(
        "groupRequests",
        ([id], row) => managed.has(id) && may(row, "handleResult", [0, 2]),
      );
      const rest = first(ordinary, requests !== "answers" && "may fail");
      await compare(
        `requests for ${userID} with two results`,
        first(own, exists && first(managers, ofResult, rest)),
        (from) => from.listReceivedGroupRequests({ userID, handleResults: [0, 2], ...range }),
      );
    }
    for (const query of [{ keyword: "" }, { keyword: "v1" }, { keyword: "", appMangerLevel: 3 }]) {
      await compare(
        `accounts with ${JSON.stringify(query)}`,
        this.#outcome("users", () => true),
        (from) => from.listNotificationAccounts({ ...query, ...range }),
      );
    }
    return found;
  }

  /** What a page shows. Of a group with a member that cannot be read, it is left open how many there are. */
  readonly #shown = (page: Page<object> | undefined): string =>
    JSON.stringify(page && { total: page.total, items: page.items }, (_, value) => {
      if (
        value?.memberCount === undefined ||
        this.#outcome("groupMembers", ([id]) => id === value.groupID) === "answers"
      )
        return value;
      return { ...value, memberCount: undefined, ownerUserID: undefined };
    });
}

const stored = (value: string | number) => `'${JSON.stringify({ v: value })}'`;
