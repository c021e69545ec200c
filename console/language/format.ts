import { language } from "./language.js";

/** A count, with its digits in groups. */
export function formatCount(count: number): string {
  return format(count);
}

function format(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(language.value === "zh" ? "zh-CN" : "en-US", options).format(value);
}

const minute = 60_000;
/** The units of an age, in milliseconds. */
const units = { day: 24 * 60 * minute, hour: 60 * minute, minute };

/** How long ago a time was, in its largest unit, such as `12 days`. */
export function formatAge(milliseconds: number): string {
  const age = Math.max(0, Date.now() - milliseconds);
  const [unit, length] = Object.entries(units).find(([, length]) => age >= length) ?? ["minute", minute];
  return format(Math.floor(age / length), { style: "unit", unit, unitDisplay: "long" });
}

/** A time in the administrator's zone, in a form that aligns and sorts. A time outside the range of `Date` stays a number. */
export function formatTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return String(milliseconds);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The administrator's zone at a time, such as `UTC+8`. */
export function zoneAt(milliseconds = Date.now()): string {
  const minutes = -new Date(milliseconds).getTimezoneOffset();
  if (!minutes) return "UTC";
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? "−" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}

/** The place whose time the browser shows, such as `Berlin`, since its distance from UTC changes with the season. */
export function zoneName(): string {
  const { timeZone = "" } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone.split("/").at(-1)?.replaceAll("_", " ") || zoneAt();
}

/** A time in UTC to the millisecond; undefined outside the range of `Date`. */
export function exactTime(milliseconds: number): string | undefined {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
