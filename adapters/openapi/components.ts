import type { JsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { failureSchema } from "../../src/answers/failure.js";
import {
  blackSchema,
  groupMemberSchema,
  groupRequestSchema,
  groupSchema,
  notificationAccountSchema,
  userInfoSchema,
} from "../../src/answers/items.js";
import { successSchema } from "../../src/answers/success.js";
import type { Limits } from "../../src/limits.js";
import { pagination } from "../../src/pagination.js";
import { withChatRules } from "./conversation.js";
import { described } from "./described.js";
import { envelope } from "./envelope.js";
import { jsonSchemaOf, orNull } from "./jsonSchema.js";
import type { DescribedOperation } from "./operations.js";

/** The schemas of answers, by the names of their types. */
const answers = {
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

/** The name of an operation's answer. */
export function answerName({ name }: DescribedOperation): string {
  return `${capitalized(name)}Answer`;
}

/**
 * All schemas of inputs and answers. Generators of clients in Go, Java, Python, Rust and TypeScript chose their shapes:
 *
 * - An answer is one envelope with optional `data`, and no union of success and failure: ogen refuses such a union, Go and
 *   Java make it awkward to read, and types whose failures have any code cannot narrow on `errCode` anyway.
 * - Answers are open. `errCode` and `errMsg` have no list of values, and `additionalProperties` is written out: clients in
 *   Java and Rust throw for a value that is not in the list, and those in Java for a field, unless it is written out.
 * - The answer of `setConversations` has no `data` in it. `type: "null"` breaks six generators, and an OpenIM server that is
 *   upstream leaves `data` out. That server also answers null for empty lists and for the profile of an applicant who is gone.
 * - Null stands in no list of values, which oapi-codegen refuses: numbers without a gap are a range.
 * - A conversation is one object, whose rules are in `dependentSchemas`. Generators ignore these; as a union, Go would need
 *   a function for each part, and ogen a string that tells the parts apart.
 * - Each integer has a format, for otherwise languages with integers of 32 bits cut the longer ones off.
 *
 * With `closed`, the answers are exactly those of this version: a union of success and failure, with all codes. Types of
 * TypeScript then narrow on `errCode`, and nothing checks them when a later version answers more.
 */
export function componentSchemas(
  operations: readonly DescribedOperation[],
  limits: Limits,
  { closed = false, upstream = false }: { closed?: boolean | undefined; upstream?: boolean | undefined } = {},
) {
  const schemas: Record<string, JsonSchema> = { Pagination: jsonSchemaOf(pagination(limits)) };
  for (const operation of operations) Object.assign(schemas, inputSchemas(operation, limits));
  const definitions = definitionsOf(operations);
  for (const [name, schema] of Object.entries(definitions)) {
    const { [name]: _, ...others } = definitions;
    const answer = jsonSchemaOf(schema, others);
    schemas[name] = closed ? answer : opened(answer, upstream);
  }
  Object.assign(schemas, closed ? closedAnswers(operations, definitions) : openAnswers(operations));
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, described(name, schema)]));
}

/** The schema of an answer to which later versions, and the upstream, may add what they want. */
function opened({ properties = {}, ...answer }: JsonSchema, upstream: boolean): JsonSchema {
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, { minimum: _, ...field }]) => [
    name,
    upstream && (name === "userInfo" || field.type === "array") ? orNull(field) : field,
  ]);
  return { ...answer, properties: Object.fromEntries(fields), additionalProperties: true };
}

function openAnswers(operations: readonly DescribedOperation[]): Record<string, JsonSchema> {
  const answers = operations.map((operation) => {
    const { dataName } = operation;
    const answer = envelope(dataName === undefined ? undefined : reference(dataName));
    return [answerName(operation), described("Answer", answer)] as const;
  });
  return { Failure: envelope(), ...Object.fromEntries(answers) };
}

function closedAnswers(operations: readonly DescribedOperation[], definitions: Record<string, v.GenericSchema>) {
  const schemas: Record<string, JsonSchema> = { Failure: jsonSchemaOf(failureSchema) };
  for (const operation of operations) {
    const success = `${capitalized(operation.name)}Success`;
    schemas[success] = described("Success", jsonSchemaOf(successSchema(operation.data), definitions));
    schemas[answerName(operation)] = described("Answer", { oneOf: [reference(success), reference("Failure")] });
  }
  return schemas;
}

/** All schemas of answers, by names. If one schema had two names, each would only refer to the other. */
function definitionsOf(operations: readonly DescribedOperation[]): Record<string, v.GenericSchema> {
  const definitions: Record<string, v.GenericSchema> = { ...answers };
  for (const { dataName, data, items } of operations) {
    Object.assign(definitions, items);
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
  const chats = withChatRules(described("SingleChatInput", conversation as JsonSchema));
  return { ConversationInput: chats, [name]: of({ conversation: reference("ConversationInput") }) };
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
