// Opens a database file for reading only as a user who cannot write it, and tells what is in it or what went wrong.
import { openSqliteStore } from "im-admin/sqlite";

const [path] = process.argv.slice(2);
// The driver's binary is loaded while this process may read all files.
await openSqliteStore({ path: ":memory:" }).close();
// Nothing is forbidden to root; 65534 is nobody.
if (process.getuid() === 0) process.setuid(65_534);
try {
  const store = openSqliteStore({ path, readonly: true });
  const { total } = await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 10 });
  const refused = await store.put({ users: [{ userID: "u2" }] }).catch(String);
  process.send({ total, refused });
  process.once("message", async () => {
    process.send(await store.conversations("u1").catch(String));
    await store.close();
    process.disconnect();
  });
} catch (error) {
  process.send(String(error));
  process.disconnect();
}
