-- Version 2 of im-admin for PostgreSQL: the fields of conversations of newer servers, and the time of the last import.
--
-- It follows 0001.sql. Processes with version 1 of im-admin go on meanwhile and afterwards, since new parameters have
-- defaults.

ALTER TABLE im_admin.conversations ADD COLUMN IF NOT EXISTS min_seq bigint NOT NULL DEFAULT 0;
ALTER TABLE im_admin.conversations ADD COLUMN IF NOT EXISTS max_seq bigint NOT NULL DEFAULT 0;
ALTER TABLE im_admin.conversations ADD COLUMN IF NOT EXISTS group_at_type integer NOT NULL DEFAULT 0;
ALTER TABLE im_admin.conversations ADD COLUMN IF NOT EXISTS msg_destruct_time bigint NOT NULL DEFAULT 0;
ALTER TABLE im_admin.conversations ADD COLUMN IF NOT EXISTS is_msg_destruct boolean NOT NULL DEFAULT false;

CREATE TABLE im_admin.last_import (time bigint NOT NULL);
ALTER TABLE im_admin.last_import REPLICA IDENTITY FULL;
COMMENT ON TABLE im_admin.last_import IS 'When the last complete import began, in milliseconds since 1970. It is empty if there was none.';

DROP FUNCTION im_admin.set_conversations, im_admin.write_conversations;

CREATE FUNCTION im_admin.set_conversations(
    asked_owners text[], asked_conversation text, asked_type integer, asked_user text, asked_group text,
    asked_recv_msg_opt integer, asked_attached_info text, asked_is_pinned boolean, asked_is_private_chat boolean,
    asked_ex text, asked_burn_duration integer, asked_min_seq bigint DEFAULT NULL, asked_max_seq bigint DEFAULT NULL,
    asked_group_at_type integer DEFAULT NULL, asked_msg_destruct_time bigint DEFAULT NULL,
    asked_is_msg_destruct boolean DEFAULT NULL, OUT outcome text, OUT user_ids text)
  LANGUAGE plpgsql SET search_path = im_admin, pg_temp SET row_security = off SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET join_collapse_limit = 1 SET jit = off AS $$
#variable_conflict use_variable
DECLARE
  concerned text[] := CASE asked_type WHEN 1 THEN asked_owners || asked_user ELSE asked_owners END;
  wrong text[];
  changed text[];
BEGIN
  PERFORM require_mapped();
  IF asked_type = 3 THEN
    SELECT CASE status WHEN 2 THEN 'groupDismissed' END INTO outcome FROM group_at(asked_group);
    IF NOT FOUND THEN outcome := 'groupNotFound'; END IF;
    IF outcome IS NOT NULL THEN RETURN; END IF;
  END IF;
  wrong := ARRAY(
    SELECT named.id FROM unnest(concerned) WITH ORDINALITY AS named (id, position)
      WHERE NOT EXISTS (SELECT FROM user_at(named.id))
      GROUP BY named.id ORDER BY min(named.position));
  IF cardinality(wrong) > 0 THEN
    outcome := 'usersNotFound';
    user_ids := array_to_json(wrong);
    RETURN;
  END IF;

  IF num_nonnulls(
      asked_recv_msg_opt, asked_attached_info, asked_is_pinned, asked_is_private_chat, asked_ex, asked_burn_duration,
      asked_min_seq, asked_max_seq, asked_group_at_type, asked_msg_destruct_time, asked_is_msg_destruct) > 0
  THEN
    changed := write_conversations(
      asked_owners, asked_conversation, asked_type, asked_user, asked_group, asked_recv_msg_opt, asked_attached_info,
      asked_is_pinned, asked_is_private_chat, asked_ex, asked_burn_duration, asked_min_seq, asked_max_seq,
      asked_group_at_type, asked_msg_destruct_time, asked_is_msg_destruct);
  END IF;
  -- Rows that were written do not contradict: look only if there are others.
  IF cardinality(changed) IS DISTINCT FROM cardinality(asked_owners) THEN
    wrong := ARRAY(
      SELECT owners.id FROM unnest(asked_owners) WITH ORDINALITY AS owners (id, position)
        CROSS JOIN LATERAL (SELECT * FROM conversation_at(owners.id, asked_conversation) OFFSET 0) stored
        WHERE (stored.conversation_type, stored.user_id, stored.group_id) IS DISTINCT FROM (asked_type, asked_user, asked_group)
        ORDER BY owners.position);
    -- The error undoes the writes of this block.
    IF cardinality(wrong) > 0 THEN RAISE 'contradicted' USING ERRCODE = 'IM001'; END IF;
  END IF;
  outcome := 'done';
  user_ids := array_to_json(coalesce(changed, '{}'));
