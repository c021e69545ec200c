import { expect, it } from "vitest";
import { type RecordKeySet, type RecordName, type RecordSet, recordKeys, recordNames } from "../../src/records.js";
import { placingFields } from "../../src/stores/lists/placing.js";
import { type OpenStore, storeCases, storeCasesFor, toleranceCases } from "../../src/testing/index.js";
import { openExampleStore } from "../helpers/exampleStore.js";
import { filterings, filtersIn, listMethods } from "../helpers/filters.js";

type Fields = Readonly<Record<string, unknown>>;

const endOf9999 = Date.UTC(10_000, 0) - 1;
const levels: Record<string, readonly unknown[]> = {
  roleLevel: [20, 60, 100],
  appMangerLevel: [0, 1, 2, 3, 4],
  handleResult: [-1, 0, 1],
};

/** Opens the example store, made to refuse what a schema with foreign keys and checks refuses. */
const openStrict: OpenStore = async (records) => {
  const store = await openExampleStore({});
  const held = new Map<string, Fields>();

  function forEach(set: RecordSet | RecordKeySet, use: (key: string, record: Fields) => void): void {
    for (const [name, records] of Object.entries(set) as [RecordName, Iterable<object>][]) {
      for (const record of records as Iterable<Fields>) {
        use([name, ...recordKeys[name].map((field) => record[field])].join(" "), record);
      }
    }
  }

  function requirePromised(record: Fields): void {
    for (const [field, value] of Object.entries(record)) {
      const [, named] = /(user|group)ID$/i.exec(field) ?? [];
      if (named !== undefined && value !== "" && !held.has(`${named.toLowerCase()}s ${value}`)) {
        throw new Error(`refused: ${field} names ${value}`);
      }
      const isPromised = levels[field]?.includes(value) ?? (!field.endsWith("Time") || Number(value) <= endOf9999);
      if (!isPromised) throw new Error(`refused: ${field} is ${value}`);
    }
  }

  async function put(records: RecordSet): Promise<void> {
    forEach(records, (key, record) => {
      held.set(key, record);
      requirePromised(record);
    });
    await store.put(records);
  }

  async function remove(keys: RecordKeySet): Promise<void> {
    forEach(keys, (key) => held.delete(key));
    for (const record of held.values()) requirePromised(record);
    await store.remove(keys);
  }

  await put(records);
  return { ...store, put, remove };
};

it.each(Object.entries(storeCases))("asks of no store to hold what a schema may refuse: %s", async (_, storeCase) => {
  await storeCase(openStrict);
});

it.each(listMethods)("asks %s for each of its filters, alone and beside any others", async (method) => {
  const asked = new Set<string>();
  const open: OpenStore = async (records) => {
    const store = await openExampleStore(records);
    const list = (query: never) => {
      asked.add(filtersIn(method, query).join());
      return store[method](query);
    };
    return { ...store, [method]: list };
  };
  for (const storeCase of Object.values(storeCases)) await storeCase(open);
  const wanted = filterings(method).map((filters) => filtersIn(method, filters).join());
  expect(wanted.filter((filters) => !asked.has(filters))).toEqual([]);
});

it.each(Object.entries(toleranceCases))("asks to hold what a schema may refuse: %s", async (_, storeCase) => {
  await storeCase(openExampleStore);
  await expect(storeCase(openStrict)).rejects.toThrow(/^refused: /);
});

it.each(recordNames.flatMap((kind) => placingFields[kind].map(([field]) => [kind, field] as const)))(
  "has %s.%s among the neededFields of hostRecords.ts, since a list depends on it",
  (kind, field) => {
    const sameID = (name: string) => name;
    expect(() => storeCasesFor({ userID: sameID, groupID: sameID, fields: { [kind]: [field] } })).toThrow(
      new TypeError(`fields.${kind} must not have ${field}: it is not only shown`),
    );
  },
);
