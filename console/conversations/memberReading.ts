import type { GroupMember } from "../../src/index.js";
import { call } from "../api/call.js";
import { formatCount } from "../language/format.js";
import type { Messages } from "../language/messages.js";
import { ListTask } from "../list/listTask.js";
import { fromStart } from "../list/loads.js";
import type { Load } from "../list/readRows.js";
import { shownName } from "../parts/shownName.js";
import type { MembersRule, PlaceOf } from "../places/place.js";
import { nameInText } from "./useName.js";
import { UserCollector, type Users } from "./users.js";

/** Which members of which group. */
export interface RuleOfGroup extends MembersRule {
  groupID: string;
}

/** Reads the members of a group that a rule names. */
export class MemberReading extends ListTask<GroupMember> {
  readonly rule: RuleOfGroup;
  /** When the last row came. */
  endTime = 0;
  readonly #users = new UserCollector();
  readonly #onEnd: (users: Users) => void;

  constructor(place: PlaceOf<"conversations">, rule: RuleOfGroup, onEnd: (users: Users) => void) {
    super(place, membersOf(rule));
    this.rule = rule;
    this.#onEnd = onEnd;
    void this.run();
  }

  title(messages: Messages): string {
    return ruleText(this.rule, messages);
  }

  outcome({ conversations, tasks }: Messages): string {
    const { done, all } = this.progress.value;
    if (this.state.value === "done") return conversations.count(formatCount(done));
    return tasks.rows(formatCount(done), formatCount(all));
  }

  protected override take(members: readonly GroupMember[]): void {
    for (const { userID } of members) this.#users.add(userID);
  }

  protected override end(): void {
    this.endTime = Date.now();
    this.#onEnd(this.#users.users);
  }
}

/** Loads the members that a rule names. */
function membersOf(rule: RuleOfGroup): Load<GroupMember> {
  return fromStart((pageNumber, showNumber, signal) =>
    call(
      "getGroupMemberList",
      { ...inputOf(rule), pagination: { pageNumber, showNumber } },
      { signal, read: ({ total, members }) => ({ total, items: members }) },
    ),
  );
}

/** How many members a rule names. */
export function countMembers(rule: RuleOfGroup, signal: AbortSignal): Promise<number> {
  const pagination = { pageNumber: 1, showNumber: 1 };
  return call("getGroupMemberList", { ...inputOf(rule), pagination }, { signal, read: ({ total }) => total });
}

function inputOf({ groupID, keyword, filter }: RuleOfGroup) {
  return { groupID, ...(keyword && { keyword }), ...(filter && { filter }) };
}

/**
 * A rule in words.
 *
 * @param count how many users it names; undefined if that is not known yet
 * @param hasGroup whether it says of which group
 */
export function ruleText(rule: RuleOfGroup, { whom }: Messages, count?: number, hasGroup = true): string {
  const { groupID, keyword, filter } = rule;
  const group = hasGroup ? nameInText("group", groupID) || shownName(groupID) : "";
  const number = count === undefined ? "" : formatCount(count);
  return filter === 0 && keyword === ""
    ? whom.allOf(number, group)
    : whom.someOf(whom.roles[filter] ?? "", shownName(keyword), number, group);
}
