import type { ComponentChildren } from "preact";
import { nameInText } from "../conversations/useName.js";
import { messages } from "../language/language.js";
import { Badge } from "../list/cells.js";
import { shownName } from "../parts/shownName.js";
import { Time } from "../parts/Time.js";
import { nameOf } from "../places/names.js";
import { FieldList } from "./FieldList.js";
import type { Fields, KeptSetting } from "./history.js";

interface Shown
  extends Pick<KeptSetting, "time" | "adminUserID" | "conversationID" | "userID" | "groupID" | "outcome" | "setsBack"> {
  fields: Fields;
}

interface SettingCardProps {
  setting: Shown;
  /** How many users it concerns, in words. */
  users: string;
  /** What the administrator can do. */
  children: ComponentChildren;
}

const badges = { done: "good", failed: "bad", unknown: "wait" } as const;

/** A setting: who, when, what, for how many, and what came of it. */
export function SettingCard({ setting, users, children }: SettingCardProps) {
  const { history, conversations } = messages.value;
  const { time, adminUserID, conversationID, userID = "", groupID = "", fields, outcome, setsBack } = setting;
  return (
    <li class="setting">
      <p class="setting-head">
        <Time at={time} hasZone />
        <bdi>{shownName(nameOf("user", adminUserID), adminUserID)}</bdi>
        <Badge kind={badges[outcome]}>{history.outcomes[outcome]}</Badge>
        {setsBack && <Badge kind="plain">{history.setsBack}</Badge>}
      </p>
      {/* Setting back gives each user other values. */}
      {!setsBack && <FieldList fields={fields} />}
      <p class="faint">
        {groupID === ""
          ? conversations.withUser(userID, conversationID, nameInText("user", userID))
          : conversations.inGroup(groupID, conversationID, nameInText("group", groupID))}
      </p>
      <p>{users}</p>
      {children}
    </li>
  );
}
