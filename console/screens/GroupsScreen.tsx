import type { Group } from "../../src/index.js";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { wordOf, wordsOf } from "../language/words.js";
import { Badge } from "../list/cells.js";
import type { Column } from "../list/column.js";
import { ListScreen } from "../list/ListScreen.js";
import { shownName } from "../parts/shownName.js";
import { Link } from "../places/Link.js";
import type { PlaceOf } from "../places/place.js";
import { idColumn, labelled, nameColumn, timeColumn, userColumn } from "./columns.js";
import { groupLinks, setLink } from "./links.js";
import { UserHeading } from "./UserHeading.js";

const columns: readonly Column<Group>[] = [
  nameColumn(labelled("groupInfo"), ({ groupName, groupID }) => ({ name: groupName, id: groupID })),
  idColumn(labelled("groupID"), ({ groupID }) => groupID),
  {
    title: labelled("memberCount"),
    least: 5,
    isNumber: true,
    cell: ({ memberCount }) => formatCount(memberCount),
  },
  userColumn(labelled("ownerUserID"), ({ ownerUserID }) => ownerUserID),
  timeColumn(labelled("createTime"), ({ createTime }) => createTime),
  {
    title: labelled("status"),
    least: 6,
    rank: 2,
    words: () => wordsOf("status"),
    cell: ({ status }, { groups }) => {
      const word = wordOf("status", status) ?? groups.code(status);
      return status === 0 ? <span class="faint">{word}</span> : <Badge kind="bad">{word}</Badge>;
    },
  },
];

/** The groups that a user has joined. */
export function GroupsScreen({ at }: { at: PlaceOf<"groups"> }) {
  const { userID } = at;
  const texts = messages.value;
  return (
    <ListScreen
      operation="getJoinedGroupList"
      input={{ fromUserID: userID }}
      items={({ total, groups }) => ({ total, items: groups })}
      idOf={({ groupID }) => groupID}
      fileName={`groups ${userID}`}
      columns={columns}
      heading={<UserHeading userID={userID} screen="groups" />}
      total={texts.groups.total}
      action={
        <Link to={setLink(texts, { userID }).to} class="button">
          {texts.lists.setConversation}
        </Link>
      }
      none={texts.groups.none}
      at={at}
      detail={({ groupID, groupName }) => ({
        title: shownName(groupName, groupID),
        actions: [setLink(texts, { groupID, userID })],
        links: groupLinks(groupID, texts),
      })}
    />
  );
}
