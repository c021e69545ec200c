/** What a host's own writes may cost with a map. */
import type { Definition, Pair } from "../report/targets.js";
import type { Way } from "./host.js";
import { contestantOf, engines } from "./trials.js";
import { largeWrites, ownWrites, smallWrites, type Write } from "./writes.js";

function definitionOf(engine: string, { name, atMost }: Write, ways: readonly Way[], suffix = ""): Definition {
  const trial = `${engine}: ${name}`;
  return {
    name: `${trial}${suffix}: mapped / plain`,
    ...(atMost !== undefined && { goal: { atMost } }),
    of: ways.map((way): Pair => [trial, contestantOf("mapped", way), trial, contestantOf("plain", way)]),
  };
}

const waiting: readonly Way[] = ["prepared once", "prepared each time"];

export const hostDefinitions: readonly Definition[] = engines.flatMap((engine) => [
  ...smallWrites.map((write) => definitionOf(engine, write, waiting)),
  ...smallWrites.map((write) =>
    definitionOf(engine, write, ["without waiting for the disk"], ", without waiting for the disk"),
  ),
  ...largeWrites.map((write) => definitionOf(engine, write, ["prepared once"])),
  ...(engine === "PostgreSQL"
    ? ownWrites.map(({ name, atMost = 0 }): Definition => {
        const trial = `${engine}: ${name}`;
        return {
          name: `${trial}: im-admin's own tables / without triggers`,
          goal: { atMost },
          of: [[trial, "im-admin's own tables", trial, "without triggers"]],
        };
      })
    : []),
]);
