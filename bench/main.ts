import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "../test/helpers/postgres/cluster.js";
import { ages } from "./age.js";
import { type Edition, editionOf } from "./editions.js";
import { help, type Options, readOptions } from "./options.js";
import { writeReport } from "./report/write.js";
import { runRounds } from "./rounds.js";
import { scaleOf } from "./scale.js";
import type { Trial } from "./trial.js";
import { pathOf, type World } from "./world.js";

/** Makes the databases, runs the trials, and reports. */
export async function main(root: string, flags: string[]): Promise<void> {
  const options = readOptions(flags);
  if (options.help) {
    process.stdout.write(help);
    return;
  }
  if (options.age) {
    process.stdout.write(ages(root));
    return;
  }
  const edition = editionOf(options);
  const chosen = chosenTrials(options, edition);
  const databases = new Set(chosen.flatMap(({ databases }) => databases));
  const world: World = {
    edition: options.edition,
    folder: mkdtempSync(join(tmpdir(), "im-admin-bench-")),
    scale: scaleOf(options.members),
    milliseconds: options.milliseconds,
  };
  const server = edition.server && (await startCluster({ settings: edition.server }));
  if (server !== undefined) world.postgres = server.folder;
  const tidy = () => rmSync(world.folder, { recursive: true, force: true });
  process.once("SIGINT", () => {
    tidy();
    process.exit(130);
  });
  try {
    let start = performance.now();
    for await (const name of edition.build(world, databases)) {
      print(`made the database "${name}" in ${((performance.now() - start) / 1000).toFixed(1)} s`);
      start = performance.now();
    }
    const results = await runRounds(chosen, world, options, ({ databases }) =>
      readIntoMemory(databases.map((name) => pathOf(world, name))),
    );
    writeReport({ root, flags, options, edition, scale: world.scale, results });
  } finally {
    await server?.stop();
    tidy();
  }
}

function chosenTrials({ only }: Options, { trials }: Edition): Trial[] {
  const chosen = trials.filter(({ name }) => name.includes(only));
  if (chosen.length === 0) throw new Error(`no trial has "${only}" in its name`);
  return chosen;
}

/** Reads files once, so that the system has them in memory. A trial would otherwise measure the disk. */
async function readIntoMemory(paths: readonly string[]): Promise<void> {
  for (const path of paths) for await (const _ of createReadStream(path, { highWaterMark: 1_048_576 }));
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
