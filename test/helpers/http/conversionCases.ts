import { gzipSync } from "node:zlib";
import { argsError, cases, type HttpCase, membersBody, membersText, paths, texts } from "./request.js";
import { origin } from "./world.js";

const { notJson, tooLong, unknownPath, wrongMethod } = texts;
const contentTypes = ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", "///"];
const methods = ["GET", "PUT", "DELETE", "PATCH", "PROPFIND"];

/** What each adapter has to turn into plain data, and back. */
export const conversionCases: Record<string, HttpCase> = cases({
  "a body with its length is read, up to 1 MiB": [{ body: membersBody.padEnd(1_048_576) }, membersText],
  "a body in pieces is read, up to 1 MiB": [{ body: [...membersBody, " ".repeat(1_048_514)] }, membersText],
  "a body of 1 MiB and 1 byte is refused": [{ body: membersBody.padEnd(1_048_577) }, tooLong, { status: 413 }],
  "a body in pieces of 1 MiB and 1 byte is refused": [
    { body: [membersBody, " ".repeat(1_048_515)] },
    tooLong,
    { status: 413 },
  ],
  "a body that says it is too long is refused unread": [
    { headers: { "content-length": "1048577" }, body: membersBody },
    tooLong,
    { status: 413 },
  ],
  "an empty body is no JSON": [{ body: "" }, notJson],
  "no body is no JSON": [{ body: undefined }, notJson],
  "invalid UTF-8 is no JSON": [{ body: Uint8Array.of(...Buffer.from('{"groupID":"'), 0xff, 0x22, 0x7d) }, notJson],
  "a byte order mark is no obstacle": [{ body: `\ufeff${membersBody}` }, membersText],
  "a compressed body is refused, and told how to come": [
    { headers: { "content-encoding": "gzip" }, body: gzipSync(membersBody) },
    argsError("body must be a JSON object in UTF-8 with Content-Encoding: identity"),
  ],
  "names of headers may have any case": [
    { headers: { operationID: null, OPERATIONid: "op-1", "X-Other": "ignored" } },
    membersText,
  ],
  "headers may have bytes beyond ASCII": [{ headers: { operationID: `"' OR 1=1 -- \xff` } }, membersText],
  ...Object.fromEntries(
    contentTypes.map((type) => [
      `the content type ${type} is no obstacle`,
      [{ headers: { "content-type": type } }, membersText],
    ]),
  ),
  "the query is ignored": [{ path: `${paths.members}?token=x&groupID=g404` }, membersText],
  "dots in a path are resolved": [{ path: "/friend/../group/./get_group_member_list" }, membersText],
  "slashes may follow a path": [{ path: `${paths.members}//?a=b` }, membersText],
  ...Object.fromEntries(
    methods.map((method) => [
      `${method} is 405`,
      [{ method }, wrongMethod, { status: 405, headers: { allow: "POST", "content-type": "application/json" } }],
    ]),
  ),
  "another path is 404": [{ path: "/nowhere" }, unknownPath, { status: 404 }],
  "a preflight has no body": [
    {
      method: "OPTIONS",
      headers: { operationID: null, token: null, origin, "access-control-request-headers": "token" },
    },
    "",
    { status: 204, headers: { "access-control-allow-origin": origin, "access-control-allow-headers": "token" } },
  ],
  "fields that are ignored stand in a header": [
    { body: membersBody.replace("{", '{"名":1,') },
    membersText,
    { headers: { "im-admin-ignored": "%E5%90%8D" } },
  ],
});
