import type { ComponentChildren } from "preact";
import { groupConversationID } from "../conversations/draft.js";
import { formatCount, zoneName } from "../language/format.js";
import { messages } from "../language/language.js";
import { Badge } from "../list/cells.js";
import { Icon } from "../parts/Icon.js";
import { shownName } from "../parts/shownName.js";
import { Time } from "../parts/Time.js";
import { Link } from "../places/Link.js";
import { nameOf } from "../places/names.js";
import { placeOf } from "../places/subjects.js";
import { FieldList } from "./FieldList.js";
import { askedIn, type Fields, type KeptSetting } from "./history.js";

/** Settings, one in each row. */
export function SettingTable({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <table class="settings" aria-label={label}>
      <thead>
        <tr>
          {messages.value.history.columns.map((title, index) => (
            <th scope="col" key={title}>
              {title}
              {index === 0 && ` (${zoneName()})`}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

type Common = "time" | "adminUserID" | "conversationID" | "userID" | "groupID" | "operationID" | "outcome" | "cut";

interface SettingRowProps {
  setting: Pick<KeptSetting, Common> & { fields: Fields; users: number };
  /** How many users it concerns, in words. */
  users: string;
  /** What it has done, instead of what each user has now. */
  setsBack?: ComponentChildren;
  setBackBy?: ComponentChildren;
  /** What the administrator can do. */
  action: ComponentChildren;
  /** What is open below it. */
  children?: ComponentChildren;
}

/** The most characters of a text in a row. */
const mostCharacters = 80;

const badges = { done: "good", failed: "bad", unknown: "wait" } as const;

/** A setting: when, who, where, what, for how many, and what came of it. */
export function SettingRow({ setting, users: usersText, setsBack, setBackBy, action, children }: SettingRowProps) {
  const { history } = messages.value;
  const { time, adminUserID, conversationID, userID = "", groupID = "", fields, cut, outcome, users } = setting;
  const subject = groupID === "" ? ({ kind: "user", id: userID } as const) : ({ kind: "group", id: groupID } as const);
  const asked = askedIn(setting);
  const isPart = asked > users;
  return (
    <>
      <tr class={children ? "shown" : ""}>
        <td>
          <Time at={time} hasZone />
        </td>
        <td>
          <bdi title={adminUserID}>{shownName(nameOf("user", adminUserID), adminUserID)}</bdi>
        </td>
        <td>
          <Icon name={subject.kind} />{" "}
          <Link to={placeOf(subject)}>
            <bdi title={subject.id}>{shownName(nameOf(subject.kind, subject.id), subject.id)}</bdi>
          </Link>
          {conversationID !== groupConversationID(groupID) && <bdi class="id faint"> {conversationID}</bdi>}
        </td>
        <td>{setsBack ?? <FieldList fields={fields} cut={cut} mostCharacters={mostCharacters} />}</td>
        <td>{usersText}</td>
        <td>
          {!(isPart && outcome === "done") && <Badge kind={badges[outcome]}>{history.outcomes[outcome]}</Badge>}{" "}
          {isPart && <Badge kind="wait">{history.part(formatCount(users), formatCount(asked))}</Badge>} {setBackBy}
        </td>
        <td>{action}</td>
      </tr>
      {children && (
        <tr class="shown">
          <td colSpan={7}>{children}</td>
        </tr>
      )}
    </>
  );
}
