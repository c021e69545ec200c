import { readFileSync, writeFileSync } from "node:fs";
import { transform } from "esbuild";
import ts from "typescript";
import { expect, it, vi } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { packageFolder } from "../../helpers/docs/programs.js";
import { block } from "../../helpers/docs/recipePage.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { deep } from "../helpers/recipes.js";

const program = block("OpenIM's change streams");

it("is accepted by a strict compiler with the types of the driver", () => {
  const path = `${packageFolder(deep)}/changes.ts`;
  writeFileSync(path, program);
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    types: ["node"],
  };
  const found = ts.getPreEmitDiagnostics(ts.createProgram([path], options));
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
});

/** Stands for the driver: gives changes as MongoDB documents them, and remembers how it was asked for them. */
const driver = `
  export const asked = [];
  const ns = (coll) => ({ db: "openim_v3", coll });
  const all = [
    { _id: { _data: "1" }, operationType: "insert", ns: ns("user"), fullDocument: { user_id: "u1", nickname: "Ann", app_manger_level: 3 } },
    { _id: { _data: "2" }, operationType: "insert", ns: ns("msg"), fullDocument: { doc_id: "m" } },
    { _id: { _data: "3" }, operationType: "insert", ns: ns("user"), fullDocument: { user_id: "u2", nickname: "Bob", app_manger_level: 3 } },
    { _id: { _data: "4" }, operationType: "update", ns: ns("user"), fullDocument: { user_id: "u2", nickname: "Bo", app_manger_level: 3 } },
    { _id: { _data: "5" }, operationType: "update", ns: ns("user"), fullDocument: null },
    { _id: { _data: "6" }, operationType: "delete", ns: ns("user"), fullDocumentBeforeChange: { user_id: "u1" } },
    { _id: { _data: "7" }, operationType: "delete", ns: ns("user") },
    { _id: { _data: "8" }, operationType: "drop", ns: ns("log") },
  ];
  export class MongoClient {
    static async connect() { return new MongoClient(); }
    db() {
      return { watch(pipeline, options) { asked.push(options); return all.slice(Number(options.resumeAfter?._data ?? 0)); } };
    }
  }`;

it("puts and removes what changes, and goes on where it was", async () => {
  const folder = temporaryFolder();
  const modules = packageFolder(deep);
  writeFileSync(`${modules}/mongodb.js`, driver);
  const { code } = await transform(program.replace('"mongodb"', '"./mongodb.js"'), { loader: "ts", format: "esm" });
  vi.stubEnv("MONGO_URI", "mongodb://127.0.0.1/openim_v3");
  const run = async (name: string) => {
    const inFolder = code.replaceAll(/"(im\.\w+)"/g, (_, file) => JSON.stringify(`${folder}/${file}`));
    writeFileSync(`${modules}/${name}.js`, inFolder);
    await import(`${modules}/${name}.js`);
  };
  await run("first");
  const store = openSqliteStore({ path: `${folder}/im.db` });
  const accounts = await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 9 });
  expect(accounts).toEqual({ total: 1, items: [{ userID: "u2", faceURL: "", nickName: "Bo" }] });
  await store.close();
  expect(readFileSync(`${folder}/im.resume`, "utf8")).toBe('{"_data":"8"}');
  await run("second");
  const { asked } = await import(`${modules}/mongodb.js`);
  const images = { fullDocument: "updateLookup", fullDocumentBeforeChange: "whenAvailable" };
  expect(asked).toEqual([images, { ...images, resumeAfter: { _data: "8" } }]);
});
