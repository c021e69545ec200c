import { Buffer } from "node:buffer";
import * as v from "valibot";
import { ChatServer } from "../../examples/own-store/chatServer.js";
import { chatStore } from "../../examples/own-store/chatStore.js";
import { type CheckedValues, checkedKeys, checkedRecords } from "../../src/checkedRecords.js";
import { type RecordName, type RecordSet, recordFields, recordKeys, type StoredRecord } from "../../src/records.js";
import type { Store } from "../../src/store.js";
import type { StoreUnderTest } from "../../src/testing/index.js";

/** The store of the example, and how the tests write and read its data. */
export async function openExampleStore(records: RecordSet): Promise<StoreUnderTest> {
  const server = new ChatServer();
  const store: StoreUnderTest = {
    ...chatStore(server),
    async put(set) {
      for (const [name, values] of checkedRecords(set)) {
        const fields = recordFields[name].map(([field]) => field);
        put[name](server, objectOf(fields, values));
      }
    },
    async remove(keys) {
      for (const [name, values] of checkedKeys(keys)) remove[name](server, objectOf(recordKeys[name], values));
    },
    async conversations(ownerUserID) {
      return [...server.inboxOf(ownerUserID)]
        .map(([conversationID, { type, peer, room, settings }]) => ({
          ownerUserID,
          conversationID,
          conversationType: type,
          userID: peer,
          groupID: room,
          ...settings,
        }))
        .sort((a, b) => Buffer.compare(Buffer.from(a.conversationID), Buffer.from(b.conversationID)));
    },
  };
  await store.put(records);
  return store;
}

/** The example with these records, as they are: what is left out has its default. */
export function exampleOf(records: { readonly [Name in RecordName]?: readonly object[] }): Store {
  const server = new ChatServer();
  for (const [name, rows = []] of Object.entries(records) as [RecordName, readonly object[]][]) {
    const defaults = Object.fromEntries(recordFields[name].map(([field, { otherwise }]) => [field, otherwise]));
    for (const row of rows) put[name](server, { ...defaults, ...row });
  }
  return chatStore(server);
}

function objectOf(fields: readonly string[], values: CheckedValues): object {
  return Object.fromEntries(fields.map((field, index) => [field, values[index]]));
}

type Write = (server: ChatServer, record: unknown) => void;

const put: Record<RecordName, Write> = {
  users(server, record) {
    const { userID, nickname, faceURL, ex, appMangerLevel } = record as StoredRecord<"users">;
    server.users.set(userID, { name: nickname, picture: faceURL, extra: ex, level: appMangerLevel });
  },
  groups(server, record) {
    const { groupID, ...about } = record as StoredRecord<"groups">;
    server.room(groupID).about = about;
  },
  groupMembers(server, record) {
    const { groupID, userID, ...member } = record as StoredRecord<"groupMembers">;
    server.room(groupID).members.set(userID, {
      role: member.roleLevel,
      since: member.joinTime,
      name: member.nickname,
      picture: member.faceURL,
      source: member.joinSource,
      addedBy: member.operatorUserID,
      invitedBy: member.inviterUserID,
      mutedUntil: member.muteEndTime,
      extra: member.ex,
    });
  },
  blacks(server, record) {
    const { ownerUserID, blackUserID, ...black } = record as StoredRecord<"blacks">;
    server.blocksOf(ownerUserID).set(blackUserID, {
      since: black.createTime,
      source: black.addSource,
      by: black.operatorUserID,
      extra: black.ex,
    });
  },
  groupRequests(server, record) {
    const { groupID, userID, ...request } = record as StoredRecord<"groupRequests">;
    server.room(groupID).requests.set(userID, {
      result: request.handleResult,
      message: request.reqMsg,
      at: request.reqTime,
      answer: request.handleMsg,
      answeredBy: request.handleUserID,
      answeredAt: request.handleTime,
      source: request.joinSource,
      invitedBy: request.inviterUserID,
      extra: request.ex,
    });
  },
  conversations(server, record) {
    const stored = record as StoredRecord<"conversations">;
    const { ownerUserID, conversationID, conversationType, userID, groupID, ...settings } = stored;
    server.inboxOf(ownerUserID).set(conversationID, { type: conversationType, peer: userID, room: groupID, settings });
  },
};

const remove: Record<RecordName, Write> = {
  users: (server, key) => server.users.delete(field(key, "userID")),
  groups: (server, key) => delete server.room(field(key, "groupID")).about,
  groupMembers: (server, key) => server.room(field(key, "groupID")).members.delete(field(key, "userID")),
  blacks: (server, key) => server.blocksOf(field(key, "ownerUserID")).delete(field(key, "blackUserID")),
  groupRequests: (server, key) => server.room(field(key, "groupID")).requests.delete(field(key, "userID")),
  conversations: (server, key) => server.inboxOf(field(key, "ownerUserID")).delete(field(key, "conversationID")),
};

function field(key: unknown, name: string): string {
  return v.parse(v.object({ [name]: v.string() }), key)[name] ?? "";
}
