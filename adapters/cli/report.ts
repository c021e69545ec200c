import type { Option } from "commander";
import { option } from "./flags.js";

/** The flag of a command that has something to report. */
export interface ReportFlags {
  json?: boolean;
}

export function reportOption(): Option {
  return option("--json", "report what was done on standard output, as JSON");
}

/** Reports to a program what standard error tells a person. */
export function report({ json }: ReportFlags, done: object): void {
  if (json) process.stdout.write(`${JSON.stringify(done)}\n`);
}

/** A number as people read it. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
