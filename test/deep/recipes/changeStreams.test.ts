import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { transform } from "esbuild";
import { expect, it, onTestFinished, vi } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { imAdmin } from "../../helpers/cliProcess.js";
import { packageFolder } from "../../helpers/docs/programs.js";
import { block } from "../../helpers/docs/recipePage.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { deep } from "../helpers/recipes.js";

const program = block("OpenIM's change streams");

/**
 * Stands for MongoDB and its driver. It keeps a log of changes, and gives them as MongoDB documents them: with the
 * document as it is when the change is read, and with a token for each place in the log. At the end of the log, it once
 * reports that nothing has changed, and then breaks off.
 */
const driver = `
  export const log = [];
  export const asked = [];
  const keys = { user: ["user_id"], group_member: ["group_id", "user_id"], msg: ["doc_id"] };
  const keyOf = (coll, document) => JSON.stringify([coll, ...keys[coll].map((key) => document[key])]);
  /** The documents that there are after so many changes. */
  export function documents(coll, length = log.length) {
    const found = new Map();
    for (const { operationType, ns, document } of log.slice(0, length)) {
      if (ns.coll !== coll) continue;
      if (operationType === "delete") found.delete(keyOf(coll, document));
      else found.set(keyOf(coll, document), document);
    }
    return [...found.values()];
  }
  export function write(operationType, coll, document) {
    log.push({ operationType, ns: { db: "openim_v3", coll }, document });
  }
  function changeAt(place) {
    const { operationType, ns, document } = log[place];
    const change = { _id: { _data: String(place + 1) }, operationType, ns };
    if (operationType === "delete") return { ...change, fullDocumentBeforeChange: document };
    if (operationType === "insert") return { ...change, fullDocument: document };
    const now = documents(ns.coll).find((each) => keyOf(ns.coll, each) === keyOf(ns.coll, document));
    return { ...change, fullDocument: now ?? null };
  }
  export class MongoClient {
    static async connect() { return new MongoClient(); }
    async close() {}
    db() {
      return {
        watch([{ $match }], options) {
          asked.push(options);
          let place = Number(options.resumeAfter?._data ?? log.length);
          let isQuiet = false;
          return {
            resumeToken: undefined,
            async tryNext() {
              while (place < log.length) {
                place += 1;
                this.resumeToken = { _data: String(place) };
                if ($match["ns.coll"].$in.includes(log[place - 1].ns.coll)) return changeAt(place - 1);
              }
              if (isQuiet) throw new Error("the stream is over");
              isQuiet = true;
              this.resumeToken = { _data: String(place) };
              return null;
            },
          };
        },
      };
    }
  }`;

interface Driver {
  asked: object[];
  write(operationType: string, collection: string, document: object): void;
  documents(collection: string): object[];
}

it("loses no change before, during and after the dump, and remembers its place while nothing changes", async () => {
  const folder = temporaryFolder();
  const modules = packageFolder(deep);
  writeFileSync(`${modules}/mongodb.js`, driver);
  const { asked, write, documents } = (await import(`${modules}/mongodb.js`)) as Driver;
  const { code } = await transform(program.replace('"mongodb"', '"./mongodb.js"'), { loader: "ts", format: "esm" });
  vi.stubEnv("MONGO_URI", "mongodb://127.0.0.1/openim_v3");
  const run = async (name: string) => {
    const inFolder = code.replaceAll(/"(im\.[\w.]+)"/g, (_, file) => JSON.stringify(`${folder}/${file}`));
    writeFileSync(`${modules}/${name}.js`, inFolder);
    await import(`${modules}/${name}.js`);
  };
  const place = () => readFileSync(`${folder}/im.resume`, "utf8");
  const user = (user_id: string, nickname: string) => ({ user_id, nickname, app_manger_level: 3 });

  write("insert", "user", user("u1", "Ann"));
  write("insert", "user", user("u2", "Ben"));
  await run("first");
  expect(place()).toBe('{"_data":"2"}');

  // These changes are in the dump, and the program makes them again.
  write("update", "user", user("u2", "Benedict"));
  write("delete", "user", user("u1", "Ann"));
  write("insert", "user", user("u1", "Ann again"));
  write("insert", "user", user("u4", "Dan"));
  write("delete", "user", user("u4", "Dan"));
  mkdirSync(`${folder}/dump`);
  writeFileSync(
    `${folder}/dump/user.json`,
    documents("user")
      .map((each) => JSON.stringify(each))
      .join("\n"),
  );
  // These come after the dump, and before the import ends.
  write("update", "user", user("u2", "Bo\0"));
  write("delete", "user", user("u1", "Ann again"));
  expect(await imAdmin(["import", `${folder}/dump`, "--db", `${folder}/im.db`, "--replace"])).toMatchObject({
    status: 0,
  });
  write("insert", "user", user("u3", "Cem"));
  write("insert", "user", { nickname: "without a key" });
  write("insert", "msg", { doc_id: "m" });

  await expect(run("second")).rejects.toThrow("the stream is over");
  const store = openSqliteStore({ path: `${folder}/im.db` });
  onTestFinished(() => store.close());
  expect(await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 9 })).toEqual({
    total: 2,
    items: [
      { userID: "u2", faceURL: "", nickName: "Bo\ufffd" },
      { userID: "u3", faceURL: "", nickName: "Cem" },
    ],
  });
  expect(place()).toBe('{"_data":"12"}');

  write("insert", "msg", { doc_id: "another" });
  await expect(run("third")).rejects.toThrow("the stream is over");
  expect(place()).toBe('{"_data":"13"}');
  const images = { fullDocument: "updateLookup", fullDocumentBeforeChange: "whenAvailable" };
  expect(asked).toEqual([
    images,
    { ...images, resumeAfter: { _data: "2" } },
    { ...images, resumeAfter: { _data: "12" } },
  ]);
});
