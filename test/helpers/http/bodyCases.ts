import { gzipSync } from "node:zlib";
import { argsError, cases, type HttpCase, membersBody, membersText, paths, texts } from "./request.js";

const { notJson, noGroupID, tooLong } = texts;
const notIdentity = argsError("body must be a JSON object in UTF-8 with Content-Encoding: identity");
const noObject = argsError("input must be an object");
const noPagination = argsError("pagination must be an object");
const tooManyParts = argsError("body must have at most 1000 fields, objects and arrays");
const noPageNumber = argsError("pagination.pageNumber must be an integer >= 1");
const noEx = "conversation.ex must be a string of at most 65536 characters";
const page = '"pagination":{"pageNumber":1,"showNumber":10}';

/** Bodies of requests for members. */
const bodies: Record<string, [body: HttpCase["request"]["body"], text: string]> = {
  "an empty body is no JSON": ["", notJson],
  "half an object is no JSON": ['{"groupID":"g1"', notJson],
  "a form is no JSON": ["groupID=g1", notJson],
  "invalid UTF-8 is no JSON": [bytes('{"groupID":"', 0xff, '"}'), notJson],
  "UTF-16 is no JSON": [new Uint8Array(Buffer.from(membersBody, "utf16le")), notJson],
  "100,000 brackets are too many": ["[".repeat(100_000), tooManyParts],
  "null is no object": ["null", noObject],
  "a string is no object": ['"x"', noObject],
  "a number is no object": ["1", noObject],
  "an array is no object": ["[]", noObject],
  "an array is no object within one either": ['{"groupID":"g1","pagination":[1]}', noPagination],
  "a byte order mark is no obstacle": [`\ufeff${membersBody}`, membersText],
  "explicit nulls stand for absent fields": [`{"groupID":"g1","keyword":null,"filter":null,${page}}`, membersText],
  "unknown fields are ignored": [
    `{"groupID":"g1","other":{"a":[1]},"constructor":1,"toString":null,${page}}`,
    membersText,
  ],
  "of two equal keys the last counts": [`{"groupID":"g404","groupID":"g1",${page}}`, membersText],
  "__proto__ is an unknown field": [`{"groupID":"g1","__proto__":{"groupID":1},${page}}`, membersText],
  "__proto__ gives no field": [`{"__proto__":{"groupID":"g1"},${page}}`, noGroupID],
  "deep nesting is ignored in an unknown field": [
    `{"groupID":"g1","deep":${"[".repeat(900)}${"]".repeat(900)},${page}}`,
    membersText,
  ],
  "deep nesting is no groupID": [`{"groupID":${'{"a":'.repeat(400)}1${"}".repeat(400)},${page}}`, noGroupID],
  "nesting without an end is refused": [
    `{"groupID":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)},${page}}`,
    tooManyParts,
  ],
  "1.0 is an integer": ['{"groupID":"g1","pagination":{"pageNumber":1.0,"showNumber":1e1}}', membersText],
  "1.5 is no integer": [pageNumber("1.5"), noPageNumber],
  "-0 is no page": [pageNumber("-0"), noPageNumber],
  '"1" is no integer': [pageNumber('"1"'), noPageNumber],
  "true is no integer": [pageNumber("true"), noPageNumber],
  "null is no page": [pageNumber("null"), noPageNumber],
  "1e400 is no integer": [pageNumber("1e400"), noPageNumber],
  "2147483648 is too large an integer": [
    pageNumber("2147483648"),
    argsError("pagination.pageNumber must be an integer <= 2147483647"),
  ],
  "half a surrogate pair is no groupID": [
    `{"groupID":"\\ud83d",${page}}`,
    argsError("groupID must be a string of 1 to 64 characters without control characters, and of valid Unicode"),
  ],
  "a NUL is no groupID": [`{"groupID":"g1\\u0000",${page}}`, noGroupID],
  "an emoji may be searched for": [
    `{"groupID":"g1","keyword":"\\ud83d\\ude00",${page}}`,
    '{"errCode":0,"errMsg":"","errDlt":"","data":{"total":0,"members":[]}}',
  ],
  "a NUL cannot be searched for": [
    `{"groupID":"g1","keyword":"A\\u0000",${page}}`,
    argsError("keyword must be a string of at most 255 characters without U+0000"),
  ],
  "a NUL is ignored in an unknown field": [`{"groupID":"g1","other\\u0000":"\\u0000",${page}}`, membersText],
  "a body of just 1 MiB is read": [membersBody.padEnd(1_048_576), membersText],
  "a streamed body of just 1 MiB is read": [[membersBody, " ".repeat(1_048_514)], membersText],
};

/** Bodies of every kind. */
export const bodyCases: Record<string, HttpCase> = {
  ...Object.fromEntries(Object.entries(bodies).map(([name, [body = "", text]]) => [name, { request: { body }, text }])),
  ...cases({
    "-0 is a duration": [conversation('"burnDuration":-0'), texts.done],
    "a NUL cannot be stored": [conversation('"ex":"\\u0000"'), argsError(`${noEx} without U+0000`)],
    "half a surrogate pair cannot be stored": [
      conversation('"ex":"\\ude00"'),
      argsError(`${noEx}, and of valid Unicode`),
    ],
  }),
  "a compressed body is refused, and told how to come": {
    request: { headers: { "content-encoding": "gzip" }, body: gzipSync(membersBody) },
    text: notIdentity,
  },
  "a body that only claims to be compressed is taken": {
    request: { headers: { "content-encoding": "gzip" }, body: membersBody },
    text: membersText,
  },
  "a body of 1 MiB and 1 byte is refused": {
    request: { body: membersBody.padEnd(1_048_577) },
    status: 413,
    text: tooLong,
  },
  "a body that says it is too long is refused unread": {
    request: { headers: { "content-length": "1048577" }, body: membersBody },
    status: 413,
    text: tooLong,
  },
  "a streamed body of 1 MiB and 1 byte is refused": {
    request: { body: [membersBody, " ".repeat(1_048_515)] },
    status: 413,
    text: tooLong,
  },
  "the limit of a body is an option": {
    request: {},
    options: { limits: { bodyBytes: 61 } },
    status: 413,
    text: argsError("body must have at most 61 bytes"),
  },
};

function pageNumber(json: string): string {
  return `{"groupID":"g1","pagination":{"pageNumber":${json},"showNumber":10}}`;
}

function conversation(fields: string): HttpCase["request"] {
  const body = `{"userIDs":["u1"],"conversation":{"conversationID":"c2","conversationType":3,"groupID":"g1",${fields}}}`;
  return { path: paths.conversations, body };
}

function bytes(before: string, byte: number, after: string): Uint8Array {
  return Uint8Array.of(...Buffer.from(before), byte, ...Buffer.from(after));
}
