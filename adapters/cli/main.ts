#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { fail, runCommandLine } from "./commandLine.js";

/** It stands beside the folder of what was built. */
const packageFile = new URL("../../../package.json", import.meta.url);

// A reader that has gone, such as head, wants no more; what cannot be written otherwise is a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => error.code === "EPIPE" || fail(error));
process.stderr.on("error", () => {});

await runCommandLine(process.argv.slice(2), JSON.parse(readFileSync(packageFile, "utf8")).version);
