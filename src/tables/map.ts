/** The map from records to a host's own tables. */
import * as v from "valibot";
import { pathOf } from "../fields.js";
import { type KeyOf, keyFields, type RecordName, recordFields, recordNames, type StoredRecord } from "../records.js";

type OtherField<Name extends RecordName> = Exclude<keyof StoredRecord<Name>, KeyOf<Name>>;

/**
 * A column, or several columns, whose values the map's separator joins, or an expression for the ID as a text:
 * `{ sql: "'@' || localpart" }`. The expression reads nothing but its row.
 */
export type KeyColumns = string | readonly string[] | { readonly sql: string };

/**
 * A second table that the nickname, the order or a filter of records depends on. Its rows name these records by columns
 * with their key, or a part of it.
 */
export interface AlsoTable<Name extends RecordName = RecordName> {
  /** The table as SQL names it, with its schema in PostgreSQL: `chat.avatar`. */
  table: string;
  /** The columns that name a record: `{ userID: "person_id" }`. */
  key: { readonly [Field in KeyOf<Name>]?: KeyColumns };
}

/** Says where the records of one kind are. All texts are SQL of the database with the tables. */
export interface MappedRecord<Name extends RecordName = RecordName> {
  /**
   * The table as SQL names it, with its schema in PostgreSQL: `chat.person`. In expressions its name is `person`. Or a
   * query with a name: `(SELECT ...) AS blocked`. `also` names the tables that a query reads.
   */
  from: string;
  /**
   * The columns of the key, of type text, varchar, uuid, integer or bigint. No two rows that match `where` may have the
   * same key.
   */
  key: { readonly [Field in KeyOf<Name>]: KeyColumns };
  /**
   * A column that grows with each row of a key, if the table keeps earlier rows: only the latest row of a key counts.
   * `where` then says which of the latest rows are records.
   */
  latest?: string;
  /** Which rows are records: `deleted_at IS NULL`. Without it, all rows are. */
  where?: string;
  /**
   * The other fields: a column for each, or another expression over the row. A field that is NULL or not mapped has its
   * default: 0, false or "".
   */
  fields?: { readonly [Field in OtherField<Name>]?: string };
  /**
   * In SQLite, other unique columns of the table, `["email"]` or `[["room_id", "seat"]]`. Your REPLACE may delete a row
   * by them without firing a trigger. PostgreSQL has no such statement.
   */
  unique?: readonly (string | readonly string[])[];
  /**
   * Other tables that the nickname, the order or `where` depends on. Fields that are only shown may depend on any
   * table.
   */
  also?: readonly AlsoTable<Name>[];
}

/**
 * Says which tables have the records. im-admin keeps a kind that is left out in its own table. `"empty"` means that
 * there are no such records. The `separator`, ":" by default, joins the columns of a key that has several.
 */
export type TableMap = { readonly [Name in RecordName]?: MappedRecord<Name> | "empty" } & {
  readonly separator?: string;
};

/** A query and its name. */
const queryPattern = /^\(\s*(?:SELECT|WITH|VALUES)\b.*\)\s+AS\s+\w+$/is;

/** A name in SQL, quoted or not, perhaps with a schema and a database before it. */
const namePattern = /^(?:(?:"(?:[^"]|"")+"|[A-Za-z_][\w$]*)\.)*(?:"(?:[^"]|"")+"|[A-Za-z_][\w$]*)$/;

const tableName = v.pipe(v.string(), v.regex(namePattern, "must be the name of a table, such as chat.person"));

/**
 * An expression, which the SQL puts between parentheses. A comment in it would swallow the closing parenthesis, and a
 * null character would end the statement.
 */
const expression = v.pipe(
  v.string(),
  v.nonEmpty("must not be empty"),
  v.check((text) => !text.includes("\0"), "must not contain a null character"),
  v.check((text) => !/--|\/\*/.test(text.replace(/'[^']*'/g, "")), "must not contain a comment"),
);

/** An object with these entries, and no array. */
function object<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(
    v.custom<object>((value) => !Array.isArray(value), "must be an object, and is an array"),
    v.strictObject(entries),
  );
}

const columnName = v.pipe(
  v.string(),
  v.nonEmpty("must name a column"),
  v.check((text) => !text.includes("\0"), "must name a column"),
);
const columnNames = v.union(
  [columnName, v.pipe(v.array(columnName), v.minLength(1, "must name a column, or several in an array"))],
  "must name a column, or several in an array",
);
const keyColumns = v.lazy((given) => (isObject(given) ? object({ sql: expression }) : columnNames));

const source = v.lazy((given) =>
  typeof given === "string" && given.startsWith("(")
    ? v.pipe(expression, v.regex(queryPattern, "must be a table, or a query with a name: (SELECT ...) AS name"))
    : tableName,
);

function isObject(given: unknown): boolean {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}

const records = Object.fromEntries(
  recordNames.map((name) => {
    const keys = keyFields[name].map(([field]) => [field, keyColumns] as const);
    const others = recordFields[name].slice(keys.length).map(([field]) => [field, v.optional(expression)] as const);
    const also = object({
      table: tableName,
      key: v.pipe(
        object(Object.fromEntries(keys.map(([field, columns]) => [field, v.optional(columns)] as const))),
        v.check((key) => Object.keys(key).length > 0, "must have a column of the key"),
      ),
    });
    const mapped = object({
      from: source,
      key: object(Object.fromEntries(keys)),
      latest: v.optional(columnName),
      where: v.optional(expression),
      fields: v.optional(object(Object.fromEntries(others))),
      unique: v.optional(v.array(columnNames)),
      also: v.optional(v.array(also)),
    });
    return [name, v.optional(v.lazy((given) => (typeof given === "string" ? v.literal("empty") : mapped)))] as const;
  }),
);

const separator = v.pipe(
  v.string(),
  v.nonEmpty("must not be empty"),
  v.check((text) => !text.includes("\0") && !text.includes("\x01"), "must contain neither U+0000 nor U+0001"),
);

const schema = object({ ...records, separator: v.optional(separator) });

/**
 * Checks a map and returns it. TypeScript knows its records, keys and fields.
 *
 * @throws TypeError that names the place in the map, and says what must stand there
 */
export function defineTables<Map extends TableMap>(map: Map): Map {
  const result = v.safeParse(schema, map, { abortEarly: true });
  if (!result.success) {
    const [issue] = result.issues;
    const path = pathOf(issue);
    throw new TypeError(`${path === "" ? "the map" : path} ${told(issue)}`);
  }
  return map;
}

function told({ type, expected, received, message }: v.BaseIssue<unknown>): string {
  if (type === "strict_object" && expected === "never") return "is nothing that a map has";
  if (received === "undefined") return "is missing";
  return message.startsWith("must") ? message : `must be ${expected}, and is ${received}`;
}

/** The kinds of records that a map has tables for. */
export function mappedRecords(map: TableMap): readonly (readonly [RecordName, MappedRecord])[] {
  return recordNames.flatMap((name) => {
    const mapped = map[name];
    return mapped === undefined || mapped === "empty" ? [] : [[name, mapped as MappedRecord] as const];
  });
}
