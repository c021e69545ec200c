import type { Option } from "commander";
import { option } from "./flags.js";

/** The flag of a command that can report to programs. */
export interface ReportFlags {
  json?: boolean;
}

export function reportOption(): Option {
  return option("--json", "report to programs on standard output, as JSON");
}

/** Writes a report for programs to standard output. Standard error tells people the same. */
export function report({ json }: ReportFlags, done: object): void {
  if (json) process.stdout.write(`${JSON.stringify(done)}\n`);
}

/** A number with commas, for people. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
