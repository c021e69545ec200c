// Again and again, with SQL of its own: takes a tenth of a group out, and puts others in, in one transaction; tells after
// each round. Everybody of a process has the same nickname, so that a page tells what is in the group.
import BetterSqlite3 from "better-sqlite3";

const [path, name, rounds] = process.argv.slice(2);
const connection = new BetterSqlite3(path, { timeout: 60_000 });
connection.pragma("synchronous = OFF");
const remove = connection.prepare("DELETE FROM im_admin_group_members WHERE user_id LIKE ? || '%'");
const insert = connection.prepare(
  "INSERT OR REPLACE INTO im_admin_group_members (group_id, user_id, role_level, join_time, nickname) VALUES ('g1', ?, ?, ?, ?)",
);

const replaceAll = connection.transaction((round) => {
  remove.run(name);
  for (let index = 0; index < 300; index += 1) {
    insert.run(`${name}${round}-${index}`, index % 3 === 0 ? 60 : 20, (index * 7919 + round) % 1000, name);
  }
});
for (let round = 0; round < Number(rounds); round += 1) {
  replaceAll.immediate(round);
  process.send("round");
}
connection.close();
