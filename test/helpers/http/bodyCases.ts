import { type HttpCase, membersBody, membersText, paths } from "./request.js";

const notJson = '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: body must be a JSON object in UTF-8"}';
const noObject = '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: input must be an object"}';
const noGroupID =
  '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: groupID must be a string of 1 to 64 characters without control characters"}';
const noPageNumber =
  '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: pagination.pageNumber must be an integer >= 1"}';
const tooLong = '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: body must have at most 1048576 bytes"}';
const page = '"pagination":{"pageNumber":1,"showNumber":10}';

/** Bodies of every kind. */
export const bodyCases: Record<string, HttpCase> = {
  "an empty body is no JSON": { request: { body: "" }, text: notJson },
  "half an object is no JSON": { request: { body: '{"groupID":"g1"' }, text: notJson },
  "a form is no JSON": { request: { body: "groupID=g1" }, text: notJson },
  "invalid UTF-8 is no JSON": { request: { body: bytes('{"groupID":"', 0xff, '"}') }, text: notJson },
  "UTF-16 is no JSON": { request: { body: new Uint8Array(Buffer.from(membersBody, "utf16le")) }, text: notJson },
  "100,000 brackets are no JSON": { request: { body: "[".repeat(100_000) }, text: notJson },
  "null is no object": { request: { body: "null" }, text: noObject },
  "a string is no object": { request: { body: '"x"' }, text: noObject },
  "a number is no object": { request: { body: "1" }, text: noObject },
  "an array has none of the fields": { request: { body: "[]" }, text: noGroupID },
  "a byte order mark is no obstacle": { request: { body: `\ufeff${membersBody}` }, text: membersText },
  "explicit nulls stand for absent fields": {
    request: { body: `{"groupID":"g1","keyword":null,"filter":null,${page}}` },
    text: membersText,
  },
  "unknown fields are ignored": {
    request: { body: `{"groupID":"g1","other":{"a":[1]},"constructor":1,"toString":null,${page}}` },
    text: membersText,
  },
  "of two equal keys the last counts": {
    request: { body: `{"groupID":"g404","groupID":"g1",${page}}` },
    text: membersText,
  },
  "__proto__ is an unknown field": {
    request: { body: `{"groupID":"g1","__proto__":{"groupID":1},${page}}` },
    text: membersText,
  },
  "__proto__ gives no field": { request: { body: `{"__proto__":{"groupID":"g1"},${page}}` }, text: noGroupID },
  "deep nesting is ignored in an unknown field": {
    request: { body: `{"groupID":"g1","deep":${"[".repeat(100_000)}${"]".repeat(100_000)},${page}}` },
    text: membersText,
  },
  "deep nesting is no groupID": {
    request: { body: `{"groupID":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)},${page}}` },
    text: noGroupID,
  },
  "1.0 is an integer": {
    request: { body: '{"groupID":"g1","pagination":{"pageNumber":1.0,"showNumber":1e1}}' },
    text: membersText,
  },
  "1.5 is no integer": { request: pageNumber("1.5"), text: noPageNumber },
  "-0 is no page": { request: pageNumber("-0"), text: noPageNumber },
  '"1" is no integer': { request: pageNumber('"1"'), text: noPageNumber },
  "true is no integer": { request: pageNumber("true"), text: noPageNumber },
  "null is no page": { request: pageNumber("null"), text: noPageNumber },
  "1e400 is no integer": { request: pageNumber("1e400"), text: noPageNumber },
  "2147483648 is too large an integer": {
    request: pageNumber("2147483648"),
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: pagination.pageNumber must be an integer <= 2147483647"}',
  },
  "-0 is a duration": {
    request: conversation('"burnDuration":-0'),
    text: '{"errCode":0,"errMsg":"","errDlt":"","data":null}',
  },
  "half a surrogate pair is no groupID": {
    request: { body: `{"groupID":"\\ud83d",${page}}` },
    text: noGroupID.replace('"}', ', and of valid Unicode"}'),
  },
  "a NUL is no groupID": { request: { body: `{"groupID":"g1\\u0000",${page}}` }, text: noGroupID },
  "an emoji may be searched for": {
    request: { body: `{"groupID":"g1","keyword":"\\ud83d\\ude00",${page}}` },
    text: '{"errCode":0,"errMsg":"","errDlt":"","data":{"total":0,"members":[]}}',
  },
  "a NUL cannot be searched for": {
    request: { body: `{"groupID":"g1","keyword":"A\\u0000",${page}}` },
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: keyword must be a string of at most 255 characters without U+0000"}',
  },
  "a NUL cannot be stored": {
    request: conversation('"ex":"\\u0000"'),
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: conversation.ex must be a string of at most 65536 characters without U+0000"}',
  },
  "a NUL is ignored in an unknown field": {
    request: { body: `{"groupID":"g1","other\\u0000":"\\u0000",${page}}` },
    text: membersText,
  },
  "half a surrogate pair cannot be stored": {
    request: conversation('"ex":"\\ude00"'),
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: conversation.ex must be a string of at most 65536 characters, and of valid Unicode"}',
  },
  "a body of just 1 MiB is read": { request: { body: membersBody.padEnd(1_048_576) }, text: membersText },
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
  "a streamed body of just 1 MiB is read": {
    request: { body: [membersBody, " ".repeat(1_048_514)] },
    text: membersText,
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
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: body must have at most 61 bytes"}',
  },
};

function pageNumber(json: string): HttpCase["request"] {
  return { body: `{"groupID":"g1","pagination":{"pageNumber":${json},"showNumber":10}}` };
}

function conversation(fields: string): HttpCase["request"] {
  const body = `{"userIDs":["u1"],"conversation":{"conversationID":"c1","conversationType":3,"groupID":"g1",${fields}}}`;
  return { path: paths.conversations, body };
}

function bytes(before: string, byte: number, after: string): Uint8Array {
  return Uint8Array.of(...Buffer.from(before), byte, ...Buffer.from(after));
}
