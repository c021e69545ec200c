import type { IncomingMessage } from "node:http";

/** How the body of a message is delimited, and so how it is passed on. */
export type Framing = "length" | "chunked" | "none";

/** How many headers Node keeps unless a server sets `maxHeadersCount`. It drops the others and still obeys them. */
const defaultMaxHeaders = 1_000;

/** Why a request is not passed on: the upstream could read another request than Node has read. */
export interface Ambiguity {
  status: 400 | 431;
  what: string;
}

/** Returns why a request could be read in two ways; undefined for others. */
export function ambiguityOf({ httpVersion, rawHeaders, socket }: IncomingMessage): Ambiguity | undefined {
  const { server } = socket as { server?: { maxHeadersCount?: number | null } };
  const most = server?.maxHeadersCount ?? defaultMaxHeaders;
  if (most > 0 && rawHeaders.length / 2 >= most) {
    return { status: 431, what: `the request must have fewer than ${most} headers` };
  }
  if (valuesOf(rawHeaders, "host").length > 1) return { status: 400, what: "the request must have one header Host" };
  const lengths = valuesOf(rawHeaders, "content-length");
  const codings = valuesOf(rawHeaders, "transfer-encoding");
  // HTTP/1.0 has no chunks, and some servers do not look at them there. Only lenient parsers of hosts let the others through.
  const isClear =
    lengths.length + codings.length <= 1 &&
    (httpVersion !== "1.0" || codings.length === 0) &&
    lengths.every((length) => /^\d+$/.test(length)) &&
    codings.every((coding) => coding.toLowerCase() === "chunked");
  return isClear
    ? undefined
    : { status: 400, what: "the request must say once, by a length or as chunks, how long its body is" };
}

/** How the parser has delimited the body of a request that is not ambiguous. */
export function framingOf({ rawHeaders }: IncomingMessage): Framing {
  if (valuesOf(rawHeaders, "transfer-encoding").length > 0) return "chunked";
  return valuesOf(rawHeaders, "content-length").length > 0 ? "length" : "none";
}

/** Each request is looked at, so names of another length are not compared. */
function valuesOf(rawHeaders: readonly string[], wanted: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === wanted.length && name.toLowerCase() === wanted) values.push(rawHeaders[index + 1] ?? "");
  }
  return values;
}
