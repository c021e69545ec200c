// Again and again until it is told to stop: reads pages, which settles what other programs have written, and, if it has
// statements of its own, runs the next one of them before. Tells when it begins, and in the end what was wrong.
import { setImmediate } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { openSqliteStore } from "im-admin/sqlite";

const [path, threads, statements] = process.argv.slice(2);
const own = JSON.parse(statements);
const store = openSqliteStore({ path, threads: Number(threads) });
const connection = new BetterSqlite3(path, { timeout: 60_000 });
connection.pragma("synchronous = OFF");
const queries = [{ keyword: "" }, { keyword: "ann" }, { keyword: "", roleLevels: [60] }];
const wrong = [];
let isOver = false;
process.on("message", () => {
  isOver = true;
});
process.send("begins");
for (let round = 0; !isOver; round += 1) {
  if (own.length > 0) connection.exec(own[round % own.length]);
  const offset = (round * 7919) % 600;
  const query = { groupID: "g1", ...queries[round % queries.length], offset, limit: 1000 };
  const page = await store.listGroupMembers(query).catch((error) => ({ total: String(error), items: [] }));
  const right = Math.min(1000, Math.max(0, page.total - offset));
  if (page.items.length !== right || (own.length === 0 && page.total % 100 !== 0)) wrong.push([query, page.total]);
  await setImmediate();
}
connection.close();
await store.close();
process.send(wrong);
process.disconnect();
