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
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "LICENSES.txt"), licensesOf(bundledFiles(metafile)));
    });
  },
};

/** The files of which something is in a bundle. */
function bundledFiles({ outputs }: Metafile): string[] {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  return files.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
}

/** The licences of the packages that files are of. */
export function licensesOf(files: readonly string[]): string {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set(folders)]
    .sort()
    .map(licenceOf)
    .join(`\n${"-".repeat(80)}\n\n`);
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  if (files.length === 0) throw new Error(`${folder} has no file with its licence`);
  const texts = files.map((file) => `${readFileSync(join(folder, file), "utf8").trim()}\n`);
  return [`${name} ${version} (${license})\n`, ...texts].join("\n");
}
