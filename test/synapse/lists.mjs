/** Compares each list that im-admin answers with what Synapse's own API says. */
import { isDeepStrictEqual } from "node:util";
import { AdminError, eachPage } from "im-admin/client";
import { worldOf } from "./world.mjs";

/** Items on a page, so that long lists have several. */
const showNumber = 30;
const keyword = "王";

/**
 * Compares all lists while no client acts, and returns the differences, and the number of items of each kind of list.
 * Synapse goes on with some work after its answer, so its API is read again until two readings are equal.
 */
export async function compareLists(synapse, token, client, goneRooms) {
  let world = await worldOf(synapse, token);
  for (let round = 0; round < 20; round++) {
    const differences = [];
    const items = {};
    for (const [call, input, expected] of listsOf(world, goneRooms)) {
      items[call] = (items[call] ?? 0) + (expected.items?.length ?? 0);
      const answered = await wholeList(client[call], input, expected.items?.[0]);
      if (isDeepStrictEqual(answered, expected)) continue;
      const [right, wrong] = [expected, answered].map((list) => JSON.stringify(list));
      differences.push(`${call} of ${JSON.stringify(input)} is ${wrong}, and Synapse has ${right}`);
    }
    const later = await worldOf(synapse, token);
    if (isDeepStrictEqual(world, later)) return { differences, items };
    world = later;
  }
  throw new Error("Synapse does not come to rest");
}

/** All lists: how im-admin is asked for each, and what it has to answer. */
function listsOf({ users, owners, rooms }, goneRooms) {
  const profiles = new Map(users.map(({ userID, nickname, faceURL }) => [userID, { userID, nickname, faceURL }]));
  const profileOf = (userID) => profiles.get(userID) ?? { userID, nickname: "", faceURL: "" };
  const inRooms = rooms.map(({ group, members, knocks }) => {
    const shown = members.map((member) => {
      const { nickname, faceURL } = profileOf(member.userID);
      return { ...member, nickname: member.nickname || nickname, faceURL: member.faceURL || faceURL };
    });
    shown.sort((left, right) => right.roleLevel - left.roleLevel || compareTexts(left.userID, right.userID));
    const ownerUserID = shown[0]?.roleLevel === 100 ? shown[0].userID : "";
    return { group: { ...group, ownerUserID }, members: shown, knocks };
  });
  inRooms.sort((left, right) => compareTexts(left.group.groupID, right.group.groupID));
  const requestsTo = (id) =>
    inRooms
      .filter(({ members }) => members.some(({ userID, roleLevel }) => userID === id && roleLevel >= 60))
      .flatMap(({ group, knocks }) =>
        knocks
          .toSorted((left, right) => compareTexts(left.userID, right.userID))
          .map(({ userID, reqMsg }) => ({ ...group, ...profileOf(userID), reqMsg, handleResult: 0 })),
      );
  const groupsOf = (ids) => inRooms.map(({ group }) => group).filter(({ groupID }) => ids.includes(groupID));
  return [
    ...inRooms.flatMap(({ group: { groupID }, members }) => {
      const found = members.filter(({ nickname }) => nickname.includes(keyword));
      return [
        ["getGroupMemberList", { groupID }, wholeOf(members)],
        ["getGroupMemberList", { groupID, keyword }, wholeOf(found)],
      ];
    }),
    ...goneRooms.map((groupID) => ["getGroupMemberList", { groupID }, `group ${groupID}: [1004]RecordNotFoundError`]),
    ...owners.flatMap(({ userID, joined, ignored }) => [
      ["getJoinedGroupList", { fromUserID: userID }, wholeOf(groupsOf(joined))],
      ["getBlackList", { userID }, wholeOf(ignored.toSorted(compareTexts).map(profileOf))],
      ["getReceivedGroupApplicationList", { fromUserID: userID }, wholeOf(requestsTo(userID))],
    ]),
    ["searchNotificationAccount", {}, wholeOf(accountsOf(users))],
  ];
}

function accountsOf(users) {
  return users
    .filter(({ isAccount }) => isAccount)
    .map(({ userID, nickname, faceURL }) => ({ userID, nickName: nickname, faceURL }))
    .toSorted((left, right) => compareTexts(left.userID, right.userID));
}

/** Compares the bytes, as im-admin does. */
function compareTexts(left, right) {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function wholeOf(items) {
  return { totals: [items.length], items };
}

/** All items of a list with the fields of an expected item only, and the totals that its pages told. */
async function wholeList(list, input, expected = {}) {
  const totals = new Set();
  const items = [];
  try {
    for await (const { total, ...data } of eachPage(list, input, { showNumber })) {
      totals.add(total);
      for (const item of Object.values(data).flat()) {
        const all = { ...item, ...item.groupInfo, ...item.userInfo, ...item.blackUserInfo };
        items.push(Object.fromEntries(Object.keys(expected).map((field) => [field, all[field]])));
      }
    }
  } catch (error) {
    if (error instanceof AdminError) return error.errDlt;
    throw error;
  }
  return { totals: [...totals], items };
}
