/** JSON as a text or as UTF-8 bytes. Some engines return bytes, which go into an HTTP answer without being decoded. */
export type Json = string | Bytes;

/** `Uint8Array<ArrayBuffer>`, in words that TypeScript before 5.7 knows as well. */
type Bytes = ReturnType<typeof Uint8Array.of>;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export function parseJson(json: Json): unknown {
  return JSON.parse(typeof json === "string" ? json : decoder.decode(json));
}

/** Puts JSON between two texts, which must be ASCII. */
export function surround(before: string, json: Json, after: string): Json {
  if (typeof json === "string") return before + json + after;
  const bytes = new Uint8Array(before.length + json.length + after.length);
  encoder.encodeInto(before, bytes);
  bytes.set(json, before.length);
  encoder.encodeInto(after, bytes.subarray(before.length + json.length));
  return bytes;
}
