/** The functions that append changes. The triggers on the tables of records call them. */
import type { RecordName } from "../../records.js";
import { snakeCase } from "../../stores/snakeCase.js";
import type { MappedRecord } from "../map.js";
import { type Changes, guarded } from "./guarded.js";
import { columnsOf, type Listed, listed, listsOf } from "./listed.js";
import { column, type Place } from "./place.js";
import { listableRows } from "./view.js";

const comments: Readonly<Partial<Record<RecordName, string>>> = {
  users: "Appends the changes of a statement that has written users: of accounts, and of nicknames.",
  groupMembers: "Appends the changes of a statement that has written members.",
  blacks: "Appends the changes of a statement that has written blacklists.",
  groupRequests: "Appends the changes of a statement that has written join requests.",
};

/** The function that the triggers call after each statement that writes a table. */
export function writtenFunction(place: Place): string {
  const { name, mapped } = place;
  const routine = `im_admin.${snakeCase(name)}_written`;
  const of = (rows: string) => (mapped === undefined ? rows : rows === "old_rows" ? "gone" : "come");
  const given = (...all: readonly string[]) =>
    mapped === undefined
      ? ""
      : `WITH ${all.map((rows) => `${of(rows)} AS (\n  ${listableRows(place, rows).replaceAll("\n", "\n  ")}\n)`).join(", ")}\n`;
  const went = entriesOf(place, of("old_rows"), "-1");
  const came = entriesOf(place, of("new_rows"), "1");
  const selected = (entries: readonly Entry[]) =>
    entries
      .map(({ list, owner, key, change, rest }) => `SELECT '${list}', ${owner}, ${key}, ${change} ${rest}`)
      .join("\nUNION ALL\n");
  const withWords = [...went, ...came].map(
    ({ list, owner, key, word, change, rest }) => `SELECT '${list}', ${owner}, ${key}, ${word}, ${change} ${rest}`,
  );
  const changes = {
    INSERT: given("new_rows") + selected(came),
    DELETE: given("old_rows") + selected(went),
    UPDATE: `${given("old_rows", "new_rows")}SELECT entry.list, entry.owner, entry.key, sum(entry.change) FROM (
    ${withWords.join("\nUNION ALL\n").replaceAll("\n", "\n    ")}
  ) entry (list, owner, key, word, change)
  GROUP BY entry.list, entry.owner, entry.key
  HAVING sum(entry.change) <> 0 OR min(entry.word) <> max(entry.word)`,
  };
  return `CREATE OR REPLACE FUNCTION ${routine}() RETURNS trigger
  ${mapped === undefined ? appending(changes) : guarded(changes, snakeCase(name), mapped.from, listsOf[name], { isWrong: isWrongUpdate(place) })}
COMMENT ON FUNCTION ${routine} IS '${comments[name]}';
REVOKE EXECUTE ON FUNCTION ${routine} FROM PUBLIC;`;
}

function appending({ INSERT, DELETE, UPDATE }: Changes): string {
  const append = (query: string) => `    INSERT INTO list_changes (list, owner, key, change)
      ${query.replaceAll("\n", "\n      ")};`;
  return `LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp AS $$
BEGIN
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

function hasLevels({ fields }: MappedRecord): boolean {
  return (fields as { appMangerLevel?: string } | undefined)?.appMangerLevel !== undefined;
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

function entriesOf({ name, mapped }: Place, rows: string, change: string): Entry[] {
  const row = "written";
  // If the map has no levels of users, there are no accounts.
  const isIn = ({ condition }: Listed) => condition === undefined || mapped === undefined || hasLevels(mapped);
  const own = listed[name].filter(isIn).map(({ list, owner, key, condition, name: word }) => ({
    list,
    owner: owner(columnsOf(row)),
    key: key(row),
    word: name === "groupMembers" && word !== undefined ? `${row}.nickname` : "''",
    change,
    rest: `FROM ${rows} ${row}${condition === undefined ? "" : ` WHERE ${condition(row)}`}`,
  }));
  if (name !== "users") return own;
  // This list has the users whose nicknames may have changed. Another transaction may give a nickname to a user whom it
  // does not see yet, in a second table.
  const rest = `FROM ${rows} ${row}${mapped?.also === undefined ? ` WHERE ${row}.nickname <> ''` : ""}`;
  return [{ list: "changed_names", owner: "''", key: `${row}.user_id`, word: `${row}.nickname`, change, rest }, ...own];
}

/**
 * A condition: whether the new rows of an UPDATE are wrong. For a MERGE on a partitioned table, PostgreSQL 15 to 18
 * pass the inserted rows in place of the updated ones. Then a row with an old key is still in the table, but not among
 * the new rows.
 */
function isWrongUpdate({ mapped, keyParts }: Place): string {
  const isSame = (left: string, right: string) =>
    keyParts.map((part) => `${column(left, part.column)} = ${column(right, part.column)}`).join(" AND ");
  return `EXISTS (
  SELECT FROM old_rows gone
    WHERE NOT EXISTS (SELECT FROM new_rows come WHERE ${isSame("come", "gone")})
      AND EXISTS (SELECT FROM ${mapped?.from} stored WHERE ${isSame("stored", "gone")}))`;
}
