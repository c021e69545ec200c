/** The triggers that keep what managers receive, or say that they could not. */
import { anyOf, eachOf } from "../schema/plans.js";
import { indexPlans, triggerRoutine } from "../schema/routine.js";
import { type RowsUpkeep, refuseHiddenRows, type Upkeep } from "../schema/triggers.js";
import { join, name, raw, type Sql, sql } from "../sql.js";
import { isManaging, received, wanted } from "./tables.js";

/** What is listed of the rows of a statement, before it and after it: rows in which that stays are left out. */
const changed = (rows: string, others: string | undefined) => {
  const listed = (table: string) => sql`SELECT group_id, user_id, req_time, handle_result FROM ${name(table)}`;
  return others === undefined ? listed(rows) : sql`${listed(rows)} EXCEPT ALL ${listed(others)}`;
};

/** Says of requests that what is received of them may be wrong. */
const doubt = (requests: Sql) => sql`
  INSERT INTO received_doubts (group_id, user_id)
    ${requests}`;

const isStrict = raw("current_setting('transaction_isolation') <> 'read committed'");

/** Takes away what was received of some requests, and compares it with what their groups' managers were to have. */
const remove = (requests: Sql) => sql`
  WITH changed AS MATERIALIZED (
    ${requests}
  ), expected AS MATERIALIZED (
    ${wanted(raw("changed"))}
  ), locked AS MATERIALIZED (
    SELECT own.id FROM changed CROSS JOIN ${eachOf(
      sql`
        SELECT id FROM received_group_requests kept
          WHERE kept.group_id = changed.group_id AND kept.user_id = changed.user_id`,
      raw("FOR UPDATE SKIP LOCKED"),
    )} own
  ), removed AS (
    DELETE FROM received_group_requests WHERE id = ${anyOf(raw("SELECT id FROM locked"))} RETURNING *
  )
  ${doubt(sql`
    SELECT group_id, user_id FROM (
        (SELECT ${received} FROM expected EXCEPT ALL SELECT ${received} FROM removed)
        UNION ALL (SELECT ${received} FROM removed EXCEPT ALL SELECT ${received} FROM expected)
      ) different GROUP BY group_id, user_id`)};`;

const add = (requests: Sql) => sql`
  INSERT INTO received_group_requests (${received})
    ${wanted(sql`(${requests})`)};`;

interface Event {
  event: "insert" | "delete" | "update";
  old?: Sql;
  new?: Sql;
  referencing: string;
}

const events: readonly Event[] = [
  { event: "insert", new: changed("new_rows", undefined), referencing: "NEW TABLE AS new_rows" },
  { event: "delete", old: changed("old_rows", undefined), referencing: "OLD TABLE AS old_rows" },
  {
    event: "update",
    old: changed("old_rows", "new_rows"),
    new: changed("new_rows", "old_rows"),
    referencing: "OLD TABLE AS old_rows NEW TABLE AS new_rows",
  },
];

const ofRequests: readonly Sql[] = events.flatMap(({ event, old: before, new: after, referencing }) => {
  const doubtful = [before, after].flatMap((requests) =>
    requests === undefined ? [] : [sql`SELECT group_id, user_id FROM (${requests}) own`],
  );
  return [
    triggerRoutine({
      name: `received_${event}`,
      settings: indexPlans,
      body: sql`
        BEGIN
          ${refuseHiddenRows}
          IF ${isStrict} THEN
            ${doubt(join(doubtful, "\nUNION\n"))};
            RETURN NULL;
          END IF;
          ${before === undefined ? sql`` : remove(before)}
          ${after === undefined ? sql`` : add(after)}
          RETURN NULL;
        END`,
    }),
    sql`
      CREATE OR REPLACE TRIGGER ${name(`received_${event}`)} AFTER ${raw(event.toUpperCase())} ON group_requests
        REFERENCING ${raw(referencing)} FOR EACH STATEMENT EXECUTE FUNCTION ${name(`received_${event}`)}()`,
  ];
});

const doubtManagers: RowsUpkeep = {
  one: (row) => sql`
    IF ${isManaging(`${row}.`)} THEN
      INSERT INTO received_doubts (group_id, manager_user_id) VALUES (${raw(row)}.group_id, ${raw(row)}.user_id);
    END IF;`,
  all: (rows) => sql`
    INSERT INTO received_doubts (group_id, manager_user_id)
      SELECT group_id, user_id FROM ${rows} WHERE ${isManaging()};`,
};

/** Who begins to manage, or ceases to, writes no rows: to make them is left to who settles the doubt. */
export const managerUpkeep = {
  table: "group_members",
  inserted: doubtManagers,
  deleted: doubtManagers,
  updated: {
    columns: ["group_id", "user_id", "role_level"],
    body: sql`
      IF (old.group_id, old.user_id, ${isManaging("old.")}) IS DISTINCT FROM (new.group_id, new.user_id, ${isManaging("new.")}) THEN
        ${doubtManagers.one("old")}
        ${doubtManagers.one("new")}
      END IF;`,
  },
  truncated: sql`
    DELETE FROM received_doubts;
    DELETE FROM received_group_requests;`,
} satisfies Upkeep;

/** The table of what is counted looks after its lists by itself. */
const ofTruncation: readonly Sql[] = [
  triggerRoutine({
    name: "received_truncate",
    body: sql`
      BEGIN
        IF ${isStrict} THEN
          RAISE 'im-admin lists the rows of group_requests: truncate it in a READ COMMITTED transaction';
        END IF;
        ${managerUpkeep.truncated}
        RETURN NULL;
      END`,
  }),
  sql`
    CREATE OR REPLACE TRIGGER received_truncate AFTER TRUNCATE ON group_requests
      FOR EACH STATEMENT EXECUTE FUNCTION received_truncate()`,
];

export const receivedTriggerNames: readonly string[] = [
  ...events.map(({ event }) => `received_${event}`),
  "received_truncate",
  "received_doubts_settle",
  "received_group_requests_settle",
];

export const receivedTriggers: readonly Sql[] = [...ofRequests, ...ofTruncation];
