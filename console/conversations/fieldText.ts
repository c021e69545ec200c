import { labelOf } from "../language/labels.js";
import { messages } from "../language/language.js";

/** The name of a field of a conversation, in words. */
export function fieldName(name: string): string {
  const texts: Readonly<Record<string, unknown>> = messages.value.conversations;
  const text = texts[name];
  return typeof text === "string" ? text : labelOf(name);
}

/** The value of a field, in words. Of a text, which may have tens of thousands of characters, it shows the first. */
export function fieldText(name: string, value: unknown, mostCharacters = 200): string {
  const { recvMsgOpts, yes, no } = messages.value.conversations;
  if (name === "recvMsgOpt") return recvMsgOpts[Number(value)] ?? String(value);
  if (typeof value === "boolean") return value ? yes : no;
  const text = String(value);
  if (text === "") return "“”";
  return text.length > mostCharacters ? `${[...text.slice(0, mostCharacters)].join("")}…` : text;
}
