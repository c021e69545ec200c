import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const cwd = fileURLToPath(new URL("../../", import.meta.url));

/** The lines that a program prints to standard error whose store fails in each of these calls. */
function printed(...calls: string[]): string[] {
  const program = `
    import { getBlackList } from "im-admin";
    import { createFetchHandler } from "im-admin/fetch";
    const cause = new Error("connect ECONNREFUSED");
    const store = new Proxy({}, { get: () => async () => { throw new Error("no database\\nat all", { cause }) } });
    const input = { userID: "u1", pagination: { pageNumber: 1, showNumber: 1 } };
    const authenticate = () => ({ adminUserID: "a" });
    const request = () => new Request("http://x/friend/get_black_list", {
      method: "POST", headers: { operationID: "op-7", token: "secret token" }, body: JSON.stringify(input) });
    ${calls.map((call) => `await ${call};`).join("\n")}`;
  const { stderr, status } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd,
    encoding: "utf8",
  });
  expect(status).toBe(0);
  return stderr.split("\n").slice(0, -1);
}

const line = {
  message: "im-admin: a call has failed",
  operation: "getBlackList",
  operationID: "op-7",
  error: {
    name: "Error",
    message: "no database\nat all",
    stack: expect.stringContaining("at "),
    cause: { name: "Error", message: "connect ECONNREFUSED", stack: expect.any(String) },
  },
};

it("prints the cause of a 500 in one line where nobody else wants to know it, and no token", () => {
  const lines = printed(
    'getBlackList(store, input, { operationID: "op-7" })',
    "createFetchHandler({ store, authenticate })(request())",
    "createFetchHandler({ store, authenticate, observer: { onCall() {} } })(request())",
  );
  expect(lines.map((text) => JSON.parse(text))).toStrictEqual([line, line, line]);
  expect(lines.join()).not.toContain("secret token");
});

it("prints nothing where an observer has onError, nor what the answer shows", () => {
  expect(printed("getBlackList(store, input, { observer: { onError() {} } })", "getBlackList(store, {})")).toEqual([]);
});

const thrown: [what: string, expression: string, error: unknown][] = [
  [
    "an error with the code of a driver, and no message",
    'Object.assign(new AggregateError([], ""), { code: "ECONNREFUSED" })',
    { name: "AggregateError", message: "", stack: expect.any(String), code: "ECONNREFUSED" },
  ],
  ["a text", '"out of order"', "out of order"],
  [
    "an object with a message and a code",
    '{ message: "permission denied", code: "42501", password: "p" }',
    { message: "permission denied", code: "42501" },
  ],
  ["an object without a message", "{ size: 1n }", { message: "[object Object]" }],
  ["causes that go round in a circle", "Object.assign(cause, { cause })", expect.anything()],
  ["an object without a prototype", "Object.create(null)", expect.anything()],
  ["what cannot be read", '{ get message() { throw new Error("not for you") } }', expect.anything()],
  ["a message that is no text", "{ message: 1n, name: cause, stack: { toJSON() { throw cause } } }", expect.anything()],
];

it("prints a line for anything that is thrown", () => {
  const lines = printed(
    ...thrown.map(([, error]) => `getBlackList({ listBlacks() { throw ${error} } }, input, { operationID: "op-7" })`),
  ).map((text) => JSON.parse(text));
  expect(lines).toHaveLength(thrown.length);
  for (const [index, [what, , error]] of thrown.entries()) {
    expect(lines[index], what).toStrictEqual({ ...line, error });
  }
});
