import type { ComponentChildren } from "preact";
import { messages } from "../language/language.js";
import { Avatar } from "../parts/Avatar.js";
import { CopyButton } from "../parts/CopyButton.js";
import { Icon } from "../parts/Icon.js";
import { shownName } from "../parts/shownName.js";
import { Link } from "../places/Link.js";
import { nameOf } from "../places/names.js";
import type { Place } from "../places/place.js";
import { isPinned, type Subject, togglePin } from "../places/subjects.js";

interface HeadingProps {
  subject: Subject;
  /** What else is known. */
  facts?: ComponentChildren;
  /** The lists of the subject, with their totals if these are known. */
  tabs: readonly { label: string; to: Place; count?: string | undefined }[];
  tabsLabel: string;
  screen: Place["screen"];
}

/** The card of a group or a user: its name if it is known, its ID, and its lists. */
export function Heading({ subject, facts, tabs, tabsLabel, screen }: HeadingProps) {
  const { kind, id } = subject;
  const { open, shell, failure } = messages.value;
  const name = nameOf(kind, id);
  const isAtHand = isPinned(subject);
  return (
    <div class="card">
      <Avatar name={shownName(name, id)} isLarge />
      <div class="card-text">
        <div class="heading">
          <h1 title={name}>
            <bdi>{shownName(name, id)}</bdi>
          </h1>
          <button type="button" class="quiet" aria-pressed={isAtHand} onClick={() => togglePin(subject)}>
            <Icon name="pin" />
            {isAtHand ? shell.unpin : shell.pin}
          </button>
        </div>
        <p class="facts">
          <span>{open[kind]}</span>
          {name !== "" && <bdi class="id">{id}</bdi>}
          <CopyButton label={failure.copy} text={() => id} />
          {facts}
        </p>
      </div>
      <nav class="tabs" aria-label={tabsLabel}>
        {tabs.map(({ label, to, count }) => (
          <Link key={label} to={to} isCurrent={to.screen === screen}>
            {label} {count !== undefined && <span class="count">{count}</span>}
          </Link>
        ))}
      </nav>
    </div>
  );
}
