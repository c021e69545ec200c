import { messages } from "../language/language.js";
import { Menu } from "../list/Menu.js";
import { Link } from "../places/Link.js";
import type { PlaceOf } from "../places/place.js";
import { useFound } from "../screens/useFound.js";
import { countMembers, ruleText } from "./memberReading.js";
import { setForMembers } from "./work.js";

/** Asks for which members of a group its conversation is set. */
export function WhomMenu({ at: { groupID, keyword, filter } }: { at: PlaceOf<"members"> }) {
  const texts = messages.value;
  const isOwn = keyword !== "" || (filter !== 0 && filter !== 5);
  return (
    <Menu label={texts.members.setConversation} isPrimary>
      <RuleLink groupID={groupID} keyword="" filter={0} />
      <RuleLink groupID={groupID} keyword="" filter={5} />
      {isOwn && <RuleLink groupID={groupID} keyword={keyword} filter={filter} />}
      <Link to={{ screen: "conversations", groupID }} class="button quiet">
        {texts.whom.choose}
      </Link>
    </Menu>
  );
}

function RuleLink({ groupID, keyword, filter }: Pick<PlaceOf<"members">, "groupID" | "keyword" | "filter">) {
  const rule = { groupID, keyword, filter };
  const count = useFound((signal) => countMembers(rule, signal), JSON.stringify(rule));
  const to = { screen: "conversations", groupID, members: { keyword, filter } } as const;
  return (
    <Link to={to} class="button quiet" onGo={() => setForMembers(to)}>
      {ruleText(rule, messages.value, count, false)}
    </Link>
  );
}
