/**
 * What a store answers of each list, as far as it depends on one kind of records: those of another kind are replaced in
 * another transaction.
 */
export async function readLists(store) {
  const all = { offset: 0, limit: 1000 };
  const members = await store.listGroupMembers({ groupID: "g1", keyword: "", ...all });
  const blacks = await store.listBlacks({ ownerUserID: "owner", ...all });
  const requests = await store.listReceivedGroupRequests({ userID: "owner", groupIDs: ["g1"], ...all });
  const accounts = await store.listNotificationAccounts({ keyword: "", ...all });
  const answers = {
    groupMembers: members?.items.map(({ userID, roleLevel, joinTime, nickname, ex }) => [
      userID,
      roleLevel,
      joinTime,
      nickname,
      ex,
    ]),
    blacks: blacks?.items.map(({ blackUserInfo, createTime, ex }) => [blackUserInfo.userID, createTime, ex]),
    groupRequests: requests?.items.map(({ userInfo, reqTime, handleResult, ex }) => [
      userInfo.userID,
      reqTime,
      handleResult,
      ex,
    ]),
    users: accounts.items,
    conversations: await store.conversations("owner"),
  };
  return Object.fromEntries(Object.entries(answers).map(([list, answer]) => [list, JSON.stringify(answer)]));
}
