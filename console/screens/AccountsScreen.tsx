import type { NotificationAccount } from "../../src/index.js";
import { setFor } from "../conversations/work.js";
import { messages } from "../language/language.js";
import type { Column } from "../list/column.js";
import { ListScreen } from "../list/ListScreen.js";
import { SearchField } from "../list/SearchField.js";
import { shownName } from "../parts/shownName.js";
import { go, refine } from "../places/address.js";
import { type PlaceOf, startOf } from "../places/place.js";
import { idColumn, labelled, nameColumn } from "./columns.js";
import { Elsewhere } from "./Elsewhere.js";
import { Filter } from "./Filter.js";
import { setLink, userLinks } from "./links.js";

const columns: readonly Column<NotificationAccount>[] = [
  nameColumn(labelled("nickName"), ({ nickName, userID }) => ({ name: nickName, id: userID })),
  idColumn(labelled("userID"), ({ userID }) => userID),
];

/** The `appMangerLevel` of each option of the filter. */
const appManagerLevels = [undefined, 3, 4] as const;

/** The accounts that send system notifications. */
export function AccountsScreen({ at }: { at: PlaceOf<"accounts"> }) {
  const { keyword, level } = at;
  const texts = messages.value;
  const appManagerLevel = appManagerLevels[level];
  const isFiltered = keyword !== "" || level !== 0;
  const search = (keyword: string) => refine(at, { ...startOf(at), keyword });
  return (
    <ListScreen
      operation="searchNotificationAccount"
      input={{ ...(keyword && { keyword }), ...(appManagerLevel && { appManagerLevel }) }}
      items={({ total, notificationAccounts }) => ({ total, items: notificationAccounts })}
      idOf={({ userID }) => userID}
      isSearchable
      fileName="notification accounts"
      onSet={(userIDs) => setFor("", userIDs)}
      columns={columns}
      heading={<h1>{texts.accounts.title}</h1>}
      total={texts.accounts.total}
      filters={
        <>
          <SearchField keyword={keyword} onSearch={search} />
          <Filter
            label={texts.accounts.level}
            options={texts.accounts.levels}
            value={level}
            onChoose={(level) => go({ ...startOf(at), level })}
          />
        </>
      }
      onClear={isFiltered ? () => go({ ...startOf(at), keyword: "", level: 0 }) : undefined}
      elsewhere={keyword && <Elsewhere key={keyword} keyword={keyword} onSearch={search} />}
      none={texts.accounts.none}
      at={at}
      detail={({ userID, nickName }) => ({
        title: shownName(nickName, userID),
        actions: [setLink(texts, { userID })],
        links: userLinks(userID, texts),
      })}
    />
  );
}
