/** The recipes of docs/openim.md for proxies in front of OpenIM and im-admin, with the ports changed and without a certificate. */
import { describe, expect, it } from "vitest";
import { blockIn } from "../../helpers/docs/pages.js";
import { runCaddy, runHaproxy, runNginx } from "../helpers/proxies.js";
import { listBody, listPath, type Ports, type StartProxy, startBehind, Traffic } from "./behindProxy.js";

/** What a page adds to a configuration, in two parts. */
function added(part: string, between: string, ports: Ports): [string, string] {
  const code = blockIn("docs/openim.md", part)
    .replaceAll("127.0.0.1:10003", `127.0.0.1:${ports.imAdmin}`)
    .replaceAll("127.0.0.1:10002", `127.0.0.1:${ports.openIm}`);
  const at = code.indexOf(between);
  return [code.slice(0, at), code.slice(at)];
}

const nginx: StartProxy = (folder, ports) => {
  const [beside, inServer] = added("fail_timeout", "\nlocation", ports);
  const server = `server {
    listen 443 ssl;
    client_max_body_size 0;
    location /api/ {
      proxy_pass http://127.0.0.1:${ports.openIm}/;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_request_buffering off;
    }
    location /msg_gateway {
      proxy_pass http://127.0.0.1:${ports.gateway}/;
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection "upgrade";
    }
    ${inServer}
  }`;
  return runNginx(folder, ports.proxy, beside + server);
};

const haproxy: StartProxy = (folder, ports) => {
  const [inFrontend, backend] = added("acl list", "\nbackend", ports);
  return runHaproxy(
    folder,
    `defaults
  mode http
  option forwardfor
  timeout connect 2s
  timeout client 60s
  timeout server 60s
frontend chat
  bind 127.0.0.1:${ports.proxy}
${inFrontend}
  use_backend gateway if { path_beg /msg_gateway }
  default_backend api
backend api
  http-request replace-path /api(/.*) \\1
  server openim 127.0.0.1:${ports.openIm}
backend gateway
  http-request replace-path /msg_gateway(.*) /\\1
  server openim 127.0.0.1:${ports.gateway}
${backend}`,
  );
};

const caddy: StartProxy = (folder, ports) => {
  const site = added("health_uri", "", ports).join("");
  return runCaddy(
    folder,
    `http://127.0.0.1:${ports.proxy} {
${site}
  handle_path /api/* {
    reverse_proxy 127.0.0.1:${ports.openIm}
  }
  handle_path /msg_gateway* {
    reverse_proxy 127.0.0.1:${ports.gateway}
  }
}
`,
  );
};

describe.each([
  ["nginx", nginx],
  ["HAProxy", haproxy],
  ["Caddy", caddy],
])("%s", (name, startProxy) => {
  // Caddy 2.6 cannot send a request again: until it knows that im-admin is not there, lists fail.
  const missed = name === "Caddy" ? /^502$/ : /^never$/;

  it("asks im-admin for lists, and OpenIM for them where im-admin is not there, and for all else", async () => {
    const behind = await startBehind(startProxy);
    const { openIm, token, send, serve, openWebSocket } = behind;
    let imAdmin = await serve();
    const traffic = new Traffic(behind);
    await traffic.answered("own", 1);

    const user = "127.0.0.1, 127.0.0.1";
    expect((await send(listPath, listBody)).value).toStrictEqual({
      url: listPath,
      length: listBody.length,
      from: user,
    });
    const upload = new Uint8Array(50_000_000);
    const uploaded = { url: "/object/upload?a=b", length: upload.length, from: "127.0.0.1" };
    expect((await send("/object/upload?a=b", upload)).value).toStrictEqual(uploaded);
    expect(await openWebSocket("/msg_gateway?token=x")).toStrictEqual(["/?token=x", "websocket"]);
    expect(await traffic.answered("own", 100)).toStrictEqual([]);

    await imAdmin.end("SIGTERM");
    const missedAtStop = await traffic.answered("openIm", 200);
    expect(missedAtStop.filter((failure) => !missed.test(failure))).toStrictEqual([]);
    imAdmin = await serve();
    expect(await traffic.answered("own", 100)).toStrictEqual([]);

    await imAdmin.end("SIGKILL");
    const missedAtKill = await traffic.answered("openIm", 200);
    // An answer that had begun is cut off.
    expect(missedAtKill.filter((failure) => failure !== "cut off" && !missed.test(failure))).toStrictEqual([]);
    expect(missedAtKill.filter((failure) => failure === "cut off").length).toBeLessThanOrEqual(traffic.atOnce);
    imAdmin = await serve();
    expect(await traffic.answered("own", 100)).toStrictEqual([]);
    await traffic.end();

    await openIm.stop();
    expect((await send(listPath, listBody, token)).value).toMatchObject({ errCode: 0, data: { total: 0 } });
    expect((await send(listPath, listBody)).text).toContain("the upstream gave no answer");
    expect([502, 503, "cut off"]).toContain((await send("/object/upload", "")).status);
    await openIm.listen();
    expect((await send(listPath, listBody)).value).toMatchObject({ url: listPath });
    expect((await send("/object/upload?a=b", upload)).value).toStrictEqual(uploaded);

    const writes = openIm.arrived.filter((arrival) => !arrival.startsWith(listPath));
    expect(writes.length).toBeGreaterThan(100);
    expect(new Set(writes).size).toBe(writes.length);
  });
});
