/** What the triggers on im-admin's own tables call to append changes, and the view that reads packed ones. */
import { type RecordName, recordKeys, recordNames } from "../../../records.js";
import { indentedBehind } from "../../indentation.js";
import { placingFields } from "../../lists/placing.js";
import { snakeCase } from "../../snakeCase.js";
import { columnTypes } from "../schema/recordTables.js";
import { fieldsOver, listsOf } from "./listSql.js";

const comments: Readonly<Partial<Record<RecordName, string>>> = {
  users: "Appends the changes of a statement that has written users: of accounts, and of nicknames.",
  groupMembers: "Appends the changes of a statement that has written members.",
  blacks: "Appends the changes of a statement that has written blacklists.",
  groupRequests: "Appends the changes of a statement that has written join requests.",
};

const row = "written";
const nickname = `${row}.nickname`;
/** The rows before and after a statement, and what they change. */
const sides = [
  ["old_rows", -1],
  ["new_rows", 1],
] as const;

/** The function that the triggers call after each statement that writes a table. */
export function writtenFunction(name: RecordName): string {
  const routine = `im_admin.${snakeCase(name)}_written`;
  const entries = entriesOf(name);
  const all = (rows: string, change: number) =>
    united(
      entries.map(({ list, owner, key, condition }) =>
        selected(`'${list}', ${owner}, ${key}, ${change}`, rows, condition),
      ),
    );
  const changed = difference(
    ["list", "owner", "key"],
    sides.flatMap(([rows, change]) =>
      entries.map(({ list, owner, key, word, condition }) =>
        selected(`'${list}', ${owner}, ${key}, ${word}, ${change}`, rows, condition),
      ),
    ),
  );
  const columns = packedColumns(name).map(({ column }) => column);
  const ofRow = columns.map((column) => `${row}.${column}`).join(", ");
  const word = entries.some(({ word }) => word === nickname) ? nickname : "''";
  const packedWent = selected(`${ofRow}, (-1)::smallint AS change`, "old_rows");
  const packedChanged = difference(
    columns,
    sides.map(([rows, change]) => selected(`${ofRow}, ${word}, ${change}`, rows)),
  );
  return `CREATE OR REPLACE FUNCTION ${routine}() RETURNS trigger
  -- The server would sort very many rows on the disk to divide them.
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp SET enable_sort = off AS $$
DECLARE
  number bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN number := (SELECT count(*) FROM old_rows); END IF;
  IF TG_OP = 'INSERT' THEN
${append(all("new_rows", 1))}
  ELSIF TG_OP = 'DELETE' AND number <= most_touched() THEN
${append(all("old_rows", -1))}
  ELSIF TG_OP = 'DELETE' THEN
${pack(name, packedWent)}
  ELSIF number <= most_touched() THEN
${append(changed)}
  ELSE
${pack(name, packedChanged)}
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION ${routine} IS '${comments[name]}';
REVOKE EXECUTE ON FUNCTION ${routine} FROM PUBLIC;`;
}

/** The view of the changes that are packed. */
export function unpackedChanges(names: readonly RecordName[]): string {
  const branches = names.flatMap((name) => {
    const columns = packedColumns(name);
    const arrays = columns.map(({ array }) => `packed.${array}`).join(", ");
    return entriesOf(name).map(({ list, owner, key, condition = "true" }) => {
      // Packed users have no nickname: any of them may have changed.
      const isListed = list === changedNames.list ? "true" : condition;
      return `SELECT packed.ctid AS place, '${list}' AS list, ${owner} AS owner, ${key} AS key, ${row}.change
  FROM im_admin.packed_changes packed CROSS JOIN LATERAL unnest(${arrays}, packed.changes)
    ${row} (${columns.map(({ column }) => column).join(", ")}, change)
  WHERE packed.record = '${snakeCase(name)}' AND ${isListed}`;
    });
  });
  return `CREATE OR REPLACE VIEW im_admin.unpacked_changes AS
  ${indentedBehind("  ", united(branches))};
COMMENT ON VIEW im_admin.unpacked_changes IS 'What packed_changes has for each list. place: the row of packed_changes.';`;
}

