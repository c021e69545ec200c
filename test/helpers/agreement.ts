import assert from "node:assert";
import fc from "fast-check";
import * as imAdmin from "../../src/index.js";
import type { OperationName } from "../../src/operation.js";
import { forEachKind, type RecordName, type RecordSet, recordFields, type StoredRecord } from "../../src/records.js";
import type { BundledStore } from "../../src/stores/bundledStore.js";
import type { StoreUnderTest } from "../../src/testing/index.js";
import { rounds } from "./chance.js";
import { openExampleStore } from "./exampleStore.js";

// Few identifiers, so that records meet; code units and code points order U+FFFD and the emoji differently.
const owners = ["u1", "u10", "U2", "张伟", "\uFFFD", "😀"];
const userID = fc.constantFrom(...owners);
const groupID = fc.constantFrom("g1", "g2", "g3");
const names = ["", "Ann", "ann_50%", "王芳", "芳", "é", "É", "😀x", "\uFFFD\uFFFE", "a\u0001b", '"', "\\"];
const name = fc.constantFrom(...names);
const time = fc.constantFrom(0, 1, 999, 1000, 1687762198048);
const keyword = fc.constantFrom("", "a", "A", "u1", "芳", "王芳", "%", "_", "é", "😀", "\\", "\uFFFE", '"', "0%", "zz");

const anyRecord = {
  users: fc.record({ userID, nickname: name, faceURL: name, appMangerLevel: fc.integer({ min: 0, max: 4 }) }),
  groups: fc.record({ groupID, groupName: name, status: fc.constantFrom(0, 2) }),
  groupMembers: fc.record({
    groupID,
    userID,
    nickname: name,
    faceURL: name,
    joinTime: time,
    roleLevel: fc.constantFrom(0, 20, 60, 100),
  }),
  blacks: fc.record({ ownerUserID: userID, blackUserID: userID, createTime: time }),
  groupRequests: fc.record({ groupID, userID, reqTime: time, handleResult: fc.constantFrom(-1, 0, 1) }),
  conversations: fc.record({
    ownerUserID: userID,
    conversationID: fc.constantFrom("c1", "c2"),
    conversationType: fc.constantFrom(1, 3),
    userID: fc.constantFrom("", "u1"),
    groupID: fc.constantFrom("", "g1"),
    isPinned: fc.boolean(),
  }),
};

const world = fc.record(forEachKind((name) => recordsOf(name))) as fc.Arbitrary<RecordSet>;

/** Some records of a kind with all their fields; several of them may have the same key. */
function recordsOf<Name extends RecordName>(name: Name) {
  const complete = (anyRecord[name] as fc.Arbitrary<object>).map((record) => {
    const fields = recordFields[name].map(([field, { otherwise }]) => [field, otherwise]);
    return { ...Object.fromEntries(fields), ...record } as Record<string, unknown>;
  });
  return fc.array(complete, { maxLength: 16 }) as fc.Arbitrary<StoredRecord<Name>[]>;
}

const pagination = fc.record({
  pageNumber: fc.constantFrom(1, 2, 3, 2_147_483_647),
  showNumber: fc.constantFrom(1, 2, 5, 1000),
});

const call = fc.oneof(
  operation("getGroupMemberList", {
    groupID: fc.constantFrom("g1", "g2", "g4"),
    keyword,
    filter: fc.constantFrom(null, 0, 1, 2, 3, 4, 5),
    pagination,
  }),
  operation("getBlackList", { userID, pagination }),
  operation("getJoinedGroupList", { fromUserID: userID, pagination }),
  operation("getReceivedGroupApplicationList", {
    fromUserID: userID,
    groupIDs: fc.option(fc.array(groupID, { maxLength: 2 })),
    handleResults: fc.option(fc.array(fc.constantFrom(0, 1, -1), { maxLength: 2 })),
    pagination,
  }),
  operation("searchNotificationAccount", { keyword, appManagerLevel: fc.constantFrom(null, 3, 4), pagination }),
  operation("setConversations", {
    userIDs: fc.array(userID, { minLength: 1, maxLength: 3 }),
    conversation: fc.record({
      conversationID: fc.constantFrom("c1", "c2"),
      conversationType: fc.constantFrom(1, 3),
      userID: fc.constantFrom("", "u1"),
      groupID: fc.constantFrom("", "g1"),
      isPinned: fc.option(fc.boolean()),
      recvMsgOpt: fc.option(fc.integer({ min: 0, max: 2 })),
      maxSeq: fc.option(fc.maxSafeNat()),
      groupAtType: fc.option(fc.integer()),
      isMsgDestruct: fc.option(fc.boolean()),
      ex: fc.option(name),
    }),
  }),
);

type InputOf<Method extends OperationName> = Parameters<(typeof imAdmin)[Method]>[1];

/** An operation with a value for each field of its input. */
function operation<Method extends OperationName>(
  method: Method,
  fields: { [Field in keyof InputOf<Method>]-?: fc.Arbitrary<unknown> },
) {
  return fc.record({ method: fc.constant(method), input: fc.record(fields as Record<string, fc.Arbitrary<unknown>>) });
}

type AnyOperation = (store: imAdmin.Store, input: unknown, options: imAdmin.CallOptions) => Promise<unknown>;
const operations = imAdmin as unknown as Record<string, AnyOperation>;

/** Asserts that stores answer whatever is asked of whatever they hold as the example store does, which sorts arrays. */
export async function assertAgreement(
  open: () => Promise<StoreUnderTest & Pick<BundledStore, "close">>,
  numRuns: number,
): Promise<void> {
  const property = fc.asyncProperty(world, fc.array(call, { minLength: 20, maxLength: 40 }), async (records, calls) => {
    const example = await openExampleStore(records);
    const store = await open();
    try {
      await store.put(records);
      for (const { method, input } of calls) {
        const answers: unknown[] = [];
        for (const candidate of [store, example]) {
          const changes: unknown[] = [];
          const observer: imAdmin.Observer = {
            onConversationsSet: (report) => changes.push({ ...report, userIDs: report.userIDs.toSorted() }),
          };
          answers.push([await operations[method]?.(candidate, input, { observer }), changes]);
        }
        assert.deepStrictEqual(answers[0], answers[1]);
      }
      for (const owner of owners) {
        assert.deepStrictEqual(await store.conversations(owner), await example.conversations(owner));
      }
    } finally {
      await store.close();
    }
  });
  await fc.assert(property, { numRuns: rounds(numRuns) });
}
