import { cases, failureText, type HttpCase, membersText, paths, texts, tokens } from "./request.js";
import { origin } from "./world.js";

const { unknownPath, wrongMethod } = texts;
type Case = Parameters<typeof cases>[0][string];

const notFound = (path: string, basePath?: string): Case => [
  { path },
  unknownPath,
  { status: 404, ...(basePath !== undefined && { options: { basePath } }) },
];
const found = (path: string, basePath: string): Case => [
  { path: path + paths.members },
  membersText,
  { options: { basePath } },
];
const otherPaths = [
  ...["/", "/group", `/${paths.members}`, paths.members.toUpperCase(), "/group/get%5Fgroup_member_list"],
  ...["/healthz", "/__proto__", "/constructor", "/hasOwnProperty", "/%00", "/%ff", "/..%2f..%2fetc/passwd"],
  // It is off unless it is configured.
  "/auth/get_admin_token",
];
const patterns = ["/a+b", "/(x)", "/v1.0", "/:name", "/a*", "/[b]", "/$c^", "/d|e", "/~f", "/g@h!"];

export const routeCases: Record<string, HttpCase> = cases({
  ...Object.fromEntries(otherPaths.map((path) => [`${path} is 404`, notFound(path)])),
  ...Object.fromEntries(
    ["/admin", "admin/", "//admin//"].flatMap((basePath) => [
      [`the base path ${basePath} stands before an operation's`, found("/admin", basePath)],
      [`with the base path ${basePath} the bare path is 404`, notFound(paths.members, basePath)],
    ]),
  ),
  "a base path may have several parts": found("/api/v1", "/api/v1"),
  "a base path may have letters that a URL encodes": found(`/${encodeURIComponent("管理")}`, "/管理"),
  ...Object.fromEntries(
    patterns.flatMap((basePath) => [
      [`the base path ${basePath} is no pattern`, found(basePath, basePath)],
      [`the base path ${basePath} stands for no other`, notFound(`/aab${paths.members}`, basePath)],
    ]),
  ),
});

type Cors = boolean | string[] | undefined;
type Headers = Record<string, string | null>;
const other = "https://other.example.org";
const asked = "content-type,operationid,token";
const preflight = {
  method: "OPTIONS",
  headers: {
    operationID: null,
    token: null,
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": asked,
  },
};
const refused = (cors: Cors): Case => [
  preflight,
  wrongMethod,
  { status: 405, options: { cors }, headers: { allow: "POST", "access-control-allow-origin": null } },
];
const allowed = (cors: Cors, headers: Headers): Case => [preflight, "", { status: 204, options: { cors }, headers }];
const readable = (cors: Cors, headers: Headers = { "access-control-allow-origin": origin, vary: "origin" }) => ({
  options: { cors },
  headers,
});
const any = { "access-control-allow-origin": "*" };

/** What browsers need in order to call from another origin. */
export const corsCases: Record<string, HttpCase> = cases({
  "a preflight is 405 where CORS is off": refused(undefined),
  "false turns it off": refused(false),
  "a preflight needs no headers where any origin may call": allowed(true, {
    ...any,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": asked,
    "access-control-max-age": "86400",
    "access-control-allow-credentials": null,
  }),
  "a preflight names an origin of the list": allowed([other, origin], {
    "access-control-allow-origin": origin,
    "access-control-allow-headers": asked,
    vary: "origin",
  }),
  "a preflight names no origin that is not in the list": allowed(
    ["https://console.example.org.evil.example", "https://console"],
    { "access-control-allow-origin": null, vary: "origin" },
  ),
  "a POST answer allows any origin": [{ headers: { origin } }, membersText, readable(true, any)],
  'a list with "*" lets any origin in': [{ headers: { origin } }, membersText, readable(["*"], any)],
  "a POST answer names an origin of the list": [{ headers: { origin } }, membersText, readable([origin])],
  "a POST without an origin is answered all the same": [
    {},
    membersText,
    readable([origin], { "access-control-allow-origin": null, vary: "origin" }),
  ],
  "a failure can be read by the browser": [
    { headers: { origin, token: tokens.expired } },
    failureText(1501, "TokenExpiredError"),
    readable([origin]),
  ],
  "a 404 can be read by the browser": [
    { path: "/nowhere", headers: { origin } },
    unknownPath,
    { status: 404, ...readable([origin]) },
  ],
  "a 405 can be read by the browser": [
    { method: "GET", headers: { origin } },
    wrongMethod,
    { status: 405, ...readable(true, { ...any, allow: "POST" }) },
  ],
});
