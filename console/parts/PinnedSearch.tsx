import { useSignal } from "@preact/signals";
import { call } from "../api/call.js";
import { CallFailure, hasFailed } from "../api/callFailure.js";
import { useNewest } from "../api/useNewest.js";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { Link } from "../places/Link.js";
import { nameOf } from "../places/names.js";
import { pinned, type Subject } from "../places/subjects.js";
import { failureTitle } from "./failureTitle.js";
import { shownName } from "./shownName.js";

interface PinnedSearchProps {
  keyword: string;
  /** The group in which nothing was found. */
  except?: string;
  onGo?: () => void;
}

interface Found {
  group: Subject;
  total: number;
}

/**
 * Says where users can be searched by name, and searches the pinned groups, since no operation searches all users.
 * What it has found is of one keyword, so each keyword needs a component of its own.
 */
export function PinnedSearch({ keyword, except, onGo }: PinnedSearchProps) {
  const found = useSignal<readonly Found[]>([]);
  const note = useSignal("");
  const begin = useNewest();
  const { search, open } = messages.value;
  const groups = pinned.value.filter(({ kind, id }) => kind === "group" && id !== except);

  async function run(): Promise<void> {
    const signal = begin();
    note.value = open.searching;
    try {
      const all = await Promise.all(groups.map((group) => searchIn(group, keyword, signal)));
      found.value = all.filter(({ total }) => total > 0);
      note.value = found.value.length === 0 ? search.noneInPinned : "";
    } catch (error) {
      if (hasFailed(error, signal)) note.value = failureTitle(error, messages.value);
    }
  }

  return (
    <div class="pinned-search">
      <p class="faint">
        {search.onlyInGroups} {search.letters}
      </p>
      {groups.length === 0 ? (
        <p class="faint">{search.pinGroups}</p>
      ) : (
        <button type="button" onClick={run}>
          {search.inPinned(formatCount(groups.length))}
        </button>
      )}
      <p role="status">{note.value}</p>
      {found.value.map(({ group, total }) => (
        <Link key={group.id} to={{ screen: "members", groupID: group.id, keyword, filter: 0, row: 1 }} onGo={onGo}>
          <bdi>{shownName(nameOf("group", group.id), group.id)}</bdi>{" "}
          <span class="count">{search.matches(formatCount(total))}</span>
        </Link>
      ))}
    </div>
  );
}

async function searchIn(group: Subject, keyword: string, signal: AbortSignal): Promise<Found> {
  const input = { groupID: group.id, keyword, pagination: { pageNumber: 1, showNumber: 1 } };
  try {
    return { group, total: await call("getGroupMemberList", input, { signal, read: ({ total }) => total }) };
  } catch (error) {
    // A pinned group may exist no more.
    if (error instanceof CallFailure && error.errCode === 1004) return { group, total: 0 };
    throw error;
  }
}
