import type { JsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { blackSchema } from "../../src/answers/black.js";
import { failureSchema } from "../../src/answers/failure.js";
import { groupSchema } from "../../src/answers/group.js";
import { groupMemberSchema } from "../../src/answers/groupMember.js";
import { groupRequestSchema } from "../../src/answers/groupRequest.js";
import { notificationAccountSchema } from "../../src/answers/notificationAccount.js";
import { successSchema } from "../../src/answers/success.js";
import { userInfoSchema } from "../../src/answers/userInfo.js";
import type { Limits } from "../../src/limits.js";
import { pagination } from "../../src/pagination.js";
import { chats } from "./chats.js";
import { described } from "./described.js";
import { jsonSchemaOf } from "./jsonSchema.js";
import type { DescribedOperation } from "./operations.js";

/** The schemas of answers, by the names of their types. */
const answers = {
  Failure: failureSchema,
  UserInfo: userInfoSchema,
  GroupMember: groupMemberSchema,
  Group: groupSchema,
  GroupRequest: groupRequestSchema,
  Black: blackSchema,
  NotificationAccount: notificationAccountSchema,
};

/** Refers to a schema of the components. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The name of an operation's input. */
export function inputName({ name }: DescribedOperation): string {
  return `${capitalized(name)}Input`;
}

/** The name of an operation's answer when it succeeds. */
export function successName({ name }: DescribedOperation): string {
  return `${capitalized(name)}Success`;
}

/** All schemas of inputs and answers. */
export function componentSchemas(operations: readonly DescribedOperation[], limits: Limits) {
  const schemas: Record<string, JsonSchema> = { Pagination: jsonSchemaOf(pagination(limits)) };
  for (const operation of operations) Object.assign(schemas, inputSchemas(operation, limits));
  const definitions = definitionsOf(operations);
  for (const [name, schema] of Object.entries(definitions)) {
    const { [name]: _, ...others } = definitions;
    schemas[name] = jsonSchemaOf(schema, others);
  }
  for (const operation of operations) {
    schemas[successName(operation)] = described("Success", jsonSchemaOf(successSchema(operation.data), definitions));
  }
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, described(name, schema)]));
}

/** All schemas of answers, by names. If one schema had two names, each would only refer to the other. */
function definitionsOf(operations: readonly DescribedOperation[]): Record<string, v.GenericSchema> {
  const definitions: Record<string, v.GenericSchema> = { ...answers };
  for (const { dataName, data } of operations) {
    if (dataName === undefined) continue;
    if ((definitions[dataName] ?? data) !== data) throw new TypeError(`${dataName} names two schemas`);
    const other = Object.keys(definitions).find((name) => name !== dataName && definitions[name] === data);
    if (other !== undefined) throw new TypeError(`${dataName} has the schema of ${other}`);
    definitions[dataName] = data;
  }
  return definitions;
}

function inputSchemas(operation: DescribedOperation, limits: Limits): Record<string, JsonSchema> {
  const name = inputName(operation);
  const schema = jsonSchemaOf(operation.input(limits));
  const { pagination, conversation, ...fields } = schema.properties ?? {};
  const of = (more: Record<string, JsonSchema>) => ({ ...schema, properties: { ...fields, ...more } });
  if (pagination !== undefined) return { [name]: of({ pagination: reference("Pagination") }) };
  if (conversation === undefined) return { [name]: schema };
  const kinds = chats(conversation as JsonSchema);
  return { ...kinds, [name]: of({ conversation: { oneOf: Object.keys(kinds).map(reference) } }) };
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
