import { exactTime, formatTime, zoneAt } from "../language/format.js";

/** A time to the minute. Pointing at it shows the millisecond. */
export function Time({ at, hasZone }: { at: number; hasZone?: boolean }) {
  const exact = exactTime(at);
  return (
    <time dateTime={exact} title={exact && `${exact} · ${at}`}>
      {formatTime(at)}
      {hasZone && exact && <span class="zone"> {zoneAt(at)}</span>}
    </time>
  );
}
