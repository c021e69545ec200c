// Again and again sets a conversation of all users, and puts all members of a group, each time to one new value;
// tells after each round.
import { setConversations } from "im-admin";
import { openSqliteStore } from "im-admin/sqlite";

const [path, name, rounds] = process.argv.slice(2);
const store = openSqliteStore({ path });
const userIDs = Array.from({ length: 2000 }, (_, index) => `u${index}`);

for (let round = 0; round < Number(rounds); round += 1) {
  const ex = `${name} ${round}`;
  const conversation = { conversationID: "c1", conversationType: 3, groupID: "g1", ex };
  const [{ errCode }] = await Promise.all([
    setConversations(store, { userIDs, conversation }),
    store.put({ groupMembers: userIDs.map((userID) => ({ groupID: "g1", userID, ex })) }),
  ]);
  if (errCode !== 0) throw new Error(`setConversations answered ${errCode}`);
  process.send("round");
}
await store.close();
