import { useEffect, useId, useRef } from "preact/hooks";
import { formatTime } from "../language/format.js";
import { messages } from "../language/language.js";
import { flatten } from "../list/flatten.js";
import { Link } from "../places/Link.js";
import type { Place } from "../places/place.js";
import { CopyButton } from "./CopyButton.js";

/** A way from an item to another place. */
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

/** All fields of an item, by the names that the interface gives them. */
export function Detail({ item, title, links, timeUnit, onClose }: DetailProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const { lists } = messages.value;

  return (
    // The dialog is left with Escape, which the browser brings.
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
          <h2 id={heading}>{title}</h2>
          <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
            {lists.close}
          </button>
        </div>
        <p class="detail-links">
          {links.map(({ label, to }) => (
            <Link key={label} to={to} onGo={() => dialog.current?.close()}>
              {label}
            </Link>
          ))}
        </p>
        <dl>
          {flatten(item).map(([name, value]) => (
            <div key={name}>
              <dt>
                <BreakableName name={name} />
              </dt>
              <dd>
                <Value name={name} value={value} timeUnit={timeUnit} onGo={() => dialog.current?.close()} />
              </dd>
            </div>
          ))}
        </dl>
        <CopyButton isLoud label={lists.copyJson} text={() => JSON.stringify(item, null, 2)} />
      </div>
    </dialog>
  );
}

/** A name that may go on in the next line after its dot. */
function BreakableName({ name }: { name: string }) {
  const [outer = "", inner] = name.split(".", 2);
  if (inner === undefined) return <>{outer}</>;
  return (
    <>
      {outer}.<wbr />
      {inner}
    </>
  );
}

interface ValueProps {
  name: string;
  value: unknown;
  timeUnit: number;
  onGo(): void;
}

function Value({ name, value, timeUnit, onGo }: ValueProps) {
  if (value === "") return <span class="faint">–</span>;
  const to = placeOf(name, value);
  if (to !== undefined) {
    return (
      <Link to={to} onGo={onGo}>
        {String(value)}
      </Link>
    );
  }
  if (!name.endsWith("Time") || typeof value !== "number") return <>{String(value)}</>;
  const { never, notMuted } = messages.value.detail;
  if (value === 0) return <span class="faint">{name === "muteEndTime" ? notMuted : never}</span>;
  return (
    <>
      {formatTime(value * timeUnit)} <span class="faint">{value}</span>
    </>
  );
}

/** The group or the user that a field names. */
function placeOf(name: string, value: unknown): Place | undefined {
  if (typeof value !== "string") return undefined;
  if (/(^|\.)groupID$/.test(name)) return { screen: "members", groupID: value, keyword: "", filter: 0, row: 1 };
  return /userID$/i.test(name) ? { screen: "groups", userID: value, row: 1 } : undefined;
}
