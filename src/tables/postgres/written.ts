/** What writers append: the triggers on the tables that have the records. */
import type { RecordName } from "../../records.js";
import { snakeCase } from "../../stores/postgres/names.js";
import { type Listed, listed } from "./listed.js";
import type { Place } from "./place.js";
import { listableRows } from "./view.js";

/** The lists that rows of each kind of record are in, and those whose rows have words by them. */
export const listsOf: Readonly<Partial<Record<RecordName, readonly number[]>>> = {
  // Members may have been found by their profiles.
  users: [1, 5, 6],
  groupMembers: [1, 2],
  blacks: [3],
  groupRequests: [4],
};

const comments: Readonly<Partial<Record<RecordName, string>>> = {
  users: "Appends what a statement has changed of accounts, and whose nickname is another.",
  groupMembers: "Appends what a statement has changed of members.",
  blacks: "Appends what a statement has changed of blacklists.",
  groupRequests: "Appends what a statement has changed of join requests.",
};

/** The function that the triggers on a table call. */
export function writtenFunction(place: Place): string {
  const { name, mapped } = place;
  const routine = `im_admin.${snakeCase(name)}_written`;
  const entries = entriesOf(name);
  const of = (rows: string) => (mapped === undefined ? rows : `(\n${indented(listableRows(place, rows), 8)}\n      )`);
  const came = (rows: string, change: string) => `SELECT entry.list, entry.owner, entry.key, ${change}
        FROM ${of(rows)} written
          CROSS JOIN LATERAL (VALUES
            ${entries}
          ) entry (list, owner, key, word)
        WHERE entry.list IS NOT NULL`;
  const both = `SELECT entry.list, entry.owner, entry.key, sum(written.change)
        FROM (
          SELECT gone.*, -1 AS change FROM ${of("old_rows")} gone
          UNION ALL SELECT come.*, 1 FROM ${of("new_rows")} come
        ) written
          CROSS JOIN LATERAL (VALUES
            ${entries}
          ) entry (list, owner, key, word)
        WHERE entry.list IS NOT NULL
        GROUP BY entry.list, entry.owner, entry.key
        HAVING sum(written.change) <> 0 OR min(entry.word) <> max(entry.word)`;
  const append = (query: string) => `INSERT INTO list_changes (list, owner, key, change)
      ${query};`;
  return `CREATE FUNCTION ${routine}() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    ${append(came("new_rows", "1"))}
  ELSIF TG_OP = 'DELETE' THEN
    ${append(came("old_rows", "-1"))}
  ELSE
    ${append(both)}
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION ${routine} IS '${comments[name]}';`;
}

/** What a row stands for in each list. */
function entriesOf(name: RecordName): string {
  const row = "written";
  const own = listed[name].map((entry) => `(${entryOf(entry, name, row)})`);
  // In list 0 stand those whose words may be others.
  const renamed = name === "users" ? [`(0, '', ${row}.user_id, ${row}.nickname)`] : [];
  return [...renamed, ...own].join(",\n            ");
}

function entryOf({ list, parent, owner, key, condition, name: word }: Listed, name: RecordName, row: string): string {
  const number = condition === undefined ? String(list) : `CASE WHEN ${condition(row)} THEN ${list} END`;
  const ownerOf = owner?.(row) ?? (parent === undefined ? "''" : `${row}.${snakeCase(parent)}`);
  return `${number}, ${ownerOf}, ${key(row)}, ${name === "groupMembers" && word !== undefined ? `${row}.nickname` : "''"}`;
}

function indented(lines: string, by: number): string {
  return lines.replace(/^(?=.)/gm, " ".repeat(by));
}
