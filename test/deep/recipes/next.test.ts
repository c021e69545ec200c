import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { relative } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { root } from "../../helpers/docs/pages.js";
import { block } from "../../helpers/docs/recipePage.js";
import { expectServed } from "../../helpers/http/published.js";
import { secret } from "../../helpers/http/request.js";
import { sendToPort } from "../../helpers/http/send.js";
import { freePort } from "../../helpers/http/sockets.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { deep, fillStore, sharedBlock } from "../helpers/recipes.js";
import { startProgram } from "../helpers/runtimes.js";

const next = `${deep}node_modules/next/dist/bin/next`;
const title = "Next.js and other route handlers";

/** An application with the files of the page, and the usual others. It finds its packages in the folders above. */
function application(): string {
  // Next.js takes no packages from outside of its root.
  const folder = mkdtempSync(`${deep}next-`);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = {
    "package.json": JSON.stringify({ private: true, type: "module" }),
    "tsconfig.json": JSON.stringify({
      compilerOptions: { module: "esnext", moduleResolution: "bundler", strict: true, paths: { "@/*": ["./*"] } },
    }),
    "next.config.js": block(title, 1).replace(
      "};",
      `, output: "standalone", turbopack: { root: ${JSON.stringify(root)} }, outputFileTracingRoot: ${JSON.stringify(root)} };`,
    ),
    "imAdmin.ts": sharedBlock(folder),
    "app/api/admin/[...path]/route.ts": block(title),
    "app/layout.js": "export default ({ children }) => <html><body>{children}</body></html>;",
    "app/page.js": "export default () => <p>Hello</p>;",
  };
  for (const path of ["app/api/admin/[...path]", "node_modules"]) mkdirSync(`${folder}/${path}`, { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(`${folder}/${path}`, text);
  symlinkSync(root, `${folder}/node_modules/im-admin`);
  return folder;
}

it("Next.js builds it without a database, and serves it elsewhere, with the files that it has traced", async () => {
  const built = application();
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } as const;
  execFileSync(process.execPath, [next, "build"], { cwd: built, env, stdio: "pipe" });

  await fillStore(`${built}/im.db`);
  const cwd = temporaryFolder();
  cpSync(`${built}/.next/standalone`, cwd, { recursive: true, verbatimSymlinks: true });
  const port = await freePort();
  const server = `${cwd}/${relative(root, built)}/server.js`;
  await startProgram(process.execPath, [server], /(Ready) in/, {
    cwd,
    env: { ...env, IM_ADMIN_SECRET: secret, HOSTNAME: "127.0.0.1", PORT: `${port}` },
  });
  await expectServed(sendToPort(port), { base: "/api/admin", hasAllMethods: false });
});

it("what traces the files of a program finds the engine", async () => {
  const { nodeFileTrace } = createRequire(import.meta.url)("next/dist/compiled/@vercel/nft");
  const { fileList } = await nodeFileTrace([`${root}dist/src/stores/drivers/sqlite.js`], { base: root });
  expect([...fileList]).toContain("node_modules/better-sqlite3/build/Release/better_sqlite3.node");
});
