#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { fail, runCommandLine } from "./commandLine.js";
import { wholeOutput } from "./wholeOutput.js";

/** The package file stands beside the folder `dist`. */
const packageFile = new URL("../../../package.json", import.meta.url);

// If the reader has left, as head does, that is no failure. Any other error is one.
process.stdout.on("error", (error: NodeJS.ErrnoException) => error.code === "EPIPE" || fail(error));
process.stderr.on("error", () => {});

const keep = wholeOutput(process.stdout);
await runCommandLine(process.argv.slice(2), JSON.parse(readFileSync(packageFile, "utf8")).version);
try {
  keep();
} catch (error) {
  fail(error);
}
