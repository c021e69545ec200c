import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { block } from "../../helpers/docs/recipePage.js";
import { expectServed } from "../../helpers/http/published.js";
import { sendToPort } from "../../helpers/http/send.js";
import { recipeFolder, sharedBlock } from "../helpers/recipes.js";
import { startProgram } from "../helpers/runtimes.js";

describe.each([
  ["Bun", ["bun", "run"], "openBunSqliteStore", "im-admin/bun-sqlite"],
  [
    "Deno",
    ["deno", "run", "--allow-net", "--allow-read", "--allow-write", "--allow-env"],
    "openNodeSqliteStore",
    "im-admin/node-sqlite",
  ],
] as const)("%s", (title, [command, ...flags], open, module) => {
  it("in a process of its own", async () => {
    const folder = await recipeFolder();
    const shared = sharedBlock(folder).replaceAll("openSqliteStore", open).replace("im-admin/sqlite", module);
    writeFileSync(`${folder}/imAdmin.ts`, shared);
    writeFileSync(`${folder}/main.js`, block(title).replace("3000", "0"));
    const { port, printed } = await startProgram(command, [...flags, "main.js"], /http:\/\/[^/]*:(\d+)/, {
      cwd: folder,
    });
    const send = sendToPort(port);
    await expectServed(send);
    const { status, text } = await send({ method: "GET", path: "/", headers: {} });
    expect({ status, text }).toStrictEqual({ status: 200, text: "Hello" });
    for (const host of ["a b", "[::1", "x:99999999", "%zz"]) await expectNoFailure(port, host);
    expect(printed()).not.toContain("rror");
  });
});

/** Clients may send what is no Host. Some runtimes refuse it themselves, some take it for no address. */
async function expectNoFailure(port: number, host: string): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.end(`POST /admin/user/x HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 (?:200|400|404) /);
}
