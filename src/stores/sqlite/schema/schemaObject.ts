import { literal, name, our, ourName, raw, type Sql, sql } from "../sql.js";

/** A part of the schema: what it is, how it is called, and the statement that makes it. */
export interface SchemaObject {
  type: "table" | "index" | "trigger";
  name: string;
  sql: Sql;
  /** The table that a trigger stands on, as SQL. */
  on?: string;
}

/** When a trigger is at work. */
interface TriggerEvent {
  name: string;
  event: string;
  /** The table as SQL names it. */
  on: Sql;
  /** The columns whose update it waits for; undefined for all. */
  of?: Sql | undefined;
}

/** A trigger, one statement after the other. */
export function trigger({ name: own, event, on, of }: TriggerEvent, statements: readonly Sql[]): SchemaObject {
  const columns = of === undefined ? "" : ` OF ${of.text}`;
  const lines = [
    `CREATE TRIGGER ${ourName(own)} ${event}${columns} ON ${on.text}`,
    "BEGIN",
    ...statements.map((statement) => `  ${indented(statement)};`),
    "END",
  ];
  return { type: "trigger", name: ourName(own), on: on.text, sql: raw(lines.join("\n")) };
}

/**
 * Fails with the sentence of the first condition that holds. In SQL alone, only a trigger can fail with a sentence. It is
 * there for one statement, since a host's SQLite reads every trigger of its file.
 */
export function failIf(refusals: readonly (readonly [sentence: string, condition: Sql])[]): Sql[] {
  if (refusals.length === 0) return [];
  const asked = trigger(
    { name: "refusal", event: "BEFORE UPDATE", on: our("schemaVersion") },
    refusals.map(
      ([sentence, condition]) => sql`
        SELECT RAISE(ABORT, ${literal(sentence)})
          WHERE ${condition}`,
    ),
  );
  return [asked.sql, sql`UPDATE im_admin_schema_version SET version = version`, drop(asked)];
}

function indented({ text, values }: Sql): string {
  if (values.length > 0) throw new TypeError("a trigger cannot have bound values");
  return text.replaceAll("\n", "\n  ");
}

/** Drops a part of the schema, if it is there. */
export function drop({ type, name: own }: SchemaObject): Sql {
  return sql`DROP ${raw(type.toUpperCase())} IF EXISTS ${name(own)}`;
}
