import type { Black } from "../../src/index.js";
import { setFor } from "../conversations/work.js";
import { messages } from "../language/language.js";
import type { Column } from "../list/column.js";
import { ListScreen } from "../list/ListScreen.js";
import { shownName } from "../parts/shownName.js";
import { Link } from "../places/Link.js";
import type { PlaceOf } from "../places/place.js";
import { idColumn, labelled, nameColumn, timeColumn, userColumn } from "./columns.js";
import { setLink, userLinks } from "./links.js";
import { UserHeading } from "./UserHeading.js";

/** The times of this list are in seconds. */
const second = 1_000;

const columns: readonly Column<Black>[] = [
  nameColumn(labelled("blackUserInfo"), ({ blackUserInfo: { nickname, userID } }) => ({ name: nickname, id: userID })),
  idColumn(labelled("userID"), ({ blackUserInfo }) => blackUserInfo.userID),
  timeColumn(
    ({ blacklist }) => blacklist.added,
    ({ createTime }) => createTime * second,
  ),
  userColumn(
    ({ blacklist }) => blacklist.by,
    ({ operatorUserID }) => operatorUserID,
  ),
];

/** The users that a user has blocked. */
export function BlacklistScreen({ at }: { at: PlaceOf<"blacklist"> }) {
  const { userID } = at;
  const texts = messages.value;
  return (
    <ListScreen
      operation="getBlackList"
      input={{ userID }}
      items={({ total, blacks }) => ({ total, items: blacks })}
      idOf={({ blackUserInfo }) => blackUserInfo.userID}
      fileName={`blacklist ${userID}`}
      onSet={(userIDs) => setFor("", userIDs)}
      columns={columns}
      heading={<UserHeading userID={userID} screen="blacklist" />}
      total={texts.blacklist.total}
      action={
        <Link to={setLink(texts, { userID }).to} class="button">
          {texts.lists.setConversation}
        </Link>
      }
      none={texts.blacklist.none}
      at={at}
      timeUnit={second}
      detail={({ blackUserInfo: { userID: blocked, nickname } }) => ({
        title: shownName(nickname, blocked),
        actions: [setLink(texts, { userID, peer: blocked })],
        links: userLinks(blocked, texts),
      })}
    />
  );
}
