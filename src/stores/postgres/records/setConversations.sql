CREATE OR REPLACE FUNCTION im_admin.set_conversations(
    asked_owners text[], asked_conversation text, asked_type integer, asked_user text, asked_group text,
    :settable_parameters,
    asked_told text[] DEFAULT NULL, expected jsonb DEFAULT NULL, may_create boolean DEFAULT true,
    OUT outcome text, OUT user_ids text, OUT before text)
  LANGUAGE plpgsql :steady_plans AS $$
#variable_conflict use_variable
DECLARE
  concerned text[] := CASE asked_type WHEN 1 THEN asked_owners || asked_user ELSE asked_owners END;
  wrong text[];
  targets text[];
  created text[];
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

  IF num_nonnulls(asked_told, expected) = 0 THEN
    IF num_nonnulls(:settable) > 0 THEN
      changed := write_conversations(
        asked_owners, asked_conversation, asked_type, asked_user, asked_group, :settable, false);
    END IF;
  ELSE
    targets := asked_owners;
    IF num_nonnulls(:settable) > 0 THEN
      IF NOT may_create THEN
        targets := ARRAY(
          SELECT owners.id FROM unnest(targets) AS owners (id)
            CROSS JOIN LATERAL (SELECT FROM conversation_at(owners.id, asked_conversation) OFFSET 0) stored);
      END IF;
      -- Nobody changes the rows between this and the write.
      created := write_conversations(
        targets, asked_conversation, asked_type, asked_user, asked_group, :settable, true);
      IF NOT may_create AND created IS NOT NULL THEN
        RAISE 'conversations were deleted meanwhile' USING ERRCODE = 'serialization_failure';
      END IF;
      targets := ARRAY(SELECT owners.id FROM unnest(targets) AS owners (id) WHERE owners.id NOT IN (SELECT unnest(created)));
    ELSE
      -- It fails where there are no conversations.
      PERFORM write_conversations('{}', asked_conversation, asked_type, asked_user, asked_group, :settable, true);
    END IF;
    SELECT json_agg(json_build_array(now.id, (
          SELECT jsonb_object_agg(field.key, field.value) FROM jsonb_each(now.fields) AS field
            WHERE field.key = ANY (asked_told)))),
        coalesce(array_agg(now.id) FILTER (WHERE now.fields @> coalesce(expected, '{}')), '{}')
      INTO before, targets
      FROM (
        SELECT owners.id, jsonb_build_object(:settable_values) AS fields FROM unnest(targets) AS owners (id)
          CROSS JOIN LATERAL (SELECT * FROM conversation_at(owners.id, asked_conversation) OFFSET 0) stored
      ) now;
    IF length(before) > :most_told THEN RAISE ':told_too_much'; END IF;
    IF num_nonnulls(:settable) > 0 THEN
      changed := created || write_conversations(
        targets, asked_conversation, asked_type, asked_user, asked_group, :settable, false);
    END IF;
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
WHEN SQLSTATE 'IM002' THEN
  outcome := 'notKept';
END $$;
COMMENT ON FUNCTION im_admin.set_conversations IS 'Sets a conversation for many users, or for none, and then returns the reason. It writes first, which locks the rows, and checks afterwards: no other call can change them meanwhile. Where it tells what was there before, it creates what is missing, locks the rest, reads, and writes.';
