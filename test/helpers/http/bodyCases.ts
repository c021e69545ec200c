import { argsError, cases, type HttpCase, membersBody, membersText, paths, texts } from "./request.js";

const { notJson, noGroupID } = texts;
const tooManyParts = argsError("body must have at most 1000 fields, objects and arrays");
const noPageNumber = argsError("pagination.pageNumber must be an integer >= 1");
const noEx = argsError("conversation.ex must be a string of at most 65536 characters, and of valid Unicode");

/** A body with the fields of a request for members, and with these before them. */
const members = (fields: string) => ({ body: `{${fields},${membersBody.slice(1)}` });
const page = (numbers: string) => ({ body: `{"groupID":"g1","pagination":{${numbers}}}` });
const conversation = (field: string) => ({
  path: paths.conversations,
  body: `{"userIDs":["u1"],"conversation":{"conversationID":"c2","conversationType":3,"groupID":"g1",${field}}}`,
});

/** What JSON makes of a body. The tests of the functions have what they make of its values. */
export const bodyCases: Record<string, HttpCase> = cases({
  "half an object is no JSON": [{ body: '{"groupID":"g1"' }, notJson],
  "a form is no JSON": [{ body: "groupID=g1" }, notJson],
  "UTF-16 is no JSON": [{ body: new Uint8Array(Buffer.from(membersBody, "utf16le")) }, notJson],
  "100,000 brackets are too many": [{ body: "[".repeat(100_000) }, tooManyParts],
  "null is no object": [{ body: "null" }, argsError("input must be an object")],
  "explicit nulls stand for absent fields": [members('"keyword":null,"filter":null'), membersText],
  "unknown fields are ignored": [members('"other":{"a":[1]},"constructor":1,"toString":null'), membersText],
  "of two equal keys the last counts": [members('"groupID":"g404"'), membersText],
  "__proto__ is an unknown field": [members('"__proto__":{"groupID":1}'), membersText],
  "__proto__ gives no field": [{ body: '{"__proto__":{"groupID":"g1"}}' }, noGroupID],
  "deep nesting is ignored in an unknown field": [members(`"deep":${"[".repeat(900)}${"]".repeat(900)}`), membersText],
  "deep nesting is no groupID": [{ body: `{"groupID":${'{"a":'.repeat(400)}1${"}".repeat(400)}}` }, noGroupID],
  "1.0 and 1e1 are integers": [page('"pageNumber":1.0,"showNumber":1e1'), membersText],
  "-0 is no page": [page('"pageNumber":-0,"showNumber":10'), noPageNumber],
  "1e400 is no integer": [page('"pageNumber":1e400,"showNumber":10'), noPageNumber],
  "-0 is a duration": [conversation('"burnDuration":-0'), texts.done],
  "half a surrogate pair cannot be stored": [conversation('"ex":"\\ude00"'), noEx],
  "a surrogate pair is a character": [conversation('"ex":"\\ud83d\\ude00"'), texts.done],
  "a NUL is ignored in an unknown field": [members('"other\\u0000":"\\u0000"'), membersText],
  "a body that only claims to be compressed is taken": [{ headers: { "content-encoding": "gzip" } }, membersText],
  "the limit of a body is an option": [
    {},
    argsError("body must have at most 61 bytes"),
    { status: 413, options: { limits: { bodyBytes: 61 } } },
  ],
});
