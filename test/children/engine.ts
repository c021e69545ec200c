import { engineFailures, type OpenEmpty } from "../helpers/engineCases.js";

/**
 * Runs in a runtime that has an engine, and prints as JSON what a built module of the package exports, and what becomes
 * of its store: by each of the options that are given, or by all cases where there is only the path of a file.
 */
const [module = "", name = "", asked = ""] = process.argv.slice(2);
const exported = await import(module);

async function openEach(options: object[]): Promise<string[]> {
  const told: string[] = [];
  for (const each of options) {
    try {
      const store = exported[name](each);
      await store.put({ users: [{ userID: "u1" }] });
      await store.close();
      told.push("opened");
    } catch (error) {
      told.push((error as Error).message);
    }
  }
  return told;
}

const open =
  (path: string): OpenEmpty =>
  async () =>
    exported[name]({ path });
const told = asked.startsWith("[")
  ? await openEach(JSON.parse(asked))
  : await engineFailures(open(":memory:"), open(asked));
process.stdout.write(JSON.stringify({ names: Object.keys(exported), told }));
