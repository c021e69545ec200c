import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { GroupRequest } from "../../src/index.js";
import type { Input } from "../api/call.js";
import { setFor } from "../conversations/work.js";
import { formatAge } from "../language/format.js";
import { messages } from "../language/language.js";
import { inWords, wordsOf } from "../language/words.js";
import { Badge, TimeCell } from "../list/cells.js";
import type { Column } from "../list/column.js";
import { ListScreen } from "../list/ListScreen.js";
import { shownName } from "../parts/shownName.js";
import { go } from "../places/address.js";
import { type PlaceOf, type RequestResult, startOf } from "../places/place.js";
import { labelled, nameColumn, timeColumn, userColumn } from "./columns.js";
import { Filter } from "./Filter.js";
import { groupLinks, setLink, userLinks } from "./links.js";
import { ResultTabs, type ResultTotals } from "./ResultTabs.js";
import { handleResultOf } from "./results.js";

/** What each list shows of a request. */
const columns: readonly Column<GroupRequest>[] = [
  nameColumn(labelled("userInfo"), ({ userInfo: { nickname, userID }, groupInfo: { groupName, groupID } }) => ({
    name: nickname,
    id: userID,
    below: `→ ${shownName(groupName, groupID)}`,
  })),
  {
    title: labelled("groupInfo"),
    least: 8,
    share: 1.2,
    rank: 2,
    isBelowName: true,
    cell: ({ groupInfo: { groupName, groupID } }) => <bdi>{shownName(groupName, groupID)}</bdi>,
  },
  {
    title: labelled("reqMsg"),
    least: 9,
    share: 1.6,
    rank: 4,
    isEmpty: ({ reqMsg }) => reqMsg === "",
    cell: ({ reqMsg }) => (reqMsg === "" ? <span class="faint">–</span> : <bdi>{reqMsg}</bdi>),
  },
  timeColumn(labelled("reqTime"), ({ reqTime }) => reqTime),
];

/** A pending request has no result, and nobody has handled it. */
const pendingColumns: readonly Column<GroupRequest>[] = [
  ...columns,
  {
    title: ({ requests }) => requests.waiting,
    least: 5.5,
    words: () => [formatAge(Date.now() - 59 * 60_000)],
    isEmpty: ({ reqTime }) => reqTime === 0,
    cell: ({ reqTime }) => (reqTime === 0 ? <TimeCell time={0} /> : formatAge(reqTime)),
  },
];

const handledColumns: readonly Column<GroupRequest>[] = [
  ...columns,
  {
    title: labelled("handleResult"),
    least: 5.5,
    words: () => wordsOf("handleResult"),
    cell: ({ handleResult }) => {
      const kind = handleResult === 0 ? "wait" : handleResult === 1 ? "good" : "bad";
      return <Badge kind={kind}>{inWords("handleResult", handleResult)}</Badge>;
    },
  },
  {
    ...userColumn<GroupRequest>(labelled("handleUserID"), ({ handleUserID }) => handleUserID),
    rank: 5,
  },
];

interface RequestListProps {
  /** Whose groups, and which of them. */
  asked: Pick<Input<"getReceivedGroupApplicationList">, "fromUserID" | "groupIDs">;
  at: PlaceOf<"requests"> | PlaceOf<"groupRequests">;
  heading: ComponentChildren;
  none: string;
}

/** Join requests, by result. */
export function RequestList({ asked, at, heading, none }: RequestListProps) {
  const { result, order } = at;
  const texts = messages.value;
  const totals = useSignal<ResultTotals>({});
  const handleResult = handleResultOf(result);
  return (
    <ListScreen
      operation="getReceivedGroupApplicationList"
      input={{ ...asked, ...(handleResult !== undefined && { handleResults: [handleResult] }) }}
      items={({ total, groupRequests }) => {
        totals.value = { ...totals.value, [result]: total };
        return { total, items: groupRequests };
      }}
      idOf={({ userInfo }) => userInfo.userID}
      keyOf={({ userInfo, groupInfo }) => JSON.stringify([userInfo.userID, groupInfo.groupID])}
      fileName={`requests ${"userID" in at ? at.userID : at.groupID}`}
      onSet={(userIDs) => setFor("groupID" in at ? at.groupID : "", userIDs)}
      isFromEnd={order === "oldest"}
      columns={result === "pending" ? pendingColumns : handledColumns}
      heading={heading}
      total={texts.requests.total}
      filters={
        <>
          <ResultTabs
            asked={asked}
            result={result}
            totals={totals}
            onChoose={(result: RequestResult) => go({ ...startOf(at), result })}
          />
          <Filter
            label={texts.requests.order}
            options={texts.requests.orders}
            value={order === "oldest" ? 1 : 0}
            onChoose={(chosen) => go({ ...startOf(at), order: chosen === 1 ? "oldest" : undefined })}
          />
        </>
      }
      none={none}
      at={at}
      detail={({ userInfo: { userID, nickname }, groupInfo: { groupID } }) => ({
        title: shownName(nickname, userID),
        actions: [setLink(texts, { groupID })],
        links: [...userLinks(userID, texts), ...groupLinks(groupID, texts)],
      })}
    />
  );
}
