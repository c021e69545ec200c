// As a user who may write only what everybody may: opens each database file that it is sent, for reading only, and tells
// what is in it or what goes wrong; without a path, it tells what becomes of a call on the last one.
import { openSqliteStore } from "im-admin/sqlite";

// The driver's binary is loaded while this process may read all files.
await openSqliteStore({ path: ":memory:" }).close();
// Nothing is forbidden to root; 65534 is nobody.
if (process.getuid() === 0) process.setuid(65_534);

let store;
async function tell(path) {
  if (path === undefined) return store.conversations("u1").catch(String);
  store = openSqliteStore({ path, readonly: true });
  const { total } = await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 10 });
  return { total, refused: await store.put({ users: [{ userID: "u2" }] }).catch(String) };
}
process.on("message", async ({ path }) => process.send(await tell(path).catch(String)));
process.send("ready");
