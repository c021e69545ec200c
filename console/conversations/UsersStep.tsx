import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { MembersPart } from "./MembersPart.js";
import type { StepProps } from "./step.js";
import { UsersPart } from "./UsersPart.js";
import type { Work } from "./work.js";

/** The step for the users: members of a group that the page reads, or users that the administrator lists. */
export function UsersStep({ work, ...step }: StepProps & { work: Work }) {
  const texts = messages.value.conversations;
  const { duplicates, tooLong } = step.draft.users;
  const [long = ""] = tooLong;
  const members = work.members.value;
  return (
    <section class="step">
      <h2>{texts.users}</h2>
      {members ? (
        <MembersPart members={members} work={work} users={step.draft.users} />
      ) : (
        <UsersPart {...step} work={work} />
      )}
      {duplicates > 0 && !members && <p class="hint">{texts.duplicates(formatCount(duplicates))}</p>}
      {tooLong.length > 0 && (
        <p class="hint refused">{texts.tooLong(formatCount(tooLong.length), `${[...long].slice(0, 24).join("")}…`)}</p>
      )}
    </section>
  );
}
