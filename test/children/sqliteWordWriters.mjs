// Puts 200 users and members at a time, lets members leave, and renames profiles by SQL of its own, until it is told to
// end; tells when all that it writes is there.

import BetterSqlite3 from "better-sqlite3";
import { openSqliteStore } from "im-admin/sqlite";

const [path] = process.argv.slice(2);
const store = openSqliteStore({ path });
const host = new BetterSqlite3(path, { timeout: 10_000 });
let isOver = false;
process.on("message", () => {
  isOver = true;
});
for (let round = 0; !isOver; round += 1) {
  const userIDs = Array.from({ length: 200 }, (_, index) => `u${(round * 67 + index * 7) % 3000}`);
  await store.put({
    users: userIDs.map((userID) => ({ userID, nickname: `王 ${round}` })),
    groupMembers: userIDs.map((userID, index) => ({
      groupID: "g",
      userID,
      joinTime: round,
      nickname: index % 2 ? "" : "Ann",
    })),
  });
  host.prepare("UPDATE im_admin_users SET nickname = 'Bob ' || ? WHERE user_id LIKE ?").run(round, `%${round % 10}`);
  host.prepare("UPDATE im_admin_group_members SET nickname = '' WHERE user_id LIKE ?").run(`%${(round + 5) % 10}`);
  await store.remove({ groupMembers: userIDs.slice(0, 50).map((userID) => ({ groupID: "g", userID })) });
  if (round === 20) process.send("filled");
}
host.close();
await store.close();
process.disconnect();
