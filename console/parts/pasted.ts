/** Characters that nobody sees, and that come along when an ID is copied from a ticket. Those that join letters stay between them. */
const unseen = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
const ends = /^[\s\u200c\u200d]+|[\s\u200c\u200d]+$/g;
const quotes = /^["'`“”„‘’«»「」]+|["'`“”„‘’«»「」]+$/g;
const quoted = /^["'`“”„‘’«»「」]+([^"'`“”„‘’«»「」]+)["'`“”„‘’«»「」]+$/;

/** A text as somebody means it who has pasted it: without invisible characters, and blanks around it. */
export function cleaned(text: string): string {
  return text
    .replace(/[\t\r\n]/g, " ")
    .replace(unseen, "")
    .replace(ends, "");
}

/** An ID without the quotes around it. */
export function unquoted(text: string): string {
  return cleaned(text).replace(quoted, "$1").trim();
}

/** The IDs that a pasted text may mean, with what each leaves out: the whole text, as it is and without quotes, and its first word. */
export function idsMeant(text: string): { id: string; leftOut: string }[] {
  const whole = cleaned(text);
  const words = whole.split(/[\s,;]+/).map((word) => word.replace(quotes, ""));
  const [first = "", ...others] = words.filter((word) => word !== "");
  const meant = [
    { id: text.trim(), leftOut: "" },
    { id: whole, leftOut: "" },
    { id: unquoted(text), leftOut: "" },
    { id: first, leftOut: others.join(" ") },
  ];
  return meant.filter(({ id }, index) => id !== "" && meant.findIndex((other) => other.id === id) === index);
}

/** The place of a pasted link of the console, as after the `#`; undefined if it is none. */
export function fragmentIn(text: string): string | undefined {
  return /^https?:\S*?(#\/\S+)$/.exec(cleaned(text))?.[1];
}
