import { useEffect, useId, useRef } from "preact/hooks";
import type { CallFailure } from "../api/callFailure.js";
import { formatCount } from "../language/format.js";
import { labelOf } from "../language/labels.js";
import { messages } from "../language/language.js";
import { wordOf } from "../language/words.js";
import { Link } from "../places/Link.js";
import { nameOf } from "../places/names.js";
import type { Place } from "../places/place.js";
import { refresh } from "../places/refresh.js";
import { placeOf, type Subject } from "../places/subjects.js";
import { Avatar } from "./Avatar.js";
import { CopyButton } from "./CopyButton.js";
import { FailureNote } from "./FailureNote.js";
import { isCovered } from "./media.js";
import { shownName } from "./shownName.js";
import { Time } from "./Time.js";

/** A link from an item to another place. */
export interface DetailLink {
  label: string;
  to: Place;
}

/** What the details of an item begin with. */
export interface DetailHead {
  title: string;
  id: string;
  /** Links to the forms that change something. */
  actions: readonly DetailLink[];
  /** Links to other lists. */
  links: readonly DetailLink[];
}

interface DetailProps {
  /** Undefined until it comes, and if there is no such row. */
  item: object | undefined;
  head: DetailHead | undefined;
  lack: "coming" | "sought" | "gone" | CallFailure | undefined;
  /** The position of the item, from 0; undefined if it is not known. */
  index: number | undefined;
  total: number;
  timeUnit: number;
  /** Goes to the details of another row. */
  onMove(index: number): void;
  onClose(): void;
}

