import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile, Plugin } from "esbuild";

/** Writes the licences of the packages that a bundle really holds, to a file beside it. */
export const writeLicenses: Plugin = {
  name: "write licences",
  setup(build) {
    build.initialOptions.metafile = true;
    build.onEnd(({ metafile }) => {
      if (metafile === undefined) return;
      const folder = build.initialOptions.outdir ?? ".";
      const text = packagesOf(metafile)
        .map(licenceOf)
        .join(`\n${"-".repeat(80)}\n\n`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "LICENSES.txt"), text);
    });
  },
};

/** The folders of the packages of which something is in a bundle. */
function packagesOf({ outputs }: Metafile): string[] {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const folders = files
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  if (files.length === 0) throw new Error(`${folder} has no file with its licence`);
  const texts = files.map((file) => `${readFileSync(join(folder, file), "utf8").trim()}\n`);
  return [`${name} ${version} (${license})\n`, ...texts].join("\n");
}
