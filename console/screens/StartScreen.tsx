import { messages } from "../language/language.js";
import { Icon } from "../parts/Icon.js";
import { OpenField } from "../parts/OpenField.js";
import { SubjectLinks } from "../parts/SubjectLinks.js";
import { Link } from "../places/Link.js";
import { pinned, recentSubjects } from "../places/subjects.js";

/** The first screen. */
export function StartScreen() {
  const { conversations, open, shell, start } = messages.value;
  const isEmpty = pinned.value.length + recentSubjects.value.length === 0;
  return (
    <section class="start">
      <h1>{start.title}</h1>
      <OpenField />
      <p class="faint">{start.lead}</p>
      <div class="start-subjects">
        <SubjectLinks hasIDs label={shell.pinned} subjects={pinned.value} />
        <SubjectLinks hasIDs label={open.recent} subjects={recentSubjects.value} />
        {isEmpty && (
          <p class="faint no-subjects">
            <Icon name="empty" />
            {start.empty}
          </p>
        )}
      </div>
      <div class="ways">
        <Link to={{ screen: "accounts", keyword: "", level: 0, row: 1 }}>
          <Icon name="bell" />
          <strong>{start.accounts}</strong>
          <span>{start.accountsLead}</span>
        </Link>
        <Link to={{ screen: "conversations", groupID: "" }}>
          <Icon name="sliders" />
          <strong>{conversations.title}</strong>
          <span>{start.conversationsLead}</span>
        </Link>
      </div>
    </section>
  );
}
