import type { DescribedOperation } from "./operations.js";

/** The descriptions of tags. */
const texts: Readonly<Record<string, string>> = {
  group: "Groups, their members, and requests to join them.",
  friend: "The blacklists of users.",
  user: "The accounts that send system notifications.",
  conversation: "Conversations of users.",
  auth: "Tokens of administrators.",
  im_admin: "What im-admin answers beside the six functions.",
};

/** The tag of an operation, the first part of its path. Tools group operations by it. */
export function tagOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** The tags of operations, without repetitions. */
export function tagsOf(operations: readonly DescribedOperation[]): { name: string; description: string }[] {
  const names = new Set(operations.map(({ path }) => tagOf(path)));
  return [...names].map((name) => ({ name, description: texts[name] ?? "" }));
}
