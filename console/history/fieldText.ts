import { messages } from "../language/language.js";

/** The most characters that are shown of a value: a text may have tens of thousands. */
const mostCharacters = 200;

/** The name of a field of a conversation, in words where it has them. */
export function fieldName(name: string): string {
  const texts: Readonly<Record<string, unknown>> = messages.value.conversations;
  const text = texts[name];
  return typeof text === "string" ? text : name;
}

/** The value of a field, in words. */
export function fieldText(name: string, value: unknown): string {
  const { recvMsgOpts, yes, no } = messages.value.conversations;
  if (name === "recvMsgOpt") return recvMsgOpts[Number(value)] ?? String(value);
  if (typeof value === "boolean") return value ? yes : no;
  const text = String(value);
  if (text === "") return "“”";
  return text.length > mostCharacters ? `${[...text.slice(0, mostCharacters)].join("")}…` : text;
}
