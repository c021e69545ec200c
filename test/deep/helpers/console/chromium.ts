import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";

const deep = fileURLToPath(new URL("../../", import.meta.url));

/** Starts a browser: the one that `CHROME_PATH` names, or else the Chromium that an npm package brings. */
export async function launchBrowser(): Promise<Browser> {
  const installed = process.env["CHROME_PATH"];
  if (installed) return chromium.launch({ executablePath: installed });
  const folder = unpacked();
  const executablePath = join(folder, "chromium");
  try {
    return await chromium.launch({ executablePath });
  } catch {
    // The system lacks libraries, which the package also brings.
    const libraries = join(folder, "al2023", "lib");
    return chromium.launch({ executablePath, env: { ...process.env, LD_LIBRARY_PATH: libraries } });
  }
}

/** The folder with Chromium. The first test that needs it unpacks it; others may do so at the same time. */
function unpacked(): string {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("npm brings a Chromium for Linux on x64 only: let CHROME_PATH name one that is installed");
  }
  const packageFile = createRequire(import.meta.url)
    .resolve("@sparticuz/chromium")
    .replace(/build.*$/, "package.json");
  const { version } = JSON.parse(readFileSync(packageFile, "utf8"));
  const cache = join(deep, "..", "..", "node_modules", ".cache", "im-admin");
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, "fresh-"));
  const program = 'const { default: chromium } = await import("@sparticuz/chromium"); await chromium.executablePath();';
  // The package only unpacks its libraries on a machine that looks like one of AWS.
  const env = { ...process.env, TMPDIR: fresh, AWS_LAMBDA_JS_RUNTIME: "nodejs22.x" };
  execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: deep, env });
  try {
    renameSync(fresh, folder);
  } catch {
    rmSync(fresh, { recursive: true });
  }
  return folder;
}
