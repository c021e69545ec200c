import { exactTime, formatTime, zoneAt } from "../language/format.js";

/** A time to the minute; to the millisecond where one asks for it by pointing at it. */
export function Time({ at, hasZone }: { at: number; hasZone?: boolean }) {
  const exact = exactTime(at);
  return (
    <time dateTime={exact} title={exact && `${exact} · ${at}`}>
      {formatTime(at)}
      {hasZone && exact && ` ${zoneAt(at)}`}
    </time>
  );
}
