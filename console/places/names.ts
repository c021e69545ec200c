type Kind = "group" | "user";

/** How many names are known at most. */
const mostNames = 5_000;
const names = new Map<string, string>();

/** Remembers the name of a group or a user that a list has shown, since no operation tells it by the ID alone. */
export function rememberName(kind: Kind, id: string, name: string): void {
  if (name === "") return;
  if (names.size >= mostNames) names.clear();
  names.set(`${kind} ${id}`, name);
}

/** The name of a group or a user; empty where no list has shown it. */
export function nameOf(kind: Kind, id: string): string {
  return names.get(`${kind} ${id}`) ?? "";
}
