import type { GroupRequest } from "../../src/index.js";
import { setFor } from "../conversations/work.js";
import { messages } from "../language/language.js";
import { Badge } from "../list/cells.js";
import type { Column } from "../list/column.js";
import { ListScreen } from "../list/ListScreen.js";
import { go, stay } from "../places/address.js";
import { rememberName } from "../places/names.js";
import type { PlaceOf, RequestResult } from "../places/place.js";
import { nameColumn, timeColumn, userColumn } from "./columns.js";
import { groupLinks, userLinks } from "./links.js";
import { ResultTabs } from "./ResultTabs.js";
import { handleResultOf } from "./results.js";
import { UserHeading } from "./UserHeading.js";

const columns: readonly Column<GroupRequest>[] = [
  nameColumn(
    ({ requests }) => requests.applicant,
    ({ userInfo: { nickname, userID }, groupInfo: { groupName, groupID } }) => ({
      name: nickname,
      id: userID,
      below: `→ ${groupName || groupID}`,
    }),
  ),
  {
    title: ({ requests }) => requests.group,
    least: 8,
    share: 1.2,
    rank: 2,
    isBelowName: true,
    cell: ({ groupInfo: { groupName, groupID } }) => <bdi>{groupName || groupID}</bdi>,
  },
  {
    title: ({ requests }) => requests.message,
    least: 9,
    share: 1.6,
    rank: 4,
    cell: ({ reqMsg }) => (reqMsg === "" ? <span class="faint">–</span> : <bdi>{reqMsg}</bdi>),
  },
  timeColumn(
    ({ requests }) => requests.asked,
    ({ reqTime }) => reqTime,
  ),
  {
    title: ({ requests }) => requests.result,
    least: 5.5,
    cell: ({ handleResult }, { requests: { results } }) => {
      if (handleResult === 0) return <Badge kind="wait">{results.pending}</Badge>;
      if (handleResult === 1) return <Badge kind="good">{results.accepted}</Badge>;
      return <Badge kind="bad">{results.refused}</Badge>;
    },
  },
  {
    ...userColumn<GroupRequest>(
      ({ requests }) => requests.handledBy,
      ({ handleUserID }) => handleUserID,
    ),
    rank: 5,
  },
];

/** The requests to join the groups that a user manages. */
export function RequestsScreen({ at }: { at: PlaceOf<"requests"> }) {
  const { userID, result, row } = at;
  const texts = messages.value;
  const handleResult = handleResultOf(result);
  return (
    <ListScreen
      operation="getReceivedGroupApplicationList"
      input={{ fromUserID: userID, ...(handleResult !== undefined && { handleResults: [handleResult] }) }}
      items={({ total, groupRequests }) => {
        for (const { userInfo, groupInfo } of groupRequests) {
          rememberName("user", userInfo.userID, userInfo.nickname);
          rememberName("group", groupInfo.groupID, groupInfo.groupName);
        }
        return { total, items: groupRequests };
      }}
      idOf={({ userInfo }) => userInfo.userID}
      keyOf={({ userInfo, groupInfo }) => JSON.stringify([userInfo.userID, groupInfo.groupID])}
      fileName={`requests ${userID}`}
      onSet={(userIDs) => setFor("", userIDs)}
      columns={columns}
      heading={<UserHeading userID={userID} screen="requests" />}
      total={texts.requests.total}
      filters={
        <ResultTabs
          userID={userID}
          result={result}
          onChoose={(result: RequestResult) => go({ ...at, result, row: 1 })}
        />
      }
      none={texts.requests.none}
      row={row}
      onRow={(row) => stay({ ...at, row })}
      onGo={(row) => go({ ...at, row })}
      detail={({ userInfo: { userID, nickname }, groupInfo: { groupID } }) => ({
        title: nickname || userID,
        links: [...userLinks(userID, texts), ...groupLinks(groupID, texts)],
      })}
    />
  );
}
