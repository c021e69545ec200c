import { JSONParser, TokenType } from "@streamparser/json";
import { readChunks } from "./readChunks.js";

/** A value of a file or the reason why there is none, with its first line or, in BSON, the number of its document. */
export type ReadValue = { line: number; value: unknown } | Problem;

interface Problem {
  line: number;
  problem: string;
  /** Whether the rest of the file cannot be read. */
  isLast: boolean;
}

/** A line of a file, or a part of a line that is longer than a chunk. */
interface Piece {
  line: number;
  bytes: Uint8Array;
  endsLine: boolean;
}

const lineFeed = 10;

/**
 * The most bytes of a value: those of the largest document of MongoDB, 16 MiB, if six bytes stand for each of its
 * characters, and some more. Without a limit, a small packed file could fill the memory.
 */
const mostBytes = 128 << 20;

const tooLong = `is longer than ${mostBytes >> 20} MiB, and nothing after it can be read`;

/**
 * Reads the values of a file one by one: a line each (NDJSON), the elements of one array, or objects over several
 * lines. It reads synchronously, so that it can feed a transaction, and never holds more than one value.
 *
 * @param onRead is told how many bytes have been read so far
 */
export function* readJson(path: string, onRead: (bytes: number) => void): Generator<ReadValue> {
  const chunks = readChunks(path, onRead);
  const { value: start = Buffer.alloc(0) } = chunks.next();
  if (isWide(start)) {
    yield { line: 1, problem: "is UTF-16: write the file anew in UTF-8", isLast: true };
    return;
  }
  const firstLine = new TextDecoder().decode(start).trimStart().split("\n", 1)[0]?.trim() ?? "";
  const pieces = splitLines(chain(start, chunks));
  if (firstLine.startsWith("[")) yield* streamed(pieces, { paths: ["$.*"] });
  else if (firstLine === "{") yield* streamed(pieces, { paths: ["$"], separator: "" });
  else yield* lines(pieces);
}

/** Whether a text is in UTF-16, as PowerShell writes it: it begins with a mark, or has U+0000 beside each letter. */
function isWide([first, second]: Uint8Array): boolean {
  return first === 0 || second === 0 || (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function* splitLines(chunks: Iterable<Uint8Array>): Generator<Piece> {
  let line = 1;
  for (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to >= 0; to = chunk.indexOf(lineFeed, from)) {
      yield { line, bytes: chunk.subarray(from, to), endsLine: true };
      from = to + 1;
      line += 1;
    }
    yield { line, bytes: chunk.subarray(from), endsLine: false };
  }
  yield { line, bytes: new Uint8Array(), endsLine: true };
}

// It throws instead of replacing a character, which would be lost. It also removes a byte order mark.
const fatalUtf8 = { fatal: true };

function* lines(pieces: Iterable<Piece>): Generator<ReadValue> {
  const decoder = new TextDecoder("utf-8", fatalUtf8);
  const read = (line: number, bytes: Uint8Array): ReadValue[] => {
    try {
      const text = decoder.decode(bytes);
      return text.trim() === "" ? [] : [{ line, value: JSON.parse(text) }];
    } catch (error) {
      return [{ line, problem: `is no JSON: ${messageOf(error)}`, isLast: false }];
    }
  };
  let parts: Uint8Array[] = [];
  let length = 0;
  for (const { line, bytes, endsLine } of pieces) {
    parts.push(bytes);
    length += bytes.length;
    if (length > mostBytes) {
      yield { line, problem: tooLong, isLast: true };
      return;
    }
    if (!endsLine) continue;
    yield* read(line, parts.length === 1 ? bytes : Buffer.concat(parts));
    parts = [];
    length = 0;
  }
}

type StreamOptions = ConstructorParameters<typeof JSONParser>[0];

/** Brackets and commas separate values. Any other token begins one. */
const betweenValues = new Set([TokenType.LEFT_BRACKET, TokenType.RIGHT_BRACKET, TokenType.COMMA, TokenType.SEPARATOR]);

function* streamed(pieces: Iterable<Piece>, options: StreamOptions): Generator<ReadValue> {
  const decoder = new TextDecoder("utf-8", fatalUtf8);
  const parser = new JSONParser({ ...options, keepStack: false });
  let line = 1;
  let valueLine: number | undefined;
  let length = 0;
  let values: ReadValue[] = [];
  parser.onToken = ({ token }) => {
    if (valueLine === undefined && !betweenValues.has(token)) valueLine = line;
  };
  parser.onValue = ({ value }) => {
    values.push({ line: valueLine ?? line, value });
    valueLine = undefined;
  };
  try {
    for (const { line: pieceLine, bytes, endsLine } of pieces) {
      line = pieceLine;
      const text = decoder.decode(bytes, { stream: !endsLine });
      // Only blanks may follow the end of the array.
      if (!parser.isEnded || text.trim() !== "") parser.write(endsLine ? `${text}\n` : text);
      length = values.length > 0 ? 0 : length + bytes.length;
      if (length > mostBytes) {
        yield { line: valueLine ?? line, problem: tooLong, isLast: true };
        return;
      }
      yield* values;
      values = [];
    }
    if (!parser.isEnded) parser.end();
    yield* values;
  } catch (error) {
    yield* values;
    const problem = `is no JSON, and nothing after it can be read: ${messageOf(error)}`;
    yield { line: valueLine ?? line, problem, isLast: true };
  }
}

function* chain<Item>(first: Item, rest: Iterable<Item>): Generator<Item> {
  yield first;
  yield* rest;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