/** The details of a row, beside the list. On narrow screens, they cover it. */
export function Detail({ item, head, lack, index, total, timeUnit, onMove, onClose }: DetailProps) {
  const panel = useRef<HTMLElement>(null);
  const heading = useId();
  // The panel has the focus, so that arrow keys lead to other rows.
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const { lists, detail, failure } = messages.value;
  const [Heading] = headings();
  const [before, after] = index === undefined ? [] : [index - 1, index + 1];

  function onKeyDown(event: KeyboardEvent): void {
    const { key, target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (target instanceof Element && target.closest("pre")) return;
    const to = { ArrowUp: before, ArrowDown: after, Home: 0, End: total - 1 }[key];
    if (key === "Escape") onClose();
    else if (to === undefined) return;
    else move(to);
    event.preventDefault();
  }

  function move(to: number | undefined): void {
    if (to !== undefined && to >= 0 && to < total) onMove(to);
  }

  function step(label: string, sign: string, to: number | undefined) {
    const isPossible = to !== undefined && to >= 0 && to < total;
    return (
      // A disabled button would lose the focus.
      <button type="button" class="quiet" aria-label={label} aria-disabled={!isPossible} onClick={() => move(to)}>
        <span aria-hidden="true">{sign}</span>
      </button>
    );
  }

  return (
    <section
      ref={panel}
      class="detail"
      tabIndex={-1}
      aria-labelledby={heading}
      aria-busy={lack === "coming" || lack === "sought"}
      onKeyDown={onKeyDown}
    >
      <div class="detail-bar">
        <button type="button" class="quiet" onClick={onClose}>
          {isCovered.value ? detail.back : lists.close}
        </button>
        <span class="faint">{index !== undefined && detail.row(formatCount(index + 1), formatCount(total))}</span>
        {step(detail.previous, "↑", before)}
        {step(detail.next, "↓", after)}
      </div>
      <div class={lack === "coming" ? "detail-body outdated" : "detail-body"}>
        <div class="detail-head">
          {head && <Avatar name={head.title} isLarge />}
          {/* A screen reader says which row came, although the focus stays. */}
          <Heading id={heading} title={head?.title} aria-live="polite">
            <bdi>{head?.title ?? lists.details}</bdi>
          </Heading>
          {head && (
            <p class="facts">
              <bdi class="id">{head.id}</bdi>
              <CopyButton key={head.id} label={failure.copy} text={() => head.id} />
            </p>
          )}
        </div>
        <div role="status">
          {lack === "gone" && detail.gone}
          {lack === "sought" && messages.value.open.searching}
        </div>
        {typeof lack === "object" && <FailureNote failure={lack} onRetry={refresh} />}
        {head && (
          <>
            <p class="actions">
              {head.actions.map(({ label, to }) => (
                <Link key={label} to={to} class="button">
                  {label}
                </Link>
              ))}
            </p>
            <nav class="detail-links" aria-label={detail.links}>
              {head.links.map(({ label, to }) => (
                <Link key={label} to={to}>
                  {label}
                </Link>
              ))}
            </nav>
          </>
        )}
        {item && <Content item={item} title={head?.title ?? ""} timeUnit={timeUnit} />}
      </div>
    </section>
  );
}

/** The elements of its headings. Under the panel, nobody finds the heading of the list. */
function headings() {
  return isCovered.value ? (["h1", "h2"] as const) : (["h2", "h3"] as const);
}

/** All fields of an item in words, grouped by nested object, and the item as JSON. */
function Content({ item, title, timeUnit }: { item: object; title: string; timeUnit: number }) {
  const json = JSON.stringify(item, null, 2);
  const [, Heading] = headings();
  return (
    <>
      <Fields of={item} title={title} timeUnit={timeUnit} />
      {Object.entries(item)
        .filter(([, value]) => isNested(value))
        .map(([name, value]) => (
          <section key={name}>
            <Heading title={name}>{labelOf(name)}</Heading>
            <Fields of={value} title={title} timeUnit={timeUnit} />
          </section>
        ))}
      <details>
        <summary>{messages.value.detail.rawJson}</summary>
        {/* It scrolls, and so it takes the keys. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
        <pre tabIndex={0}>{json}</pre>
      </details>
      <CopyButton isLoud label={messages.value.lists.copyJson} text={() => json} />
    </>
  );
}

/** The fields of an object, without its nested objects. Empty fields are folded. */
function Fields({ of, title, timeUnit }: { of: object; title: string; timeUnit: number }) {
  const fields = Object.entries(of).filter(([, value]) => !isNested(value));
  const empty = fields.filter(([, value]) => value === "");
  const list = (shown: typeof fields) => (
    <dl>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt title={name}>{labelOf(name)}</dt>
          <dd>
            <Value name={name} value={value} title={title} timeUnit={timeUnit} />
          </dd>
        </div>
      ))}
    </dl>
  );
  return (
    <>
      {list(fields.filter(([, value]) => value !== ""))}
      {empty.length > 0 && (
        <details class="empty">
          <summary>{messages.value.detail.empty(formatCount(empty.length))}</summary>
          {list(empty)}
        </details>
      )}
    </>
  );
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

interface ValueProps {
  name: string;
  value: unknown;
  /** The name on top, which need not stand here again. */
  title: string;
  timeUnit: number;
}

function Value({ name, value, title, timeUnit }: ValueProps) {
  if (value === "") return <span class="faint">–</span>;
  const subject = subjectNamed(name, value);
  if (subject !== undefined) {
    const known = shownName(nameOf(subject.kind, subject.id), subject.id);
    return (
      <Link to={placeOf(subject)}>
        {known !== title && known !== subject.id && <bdi>{known}</bdi>} <bdi class="id">{subject.id}</bdi>
      </Link>
    );
  }
  const word = wordOf(name, value);
  if (word !== undefined) {
    return (
      <>
        {word} <span class="faint">({String(value)})</span>
      </>
    );
  }
  if (typeof value !== "number") return <bdi>{String(value)}</bdi>;
  if (!name.endsWith("Time")) return <>{formatCount(value)}</>;
  const { never, notMuted } = messages.value.detail;
  if (value === 0) return <span class="faint">{name === "muteEndTime" ? notMuted : never}</span>;
  return <Time at={value * timeUnit} hasZone />;
}

/** The group or user that a field names. */
function subjectNamed(name: string, value: unknown): Subject | undefined {
  if (typeof value !== "string") return undefined;
  if (name === "groupID") return { kind: "group", id: value };
  return /userID$/i.test(name) ? { kind: "user", id: value } : undefined;
}
