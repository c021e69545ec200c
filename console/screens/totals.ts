import { call } from "../api/call.js";
import { formatCount } from "../language/format.js";

const pagination = { pageNumber: 1, showNumber: 1 };
const read = ({ total }: { total: number }) => formatCount(total);

/** The totals of a user's lists, as texts. Of the join requests, only pending ones count. */
export async function totalsOfUser(userID: string, signal: AbortSignal) {
  const [groups, requests, blacklist] = await Promise.all([
    call("getJoinedGroupList", { fromUserID: userID, pagination }, { signal, read }),
    call("getReceivedGroupApplicationList", { fromUserID: userID, handleResults: [0], pagination }, { signal, read }),
    call("getBlackList", { userID, pagination }, { signal, read }),
  ]);
  return { groups, requests, blacklist };
}

/** The number of a group's pending join requests, as a text; undefined if nobody receives them. */
export async function waitingRequests(
  groupID: string,
  fromUserID: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (fromUserID === undefined) return undefined;
  const input = { fromUserID, groupIDs: [groupID], handleResults: [0 as const], pagination };
  return call("getReceivedGroupApplicationList", input, { signal, read });
}
