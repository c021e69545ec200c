// Puts 20,000 notification accounts at once; tells when it comes to a certain one.
import { openSqliteStore } from "im-admin/sqlite";

const [path, tellAt] = process.argv.slice(2);
const store = openSqliteStore({ path });

function* users() {
  for (let index = 0; index < 20_000; index += 1) {
    if (index === Number(tellAt)) process.send("now");
    yield { userID: `n${index}`, appMangerLevel: 3 };
  }
}
await store.put({ users: users() });
await store.close();
