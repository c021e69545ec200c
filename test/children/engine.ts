import { engineFailures, type OpenEmpty } from "../engineCases.js";

/** Stores of the engines that only some runtimes have, in a file or in memory. */
const engines: Readonly<Record<string, () => Promise<(path: string) => ReturnType<OpenEmpty>>>> = {
  async "node-sqlite"() {
    const { openNodeSqliteStore } = await import("../../src/stores/drivers/nodeSqlite.js");
    return async (path) => openNodeSqliteStore({ path });
  },
  async "bun-sqlite"() {
    const { openBunSqliteStore } = await import("../../src/stores/drivers/bunSqlite.js");
    return async (path) => openBunSqliteStore({ path });
  },
};

const [engine = "", path = ""] = process.argv.slice(2);
const open = await engines[engine]?.();
if (open === undefined) throw new Error(`there is no engine ${engine}`);
const failures = await engineFailures(
  () => open(":memory:"),
  () => open(path),
);
process.stdout.write(JSON.stringify(failures));
