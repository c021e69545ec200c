import { closeSync, openSync, readSync } from "node:fs";
import { JSONParser, TokenType } from "@streamparser/json";

/** A value of a file, or why there is none, with the line on which it starts. */
export type ReadValue = { line: number; value: unknown } | { line: number; problem: string };

const chunkBytes = 1 << 20;

/**
 * Reads the values of a file one by one: a line each (NDJSON), the elements of one array, or objects over several
 * lines. It reads synchronously, so that it can feed a transaction, and never holds more than one value.
 *
 * @param onRead is told how many bytes have been read so far
 */
export function* readJson(path: string, onRead: (bytes: number) => void): Generator<ReadValue> {
  const text = readText(path, onRead);
  const { value: start = "" } = text.next();
  const firstLine = start.trimStart().split("\n", 1)[0]?.trim() ?? "";
  if (firstLine.startsWith("[")) yield* streamed(start, text, { paths: ["$.*"] });
  else if (firstLine === "{") yield* streamed(start, text, { paths: ["$"], separator: "" });
  else yield* lines(start, text);
}

function* readText(path: string, onRead: (bytes: number) => void): Generator<string, undefined> {
  const file = openSync(path, "r");
  try {
    // Fatal, since a replaced character would be a lost one. It also removes a byte order mark.
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const buffer = new Uint8Array(chunkBytes);
    let total = 0;
    for (let length = readSync(file, buffer); length > 0; length = readSync(file, buffer)) {
      total += length;
      onRead(total);
      yield decoder.decode(buffer.subarray(0, length), { stream: true });
    }
    yield decoder.decode();
  } finally {
    closeSync(file);
  }
}

function* lines(start: string, text: Iterable<string>): Generator<ReadValue> {
  let line = 0;
  let rest = start;
  const read = (content: string): ReadValue[] => {
    line += 1;
    if (content.trim() === "") return [];
    try {
      return [{ line, value: JSON.parse(content) }];
    } catch (error) {
      return [{ line, problem: `is no JSON: ${messageOf(error)}` }];
    }
  };
  for (const chunk of text) {
    const contents = rest.split("\n");
    rest = (contents.pop() ?? "") + chunk;
    for (const content of contents) yield* read(content);
  }
  for (const content of rest.split("\n")) yield* read(content);
}

type StreamOptions = ConstructorParameters<typeof JSONParser>[0];

/** Between values stand brackets and commas; any other token begins one. */
const betweenValues = new Set([TokenType.LEFT_BRACKET, TokenType.RIGHT_BRACKET, TokenType.COMMA, TokenType.SEPARATOR]);

function* streamed(start: string, text: Iterable<string>, options: StreamOptions): Generator<ReadValue> {
  const parser = new JSONParser({ ...options, keepStack: false });
  let line = 1;
  let valueLine: number | undefined;
  let values: ReadValue[] = [];
  parser.onToken = ({ token }) => {
    if (valueLine === undefined && !betweenValues.has(token)) valueLine = line;
  };
  parser.onValue = ({ value }) => {
    values.push({ line: valueLine ?? line, value });
    valueLine = undefined;
  };
  try {
    for (const chunk of chain(start, text)) {
      for (const [index, content] of chunk.split("\n").entries()) {
        if (index > 0) line += 1;
        if (!parser.isEnded) parser.write(`${index > 0 ? "\n" : ""}${content}`);
        yield* values;
        values = [];
      }
    }
    if (!parser.isEnded) parser.end();
    yield* values;
  } catch (error) {
    yield* values;
    yield { line: valueLine ?? line, problem: `is no JSON, and nothing after it can be read: ${messageOf(error)}` };
  }
}

function* chain(start: string, rest: Iterable<string>): Generator<string> {
  yield start;
  yield* rest;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
