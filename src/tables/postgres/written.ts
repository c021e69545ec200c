/** What writers append: the functions that the triggers on the tables of records call. */
import type { RecordName } from "../../records.js";
import { snakeCase } from "../../stores/postgres/names.js";
import { guarded } from "./guarded.js";
import { type Listed, listed } from "./listed.js";
import type { Place } from "./place.js";
import { listableRows } from "./view.js";

/** Which lists the rows of each kind of record are in, or have their words by. */
export const listsOf: Readonly<Record<RecordName, readonly number[]>> = {
  // Members may be found by their profiles.
  users: [1, 5, 6],
  groups: [],
  groupMembers: [1, 2],
  blacks: [3],
  groupRequests: [4],
  conversations: [],
};

const comments: Readonly<Partial<Record<RecordName, string>>> = {
  users: "Appends what a statement has changed of accounts, and whose nickname is another.",
  groupMembers: "Appends what a statement has changed of members.",
  blacks: "Appends what a statement has changed of blacklists.",
  groupRequests: "Appends what a statement has changed of join requests.",
};

/** The function that is called for each statement which has written a table. */
export function writtenFunction(place: Place): string {
  const { name, mapped } = place;
  const routine = `im_admin.${snakeCase(name)}_written`;
  const rows = (written: string) =>
    mapped === undefined ? written : `(\n  ${listableRows(place, written).replaceAll("\n", "\n  ")}\n)`;
  const changes = {
    INSERT: changesOf(rows("new_rows"), name, "1"),
    DELETE: changesOf(rows("old_rows"), name, "-1"),
    UPDATE: `${changesOf(
      `(
  SELECT gone.*, -1 AS change FROM ${rows("old_rows").replaceAll("\n", "\n  ")} gone
  UNION ALL SELECT come.*, 1 FROM ${rows("new_rows").replaceAll("\n", "\n  ")} come
)`,
      name,
      "sum(written.change)",
    )}
  GROUP BY entry.list, entry.owner, entry.key
  HAVING sum(written.change) <> 0 OR min(entry.word) <> max(entry.word)`,
  };
  return `CREATE FUNCTION ${routine}() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp AS $$
${mapped === undefined ? appending(changes) : guarded(changes, mapped.from, listsOf[name])}
COMMENT ON FUNCTION ${routine} IS '${comments[name]}';
REVOKE EXECUTE ON FUNCTION ${routine} FROM PUBLIC;`;
}

/** What each kind of statement appends, as a SELECT. */
export type Changes = Readonly<Record<"INSERT" | "DELETE" | "UPDATE", string>>;

function appending({ INSERT, DELETE, UPDATE }: Changes): string {
  const append = (query: string) => `    INSERT INTO list_changes (list, owner, key, change)
      ${query.replaceAll("\n", "\n      ")};`;
  return `BEGIN
  IF TG_OP = 'INSERT' THEN
${append(INSERT)}
  ELSIF TG_OP = 'DELETE' THEN
${append(DELETE)}
  ELSE
${append(UPDATE)}
  END IF;
  RETURN NULL;
END $$;`;
}

function changesOf(rows: string, name: RecordName, change: string): string {
  return `SELECT entry.list, entry.owner, entry.key, ${change} FROM ${rows.replaceAll("\n", "\n  ")} written
  CROSS JOIN LATERAL (VALUES
    ${entriesOf(name)}
  ) entry (list, owner, key, word)
  WHERE entry.list IS NOT NULL`;
}

/** What a row stands for in each list. */
function entriesOf(name: RecordName): string {
  const row = "written";
  const own = listed[name].map((entry) => `(${entryOf(entry, name, row)})`);
  // In list 0 stand those whose words may be others.
  const renamed = `(CASE WHEN ${row}.nickname <> '' THEN 0 END, '', ${row}.user_id, ${row}.nickname)`;
  return (name === "users" ? [renamed, ...own] : own).join(",\n    ");
}

function entryOf({ list, parent, owner, key, condition, name: word }: Listed, name: RecordName, row: string): string {
  const number = condition === undefined ? String(list) : `CASE WHEN ${condition(row)} THEN ${list} END`;
  const ownerOf = owner?.(row) ?? (parent === undefined ? "''" : `${row}.${snakeCase(parent)}`);
  const ownWord = name === "groupMembers" && word !== undefined ? `${row}.nickname` : "''";
  return `${number}, ${ownerOf}, ${key(row)}, ${ownWord}`;
}
