import { type Before, type Fields, type KeptSetting, readRequest } from "./history.js";

/** The most kinds of earlier values that are told apart, and of users that are named for each. */
const [mostKinds, mostNamed] = [20, 50];

/** What was there before a setting, as far as it has been read. */
export interface Summary {
  /** Users with the same earlier values, most of them first. */
  kinds: readonly Kind[];
  /** How many users had still other values. */
  others: number;
  /** How many requests have been read. */
  read: number;
  /** What the first of them has set, with whole texts. */
  fields: Fields;
}

interface Kind {
  before: Fields;
  users: number;
  /** The first of them. */
  named: readonly string[];
}

export const nothingRead: Summary = { kinds: [], others: 0, read: 0, fields: {} };

/** Reads what was there before a setting, request after request. */
export async function* readBefore({ settingID, requests }: KeptSetting, signal: AbortSignal) {
  let summary = nothingRead;
  for (let request = 0; request < requests; request++) {
    const { fields, changed } = await readRequest(settingID, request, signal);
    summary = withRequest(request === 0 ? { ...summary, fields } : summary, changed ?? []);
    yield summary;
  }
}

/** A summary with the users of one more request. Each user may have had a value of their own. */
export function withRequest({ kinds, others, read, fields }: Summary, changed: readonly Before[]): Summary {
  const known = new Map(kinds.map((kind) => [JSON.stringify(kind.before), kind]));
  let more = others;
  for (const { before, userIDs } of changed) {
    const key = JSON.stringify(before);
    const { users, named } = known.get(key) ?? { users: 0, named: [] };
    if (!known.has(key) && known.size === mostKinds) more += userIDs.length;
    else {
      const first = [...named, ...userIDs.slice(0, mostNamed - named.length)];
      known.set(key, { before, users: users + userIDs.length, named: first });
    }
  }
  const sorted = [...known.values()].sort((one, other) => other.users - one.users);
  return { kinds: sorted, others: more, read: read + 1, fields };
}
