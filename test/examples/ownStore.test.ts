import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../examples/own-store/", import.meta.url));

it("prints what the example's README says", async () => {
  const { outputFiles } = await build({
    entryPoints: [`${folder}main.ts`],
    bundle: true,
    write: false,
    format: "esm",
    packages: "external",
  });
  const program = outputFiles[0]?.text ?? "";
  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: folder });
  const [, promised] = /It prints:\n\n```\n(.*?)```/s.exec(readFileSync(`${folder}README.md`, "utf8")) ?? [];
  expect(printed.toString()).toBe(promised);
});
