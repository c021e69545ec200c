import type * as v from "valibot";
import { type CallOptions, reported, validate } from "./call.js";
import { checkedPage } from "./checkedPage.js";
import { type Envelope, success } from "./envelope.js";
import { type OperationError, PageTooLong } from "./errors.js";
import { ignoredFields } from "./ignoredFields.js";
import { type Json, surround } from "./json.js";
import { jsonListOf, requireFitting } from "./jsonLists.js";
import { defaultLimits, type Limited } from "./limits.js";
import { reportUnreadable } from "./observer.js";
import type { Page } from "./pagination.js";
import { waitUnlessAborted } from "./patience.js";
import type { ListMethod as ListName, Store, StoreCall } from "./store.js";

/** The names of the functions. */
export type OperationName =
  | "getGroupMemberList"
  | "getBlackList"
  | "getJoinedGroupList"
  | "getReceivedGroupApplicationList"
  | "searchNotificationAccount"
  | "setConversations";

/** A function and its endpoint run an operation. */
export interface Operation<Data> {
  name: OperationName;
  /** The schema of the input. */
  schema: Limited<v.GenericSchema>;
  /** Validates the input and returns the data. @throws OperationError that the answer shows */
  run(store: Store, input: unknown, options: CallOptions, call: StoreCall): Promise<Data>;
  /** Returns the envelope as JSON. */
  runToJson(store: Store, input: unknown, options: CallOptions, call: StoreCall): Promise<Json>;
}

/** Runs an operation and makes the envelope; it never rejects. */
export function envelopeOf<Data>(
  operation: Operation<Data>,
  store: Store,
  input: unknown,
  options: CallOptions | undefined,
): Promise<Envelope<Data>> {
  const given = options ?? {};
  const ignored: string[] = [];
  async function run(call: StoreCall) {
    if (given.observer?.onCall) ignored.push(...ignoredFields(operation.schema(given.limits), input));
    return success(await operation.run(store, input, given, call));
  }
  const { signal, operationID = "" } = given;
  const runOrGiveUp = () => (signal ? waitUnlessAborted(signal, operationID, run) : run({ operationID }));
  return reported(operation.name, given, runOrGiveUp, ignored);
}

type Query<List extends ListName> = Parameters<Store[List]>[0];
type Item<List extends ListName> = NonNullable<Awaited<ReturnType<Store[List]>>>["items"][number];

/** An operation that answers a page of a list. */
interface ListDescription<Schema extends v.GenericSchema, List extends ListName, Data> {
  name: OperationName;
  schema: Limited<Schema>;
  /** The store's method. */
  list: List;
  query(input: v.InferOutput<Schema>): Query<List>;
  /** The schema of an item. */
  itemSchema: v.GenericSchema<Item<List>>;
  /** The failure if the store returns undefined. Leave it out if the list always exists. */
  missing?(input: v.InferOutput<Schema>): OperationError;
  /** Makes the answered item of the store's item, if they differ. */
  item?(item: Item<List>): Item<List>;
  data(total: number, items: Item<List>[]): Data;
}

export function listOperation<Schema extends v.GenericSchema, List extends ListName, Data>(
  description: ListDescription<Schema, List, Data>,
): Operation<Data> {
  const { name, schema, list, query, itemSchema, missing, item, data } = description;

  /** Validates the input, and reads a page with the given function. */
  async function read<Found extends Pick<Page<unknown>, "unreadable">>(
    input: unknown,
    { limits, observer, operationID = "" }: CallOptions,
    way: (query: Query<List>) => Promise<Found | undefined>,
  ) {
    const checked = validate(schema(limits), input);
    const page = await way({ ...query(checked), mostBytes: mostBytesOf(limits) });
    if (page === undefined) throw missing?.(checked) ?? new TypeError(`${list} answered no page`);
    const { unreadable } = page;
    if (unreadable !== undefined) reportUnreadable(observer, { operation: name, operationID, unreadable });
    return page;
  }

  async function run(store: Store, input: unknown, options: CallOptions, call: StoreCall): Promise<Data> {
    const isBundled = jsonListOf(store[list] as never) !== undefined;
    const page = await read(input, options, async (query) => {
      const answered = (await store[list](query as never, call)) as Page<Item<List>> | undefined;
      return isBundled || answered === undefined ? answered : checkedPage(list, answered, itemSchema, query.limit);
    });
    return data(page.total, item === undefined ? page.items : page.items.map(item));
  }

  return {
    name,
    schema,
    run,
    async runToJson(store, input, options, call) {
      const json = jsonListOf<Query<List>, Item<List>>(store[list] as never);
      if (json === undefined) {
        const answered = await run(store, input, options, call);
        const text = JSON.stringify(success(answered));
        const mostBytes = mostBytesOf(options.limits);
        if (text.length * mostBytesOfCharacter > mostBytes) requireFewBytes(answered, mostBytes);
        return text;
      }
      const { total, items } = await read(input, options, async (query) => {
        const page = await json(query, call);
        if (page) requireFitting(page, query);
        return page;
      });
      const envelope = JSON.stringify(success(data(total, [])));
      // The items are the only array of an envelope.
      const place = envelope.indexOf("[]");
      return surround(envelope.slice(0, place), items, envelope.slice(place + 2));
    },
  };
}

function mostBytesOf(limits: CallOptions["limits"]): number {
  return limits?.pageBytes ?? defaultLimits.pageBytes;
}

/** A character of JavaScript has at most so many bytes in UTF-8. */
const mostBytesOfCharacter = 3;
const encoder = new TextEncoder();

/** @throws PageTooLong if the items of a host's own store are too long, unless there is one */
function requireFewBytes(data: unknown, mostBytes: number): void {
  const items = Object.values(data as object).find(Array.isArray) as unknown[];
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    bytes += encoder.encode(JSON.stringify(item)).length;
    if (bytes > mostBytes && index > 0) throw new PageTooLong(index, mostBytes);
  }
}
