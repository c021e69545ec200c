/** The triggers that keep what managers receive, or say that they could not. */
import { indexPlans, triggerRoutine } from "../schema/routine.js";
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
    SELECT own.id FROM changed JOIN received_group_requests own USING (group_id, user_id) FOR UPDATE OF own SKIP LOCKED
  ), removed AS (
    DELETE FROM received_group_requests own USING locked WHERE own.id = locked.id RETURNING own.*
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

const wasManaging = isManaging("OLD.");
const isNowManaging = isManaging("NEW.");

/** Who begins to manage, or ceases to, writes no rows: to make them is left to who settles the doubt. */
const ofManagers: readonly Sql[] = [
  triggerRoutine({
    name: "received_managing",
    body: sql`
      BEGIN
        IF TG_OP <> 'INSERT' AND ${wasManaging} THEN
          INSERT INTO received_doubts (group_id, manager_user_id) VALUES (OLD.group_id, OLD.user_id);
        END IF;
        IF TG_OP <> 'DELETE' AND ${isNowManaging} THEN
          INSERT INTO received_doubts (group_id, manager_user_id) VALUES (NEW.group_id, NEW.user_id);
        END IF;
        RETURN NULL;
      END`,
  }),
  ...(
    [
      ["INSERT", isNowManaging],
      ["DELETE", wasManaging],
      [
        "UPDATE",
        sql`
          (OLD.group_id, OLD.user_id, ${wasManaging}) IS DISTINCT FROM (NEW.group_id, NEW.user_id, ${isNowManaging})
            AND (${wasManaging} OR ${isNowManaging})`,
      ],
    ] as const
  ).map(
    ([event, condition]) => sql`
      CREATE OR REPLACE TRIGGER ${name(`received_managing_${event.toLowerCase()}`)} AFTER ${raw(event)} ON group_members
        FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION received_managing()`,
  ),
];

const truncatedTables = ["group_requests", "group_members"];

/** The table of what is counted looks after its lists by itself. */
const ofTruncation: readonly Sql[] = [
  triggerRoutine({
    name: "received_truncate",
    body: sql`
      BEGIN
        IF ${isStrict} THEN
          RAISE 'im-admin lists the rows of %: truncate it in a READ COMMITTED transaction', TG_TABLE_NAME;
        END IF;
        DELETE FROM received_doubts;
        DELETE FROM received_group_requests;
        RETURN NULL;
      END`,
  }),
  ...truncatedTables.map(
    (table) => sql`
      CREATE OR REPLACE TRIGGER ${name(`${table}_truncate_received`)} AFTER TRUNCATE ON ${name(table)}
        FOR EACH STATEMENT EXECUTE FUNCTION received_truncate()`,
  ),
];

export const receivedTriggerNames: readonly string[] = [
  ...events.map(({ event }) => `received_${event}`),
  ...["insert", "delete", "update"].map((event) => `received_managing_${event}`),
  ...truncatedTables.map((table) => `${table}_truncate_received`),
  "received_doubts_settle",
  "received_group_requests_settle",
];

export const receivedTriggers: readonly Sql[] = [...ofRequests, ...ofManagers, ...ofTruncation];
