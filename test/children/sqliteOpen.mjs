// Opens each database file that it is sent, puts a user named like this process, and answers how that went.
import { openSqliteStore } from "im-admin/sqlite";

process.on("message", async (path) => {
  try {
    const store = openSqliteStore({ path });
    await store.put({ users: [{ userID: `n${process.pid}`, appMangerLevel: 3 }] });
    await store.close();
    process.send("done");
  } catch (error) {
    process.send(String(error));
  }
});
process.send("ready");
