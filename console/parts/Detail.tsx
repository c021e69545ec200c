import { useEffect, useId, useRef } from "preact/hooks";
import { formatCount } from "../language/format.js";
import { fieldLabels } from "../language/labels.js";
import { language, messages } from "../language/language.js";
import { wordOf } from "../language/words.js";
import { Link } from "../places/Link.js";
import type { Place } from "../places/place.js";
import { placeOf } from "../places/subjects.js";
import { CopyButton } from "./CopyButton.js";
import { Time } from "./Time.js";

/** A link from an item to another place. */
export interface DetailLink {
  label: string;
  to: Place;
}

interface DetailProps {
  item: object;
  title: string;
  links: readonly DetailLink[];
  timeUnit: number;
  onClose(): void;
}

/** All fields of an item in words, grouped by nested object, and the item as JSON. */
export function Detail({ item, title, links, timeUnit, onClose }: DetailProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const { lists, detail } = messages.value;
  const close = () => dialog.current?.close();
  const nested = Object.entries(item).filter(([, value]) => isNested(value));
  const json = JSON.stringify(item, null, 2);

  return (
    // The browser closes the dialog on Escape.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <dialog
      ref={dialog}
      class="detail"
      aria-labelledby={heading}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <div class="detail-body">
        <div class="detail-head">
          <h2 id={heading}>
            <bdi>{title}</bdi>
          </h2>
          <button type="button" class="quiet" onClick={close}>
            {lists.close}
          </button>
        </div>
        <p class="detail-links">
          {links.map(({ label, to }) => (
            <Link key={label} to={to} onGo={close}>
              {label}
            </Link>
          ))}
        </p>
        <Fields of={item} timeUnit={timeUnit} onGo={close} />
        {nested.map(([name, value]) => (
          <section key={name}>
            <h3 title={name}>{labelOf(name)}</h3>
            <Fields of={value} timeUnit={timeUnit} onGo={close} />
          </section>
        ))}
        <details>
          <summary>{detail.rawJson}</summary>
          {/* It scrolls, and so it takes the keys. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
          <pre tabIndex={0}>{json}</pre>
        </details>
        <CopyButton isLoud label={lists.copyJson} text={() => json} />
      </div>
    </dialog>
  );
}

/** The fields of an object, without its nested objects. */
function Fields({ of, timeUnit, onGo }: { of: object; timeUnit: number; onGo(): void }) {
  return (
    <dl>
      {Object.entries(of)
        .filter(([, value]) => !isNested(value))
        .map(([name, value]) => (
          <div key={name}>
            <dt title={name}>{labelOf(name)}</dt>
            <dd>
              <Value name={name} value={value} timeUnit={timeUnit} onGo={onGo} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

function labelOf(name: string): string {
  return fieldLabels[name]?.[language.value === "zh" ? 1 : 0] ?? name;
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

interface ValueProps {
  name: string;
  value: unknown;
  timeUnit: number;
  onGo(): void;
}

function Value({ name, value, timeUnit, onGo }: ValueProps) {
  if (value === "") return <span class="faint">–</span>;
  const to = placeNamed(name, value);
  if (to !== undefined) {
    return (
      <Link to={to} onGo={onGo}>
        <bdi>{String(value)}</bdi>
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

/** The place of the group or user that a field names. */
function placeNamed(name: string, value: unknown): Place | undefined {
  if (typeof value !== "string") return undefined;
  if (name === "groupID") return placeOf({ kind: "group", id: value });
  return /userID$/i.test(name) ? placeOf({ kind: "user", id: value }) : undefined;
}
