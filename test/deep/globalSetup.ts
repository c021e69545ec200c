import { existsSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

export default function setUp({ config }: TestProject): void {
  const { SEED, ROUNDS } = config.env;
  process.stdout.write(`To have the same again: SEED=${SEED} ROUNDS=${ROUNDS} npm run test:deep\n`);
  linkPackage();
}

/** Lets programs below this folder import the package by its name, as in the projects of its users. */
function linkPackage(): void {
  const link = fileURLToPath(new URL("node_modules/im-admin", import.meta.url));
  if (!existsSync(link)) symlinkSync(fileURLToPath(new URL("../../", import.meta.url)), link, "junction");
}
