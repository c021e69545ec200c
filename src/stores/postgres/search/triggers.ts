/** The triggers that say of which members the documents may be others: see tables.ts. */

import type { Sizes } from "../nodes/tables.js";
import { byChance, isAppended } from "../nodes/triggers.js";
import { indexPlans, triggerRoutine } from "../schema/routine.js";
import { literal, name, raw, type Sql, sql } from "../sql.js";
import { members } from "./tables.js";

/** How many users a doubt is about at most. */
const usersOfDoubt = literal(1000);

/** Doubts about the users of a statement's rows; where it is one, as mostly, with less ado. */
const doubts = (rows: string) => sql`
  IF EXISTS (SELECT FROM ${name(rows)} OFFSET 1) THEN
    INSERT INTO profile_doubts (user_ids)
      SELECT array_agg(user_id) FROM (
          SELECT user_id, (row_number() OVER () - 1) / ${usersOfDoubt} AS part FROM ${name(rows)} WHERE nickname <> ''
        ) own GROUP BY part;
  ELSE
    INSERT INTO profile_doubts (user_ids) SELECT ARRAY[user_id] FROM ${name(rows)} WHERE nickname <> '';
  END IF;`;

const ofProfiles: readonly Sql[] = [
  ...(
    [
      ["insert", "new_rows", "NEW TABLE AS new_rows"],
      ["delete", "old_rows", "OLD TABLE AS old_rows"],
    ] as const
  ).flatMap(([event, rows, referencing]) => [
    triggerRoutine({
      name: `profiles_${event}`,
      body: sql`
        BEGIN
          ${doubts(rows)}
          RETURN NULL;
        END`,
    }),
    sql`
      CREATE OR REPLACE TRIGGER ${name(`profiles_${event}`)} AFTER ${raw(event.toUpperCase())} ON users
        REFERENCING ${raw(referencing)} FOR EACH STATEMENT EXECUTE FUNCTION ${name(`profiles_${event}`)}()`,
  ]),
  // Row by row, so that those cost nothing whose nicknames stay.
  triggerRoutine({
    name: "profiles_update",
    body: sql`
      BEGIN
        INSERT INTO profile_doubts (user_ids) VALUES (ARRAY[OLD.user_id, NEW.user_id]);
        RETURN NULL;
      END`,
  }),
  sql`
    CREATE OR REPLACE TRIGGER profiles_update AFTER UPDATE ON users FOR EACH ROW
      WHEN ((OLD.user_id, OLD.nickname) IS DISTINCT FROM (NEW.user_id, NEW.nickname))
      EXECUTE FUNCTION profiles_update()`,
];

/** A change of nothing, which has the document made anew. Where the key is another too, the list's own changes do. */
const ofNicknames = (sizes: Sizes): Sql[] => [
  triggerRoutine({
    name: "nicknames_update",
    settings: indexPlans,
    body: sql`
      BEGIN
        INSERT INTO list_changes (list, owner, key, change, is_folding)
          SELECT ${literal(members.id)}, NEW.group_id, ${members.key("new")}, 0, ${byChance(sizes)}
            WHERE ${isAppended(members, raw("NEW.group_id"))};
        RETURN NULL;
      END`,
  }),
  sql`
    CREATE OR REPLACE TRIGGER nicknames_update AFTER UPDATE ON group_members FOR EACH ROW
      WHEN (OLD.nickname <> NEW.nickname) EXECUTE FUNCTION nicknames_update()`,
];

const truncatedTables = ["users", "group_members"];

/**
 * Where all profiles are gone, groups are documented from the beginning. In stricter modes, the triggers of
 * the lists of both tables refuse it.
 */
const ofTruncation: readonly Sql[] = [
  triggerRoutine({
    name: "documents_truncate",
    body: sql`
      BEGIN
        IF TG_TABLE_NAME = 'users' THEN
          DELETE FROM profile_doubts;
          UPDATE searched_groups SET documented_before = '';
        ELSE
          DELETE FROM documents;
          DELETE FROM searched_groups;
        END IF;
        RETURN NULL;
      END`,
  }),
  ...truncatedTables.map(
    (table) => sql`
      CREATE OR REPLACE TRIGGER ${name(`${table}_truncate_documents`)} AFTER TRUNCATE ON ${name(table)}
        FOR EACH STATEMENT EXECUTE FUNCTION documents_truncate()`,
  ),
];

export const documentTriggerNames: readonly string[] = [
  ...["insert", "delete", "update"].map((event) => `profiles_${event}`),
  "nicknames_update",
  ...truncatedTables.map((table) => `${table}_truncate_documents`),
  "profile_doubts_settle",
];

export const documentTriggers = (sizes: Sizes): Sql[] => [...ofProfiles, ...ofNicknames(sizes), ...ofTruncation];
