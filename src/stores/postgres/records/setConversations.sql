CREATE OR REPLACE FUNCTION im_admin.set_conversations(
    asked_owners text[], asked_conversation text, asked_type integer, asked_user text, asked_group text,
    :settable_parameters, OUT outcome text, OUT user_ids text)
  LANGUAGE plpgsql :steady_plans AS $$
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

  IF num_nonnulls(:settable) > 0 THEN
    changed := write_conversations(
      asked_owners, asked_conversation, asked_type, asked_user, asked_group, :settable);
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
COMMENT ON FUNCTION im_admin.set_conversations IS 'Sets a conversation for many users, or for none, and then returns the reason. It writes first, which locks the rows, and checks afterwards: no other call can change them meanwhile.';
