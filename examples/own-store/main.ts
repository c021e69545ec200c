import { getGroupMemberList, type Observer, setConversations } from "im-admin";
import { ChatServer } from "./chatServer.ts";
import { chatStore } from "./chatStore.ts";

const server = new ChatServer();
for (const [userID, name] of [
  ["u1", "Ann"],
  ["u2", "Ben"],
  ["u3", "霍去病"],
] as const) {
  server.users.set(userID, { name, picture: "", extra: "", level: 0 });
}

// Called from the chat server's own code: which members have 去 in their nickname?
const store = chatStore(server);
const pagination = { pageNumber: 1, showNumber: 20 };
const missing = await getGroupMemberList(store, { groupID: "readers", pagination });
console.log(missing.errCode, missing.errDlt);

const readers = server.room("readers");
readers.about = {
  groupName: "Readers",
  notification: "",
  introduction: "",
  faceURL: "",
  createTime: Date.now(),
  ex: "",
  status: 0,
  creatorUserID: "u1",
  groupType: 2,
  needVerification: 0,
  lookMemberInfo: 0,
  applyMemberFriend: 0,
  notificationUpdateTime: 0,
  notificationUserID: "",
};
for (const userID of server.users.keys()) {
  readers.members.set(userID, {
    role: userID === "u1" ? 100 : 20,
    since: Date.now(),
    name: "",
    picture: "",
    source: 3,
    addedBy: "u1",
    invitedBy: "u1",
    mutedUntil: 0,
    extra: "",
  });
}
const found = await getGroupMemberList(store, { groupID: "readers", keyword: "去", pagination });
if (found.errCode === 0) console.log(found.data.total, found.data.members[0]?.nickname);

// The chat server notifies only the devices of users whose conversation really changed.
const observer: Observer = {
  onConversationsSet: ({ conversationID, userIDs, fields }) => {
    for (const userID of userIDs) console.log(`notify ${userID}: ${conversationID} is ${JSON.stringify(fields)} now`);
  },
};
const conversation = { conversationID: "sg_readers", conversationType: 3, groupID: "readers", isPinned: true } as const;
await setConversations(store, { userIDs: ["u1", "u3"], conversation }, { observer });
await setConversations(store, { userIDs: ["u1", "u2"], conversation }, { observer });
