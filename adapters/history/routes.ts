import * as v from "valibot";
import { validate } from "../../src/call.js";
import { success } from "../../src/envelope.js";
import { notFound } from "../../src/errors.js";
import { id, integer, object, oneOf } from "../../src/fields.js";
import { limited } from "../../src/limits.js";
import { conversationsSetting, runSetting } from "../../src/operations/setConversations.js";
import { pageRange, pagination } from "../../src/pagination.js";
import { settableFields } from "../../src/records.js";
import type { Host, Route } from "../http/route.js";
import { countValues } from "./countValues.js";
import { recorded, type SettingStore } from "./recorded.js";
import { setBack } from "./setBack.js";

const fieldNames = settableFields.map(([field]) => field);
const since = v.nullish(integer(0, Number.MAX_SAFE_INTEGER));

const listInput = limited((limits) => {
  const userID = v.nullish(id(limits));
  return object({
    pagination: pagination(limits),
    adminUserID: userID,
    conversationID: userID,
    userID,
    since,
    until: since,
    field: v.nullish(oneOf(fieldNames, `must be one of ${fieldNames}`)),
  });
});
const requestInput = limited((limits) => object({ settingID: id(limits), request: integer(0) }));

/** Counts what users have before one sets it. */
export function countRoute(basePath: string): Route {
  return route(
    `${basePath}/im_admin/count_conversation_values`,
    "countConversationValues",
    conversationsSetting.schema,
    (input, { limits }, host, call) => withStore(host, (store) => countValues(store, input, limits, call)),
  );
}

/** Sets conversations, and keeps that in the history. */
export function recordedRoute({ path, operation, schema }: Route): Route {
  return route(path, operation, schema, async (input, options, host, call) => {
    const history = await host.history();
    return withStore(host, (store) => runSetting(recorded(store, history, options), input, options, call));
  });
}

/** Reads the history, and sets back what is in it. */
export function historyRoutes(basePath: string): Route[] {
  return [
    route(`${basePath}/im_admin/list_settings`, "listSettings", listInput, async (input, { limits }, host) => {
      const { pagination, ...filter } = validate(listInput(limits), input);
      const { items, ...page } = await (await host.history()).list(pageRange(pagination), filter);
      return { ...page, settings: items };
    }),
    route(`${basePath}/im_admin/read_setting`, "readSetting", requestInput, async (input, { limits }, host) => {
      const { settingID, request } = validate(requestInput(limits), input);
      const found = await (await host.history()).read(settingID, request);
      if (found === undefined) throw notFound("setting", [settingID]);
      const { setting, begun, ended } = found;
      return {
        setting,
        time: begun.time,
        fields: begun.fields,
        users: begun.userIDs.length,
        outcome: ended?.outcome ?? "unknown",
        errCode: ended?.errCode ?? null,
        changed:
          ended?.outcome === "failed"
            ? []
            : (ended?.before?.map(({ fields, userIDs }) => ({ before: fields, userIDs })) ?? null),
      };
    }),
    route(`${basePath}/im_admin/set_back`, "setBack", requestInput, async (input, options, host, call) => {
      const asked = validate(requestInput(options.limits), input);
      const history = await host.history();
      return withStore(host, (store) => setBack(history, store, asked, options, call));
    }),
  ];
}

type Given = Parameters<Route["run"]>;

/** A route of this folder. What it runs returns the data of a success. */
function route(
  path: string,
  operation: string,
  schema: Route["schema"],
  run: (input: unknown, options: Given[1], host: Host, call: Given[4]) => Promise<unknown>,
): Route {
  return {
    path,
    operation,
    schema,
    needsToken: true,
    run: async (input, options, _request, host, call) => JSON.stringify(success(await run(input, options, host, call))),
  };
}

/** Await only promises: a store may be a proxy that has any method, also "then". */
function withStore<Result>(host: Host, use: (store: SettingStore) => Promise<Result>): Promise<Result> {
  const store = host.store();
  return store instanceof Promise ? store.then(use) : use(store);
}
