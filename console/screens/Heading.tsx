import type { ComponentChildren } from "preact";
import { isKept } from "../history/history.js";
import { messages } from "../language/language.js";
import { Avatar } from "../parts/Avatar.js";
import { CopyButton } from "../parts/CopyButton.js";
import { Icon } from "../parts/Icon.js";
import { shownName } from "../parts/shownName.js";
import { Link } from "../places/Link.js";
import { nameOf } from "../places/names.js";
import type { Place } from "../places/place.js";
import { isPinned, type Subject, togglePin } from "../places/subjects.js";

/** A list of the subject, with its total, or how many of its join requests are pending, if this is known. */
interface Tab {
  label: string;
  to: Place;
  count?: string | undefined;
  pending?: string | undefined;
}

interface HeadingProps {
  subject: Subject;
  /** What else is known. */
  facts?: ComponentChildren;
  tabs: readonly Tab[];
  tabsLabel: string;
  screen: Place["screen"];
}

/** A link to what was set for a subject, where the server keeps a history. */
export function historyTab(of: { conversation: string } | { user: string }): Tab[] {
  return isKept.value ? [{ label: messages.value.history.title, to: { screen: "history", row: 1, ...of } }] : [];
}

/** The card of a group or a user: its name if it is known, its ID, and its lists. */
export function Heading({ subject, facts, tabs, tabsLabel, screen }: HeadingProps) {
  const { kind, id } = subject;
  const { open, shell } = messages.value;
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
        </div>
        <p class="facts">
          <span class="wide-only">{open[kind]}</span>
          {name !== "" && <bdi class="id">{id}</bdi>}
          {facts}
        </p>
      </div>
      <p class="card-actions">
        <CopyButton label={shell.copyID} text={() => id} />
        <button type="button" class="quiet" aria-pressed={isAtHand} onClick={() => togglePin(subject)}>
          <Icon name="pin" />
          {isAtHand ? shell.unpin : shell.pin}
        </button>
      </p>
      <nav class="tabs" aria-label={tabsLabel}>
        {tabs.map(({ label, to, count, pending }) => (
          <Link key={label} to={to} isCurrent={to.screen === screen}>
            {label} {count !== undefined && <span class="count">{count}</span>}
            {pending !== undefined && (
              <span class={pending === "0" ? "count" : "count waiting"}>
                {pending}
                <span class="wide-only"> {shell.pending}</span>
              </span>
            )}
          </Link>
        ))}
      </nav>
    </div>
  );
}
