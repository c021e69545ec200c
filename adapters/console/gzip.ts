/** Whether the client accepts compressed answers, and this runtime can compress. */
export function takesGzip(acceptEncoding = ""): boolean {
  return "CompressionStream" in globalThis && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(acceptEncoding);
}

/** A text, compressed. */
export async function gzipped(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
