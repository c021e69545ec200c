import { readFileSync } from "node:fs";

/** How much memory a process has, in bytes. */
export function residentBytes(pid: number | undefined): number {
  return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}
