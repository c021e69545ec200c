import { formatCount, formatTime } from "../language/format.js";
import { messages } from "../language/language.js";
import { CopyButton } from "../parts/CopyButton.js";
import { FailureNote } from "../parts/FailureNote.js";
import { Link } from "../places/Link.js";
import { type MemberReading, ruleText } from "./memberReading.js";
import { useName } from "./useName.js";
import { firstOf, linesOf, type Users } from "./users.js";
import type { Work } from "./work.js";

interface MembersPartProps {
  members: MemberReading;
  work: Work;
  users: Users;
}

/** The members of a group for whom the conversation is set, and how far the page has read them. */
export function MembersPart({ members, work, users }: MembersPartProps) {
  const { lists, tasks, whom } = messages.value;
  const { rule, progress, state, failure } = members;
  const { done, all } = progress.value;
  const isOver = state.value === "done";
  useName("group", rule.groupID);
  const count = isOver ? users.count : all || undefined;

  return (
    <>
      <p class="words">
        <strong>{ruleText(rule, messages.value, count)}</strong>
      </p>
      {!isOver && (
        <>
          <progress max={Math.max(1, all)} value={done} aria-label={tasks.rows(formatCount(done), formatCount(all))} />
          <p role="status">{tasks.rows(formatCount(done), formatCount(all))}</p>
        </>
      )}
      {failure.value && <FailureNote failure={failure.value} onRetry={() => members.run()} />}
      {isOver && (
        <>
          {(members.hasChanged || users.count !== all) && <p class="hint refused">{tasks.changed}</p>}
          <details>
            <summary>{whom.showIDs}</summary>
            <textarea rows={6} readOnly aria-label={whom.showIDs} value={firstOf(users)} />
            <CopyButton label={lists.copyIDs} text={() => linesOf(users.batches)} />
          </details>
          <p class="hint">{whom.read(formatTime(members.endTime))}</p>
        </>
      )}
      <p class="actions">
        {state.value === "running" && (
          <button type="button" onClick={() => members.stop()}>
            {tasks.stop}
          </button>
        )}
        {state.value === "stopped" && (
          <button type="button" onClick={() => members.run()}>
            {tasks.goOn}
          </button>
        )}
        {isOver && (
          <button type="button" onClick={work.readMembers}>
            {whom.readAgain}
          </button>
        )}
        <Link to={{ screen: "conversations", groupID: rule.groupID }} class="button quiet">
          {whom.chooseOthers}
        </Link>
      </p>
    </>
  );
}
