import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { AdminError, createAdminClient, TransportError, unwrap } from "../../../adapters/client.js";
import { isDeep } from "../../helpers/chance.js";
import { startServer, startServerOf, token } from "../../helpers/client/servers.js";
import { deferred } from "../../helpers/deferred.js";
import { passTime, stopTimers } from "../../helpers/http/hosts.js";

const input = { userID: "u1", pagination: { pageNumber: 1, showNumber: 10 } };

/** Expects a call to reject with a failure that looks so. */
async function expectFailure(url: string, looks: object): Promise<void> {
  const { getBlackList } = createAdminClient({ url, token, operationID: "op-1" });
  const error = await getBlackList(input).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TransportError);
  expect(error).toMatchObject({ name: "TransportError", operationID: "op-1", ...looks });
}

describe("a call that has no answer rejects with a TransportError", () => {
  it.each([
    ["the page of a proxy", "<html>Bad gateway</html>", 502],
    ["nothing", "", 200],
    ["JSON that is no object", "null", 200],
    ["an array", "[]", 200],
    ["JSON of another service", '{"status":"ok"}', 200],
    ["a code that is no number", '{"errCode":"0","errMsg":"","errDlt":"","data":{"total":0,"blacks":[]}}', 200],
    ["a success without data", '{"errCode":0,"errMsg":"","errDlt":""}', 200],
    ["a list that is none", '{"errCode":0,"errMsg":"","errDlt":"","data":{"total":1,"blacks":{}}}', 200],
    ["a failure without a message", '{"errCode":1004,"errDlt":""}', 200],
    ["a failure whose details are no text", '{"errCode":1004,"errMsg":"","errDlt":["x"]}', 200],
    [
      "a success whose details are no text",
      '{"errCode":0,"errMsg":"","errDlt":null,"data":{"total":0,"blacks":[]}}',
      200,
    ],
    ["a list of what is no item", '{"errCode":0,"errMsg":"","errDlt":"","data":{"total":1,"blacks":["x"]}}', 200],
    ["a list without its total", '{"errCode":0,"errMsg":"","errDlt":"","data":{"blacks":[]}}', 200],
  ])("where %s came", async (_what, body, status) => {
    const url = await startServerOf(body, status);
    const message = `${url}/friend/get_black_list answered with the status ${status} and no envelope`;
    await expectFailure(url, { message, status });
  });

  it("where nobody listens", async () => {
    const message = "http://127.0.0.1:1/friend/get_black_list could not be reached";
    await expectFailure("http://127.0.0.1:1", { message, status: undefined, cause: expect.any(Error) });
  });

  it("where the connection breaks within the answer", async () => {
    const url = await startServer((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write('{"errCode":0', () => response.destroy());
    });
    const message = `${url}/friend/get_black_list broke its answer off`;
    await expectFailure(url, { message, status: 200, cause: expect.any(Error) });
  });
});

describe("a call that takes too long", () => {
  it.each([
    ["where nothing comes", () => {}],
    ["where the answer never ends", (response: ServerResponse) => void response.write('{"errCode":0')],
  ])("%s", async (_what, begin) => {
    const [asked, closed] = [deferred(), deferred()];
    const url = await startServer((_request, response) => {
      response.once("close", closed.fulfil);
      begin(response);
      asked.fulfil();
    });
    stopTimers();
    const { getBlackList } = createAdminClient({ url, token, operationID: "op-1", timeoutMs: 50 });
    const failed = getBlackList(input).catch((reason: unknown) => reason);
    await asked.promise;
    await passTime(50);
    const error = await failed;
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ message: `${url}/friend/get_black_list gave no answer within 50 ms` });
    await closed.promise;
  });

  it("has 30 seconds where nothing else is said, and as long as it wants with false", async () => {
    stopTimers();
    const fetch = () => new Promise<never>(() => {});
    const [limited, endless] = [30_000, false as const].map((timeoutMs) =>
      createAdminClient({ url: "", token, fetch, ...(timeoutMs === false && { timeoutMs }) }).getBlackList(input),
    );
    expect(vi.getTimerCount()).toBe(1);
    const failed = expect(limited).rejects.toThrow("gave no answer within 30000 ms");
    await vi.advanceTimersByTimeAsync(30_000);
    await failed;
    expect(await Promise.race([endless, "pending"])).toBe("pending");
  });
});

