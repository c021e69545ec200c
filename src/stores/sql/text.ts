/** Names as a list of SQL literals. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(", ");
}

/** What a CREATE statement makes: its kind, such as TABLE, and its name. */
export function created(statement: string): { kind: string; name: string } {
  const [, kind = "", name = ""] = /^CREATE (?:VIRTUAL )?(\w+) (\w+)/.exec(statement) ?? [];
  return { kind, name };
}
