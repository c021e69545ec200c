import type { DescribedOperation } from "./operations.js";

/** What the first part of a path stands for. */
const texts: Readonly<Record<string, string>> = {
  group: "Groups, their members, and requests to join them.",
  friend: "Whom users have blocked.",
  user: "The accounts that send system notifications.",
  conversation: "Conversations of users.",
  auth: "Tokens of administrators.",
};

/** How tools group an operation: by the first part of its path. */
export function tagOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** The tags of operations, each once. */
export function tagsOf(operations: readonly DescribedOperation[]): { name: string; description: string }[] {
  const names = new Set(operations.map(({ path }) => tagOf(path)));
  return [...names].map((name) => ({ name, description: texts[name] ?? "" }));
}
