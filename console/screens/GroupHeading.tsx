import { groupConversationID } from "../conversations/draft.js";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { inWords } from "../language/words.js";
import { Badge } from "../list/cells.js";
import { shownName } from "../parts/shownName.js";
import { Time } from "../parts/Time.js";
import { findGroup } from "../places/find.js";
import { Link } from "../places/Link.js";
import { nameOf } from "../places/names.js";
import { forget } from "../places/subjects.js";
import { Heading, historyTab } from "./Heading.js";
import { waitingRequests } from "./totals.js";
import { useFound } from "./useFound.js";

interface GroupHeadingProps {
  groupID: string;
  found: Found;
  screen: "members" | "groupRequests";
}

type Found = ReturnType<typeof useGroup>;

/** What is known of a group, and how many of its join requests are pending. */
export function useGroup(groupID: string) {
  const group = useFound(
    (signal) => findGroup(groupID, signal),
    groupID,
    () => forget({ kind: "group", id: groupID }),
  );
  const managerID = group?.managerID;
  const waiting = useFound((signal) => waitingRequests(groupID, managerID, signal), `${groupID} ${managerID}`);
  return { group, waiting };
}

/** The heading of a group, with links to its lists. */
export function GroupHeading({ groupID, found: { group, waiting }, screen }: GroupHeadingProps) {
  const { shell, user } = messages.value;
  const owner = group?.ownerUserID ?? "";
  return (
    <Heading
      subject={{ kind: "group", id: groupID }}
      tabsLabel={shell.filtersOf}
      screen={screen}
      facts={
        group && (
          <>
            {group.status !== 0 && <Badge kind="bad">{inWords("status", group.status)}</Badge>}
            {owner !== "" && (
              <span class="wide-only">
                {shell.owner}{" "}
                <Link to={{ screen: "groups", userID: owner, row: 1 }}>
                  <bdi>{shownName(nameOf("user", owner), owner)}</bdi>
                </Link>
              </span>
            )}
            {group.createTime > 0 && (
              <span class="wide-only">
                {shell.made} <Time at={group.createTime} hasZone />
              </span>
            )}
          </>
        )
      }
      tabs={[
        {
          label: shell.members,
          to: { screen: "members", groupID, keyword: "", filter: 0, row: 1 },
          count: group && formatCount(group.memberCount),
        },
        {
          label: user.requests,
          to: { screen: "groupRequests", groupID, result: "pending", row: 1 },
          pending: waiting,
        },
        ...historyTab({ conversation: groupConversationID(groupID) }),
      ]}
    />
  );
}
