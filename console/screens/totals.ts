import { call } from "../api/call.js";
import { formatCount } from "../language/format.js";
import { findManager } from "../places/find.js";

const pagination = { pageNumber: 1, showNumber: 1 };
const read = ({ total }: { total: number }) => formatCount(total);

/** How many entries each list of a user has, as texts; of the join requests, those that wait. */
export async function totalsOfUser(userID: string, signal: AbortSignal) {
  const [groups, requests, blacklist] = await Promise.all([
    call("getJoinedGroupList", { fromUserID: userID, pagination }, { signal, read }),
    call("getReceivedGroupApplicationList", { fromUserID: userID, handleResults: [0], pagination }, { signal, read }),
    call("getBlackList", { userID, pagination }, { signal, read }),
  ]);
  return { groups, requests, blacklist };
}

/** How many join requests of a group wait, as a text; undefined where nobody receives them. */
export async function waitingRequests(groupID: string, signal: AbortSignal): Promise<string | undefined> {
  const fromUserID = await findManager(groupID, signal);
  if (fromUserID === undefined) return undefined;
  const input = { fromUserID, groupIDs: [groupID], handleResults: [0 as const], pagination };
  return call("getReceivedGroupApplicationList", input, { signal, read });
}
