/**
 * The records that all contestants answer from, the same in each run.
 *
 * Users register in the order of their numbers. Members of the large group join about in that order: of 4,000 users who
 * think about it, any one is the next. So a page of members names profiles that are near each other, but not neighbours.
 *
 * Where userIDs are random, so are the times at which members have joined: neither has to do with the other, nor with the
 * order in which users and members are stored. Each row of a page is somewhere else then.
 */
import { itemWith } from "../src/items.js";
import {
  fieldsOfRecords,
  type GroupMemberRecord,
  type GroupRecord,
  type GroupRequestRecord,
  type RecordSet,
  type StoredRecord,
  type UserRecord,
} from "../src/records.js";
import { nickname, nicknameInGroup } from "./names.js";
import { inLooseOrder, type Random, seededRandom } from "./random.js";
import { type Kind, largeGroup, managedGroup, managingUser, type Scale, smallGroup, userID } from "./scale.js";

const start = Date.UTC(2020, 0, 1);
const minute = 60_000;

/** The lists of the benchmark. Generators, since a million records need not be in memory. */
export function worldRecords(scale: Scale): RecordSet {
  return {
    users: users(scale, "orderly"),
    groups: groups(scale),
    groupMembers: groupMembers(scale),
    groupRequests: groupRequests(scale),
  };
}

/** One large group alone. */
export function groupRecords(scale: Scale, kind: Kind): RecordSet {
  return {
    users: users(scale, kind),
    groups: [{ groupID: largeGroup }],
    groupMembers: largeGroupMembers(scale.members, kind),
  };
}

/** How many batches there are members for. */
const batchCount = 6;
const batchedMembers = ({ batches: { members, size } }: Scale) => members + batchCount * size;

/** One group, and users for the batches of members that are put into it later. */
export function batchedGroupRecords(scale: Scale, kind: Kind): RecordSet {
  function* groupMembers(): Generator<GroupMemberRecord> {
    let count = 0;
    for (const member of largeGroupMembers(batchedMembers(scale), kind)) {
      if (count === scale.batches.members) return;
      count += 1;
      yield member;
    }
  }
  return {
    users: users({ ...scale, members: batchedMembers(scale), outsiders: 0, accounts: 0 }, kind),
    groups: [{ groupID: largeGroup }],
    groupMembers: groupMembers(),
  };
}

/** The next members of that group, batch by batch. They join later than all others. */
export function memberBatches(scale: Scale, kind: Kind): StoredRecord<"groupMembers">[][] {
  const { members, size } = scale.batches;
  const total = batchedMembers(scale);
  const further = [...largeGroupMembers(total, kind)].slice(members);
  for (const [index, member] of further.entries()) member.joinTime = start + (total + index) * minute;
  return Array.from({ length: batchCount }, (_, batch) => further.slice(batch * size, (batch + 1) * size));
}

export function* users({ members, outsiders, accounts, managers }: Scale, kind: Kind): Generator<UserRecord> {
  const random = seededRandom(1);
  for (const userID of managers.map((_, manager) => managingUser(manager))) {
    yield { userID, nickname: nickname(random) };
  }
  for (let number = 0; number < members + outsiders; number += 1) {
    const face = `https://cdn.example.org/face/${random.below(1000)}.png`;
    yield { userID: userID(number, kind), nickname: nickname(random), faceURL: face, ex: "", appMangerLevel: 1 };
  }
  for (let number = 0; number < accounts; number += 1) {
    const appMangerLevel = random.below(4) === 0 ? 4 : 3;
    yield { userID: `notice${userID(number)}`, nickname: `News ${nickname(random)}`, appMangerLevel };
  }
}

const emptyMember = itemWith<StoredRecord<"groupMembers">>(fieldsOfRecords.groupMembers, {});

/** All columns of the members of one large group, in the order in which they are stored. */
export function* largeGroupMembers(members: number, kind: Kind): Generator<StoredRecord<"groupMembers">> {
  const random = seededRandom(2);
  let joined = 0;
  for (const number of inLooseOrder(members, random)) {
    joined += 1;
    const minutes = kind === "random" ? random.below(members) : joined;
    yield {
      ...emptyMember,
      groupID: largeGroup,
      userID: userID(number, kind),
      roleLevel: joined === 1 ? 100 : joined % 1000 === 0 ? 60 : 20,
      joinTime: start + minutes * minute + random.below(minute),
      nickname: ownNickname(random),
      joinSource: 2,
      inviterUserID: userID(random.below(members), kind),
    };
  }
}

function ownNickname(random: Random): string {
  return random.below(5) === 0 ? nicknameInGroup(random) : "";
}

function* groups(scale: Scale): Generator<GroupRecord> {
  const group = (groupID: string, number: number): GroupRecord => ({
    groupID,
    groupName: `Group ${groupID}`,
    introduction: "Everybody is welcome.",
    createTime: start + number * minute,
    creatorUserID: userID(number),
  });
  yield group(largeGroup, 0);
  yield group(smallGroup, 0);
  for (const [manager, { groups }] of scale.managers.entries()) {
    for (let number = 0; number < groups; number += 1) yield group(managedGroup(manager, number), number);
  }
}

function* groupMembers(scale: Scale): Generator<GroupMemberRecord> {
  yield* largeGroupMembers(scale.members, "orderly");
  for (let number = 0; number < scale.smallGroup; number += 1) {
    yield { groupID: smallGroup, userID: userID(number), roleLevel: number === 0 ? 100 : 20, joinTime: start + number };
  }
  for (const [manager, { groups }] of scale.managers.entries()) {
    for (let number = 0; number < groups; number += 1) {
      const groupID = managedGroup(manager, number);
      yield { groupID, userID: managingUser(manager), roleLevel: 100, joinTime: start + number * minute };
    }
  }
}

/** Requests of each manager's groups in the order of their times, from users of any age. */
function* groupRequests(scale: Scale): Generator<GroupRequestRecord> {
  const random = seededRandom(5);
  for (const [manager, { groups, requests }] of scale.managers.entries()) {
    for (let number = 0; number < requests; number += 1) {
      yield {
        groupID: managedGroup(manager, random.below(groups)),
        // A prime, so that nobody asks twice.
        userID: userID((number * 7919) % scale.members),
        handleResult: random.from([0, 0, 1, 1, 1, 1, 1, 1, 1, -1]),
        reqMsg: "Please let me in.",
        reqTime: start + number * minute,
        joinSource: 2,
      };
    }
  }
}
