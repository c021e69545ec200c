import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { it, onTestFinished } from "vitest";
import { root } from "../../helpers/docs/pages.js";
import { block } from "../../helpers/docs/recipePage.js";
import { expectServed } from "../../helpers/http/published.js";
import { secret } from "../../helpers/http/request.js";
import { sendToPort } from "../../helpers/http/send.js";
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
    "next.config.js": `${block(title, 1).replace("};", `, turbopack: { root: ${JSON.stringify(root)} } };`)}`,
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

it("Next.js builds it without a database, and serves it", async () => {
  const cwd = application();
  const env = {
    ...process.env,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    IM_ADMIN_SECRET: secret,
  } as const;
  execFileSync(process.execPath, [next, "build"], { cwd, env: { ...env, IM_ADMIN_SECRET: undefined }, stdio: "pipe" });

  await fillStore(`${cwd}/im.db`);
  const flags = ["start", "-H", "127.0.0.1", "-p", "0"];
  const { port } = await startProgram("next", flags, /(?:localhost|127\.0\.0\.1):(\d+)/, { cwd, env });
  await expectServed(sendToPort(port), { base: "/api/admin", hasAllMethods: false });
});
