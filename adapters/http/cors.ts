import type { HttpAnswer, HttpRequest } from "./request.js";

/** The origins that browsers may call from: any, or a list. */
export type Origins = "any" | readonly string[];

/** How long a browser remembers the answer to a preflight request, in seconds. */
const preflightSeconds = "86400";

/** @throws TypeError for an origin that no browser would send */
export function resolveOrigins(cors: boolean | readonly string[] | undefined): Origins | undefined {
  if (cors === undefined || cors === false) return undefined;
  if (cors === true) return "any";
  if (!Array.isArray(cors)) throw new TypeError("cors must be true, false or a list of origins");
  for (const origin of cors) if (origin !== "*") requireOrigin(origin);
  return cors.includes("*") ? "any" : cors;
}

function requireOrigin(origin: unknown): void {
  // Browsers send "null" for pages without an origin, such as files.
  if (origin === "null") return;
  let right = "https://console.example.org";
  try {
    const { protocol, host } = new URL(String(origin));
    if (host !== "" && !host.includes("*")) right = `${protocol}//${host}`;
  } catch {
    // It is no URL, so the error can suggest nothing.
  }
  if (origin === right) return;
  throw new TypeError(
    `cors: ${JSON.stringify(origin)} matches no origin; it must be a scheme, a host and perhaps a port, such as ${JSON.stringify(right)}`,
  );
}

/** Answers a request with the headers that allow pages of some origins to send it and to read the answer. */
export async function answerOrigin(
  request: HttpRequest,
  origins: Origins,
  answer: () => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  return readable(request, origins, request.method === "OPTIONS" ? preflight(request) : await answer());
}

/** An answer with the headers that allow pages of some origins to read it. */
export function readable(request: HttpRequest, origins: Origins, { status, headers, body }: HttpAnswer): HttpAnswer {
  if (origins === "any") return { status, headers: { ...headers, "access-control-allow-origin": "*" }, body };
  const origin = request.header("origin");
  const allowed = origin !== undefined && origins.includes(origin) ? { "access-control-allow-origin": origin } : {};
  return { status, headers: { ...headers, ...allowed, vary: "origin" }, body };
}

/** The answer to a preflight request, which a browser sends before a request to another origin. */
function preflight(request: HttpRequest): HttpAnswer {
  const headers: Record<string, string> = {
    "access-control-allow-methods": "POST",
    "access-control-max-age": preflightSeconds,
  };
  const asked = request.header("access-control-request-headers");
  if (asked !== undefined) headers["access-control-allow-headers"] = asked;
  return { status: 204, headers, body: null };
}
