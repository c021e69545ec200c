/** The triggers by which `set_conversations` writes a host's table. They are on the view of that table. */
import { settableFields } from "../../records.js";
import { type SchemaObject, trigger } from "../../stores/sqlite/schema/schemaObject.js";
import { columnsOf, join, literal, name, raw, type Sql, sql } from "../../stores/sqlite/sql.js";
import type { MappedRecord } from "../map.js";
import { columnsOfKey, keyText, quoted } from "./key.js";

const keys = ["ownerUserID", "conversationID"] as const;
const ends = ["conversationType", "userID", "groupID"] as const;

type Fields = Readonly<Record<string, string | undefined>>;

/** The triggers that write the fields, or fail with the reason why a field cannot be set. */
export function conversationTriggers(mapped: MappedRecord | "empty", separator: string): SchemaObject[] {
  const reason = mapped === "empty" ? "the map has no conversations" : obstacle(mapped);
  if (mapped === "empty" || reason !== undefined) {
    const refusal = sql`SELECT RAISE(ABORT, ${literal(reason ?? "")})`;
    return [inserting([refusal]), updating([refusal])];
  }
  const { from, key } = mapped;
  const fields = mapped.fields as Fields;
  const table = raw(from);
  const given = settableFields.filter(([field]) => fields[field] !== undefined);
  const lacking = settableFields
    .filter(([field]) => fields[field] === undefined)
    .map(([field, kind]) => withoutField(field, kind.otherwise));
  const column = (field: string) => raw(fields[field] ?? "");
  const keyColumns = keys.map((field) => columnsOfKey(key, field));
  const columns = [...keyColumns.flat().map(quoted), ...ends.map(column), ...given.map(([field]) => column(field))];
  const values = [
    ...keys.flatMap((field, index) => partsOf(columnsOf("NEW", [field]), keyColumns[index]?.length ?? 0, separator)),
    sql`NEW.conversation_type`,
    // NULL for no peer, since a foreign key knows no empty ID.
    sql`nullif(NEW.user_id, '')`,
    sql`nullif(NEW.group_id, '')`,
    ...given.map(([field]) => columnsOf("NEW", [field])),
  ];
  const isRow = join(
    keys.map((field, index) => sql`${keyText(keyColumns[index] ?? [], table, separator)} = OLD.${name(field)}`),
    " AND ",
  );
  return [
    inserting([
      ...lacking,
      sql`
        INSERT INTO ${table} (${join(columns)})
          VALUES (${join(values)})`,
      sql`
        SELECT RAISE(ABORT, 'conversations: the row of an ID cannot be found by it, since its columns have other types')
          WHERE NOT EXISTS (
            SELECT 1 FROM im_admin_conversations stored
              WHERE stored.owner_user_id = NEW.owner_user_id AND stored.conversation_id = NEW.conversation_id)`,
    ]),
    updating([
      ...lacking,
      ...(given.length === 0
        ? []
        : [
            sql`
              UPDATE ${table} SET ${join(given.map(([field]) => sql`${column(field)} = NEW.${name(field)}`))}
                WHERE ${isRow}`,
          ]),
    ]),
  ];
}

const inserting = (statements: readonly Sql[]) => instead("Insert", statements);
const updating = (statements: readonly Sql[]) => instead("Update", statements);

function instead(event: string, statements: readonly Sql[]): SchemaObject {
  const own = { name: `conversations${event}`, event: `INSTEAD OF ${event.toUpperCase()}`, on: "conversations" };
  return trigger(own, statements);
}

function obstacle({ where, fields = {} }: MappedRecord): string | undefined {
  const given = fields as Fields;
  const isPlain = Object.values(given).every((field) => field !== undefined && /^"[^"]+"$|^\w+$/.test(field));
  return isPlain && where === undefined && ends.every((field) => given[field] !== undefined)
    ? undefined
    : "conversations are mapped by expressions, a condition, or without their type, userID or groupID: replace setConversations of the store";
}

function withoutField(field: string, otherwise: unknown): Sql {
  const empty = literal(typeof otherwise === "string" ? "" : 0);
  return sql`
    SELECT RAISE(ABORT, ${literal(`conversations are mapped without ${field}`)}) WHERE NEW.${name(field)} <> ${empty}`;
}

/** Splits an ID into the columns of a key. The last column may contain the separator. */
function partsOf(id: Sql, count: number, separator: string): Sql[] {
  if (count <= 1) return [id];
  const place = sql`instr(${id}, ${literal(separator)})`;
  const rest = sql`substr(${id}, ${place} + ${literal(separator.length)})`;
  return [sql`substr(${id}, 1, ${place} - 1)`, ...partsOf(rest, count - 1, separator)];
}
