/** The functions that append changes. The triggers on im-admin's own tables call them. */
import type { RecordName } from "../../records.js";
import { snakeCase } from "../../stores/snakeCase.js";
import { columnsOf, listed } from "./listed.js";

const comments: Readonly<Partial<Record<RecordName, string>>> = {
  users: "Appends the changes of a statement that has written users: of accounts, and of nicknames.",
  groupMembers: "Appends the changes of a statement that has written members.",
  blacks: "Appends the changes of a statement that has written blacklists.",
  groupRequests: "Appends the changes of a statement that has written join requests.",
};

/** The function that the triggers call after each statement that writes a table. */
export function writtenFunction(name: RecordName): string {
  const routine = `im_admin.${snakeCase(name)}_written`;
  const went = entriesOf(name, "old_rows", "-1");
  const came = entriesOf(name, "new_rows", "1");
  const selected = (entries: readonly Entry[]) =>
    entries
      .map(({ list, owner, key, change, rest }) => `SELECT '${list}', ${owner}, ${key}, ${change} ${rest}`)
      .join("\nUNION ALL\n");
  const withWords = [...went, ...came].map(
    ({ list, owner, key, word, change, rest }) => `SELECT '${list}', ${owner}, ${key}, ${word}, ${change} ${rest}`,
  );
  const update = `SELECT entry.list, entry.owner, entry.key, sum(entry.change) FROM (
    ${withWords.join("\nUNION ALL\n").replaceAll("\n", "\n    ")}
  ) entry (list, owner, key, word, change)
  GROUP BY entry.list, entry.owner, entry.key
  HAVING sum(entry.change) <> 0 OR min(entry.word) <> max(entry.word)`;
  const append = (query: string) => `    INSERT INTO list_changes (list, owner, key, change)
      ${query.replaceAll("\n", "\n      ")};`;
  // Ten thousand changes in a row: an array of all would be too large for a statement that writes millions of rows.
  const pack = (query: string) => `    INSERT INTO packed_changes (list, owners, keys, changes)
      SELECT packed.list, array_agg(packed.owner), array_agg(packed.key), array_agg(packed.change) FROM (
          SELECT appended.*, row_number() OVER () / 10000 AS part FROM (
            ${query.replaceAll("\n", "\n            ")}
          ) appended (list, owner, key, change)
        ) packed GROUP BY packed.list, packed.part;`;
  return `CREATE OR REPLACE FUNCTION ${routine}() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
${append(selected(came))}
  ELSIF TG_OP = 'DELETE' THEN
    IF (SELECT count(*) FROM old_rows) > most_touched() THEN
  ${pack(selected(went)).replaceAll("\n", "\n  ")}
    ELSE
  ${append(selected(went)).replaceAll("\n", "\n  ")}
    END IF;
  ELSE
    IF (SELECT count(*) FROM old_rows) > most_touched() THEN
  ${pack(update).replaceAll("\n", "\n  ")}
    ELSE
  ${append(update).replaceAll("\n", "\n  ")}
    END IF;
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION ${routine} IS '${comments[name]}';
REVOKE EXECUTE ON FUNCTION ${routine} FROM PUBLIC;`;
}

/** A row of a list, as SQL. */
interface Entry {
  list: string;
  owner: string;
  key: string;
  word: string;
  change: string;
  /** FROM and WHERE. */
  rest: string;
}

function entriesOf(name: RecordName, rows: string, change: string): Entry[] {
  const row = "written";
  const own = listed[name].map(({ list, owner, key, condition, name: word }) => ({
    list,
    owner: owner(columnsOf(row)),
    key: key(row),
    word: name === "groupMembers" && word !== undefined ? `${row}.nickname` : "''",
    change,
    rest: `FROM ${rows} ${row}${condition === undefined ? "" : ` WHERE ${condition(row)}`}`,
  }));
  if (name !== "users") return own;
  // This list has the users whose nicknames may have changed.
  const rest = `FROM ${rows} ${row} WHERE ${row}.nickname <> ''`;
  return [{ list: "changed_names", owner: "''", key: `${row}.user_id`, word: `${row}.nickname`, change, rest }, ...own];
}
