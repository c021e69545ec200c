import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const cwd = fileURLToPath(new URL("../../", import.meta.url));

/** What a program prints to standard error whose store fails. */
function printed(call: string): string {
  const program = `
    import { getBlackList } from "im-admin";
    import { createFetchHandler } from "im-admin/fetch";
    const cause = new Error("connect ECONNREFUSED");
    const store = new Proxy({}, { get: () => async () => { throw new Error("no database\\nat all", { cause }) } });
    const input = { userID: "u1", pagination: { pageNumber: 1, showNumber: 1 } };
    const request = () => new Request("http://x/friend/get_black_list", {
      method: "POST", headers: { operationID: "op-7", token: "secret token" }, body: JSON.stringify(input) });
    ${call}`;
  const { stderr, status } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd,
    encoding: "utf8",
  });
  expect(status).toBe(0);
  return stderr;
}

const line = {
  message: "im-admin: a call was answered as 500",
  operation: "getBlackList",
  operationID: "op-7",
  error: {
    name: "Error",
    message: "no database\nat all",
    stack: expect.stringContaining("at "),
    cause: { name: "Error", message: "connect ECONNREFUSED", stack: expect.any(String) },
  },
};

it.each([
  ["a function", 'await getBlackList(store, input, { operationID: "op-7" });'],
  ["an adapter", 'await createFetchHandler({ store, authenticate: () => ({ adminUserID: "a" }) })(request());'],
  [
    "an adapter with another observer",
    'await createFetchHandler({ store, authenticate: () => ({ adminUserID: "a" }), observer: { onCall() {} } })(request());',
  ],
])("prints the cause of a 500 of %s in one line where nobody else wants to know it", (_name, call) => {
  const lines = printed(call).trimEnd().split("\n");
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toStrictEqual(line);
});

it("prints no token", () => {
  expect(
    printed('await createFetchHandler({ store, authenticate: () => ({ adminUserID: "a" }) })(request());'),
  ).not.toContain("secret token");
});

it("prints nothing where an observer has onError, nor what the answer shows", () => {
  expect(printed("await getBlackList(store, input, { observer: { onError() {} } });")).toBe("");
  expect(printed("await getBlackList(store, {});")).toBe("");
});

it("prints the code that a driver has given an error, which may have no message", () => {
  const thrown = 'Object.assign(new AggregateError([], ""), { code: "ECONNREFUSED" })';
  const { error } = JSON.parse(printed(`await getBlackList({ listBlacks() { throw ${thrown} } }, input);`));
  expect(error).toMatchObject({ name: "AggregateError", message: "", code: "ECONNREFUSED" });
});

it("prints the message and the code of what is thrown though it is no error, and causes that go round in a circle", () => {
  const fails = (thrown: string) =>
    printed(`await getBlackList({ listBlacks() { throw ${thrown} } }, input, { operationID: "op-7" });`);
  expect(JSON.parse(fails('"out of order"'))).toStrictEqual({ ...line, error: "out of order" });
  const answer = '{ message: "permission denied", code: "42501", password: "p" }';
  expect(JSON.parse(fails(answer))).toStrictEqual({
    ...line,
    error: { message: "permission denied", code: "42501" },
  });
  expect(JSON.parse(fails("{ size: 1n }"))).toStrictEqual({ ...line, error: { message: "[object Object]" } });
  expect(fails("Object.assign(cause, { cause })").trimEnd().split("\n")).toHaveLength(1);
});

it.each([
  ["has no prototype", "Object.create(null)"],
  ["cannot be read", '{ get message() { throw new Error("not for you") } }'],
  ["has a message that is no text", "{ message: 1n, name: cause, stack: { toJSON() { throw cause } } }"],
])("prints a line for what is thrown though it %s", (_name, thrown) => {
  const output = printed(`await getBlackList({ listBlacks() { throw ${thrown} } }, input, { operationID: "op-7" });`);
  expect(JSON.parse(output)).toMatchObject({ message: line.message, operation: "getBlackList", operationID: "op-7" });
});
