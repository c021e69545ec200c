// Puts 10,000 notification accounts at once, and all of them in a group; tells when it comes to a certain one.
import { openSqliteStore } from "im-admin/sqlite";

const [path, tellAt] = process.argv.slice(2);
const store = openSqliteStore({ path });

function* records(record) {
  for (let index = 0; index < 10_000; index += 1) {
    if (index === Number(tellAt)) process.send("now");
    yield record(`n${index}`);
  }
}
await store.put({
  users: records((userID) => ({ userID, nickname: "Ann", appMangerLevel: 3 })),
  groupMembers: records((userID) => ({ groupID: "g1", userID })),
});
await store.close();
