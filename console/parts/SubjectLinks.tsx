import { messages } from "../language/language.js";
import { Link } from "../places/Link.js";
import { nameOf } from "../places/names.js";
import { isSame, placeOf, type Subject } from "../places/subjects.js";
import { Icon } from "./Icon.js";
import { shownName } from "./shownName.js";

interface SubjectLinksProps {
  label: string;
  subjects: readonly Subject[];
  current?: Subject | undefined;
  /** Whether to show the IDs too. */
  hasIDs?: boolean;
  onGo?: (() => void) | undefined;
}

/** Links to groups and users, by name; nothing if there are none. */
export function SubjectLinks({ label, subjects, current, hasIDs, onGo }: SubjectLinksProps) {
  if (subjects.length === 0) return null;
  return (
    <nav aria-label={label}>
      <h2>{label}</h2>
      {subjects.map((subject) => (
        <Link
          key={`${subject.kind} ${subject.id}`}
          to={placeOf(subject)}
          isCurrent={current !== undefined && isSame(subject, current)}
          onGo={onGo}
        >
          <Icon name={subject.kind} />
          <bdi>{shownName(nameOf(subject.kind, subject.id), subject.id)}</bdi>
          {hasIDs ? (
            <span class="faint">
              {messages.value.open[subject.kind]} <bdi class="id">{subject.id}</bdi>
            </span>
          ) : (
            <span class="hidden">{messages.value.open[subject.kind]}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}
