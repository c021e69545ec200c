import { engineFailures, type OpenEmpty } from "../helpers/engineCases.js";

/** Runs the cases of an engine on what a built module of the package exports, in a runtime that has the engine. */
const [module = "", name = "", path = ""] = process.argv.slice(2);
const exported = await import(module);
const open =
  (path: string): OpenEmpty =>
  async () =>
    exported[name]({ path });
const failures = await engineFailures(open(":memory:"), open(path));
process.stdout.write(JSON.stringify({ failures, names: Object.keys(exported) }));
