import type { Row, Statement, Value } from "../../src/stores/sqlite/database.js";

/** Statements, each of which gets its rows, and what becomes of them. */
export type Steps<Result = void> = Generator<Statement, Result, Row[] | undefined>;

/** Runs one statement, and returns its rows. */
export function* run(text: string, ...values: Value[]): Steps<Row[]> {
  return (yield { text, values }) ?? [];
}
