import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { root } from "../../helpers/docs/pages.js";

export const packageJson = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

/** What programs import. */
export const subpaths = Object.keys(packageJson.exports).map((subpath) => subpath.replace(".", "im-admin"));

/** A user's project, in which the tarball that `npm publish` would send is installed before the tests of a file. */
export function useProject(...installed: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "im-admin-project-"));
  beforeAll(() => {
    const npm = (...args: string[]) => execFileSync("npm", [...args, "--silent"], { cwd: folder });
    npm("pack", root, "--ignore-scripts", "--pack-destination", folder);
    const [tarball = ""] = readdirSync(folder);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    npm("install", join(folder, tarball), "--prefix", folder, ...installed, "--prefer-offline", "--no-audit");
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return {
    path: (...names: string[]) => join(folder, ...names),
    /** Runs Node in the project. */
    node: (...args: string[]) =>
      execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }),
  };
}
