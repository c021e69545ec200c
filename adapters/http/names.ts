import * as v from "valibot";
import { groupSchema, userInfoSchema } from "../../src/answers/items.js";
import { validate } from "../../src/call.js";
import { checkedAnswer } from "../../src/checkedPage.js";
import { success } from "../../src/envelope.js";
import { ids, object } from "../../src/fields.js";
import { type Limits, limited } from "../../src/limits.js";
import type { Group, UserInfo } from "../../src/model.js";
import type { Route } from "./route.js";

/** The path of `getNames` over HTTP, after the base path. */
export const namesPath = "/im_admin/get_names";

export const namesInput = limited((limits) =>
  object({
    /** The groups; null and `[]` for none. */
    groupIDs: someIDs(limits, "group"),
    /** The users; null and `[]` for none. */
    userIDs: someIDs(limits, "user"),
  }),
);

function someIDs(limits: Limits, kind: string) {
  const max = limits.showNumber;
  return v.nullish(ids(limits, { max }, `must be an array of at most ${max} ${kind} IDs`));
}

export const namedGroupSchema = picked<Group>()(groupSchema, ["groupID", "groupName", "status", "createTime"]);
export const namedUserSchema = picked<UserInfo>()(userInfoSchema, ["userID", "nickname"]);

export const namesSchema = v.object({
  /** The groups that exist. */
  groups: v.optional(v.array(namedGroupSchema)),
  /** The users that exist. */
  users: v.optional(v.array(namedUserSchema)),
});

/** The schema of an item, with only some of its fields. */
function picked<Item>() {
  return <Field extends keyof Item & string>(schema: v.GenericSchema<Item>, fields: readonly [Field, ...Field[]]) =>
    v.pick(schema as never, fields as never) as unknown as v.GenericSchema<Pick<Item, Field>>;
}

/**
 * Answers `POST /im_admin/get_names`: what groups and users are called. Only a Worker has to pass it, as `names`: Workers
 * without it are smaller so.
 */
export function names(basePath: string): Route {
  return {
    path: basePath + namesPath,
    operation: "getNames",
    schema: namesInput,
    needsToken: true,
    async run(input, { limits }, _request, host, call) {
      const { groupIDs, userIDs } = validate(namesInput(limits), input);
      const found = host.store();
      const store = found instanceof Promise ? await found : found;
      if (store.names === undefined) return JSON.stringify(success({}));
      const query = { groupIDs: [...new Set(groupIDs)], userIDs: [...new Set(userIDs)] };
      return JSON.stringify(success(checkedAnswer("names", await store.names(query, call), namesSchema)));
    },
  };
}
