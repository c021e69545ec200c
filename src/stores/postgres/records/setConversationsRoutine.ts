import { snake } from "../names.js";
import { indexPlans, routine } from "../schema/routine.js";
import { join, raw, sql } from "../sql.js";

/** The fields that can be set, with their types and what stands for those that are left out. */
const fields = {
  recvMsgOpt: "integer",
  attachedInfo: "text",
  isPinned: "boolean",
  isPrivateChat: "boolean",
  ex: "text",
  burnDuration: "integer",
} as const;
const otherwise = { integer: "0", text: "''", boolean: "false" } as const;

/** The names of the fields, in the order of the function's parameters. */
export const settableFields = Object.keys(fields) as (keyof typeof fields)[];

const columns = settableFields.map(snake);
const asked = Object.entries(fields).map(([field, type]) => sql`asked_${snake(field)} ${raw(type)}`);
const inserted = Object.entries(fields).map(
  ([field, type]) => sql`coalesce(asked_${snake(field)}, ${raw(otherwise[type])})`,
);
const supplied = columns.map((column) => sql`coalesce(asked_${column}, stored.${column})`);

const contradicts = raw(
  `
  (stored.conversation_type, stored.user_id, stored.group_id)
    IS DISTINCT FROM (asked_type, asked_user, asked_group)`.trim(),
);

/**
 * Sets a conversation of many users, or tells what stands in the way; one statement, and so all or nothing. Rows are
 * written in the order of their keys: calls at the same time wait for each other, and none for one that waits for it.
 *
 * Another call may make a contradicting conversation after the rows were looked at. They are looked at again when they
 * are written, and locked: what was written is taken back then.
 */
export const setConversationsRoutine = routine({
  name: "set_conversations",
  parameters: sql`
    asked_owners text[], asked_conversation text, asked_type integer, asked_user text, asked_group text,
      ${join(asked)}, OUT outcome text, OUT user_ids text`,
  settings: indexPlans,
  body: sql`
    DECLARE
      concerned text[];
      wrong text[];
      changed text[];
    BEGIN
      IF asked_type = 3 THEN
        SELECT CASE status WHEN 2 THEN 'groupDismissed' END INTO outcome FROM groups WHERE group_id = asked_group;
        IF NOT FOUND THEN outcome := 'groupNotFound'; END IF;
        IF outcome IS NOT NULL THEN RETURN; END IF;
      END IF;
      concerned := CASE asked_type WHEN 1 THEN asked_owners || asked_user ELSE asked_owners END;
      -- Mostly all of them are there, which is found out faster than which of them is not.
      IF (SELECT count(*) FROM users WHERE user_id = ANY (concerned)) < cardinality(concerned) THEN
        wrong := ARRAY(
          SELECT named.id FROM unnest(concerned) WITH ORDINALITY AS named (id, position)
            WHERE NOT EXISTS (SELECT FROM users WHERE users.user_id = named.id)
            GROUP BY named.id ORDER BY min(named.position));
        IF cardinality(wrong) > 0 THEN
          outcome := 'usersNotFound';
          user_ids := array_to_json(wrong);
          RETURN;
        END IF;
      END IF;

      BEGIN
        IF num_nonnulls(${join(columns.map((column) => sql`asked_${column}`))}) > 0 THEN
          WITH written AS (
            INSERT INTO conversations AS stored
                (owner_user_id, conversation_id, conversation_type, user_id, group_id, ${join(columns)})
              SELECT id, asked_conversation, asked_type, asked_user, asked_group, ${join(inserted)}
                FROM unnest(asked_owners) AS owners (id) ORDER BY id COLLATE "C"
              ON CONFLICT (owner_user_id, conversation_id) DO UPDATE SET (${join(columns)}) = ROW (${join(supplied)})
                WHERE NOT ${contradicts}
                  AND (${join(columns.map((column) => sql`stored.${column}`))}) IS DISTINCT FROM (${join(supplied)})
              RETURNING owner_user_id
          )
          SELECT array_agg(owner_user_id) INTO changed FROM written;
        END IF;
        -- What is written does not contradict.
        IF cardinality(changed) IS DISTINCT FROM cardinality(asked_owners) THEN
          wrong := ARRAY(
            SELECT owners.id FROM unnest(asked_owners) WITH ORDINALITY AS owners (id, position)
              JOIN conversations stored ON stored.owner_user_id = owners.id AND stored.conversation_id = asked_conversation
              WHERE ${contradicts} ORDER BY owners.position);
          IF cardinality(wrong) > 0 THEN RAISE 'contradicted' USING ERRCODE = 'IM001'; END IF;
        END IF;
      EXCEPTION WHEN SQLSTATE 'IM001' THEN
        outcome := 'contradicted';
        user_ids := array_to_json(wrong);
        RETURN;
      END;
      outcome := 'done';
      user_ids := array_to_json(coalesce(changed, '{}'));
    END`,
});
