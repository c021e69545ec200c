/** The recipes of docs/operations.md for reverse proxies, with the ports changed and without a certificate. */
import type { ChildProcess } from "node:child_process";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { serve } from "../../helpers/cliProcess.js";
import { blockIn } from "../../helpers/docs/pages.js";
import { freePort } from "../../helpers/http/sockets.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { runCaddy, runNginx } from "../helpers/proxies.js";

const secret = "a-secret-of-some-length";

type Start = (folder: string, port: number, upstream: string) => ChildProcess;

const page = "docs/operations.md";

const nginx: Start = (folder, port, upstream) =>
  runNginx(folder, port, blockIn(page, "proxy_pass").replaceAll("127.0.0.1:10002", upstream));

const caddy: Start = (folder, port, upstream) => {
  const site = blockIn(page, "reverse_proxy").replace("admin.example.org", `http://admin.example.org:${port}`);
  return runCaddy(folder, site.replace("127.0.0.1:10002", upstream));
};

async function startBehind(start: Start) {
  const flags = `--db :memory: --secret ${secret} --admin boss --token-endpoint --allow-host admin.example.org --trust-proxy x-forwarded-for=127.0.0.1`;
  const { url } = await serve(flags.split(" "));
  const port = await freePort();
  const proxy = start(temporaryFolder(), port, new URL(url).host);
  onTestFinished(() => void proxy.kill());
  const send = async (address: string, target: string, sent: object) => {
    const body = JSON.stringify(sent);
    const socket = connect({ port, host: "127.0.0.1", localAddress: address });
    socket.write(
      `POST ${target} HTTP/1.1\r\nHost: admin.example.org\r\noperationID: op1\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const answer = await text(socket);
    return { status: Number(answer.slice(9, 12)), body: answer };
  };
  for (;;) {
    const answered = await send("127.0.0.1", "/healthz", {}).catch(() => undefined);
    if (answered !== undefined) return send;
    await sleep(50);
  }
}

const tokenPath = "/auth/get_admin_token";
const right = { secret, userID: "boss" };
const wrong = { secret: "wrong", userID: "boss" };

describe.each([
  ["nginx", nginx],
  ["Caddy", caddy],
])("%s", (name, start) => {
  it("passes a request on, and keeps one client's wrong attempts from locking out another", async () => {
    const send = await startBehind(start);
    const answers = [];
    for (let count = 0; count < 12; count++) {
      const { status, body } = await send("127.0.0.2", tokenPath, wrong);
      answers.push(status === 503 ? "503" : /NoPermissionError: (\w+)/.exec(body)?.[1]);
    }
    const refused = name === "nginx" ? Array(8).fill("503") : [...Array(6).fill("secret"), "too", "too"];
    expect(answers).toEqual([...Array(4).fill("secret"), ...refused]);
    expect((await send("127.0.0.3", tokenPath, right)).body).toContain('"errCode":0');
  });
});

it("nginx limits the path of tokens in every spelling that is answered", async () => {
  const send = await startBehind(nginx);
  const spellings = [
    ...["", "/", "//", "\\", "#f", "?a", "/./", "%2f"].map((end) => tokenPath + end),
    ...["/auth\\get_admin_token", "//auth/get_admin_token", "/auth/./get_admin_token", "/auth/%67et_admin_token"],
  ];
  let reached = 0;
  for (const target of [...spellings, ...spellings, ...spellings]) {
    const { status, body } = await send("127.0.0.2", target, wrong);
    if (body.includes("NoPermissionError")) reached += 1;
    else expect([404, 503]).toContain(status);
  }
  // Four at once, and one for each 12 seconds.
  expect(reached).toBeLessThanOrEqual(5);
});
