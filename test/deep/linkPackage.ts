import { existsSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Lets programs below this folder import the package by its name, as in the projects of its users. */
export default function linkPackage(): void {
  const link = fileURLToPath(new URL("node_modules/im-admin", import.meta.url));
  if (!existsSync(link)) symlinkSync(fileURLToPath(new URL("../../", import.meta.url)), link, "junction");
}
