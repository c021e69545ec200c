/** The schemas of the items that answers show. */
import * as v from "valibot";
import {
  black,
  fieldsOf,
  group,
  groupMember,
  groupRequest,
  type ItemFields,
  isKind,
  notificationAccount,
  userInfo,
} from "../items.js";
import { type Kind, size } from "../recordKinds.js";

/** What JSON Schema says of a value. */
export interface Keywords {
  type: "string" | "integer";
  minimum?: number;
  format?: "int32" | "int64";
}

/** The schema of a value in an answer. It allows more than the kind does: a store may have levels of its own. */
function valueSchema({ name, bounds }: Kind): v.GenericSchema {
  if (bounds === undefined) return field("string", (value) => typeof value === "string", { type: "string" });
  const format = bounds[1] > 2_147_483_647 ? "int64" : "int32";
  if (name !== "time" && name !== "count") return field("whole number", Number.isInteger, { type: "integer", format });
  const fits = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
  return field("whole number from 0 on", fits, { type: "integer", minimum: 0, format });
}

/** `expects` says what a wrong value is not. */
function field(expects: string, fits: (value: unknown) => boolean, keywords: Keywords) {
  return { ...v.custom<unknown>(fits), expects, keywords };
}

// The description of the interface refers to the schema of a nested item, which therefore is made once.
const nested = new Map<ItemFields, v.GenericSchema>();

function itemSchema<Item extends object>(fields: ItemFields<Item>) {
  const entries = fieldsOf(fields).map(([name, of]) => [name, isKind(of) ? valueSchema(of) : nested.get(of)]);
  const schema: v.GenericSchema = v.object(Object.fromEntries(entries));
  nested.set(fields, schema);
  return schema as v.GenericSchema<Item>;
}

export const countSchema = valueSchema(size) as v.GenericSchema<number>;
export const userInfoSchema = itemSchema(userInfo);
export const groupSchema = itemSchema(group);
export const groupMemberSchema = itemSchema(groupMember);
export const groupRequestSchema = itemSchema(groupRequest);
export const blackSchema = itemSchema(black);
export const notificationAccountSchema = itemSchema(notificationAccount);
