// Puts users one by one, 32 at a time, for some milliseconds; tells how many succeeded, what failed, and for how long
// one of them took.
import { openSqliteStore } from "im-admin/sqlite";

const [path, name, milliseconds] = process.argv.slice(2);
const store = openSqliteStore({ path });
const end = performance.now() + Number(milliseconds);
let puts = 0;
let longest = 0;
const failures = [];

async function putUsers(writer) {
  for (let number = 0; performance.now() < end; number += 1) {
    const began = performance.now();
    try {
      await store.put({ users: [{ userID: `${name}-${writer}-${number}` }] });
      puts += 1;
    } catch (error) {
      failures.push(String(error));
    }
    longest = Math.max(longest, performance.now() - began);
  }
}
await Promise.all(Array.from({ length: 32 }, (_, writer) => putUsers(writer)));
await store.close();
process.send({ puts, failures, longest });