if (isDeep) {
  it("gives an answer up that has more than 256 MiB", async () => {
    const chunk = Buffer.alloc(1_048_576, " ");
    const closed = deferred();
    const url = await startServer(async (_request, response) => {
      response.once("close", closed.fulfil);
      while (!response.destroyed) if (!response.write(chunk)) await once(response, "drain").catch(() => {});
    });
    await expectFailure(url, {
      message: `${url}/friend/get_black_list answered more than 268435456 bytes: ask for fewer items`,
    });
    await closed.promise;
  });
}

it("takes the token to no other server", async () => {
  let visits = 0;
  const other = await startServer((_request, response) => {
    visits += 1;
    response.end('{"errCode":0,"errMsg":"","errDlt":"","data":{"total":0,"blacks":[]}}');
  });
  for (const status of [301, 302, 303, 307, 308]) {
    const url = await startServerOf("", status, { location: `${other}/friend/get_black_list` });
    await expectFailure(url, { status });
  }
  expect(visits).toBe(0);
});

describe("a call that is given up rejects with the signal's reason", () => {
  const reason = new Error("the page was left");

  it("and is not sent where the signal was aborted before", async () => {
    let visits = 0;
    const url = await startServer(() => {
      visits += 1;
    });
    const { getBlackList } = createAdminClient({ url, token });
    await expect(getBlackList(input, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(visits).toBe(0);
  });

  it("while the server does not answer, which then sees the connection closed", async () => {
    const controller = new AbortController();
    let isClosed = false;
    const url = await startServer((request, response) => {
      response.once("close", () => {
        isClosed = true;
      });
      request.resume().once("end", () => controller.abort(reason));
    });
    const { getBlackList } = createAdminClient({ url, token });
    await expect(getBlackList(input, { signal: controller.signal })).rejects.toBe(reason);
    await expect.poll(() => isClosed).toBe(true);
  });

  it("while the token does not come", async () => {
    const controller = new AbortController();
    const { getBlackList } = createAdminClient({
      url: "http://127.0.0.1:1",
      token() {
        queueMicrotask(() => controller.abort(reason));
        return new Promise(() => {});
      },
    });
    await expect(getBlackList(input, { signal: controller.signal })).rejects.toBe(reason);
  });

  it("by AbortSignal.timeout", async () => {
    const url = await startServer(() => {});
    const { getBlackList } = createAdminClient({ url, token });
    await expect(getBlackList(input, { signal: AbortSignal.timeout(1) })).rejects.toMatchObject({
      name: "TimeoutError",
    });
  });
});

it("takes answers with a signal that is never aborted, and leaves nothing on it", async () => {
  const url = await startServerOf('{"errCode":0,"errMsg":"","errDlt":"","data":{"total":0,"blacks":[]}}');
  const { signal } = new AbortController();
  const listeners: string[] = [];
  const count = (sign: string) => (type: string) => void listeners.push(`${sign}${type}`);
  const watched = new Proxy(signal, {
    get(target, name) {
      if (name === "addEventListener") return count("+");
      if (name === "removeEventListener") return count("-");
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const client = createAdminClient({ url, token, fetch: (url, { signal: _, ...init }) => fetch(url, init) });
  expect(await client.getBlackList(input, { signal: watched })).toMatchObject({ errCode: 0 });
  expect(listeners).toEqual(["+abort", "-abort"]);
});

it("rejects with what the token's function throws", async () => {
  const signedOut = new Error("signed out");
  const client = createAdminClient({ url: "http://127.0.0.1:1", token: () => Promise.reject(signedOut) });
  await expect(client.getBlackList(input)).rejects.toBe(signedOut);
});

describe("unwrap", () => {
  it("gives the data of an answer", () => {
    expect(unwrap({ errCode: 0, errMsg: "", errDlt: "", data: [1] })).toEqual([1]);
    expect(unwrap({ errCode: 0, errMsg: "", errDlt: "", data: null })).toBeNull();
  });

  it("throws a failure", () => {
    const failure = {
      errCode: 1004,
      errMsg: "RecordNotFoundError",
      errDlt: "user nobody: [1004]RecordNotFoundError",
    } as const;
    expect(() => unwrap(failure)).toThrow(AdminError);
    expect(() => unwrap(failure)).toThrow(
      expect.objectContaining({ name: "AdminError", message: "user nobody: [1004]RecordNotFoundError", ...failure }),
    );
  });
});
