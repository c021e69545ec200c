// Reads the lists of a file again and again, and tells each answer that is another one than before; at "stop" it ends.
import { openSqliteStore } from "im-admin/sqlite";
import { readLists } from "../helpers/readLists.mjs";

const [path] = process.argv.slice(2);
const store = openSqliteStore({ path, readonly: true });
const last = {};
let asked;
process.on("message", (message) => {
  asked = message;
});
for (;;) {
  const answering = asked;
  for (const [list, answer] of Object.entries(await readLists(store))) {
    if (last[list] !== answer) process.send({ list, answer });
    last[list] = answer;
  }
  if (answering === "stop") break;
  // Everything that it answers from here on was read after it was asked.
  if (answering !== undefined) {
    asked = undefined;
    process.send({ asked: answering });
  }
  await new Promise((resolve) => setImmediate(resolve));
}
await store.close();
process.disconnect();
