import { onSignOut } from "../api/onSignOut.js";

const key = "im-admin-kept";
type Kept = Record<string, unknown>;

/** What an earlier page of this tab has kept, as far as nobody has taken it. */
const earlier: Kept = read();
const savers = new Map<string, () => readonly [name: string, value: unknown][]>();

onSignOut(() => {
  for (const name of Object.keys(earlier)) delete earlier[name];
});

/** Takes what was kept under a name; undefined if nothing was. */
export function takeKept<Value>(kind: string, name: string): Value | undefined {
  const of = `${kind} ${name}`;
  const value = earlier[of];
  delete earlier[of];
  return value as Value | undefined;
}

/** Keeps values of a kind by their names in the tab's session storage when the page is left. */
export function keep(kind: string, values: () => readonly [name: string, value: unknown][]): void {
  savers.set(kind, values);
}

// The browser asks before it leaves what it cannot keep.
addEventListener("beforeunload", (event) => {
  if (!save()) event.preventDefault();
});

// Browsers of phones tell only this.
addEventListener("pagehide", save);

function save(): boolean {
  const kept = { ...earlier };
  for (const [kind, values] of savers) for (const [name, value] of values()) kept[`${kind} ${name}`] = value;
  try {
    const text = JSON.stringify(kept);
    if (text === "{}") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

function read(): Kept {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "{}");
  } catch {
    return {};
  }
}
