// Opens each database file that it is sent, as a path or as options, puts a user named like this process, and answers how that went.
const { openSqliteStore } = await import(process.argv[2] ?? "im-admin/sqlite");

process.on("message", async (sent) => {
  try {
    const store = openSqliteStore(typeof sent === "string" ? { path: sent } : sent);
    await store.put({ users: [{ userID: `n${process.pid}`, appMangerLevel: 3 }] });
    await store.close();
    process.send("done");
  } catch (error) {
    process.send(String(error));
  }
});
process.send("ready");
