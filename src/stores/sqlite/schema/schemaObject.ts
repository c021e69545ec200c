import { join, name, names, our, ourName, raw, type Sql, sql } from "../sql.js";

/** A part of the schema: what it is, how it is called, and the statement that makes it. */
export interface SchemaObject {
  type: "table" | "index" | "view" | "trigger";
  name: string;
  sql: Sql;
  /** The table or view that a trigger stands on. */
  on?: string;
}

/** When a trigger is at work; `on` names its table, or the view that stands for what it does, or a host's as SQL. */
export interface TriggerEvent {
  name: string;
  event: string;
  on: string | Sql;
  /** Columns whose update it waits for, those of a host as SQL. */
  of?: readonly string[] | Sql;
  when?: Sql;
}

/** A trigger, one statement after the other. */
export function trigger({ name: own, event, on, of, when }: TriggerEvent, statements: readonly Sql[]): SchemaObject {
  const columns = of === undefined ? "" : ` OF ${("text" in of ? of : names(of)).text}`;
  const table = typeof on === "string" ? ourName(on) : on.text;
  const lines = [
    `CREATE TRIGGER ${ourName(own)} ${event}${columns} ON ${table}`,
    ...(when === undefined ? [] : [`  WHEN ${indented(when)}`]),
    "BEGIN",
    ...statements.map((statement) => `  ${indented(statement)};`),
    "END",
  ];
  return { type: "trigger", name: ourName(own), on: table, sql: raw(lines.join("\n")) };
}

function indented({ text, values }: Sql): string {
  if (values.length > 0) throw new TypeError("a trigger cannot have bound values");
  return text.replaceAll("\n", "\n  ");
}

/**
 * A view that stands for something that triggers do: to insert a row into it is to call it with the values of the row.
 * It has no rows itself. Its columns have types, because a text of digits is compared as a number where there is none.
 */
export function procedure(own: string, parameters: Readonly<Record<string, "TEXT" | "INTEGER">>): SchemaObject {
  const columns = Object.entries(parameters).map(
    ([parameter, type]) => sql`CAST(NULL AS ${raw(type)}) AS ${name(parameter)}`,
  );
  return { type: "view", name: ourName(own), sql: sql`CREATE VIEW ${our(own)} AS SELECT ${join(columns)} WHERE false` };
}

/** Drops a part of the schema, if it is there. */
export function drop({ type, name: own }: SchemaObject): Sql {
  return sql`DROP ${raw(type.toUpperCase())} IF EXISTS ${name(own)}`;
}
