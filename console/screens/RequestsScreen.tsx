import type { GroupRequest } from "../../src/index.js";
import { messages } from "../language/language.js";
import { Badge, IdCell, TimeCell } from "../list/cells.js";
import type { Column } from "../list/column.js";
import { ListScreen } from "../list/ListScreen.js";
import { go, stay } from "../places/address.js";
import { rememberName } from "../places/names.js";
import type { PlaceOf, RequestResult } from "../places/place.js";
import { nameColumn, timeColumn } from "./columns.js";
import { groupLinks, userLinks } from "./links.js";
import { ResultTabs } from "./ResultTabs.js";
import { handleResultOf } from "./results.js";
import { UserHeading } from "./UserHeading.js";

const columns: readonly Column<GroupRequest>[] = [
  nameColumn(
    ({ requests }) => requests.applicant,
    ({ userInfo: { nickname, userID } }) => ({ name: nickname, id: userID }),
  ),
  {
    title: ({ requests }) => requests.group,
    width: "minmax(0, 1.2fr)",
    isWide: true,
    cell: ({ groupInfo: { groupName, groupID } }) => <bdi>{groupName || groupID}</bdi>,
  },
  {
    title: ({ requests }) => requests.message,
    width: "minmax(0, 1.6fr)",
    isWide: true,
    cell: ({ reqMsg }) => (reqMsg === "" ? <span class="faint">–</span> : <bdi>{reqMsg}</bdi>),
  },
  timeColumn(
    ({ requests }) => requests.asked,
    ({ reqTime }) => reqTime,
  ),
  {
    title: ({ requests }) => requests.result,
    width: "6.5rem",
    cell: ({ handleResult }, { requests: { results } }) => {
      if (handleResult === 0) return <Badge kind="wait">{results.pending}</Badge>;
      if (handleResult === 1) return <Badge kind="good">{results.accepted}</Badge>;
      return <Badge kind="bad">{results.refused}</Badge>;
    },
  },
  {
    title: ({ requests }) => requests.handledBy,
    width: "minmax(0, 1fr)",
    isWide: true,
    cell: ({ handleUserID }) => (handleUserID === "" ? <TimeCell time={0} /> : <IdCell id={handleUserID} />),
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
