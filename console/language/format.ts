import { language } from "./language.js";

/** A count, with its digits in groups. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(language.value === "zh" ? "zh-CN" : "en-US").format(count);
}

/** A time in the administrator's zone, in a form that aligns and sorts; what lies beyond all calendars stays a number. */
export function formatTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return String(milliseconds);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
