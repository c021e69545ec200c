import type { GroupMember } from "../../src/index.js";
import { WhomMenu } from "../conversations/WhomMenu.js";
import { setFor, setForMembers } from "../conversations/work.js";
import { labelOf } from "../language/labels.js";
import { messages } from "../language/language.js";
import type { Messages } from "../language/messages.js";
import { wordOf, wordsOf } from "../language/words.js";
import { Badge } from "../list/cells.js";
import type { Column } from "../list/column.js";
import { ListScreen } from "../list/ListScreen.js";
import { SearchField } from "../list/SearchField.js";
import { shownName } from "../parts/shownName.js";
import { go, refine } from "../places/address.js";
import { type PlaceOf, roleFilter, startOf } from "../places/place.js";
import { idColumn, labelled, nameColumn, timeColumn } from "./columns.js";
import { Elsewhere } from "./Elsewhere.js";
import { Filter } from "./Filter.js";
import { GroupHeading, useGroup } from "./GroupHeading.js";
import { setLink, userLinks } from "./links.js";

const columns: readonly Column<GroupMember>[] = [
  nameColumn(labelled("nickname"), ({ nickname, userID }) => ({ name: nickname, id: userID })),
  idColumn(labelled("userID"), ({ userID }) => userID),
  {
    title: labelled("roleLevel"),
    least: 6.5,
    words: () => wordsOf("roleLevel"),
    cell: ({ roleLevel }, messages) => <Role level={roleLevel} messages={messages} />,
  },
  timeColumn(labelled("joinTime"), ({ joinTime }) => joinTime),
  {
    ...timeColumn(labelled("muteEndTime"), ({ muteEndTime }) => (muteEndTime > Date.now() ? muteEndTime : 0)),
    rank: 4,
    isRare: true,
  },
];

function Role({ level, messages: { members } }: { level: number; messages: Messages }) {
  const word = wordOf("roleLevel", level);
  if (level === 100 || level === 60) return <Badge kind={level === 100 ? "strong" : "plain"}>{word ?? ""}</Badge>;
  return <span class="faint">{word ?? members.level(level)}</span>;
}

/** The members of a group. */
export function MembersScreen({ at }: { at: PlaceOf<"members"> }) {
  const { groupID, keyword, filter } = at;
  const texts = messages.value;
  const isFiltered = keyword !== "" || filter !== 0;
  const found = useGroup(groupID);
  const search = (keyword: string) => refine(at, { ...startOf(at), keyword });

  return (
    <ListScreen
      operation="getGroupMemberList"
      input={{ groupID, ...(keyword && { keyword }), ...(filter && { filter }) }}
      items={({ total, members }) => ({ total, items: members })}
      idOf={({ userID }) => userID}
      isSearchable
      fileName={`members ${groupID}`}
      onSet={(userIDs) => setFor(groupID, userIDs)}
      onSetAll={() => setForMembers({ screen: "conversations", groupID, members: { keyword, filter } })}
      columns={columns}
      heading={<GroupHeading groupID={groupID} found={found} screen="members" />}
      total={texts.members.total}
      filters={
        <>
          <SearchField keyword={keyword} onSearch={search} />
          <Filter
            label={labelOf("roleLevel")}
            options={texts.members.filters}
            value={filter}
            onChoose={(chosen) => go({ ...startOf(at), filter: roleFilter(chosen) })}
          />
        </>
      }
      action={<WhomMenu at={at} />}
      onClear={isFiltered ? () => go({ ...startOf(at), keyword: "", filter: 0 }) : undefined}
      elsewhere={keyword && <Elsewhere key={keyword} keyword={keyword} except={groupID} onSearch={search} />}
      none={texts.members.none}
      at={at}
      detail={({ userID, nickname }) => ({
        title: shownName(nickname, userID),
        actions: [setLink(texts, { groupID, userID })],
        links: userLinks(userID, texts),
      })}
    />
  );
}