/** What a row adds to a list. */
interface Entry {
  list: string;
  owner: string;
  key: string;
  /** What the row has of its words in the list. */
  word: string;
  /** Which rows are listed; undefined for all. */
  condition?: string | undefined;
}

/** The users whose nicknames may have changed. */
const changedNames: Entry = {
  list: "changed_names",
  owner: "''",
  key: `${row}.user_id`,
  word: nickname,
  condition: `${nickname} <> ''`,
};

function entriesOf(name: RecordName): Entry[] {
  const own = listsOf[name].map(({ list, owner, key, condition, name: word }) => ({
    list,
    owner: owner(fieldsOver(row)),
    key: key(row),
    word: name === "groupMembers" && word !== undefined ? nickname : "''",
    condition: condition?.(row),
  }));
  return name === "users" ? [changedNames, ...own] : own;
}

interface PackedColumn {
  column: string;
  /** The column of packed_changes with its values. */
  array: string;
  type: string;
}

/** The columns of which the lists of a kind of records are made. */
function packedColumns(name: RecordName): PackedColumn[] {
  const keys = recordKeys[name].map((field, index) => ({
    column: snakeCase(field),
    array: index === 0 ? "firsts" : "seconds",
    type: "text",
  }));
  const others: PackedColumn[] = [];
  for (const [field, kind] of placingFields[name]) {
    const type = columnTypes[kind.name];
    const number = others.filter((other) => other.type === type).length + 1;
    const array = { integer: "levels", bigint: "times" }[type] ?? "texts";
    others.push({ column: snakeCase(field), array: number === 1 ? array : `${array}_${number}`, type });
  }
  return [...keys, ...others];
}

/** The columns of packed_changes with the values beside the keys. */
const packedValues = new Map(
  recordNames.flatMap((name) =>
    packedColumns(name)
      .slice(recordKeys[name].length)
      .map(({ array, type }) => [array, type] as const),
  ),
);

/** Their definitions. */
export const packedDefinitions = Array.from(
  packedValues,
  ([array, type]) => `${array} ${type}[]${type === "text" ? ' COLLATE "C"' : ""}`,
).join(",\n");

/** How the long ones are stored. */
export const packedStorage = Array.from(packedValues)
  .filter(([, type]) => type !== "integer")
  .map(([array]) => `ALTER ${array} SET STORAGE EXTERNAL`)
  .join(", ");

function selected(columns: string, rows: string, condition?: string): string {
  return `SELECT ${columns} FROM ${rows} ${row}${condition === undefined ? "" : ` WHERE ${condition}`}`;
}

function united(queries: readonly string[]): string {
  return queries.join("\nUNION ALL\n");
}

/** What has changed, also if only its words have. The queries have these columns, the words and the change. */
function difference(columns: readonly string[], queries: readonly string[]): string {
  const ofEntry = columns.map((column) => `entry.${column}`).join(", ");
  return `SELECT ${ofEntry}, sum(entry.change) AS change FROM (
    ${indentedBehind("    ", united(queries))}
  ) entry (${columns.join(", ")}, word, change)
  GROUP BY ${ofEntry}
  HAVING sum(entry.change) <> 0 OR min(entry.word) <> max(entry.word)`;
}

function append(query: string): string {
  return `    INSERT INTO list_changes (list, owner, key, change)
      ${indentedBehind("      ", query)};`;
}

/** Some ten thousand rows in one: an array of all would be too large for a statement that writes millions of rows. */
function pack(name: RecordName, query: string): string {
  const columns = packedColumns(name);
  const hash = recordKeys[name].map((field) => `hashtext(packed.${snakeCase(field)})`).join(" # ");
  return `    INSERT INTO packed_changes (record, ${columns.map(({ array }) => array).join(", ")}, changes)
      SELECT '${snakeCase(name)}', ${columns.map(({ column }) => `array_agg(packed.${column})`).join(", ")}, array_agg(packed.change)
        FROM (
          ${indentedBehind("          ", query)}
        ) packed GROUP BY (${hash} & 2147483647) % (number / 10000 + 1);`;
}