EXCEPTION WHEN SQLSTATE 'IM001' THEN
  outcome := 'contradicted';
  user_ids := array_to_json(wrong);
END $$;
COMMENT ON FUNCTION im_admin.set_conversations IS 'Sets a conversation for many users, or for none, and then returns the reason. It writes first, which locks the rows, and checks afterwards: no other call can change them meanwhile.';

CREATE FUNCTION im_admin.write_conversations(
    asked_owners text[], asked_conversation text, asked_type integer, asked_user text, asked_group text,
    asked_recv_msg_opt integer, asked_attached_info text, asked_is_pinned boolean, asked_is_private_chat boolean,
    asked_ex text, asked_burn_duration integer, asked_min_seq bigint, asked_max_seq bigint, asked_group_at_type integer,
    asked_msg_destruct_time bigint, asked_is_msg_destruct boolean)
  RETURNS text[] LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  changed text[];
BEGIN
  WITH written AS (
    INSERT INTO conversations AS stored (owner_user_id, conversation_id, conversation_type, user_id, group_id,
        recv_msg_opt, attached_info, is_pinned, is_private_chat, ex, burn_duration, min_seq, max_seq, group_at_type,
        msg_destruct_time, is_msg_destruct)
      SELECT id, asked_conversation, asked_type, asked_user, asked_group, coalesce(asked_recv_msg_opt, 0),
          coalesce(asked_attached_info, ''), coalesce(asked_is_pinned, false), coalesce(asked_is_private_chat, false),
          coalesce(asked_ex, ''), coalesce(asked_burn_duration, 0), coalesce(asked_min_seq, 0), coalesce(asked_max_seq, 0),
          coalesce(asked_group_at_type, 0), coalesce(asked_msg_destruct_time, 0), coalesce(asked_is_msg_destruct, false)
        FROM unnest(asked_owners) AS owners (id) ORDER BY id COLLATE "C"
      ON CONFLICT (owner_user_id, conversation_id) DO UPDATE
        SET (recv_msg_opt, attached_info, is_pinned, is_private_chat, ex, burn_duration, min_seq, max_seq, group_at_type,
          msg_destruct_time, is_msg_destruct) = ROW (
          coalesce(asked_recv_msg_opt, stored.recv_msg_opt), coalesce(asked_attached_info, stored.attached_info),
          coalesce(asked_is_pinned, stored.is_pinned), coalesce(asked_is_private_chat, stored.is_private_chat),
          coalesce(asked_ex, stored.ex), coalesce(asked_burn_duration, stored.burn_duration),
          coalesce(asked_min_seq, stored.min_seq), coalesce(asked_max_seq, stored.max_seq),
          coalesce(asked_group_at_type, stored.group_at_type), coalesce(asked_msg_destruct_time, stored.msg_destruct_time),
          coalesce(asked_is_msg_destruct, stored.is_msg_destruct))
        WHERE (stored.conversation_type, stored.user_id, stored.group_id) = (asked_type, asked_user, asked_group)
          AND (
            stored.recv_msg_opt, stored.attached_info, stored.is_pinned, stored.is_private_chat, stored.ex, stored.burn_duration,
            stored.min_seq, stored.max_seq, stored.group_at_type, stored.msg_destruct_time, stored.is_msg_destruct
          ) IS DISTINCT FROM (
            coalesce(asked_recv_msg_opt, stored.recv_msg_opt), coalesce(asked_attached_info, stored.attached_info),
            coalesce(asked_is_pinned, stored.is_pinned), coalesce(asked_is_private_chat, stored.is_private_chat),
            coalesce(asked_ex, stored.ex), coalesce(asked_burn_duration, stored.burn_duration),
            coalesce(asked_min_seq, stored.min_seq), coalesce(asked_max_seq, stored.max_seq),
            coalesce(asked_group_at_type, stored.group_at_type), coalesce(asked_msg_destruct_time, stored.msg_destruct_time),
            coalesce(asked_is_msg_destruct, stored.is_msg_destruct))
      RETURNING owner_user_id
  )
  SELECT array_agg(owner_user_id) INTO changed FROM written;
  RETURN changed;
END $$;
COMMENT ON FUNCTION im_admin.write_conversations IS 'Writes the conversations, and returns the owners of changed rows. It does not change a row that contradicts. It locks rows in the order of their keys, so that two calls cannot deadlock.';

UPDATE im_admin.schema_version SET version = 2;
