import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Metrics } from "../../../../adapters/cli/metrics.js";
import { imAdmin, post, serve, serveHere } from "../../../helpers/cliProcess.js";
import { exchange, freePort, openSocket, startLine } from "../../../helpers/http/sockets.js";
import { temporaryFolder } from "../../../helpers/stores.js";

const pagination = { pageNumber: 1, showNumber: 3 };

async function serveWithMetrics(...flags: string[]) {
  const port = await freePort();
  const db = join(temporaryFolder(), "im.db");
  const server = await serve(["--demo", "--db", db, "--metrics-port", `${port}`, ...flags]);
  const read = async (path = "/metrics") => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
  };
  return { ...server, port, read };
}

const count = 'im_admin_call_duration_seconds_count{operation="getBlackList",code="1004"}';

it("serve counts calls and connections for Prometheus, on a port of its own", async () => {
  const { url, token, port, read, stop } = await serveWithMetrics();
  for (const userID of ["nobody", "noone"]) await post(`${url}/friend/get_black_list`, token, { userID, pagination });
  await post(`${url}/user/search_notification_account`, token, { pagination });
  const { status, type, text } = await read();
  expect([status, type]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  const lines = text.split("\n");
  expect(lines).toContain(`${count} 2`);
  expect(lines).toContain('im_admin_call_duration_seconds_count{operation="searchNotificationAccount",code="0"} 1');
  expect(lines).toContain("im_admin_heavy_calls_waiting 0");
  expect(lines).toContain("im_admin_pages_from_records 0");
  expect(lines).toContain("im_admin_changes_waiting 0");
  expect(text).toMatch(/^im_admin_connections [1-9]/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  // It is neither an operation nor told on the port of the operations.
  expect(text).not.toContain("nobody");
  expect((await read("/")).status).toBe(404);
  const ofOtherSite = await exchange(port, "GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
  expect(startLine(ofOtherSite)).toMatchObject({ status: 403 });
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
  expect((await stop()).status).toBe(0);
  await expect(read()).rejects.toThrow("fetch failed");
});

it("serve tells the metrics of all its processes together", async () => {
  const { url, token, read, stop } = await serveWithMetrics("--processes", "2");
  for (let call = 0; call < 6; call++)
    await post(`${url}/friend/get_black_list`, token, { userID: "nobody", pagination });
  await expect.poll(async () => (await read()).text.split("\n")).toContain(`${count} 6`);
  expect((await stop()).status).toBe(0);
});

it.each([[[]], [["--processes", "2"]]])(
  "serve %j ends although somebody keeps a connection for metrics",
  async (flags) => {
    const { port, stop } = await serveWithMetrics(...flags);
    const socket = await openSocket(port);
    onTestFinished(() => void socket.destroy());
    expect((await stop()).status).toBe(0);
  },
);

it("tells the rest where the database does not answer", async () => {
  const metrics = new Metrics(() => Promise.reject(new Error("the server is down")));
  const port = await freePort();
  await metrics.listen({ port, host: "127.0.0.1", names: undefined });
  onTestFinished(() => metrics.close());
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(text).toContain("im_admin_connections 0");
  expect(text).not.toMatch(/^im_admin_(heavy|changes|settled)/m);
});

it("says which flag chooses another port where that of the metrics is in use", async () => {
  const { port } = new URL((await serveHere(["--demo", "--db", ":memory:"])).url);
  const flags = ["--demo", "--db", ":memory:", "--port", "0", "--metrics-port", port];
  const { status, stderr } = await imAdmin(["serve", ...flags]);
  expect(status).toBe(1);
  expect(stderr).toContain(
    `port ${port} of 127.0.0.1 is in use: end what listens there, or choose another with --metrics-port`,
  );
});
