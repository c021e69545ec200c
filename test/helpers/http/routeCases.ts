import { failureText, type HttpCase, membersText, paths, secret, texts, tokens } from "./request.js";

const { unknownPath, wrongMethod } = texts;

/** Paths and methods. */
export const routeCases: Record<string, HttpCase> = {
  "the token endpoint is off unless it is configured": {
    request: { path: "/auth/get_admin_token", body: `{"secret":"${secret}","userID":"imAdmin"}` },
    status: 404,
    text: unknownPath,
  },
  "dots in a path are resolved": { request: { path: "/friend/../group/./get_group_member_list" }, text: membersText },
  "a slash may follow a path": { request: { path: `${paths.members}/` }, text: membersText },
  "several slashes may follow a path": { request: { path: `${paths.members}//?a=b` }, text: membersText },
};

for (const path of [
  "/",
  "/group",
  `/${paths.members}`,
  paths.members.toUpperCase(),
  "/group/get%5Fgroup_member_list",
  "/healthz",
  "/__proto__",
  "/constructor",
  "/hasOwnProperty",
  "/%00",
  "/%ff",
  "/..%2f..%2fetc/passwd",
]) {
  routeCases[`${path} is 404`] = { request: { path }, status: 404, text: unknownPath };
}

for (const method of ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"]) {
  routeCases[`${method} is 405`] = { request: { method }, status: 405, text: wrongMethod, headers: { allow: "POST" } };
}

for (const basePath of ["/admin", "admin/", "//admin//"]) {
  routeCases[`the base path ${basePath} stands before an operation's`] = {
    request: { path: `/admin${paths.members}` },
    options: { basePath },
    text: membersText,
  };
  routeCases[`with the base path ${basePath} the bare path is 404`] = {
    request: {},
    options: { basePath },
    status: 404,
    text: unknownPath,
  };
}
routeCases["a base path may have several parts"] = {
  request: { path: `/api/v1${paths.members}` },
  options: { basePath: "/api/v1" },
  text: membersText,
};
for (const basePath of ["/a+b", "/(x)", "/v1.0", "/:name", "/a*", "/[b]", "/$c^", "/d|e", "/~f", "/g@h!"]) {
  routeCases[`the base path ${basePath} is no pattern`] = {
    request: { path: `${basePath}${paths.members}` },
    options: { basePath },
    text: membersText,
  };
  routeCases[`the base path ${basePath} stands for no other`] = {
    request: { path: `/aab${paths.members}` },
    options: { basePath },
    status: 404,
    text: unknownPath,
  };
}
routeCases["a base path may have letters that a URL encodes"] = {
  request: { path: `/${encodeURIComponent("管理")}${paths.members}` },
  options: { basePath: "/管理" },
  text: membersText,
};

const origin = "https://console.example.org";
const answered = { "access-control-allow-origin": origin, vary: "origin" };
const preflight: HttpCase["request"] = {
  method: "OPTIONS",
  headers: {
    operationID: null,
    token: null,
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type,operationid,token",
  },
};

/** What browsers need in order to call from another origin. */
export const corsCases: Record<string, HttpCase> = {
  "a preflight is 405 where CORS is off": {
    request: preflight,
    status: 405,
    text: wrongMethod,
    headers: { allow: "POST", "access-control-allow-origin": null, "access-control-allow-headers": null },
  },
  "false turns it off": {
    request: preflight,
    options: { cors: false },
    status: 405,
    text: wrongMethod,
    headers: { allow: "POST", "access-control-allow-origin": null },
  },
  "a preflight needs no headers where any origin may call": preflightAnswered(true, {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "content-type,operationid,token",
    "access-control-max-age": "86400",
    "access-control-allow-credentials": null,
  }),
  "a preflight names an origin of the list": preflightAnswered(["https://other.example.org", origin], {
    ...answered,
    "access-control-allow-headers": "content-type,operationid,token",
  }),
  "a preflight names no origin that is not in the list": preflightAnswered(
    ["https://console.example.org.evil.example", "https://console"],
    { "access-control-allow-origin": null, vary: "origin" },
  ),
  "a POST answer allows any origin": posted(true, { "access-control-allow-origin": "*" }),
  'a list with "*" lets any origin in': posted(["*"], { "access-control-allow-origin": "*" }),
  "a POST answer names an origin of the list": posted([origin], answered),
  "a POST without an origin is answered all the same": {
    ...posted([origin], { "access-control-allow-origin": null, vary: "origin" }),
    request: {},
  },
  "a failure can be read by the browser": {
    ...posted([origin], answered),
    request: { headers: { origin, token: tokens.expired } },
    text: failureText(1501, "TokenExpiredError"),
  },
  "a 404 can be read by the browser": {
    ...posted([origin], answered),
    request: { path: "/nowhere", headers: { origin } },
    status: 404,
    text: unknownPath,
  },
  "a 405 can be read by the browser": {
    ...posted(true, { allow: "POST", "access-control-allow-origin": "*" }),
    request: { method: "GET", headers: { origin } },
    status: 405,
    text: wrongMethod,
  },
};

function preflightAnswered(cors: true | string[], headers: Record<string, string | null>): HttpCase {
  return { request: preflight, options: { cors }, status: 204, text: "", headers };
}

function posted(cors: true | string[], headers: Record<string, string | null>): HttpCase {
  return { request: { headers: { origin } }, options: { cors }, text: membersText, headers };
}
