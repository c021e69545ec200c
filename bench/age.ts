/** Tells how old the results are: what has changed since in the code that they measure. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type Edition, editions } from "./editions.js";

/** For each result, the commits since the one that it was measured on. */
export function ages(root: string): string {
  return Object.values(editions)
    .map((edition) => age(root, edition))
    .join("\n");
}

function age(root: string, { name, measures }: Edition): string {
  const path = `bench/results/${name}.md`;
  const commit = commitIn(readFileSync(root + path, "utf8"));
  const flags = ["log", "--oneline", "--no-decorate", `${commit}..HEAD`, "--", ...measures];
  const changes = execFileSync("git", flags, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
  const lines = changes.map((line) => `  ${line}\n`).join("");
  return `${path} was measured on ${commit}. Commits since then that change what it measures: ${changes.length}\n${lines}`;
}

/** The commit that a result was measured on. */
export function commitIn(result: string): string {
  const [, commit] = /^commit: "(\w+)/m.exec(result) ?? [];
  if (commit === undefined) throw new Error("the result names no commit");
  return commit;
}
