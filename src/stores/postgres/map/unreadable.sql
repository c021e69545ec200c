------------------------------------------------------------------------------------------------------------------------
-- What cannot be read of a host's rows
--
-- An expression of a map may fail for a row: a text that is no JSON, a time that is infinity. Nothing looks for that as
-- long as nothing fails. If a statement fails, it runs again and is careful: a record that cannot be read is then read
-- field by field, and a field that is only shown or searched is 0, false or "" if it fails. If a key, the order or a
-- filter fails, so does the statement, and settle() sets the row aside.
------------------------------------------------------------------------------------------------------------------------

-- The name of a setting has two parts, and the first one must not depend on the name of this schema.
CREATE OR REPLACE FUNCTION im_admin.is_careful() RETURNS boolean LANGUAGE sql STABLE RETURN
  coalesce(current_setting('imadmin.is_careful', true) = 'on', false);
COMMENT ON FUNCTION im_admin.is_careful IS 'Whether records that cannot be read are read field by field in this transaction.';

CREATE OR REPLACE FUNCTION im_admin.be_careful(careful boolean) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('imadmin.is_careful', CASE WHEN careful THEN 'on' ELSE 'off' END, true);
$$;
COMMENT ON FUNCTION im_admin.be_careful IS 'Says whether records that cannot be read are read field by field in this transaction.';

CREATE OR REPLACE FUNCTION im_admin.look_up_each() RETURNS void LANGUAGE sql AS $$
  SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true);
$$;
COMMENT ON FUNCTION im_admin.look_up_each IS 'Lets the calling function read no rows but those that it asks for: a scan or a hash of a table would evaluate the map for others, too.';

CREATE OR REPLACE FUNCTION im_admin.is_of_row(state text) RETURNS boolean LANGUAGE sql STABLE RETURN
  EXISTS (SELECT FROM im_admin.mapped_objects) AND left(state, 2) NOT IN ('08', '25', '28', '3D', '3F', '40', '42', '53', '55', '57', '58', 'IM', 'XX');
COMMENT ON FUNCTION im_admin.is_of_row IS 'Whether an SQLSTATE says that an expression of a map failed for a row. The others tell of locks, conflicts, rights, definitions and the server.';

CREATE OR REPLACE FUNCTION im_admin.note_unreadable(record text, field text, key text[], state text) RETURNS void
  LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  noted jsonb := coalesce(nullif(current_setting('imadmin.unreadable', true), ''), '[]')::jsonb;
  found jsonb := jsonb_build_object('record', record, 'key', key, 'field', field, 'reason', 'SQLSTATE ' || state);
BEGIN
  IF jsonb_array_length(noted) < 20 AND NOT noted @> jsonb_build_array(found) THEN
    PERFORM set_config('imadmin.unreadable', (noted || found)::text, true);
  END IF;
END $$;
COMMENT ON FUNCTION im_admin.note_unreadable IS 'Notes in this transaction which field of which record cannot be read, at most twenty of them. It never notes a value.';

CREATE OR REPLACE FUNCTION im_admin.carefully(kind anyelement, routine text, VARIADIC key text[]) RETURNS SETOF anyelement
  LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  relation regclass := pg_typeof(kind)::text::regclass;
  called text := format('%s(%s)', routine, (SELECT string_agg(quote_literal(part), ', ') FROM unnest(key) part));
  own record;
  shown jsonb := '{}';
  value jsonb;
  number bigint;
BEGIN
  BEGIN
    RETURN QUERY EXECUTE format('SELECT found.* FROM %s found', called);
    RETURN;
  EXCEPTION WHEN OTHERS THEN
    IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
  END;
  BEGIN
    EXECUTE format('SELECT count(*) FROM %s', called) INTO number;
    IF number = 0 THEN RETURN; END IF;
  EXCEPTION WHEN OTHERS THEN
    -- A profile or a group is answered as if it were gone.
    IF cardinality(key) > 1 OR NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
    PERFORM note_unreadable((SELECT relname FROM pg_class WHERE oid = relation), 'where', key, SQLSTATE);
    RETURN;
  END;
  FOR own IN SELECT attname AS name, atttypid = 'text'::regtype AS is_text FROM pg_attribute
    WHERE attrelid = relation AND attnum > 0 ORDER BY attnum
  LOOP
    BEGIN
      EXECUTE format('SELECT to_jsonb(found.%I) FROM %s found', own.name, called) INTO value;
    EXCEPTION WHEN OTHERS THEN
      IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
      PERFORM note_unreadable((SELECT relname FROM pg_class WHERE oid = relation), own.name, key, SQLSTATE);
      value := CASE WHEN own.is_text THEN '""' ELSE '0' END;
    END;
    shown := shown || jsonb_build_object(own.name, value);
  END LOOP;
  RETURN NEXT jsonb_populate_record(kind, shown);
END $$;
COMMENT ON FUNCTION im_admin.carefully IS 'A record, with 0, false or "" for what cannot be read. routine: the function that looks it up by its key.';

CREATE OR REPLACE FUNCTION im_admin.careful_nickname(asked_user text, asked_group text) RETURNS text LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  own text;
BEGIN
  BEGIN
    IF asked_group IS NULL THEN
      own := (SELECT profile.nickname FROM user_at(asked_user) profile LIMIT 1);
    ELSE
      own := (SELECT member.nickname FROM member_at(asked_group, asked_user) member LIMIT 1);
    END IF;
  EXCEPTION WHEN OTHERS THEN
    IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
    IF asked_group IS NULL THEN
      PERFORM note_unreadable('users', 'nickname', ARRAY[asked_user], SQLSTATE);
    ELSE
      PERFORM note_unreadable('group_members', 'nickname', ARRAY[asked_group, asked_user], SQLSTATE);
    END IF;
  END;
  IF coalesce(own, '') = '' AND asked_group IS NOT NULL THEN RETURN careful_nickname(asked_user, NULL); END IF;
  RETURN coalesce(own, '');
END $$;
COMMENT ON FUNCTION im_admin.careful_nickname IS 'The nickname of a user, or the one in a group, without what cannot be read.';

CREATE OR REPLACE FUNCTION im_admin.unreadable(
    asked_record text, asked_first text DEFAULT NULL, asked_second text DEFAULT NULL, most bigint DEFAULT NULL)
  RETURNS TABLE (first text, second text, field text, decides boolean, reason text) LANGUAGE plpgsql STABLE
  SET search_path = im_admin, pg_temp SET row_security = off SET enable_seqscan = off AS $$
#variable_conflict use_variable
DECLARE
  keys record;
BEGIN
  IF NOT EXISTS (SELECT FROM mapped_objects mapped WHERE mapped.record = asked_record) THEN RETURN; END IF;
  IF coalesce(asked_first, asked_second) IS NULL THEN
    BEGIN
      -- One look at the whole table, and mostly the only one.
      EXECUTE format('SELECT count(found.*::text) FROM %s_of_host() found', asked_record);
      RETURN;
    EXCEPTION WHEN OTHERS THEN
      IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
    END;
  END IF;
  BEGIN
    FOR keys IN EXECUTE format($query$
      SELECT array_agg(chunk.first) AS firsts, array_agg(chunk.second) AS seconds FROM (
          SELECT key.*, row_number() OVER () / 10000 AS number
            FROM (SELECT DISTINCT * FROM keys_of_%s($1, $2) LIMIT $3) key
        ) chunk GROUP BY chunk.number
    $query$, asked_record) USING asked_first, asked_second, most
    LOOP
      RETURN QUERY SELECT * FROM unreadable_among(asked_record, keys.firsts, keys.seconds);
    END LOOP;
  EXCEPTION WHEN OTHERS THEN
    IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
    RETURN QUERY SELECT asked_first, asked_second, 'key', true, SQLSTATE::text;
  END;
END $$;
COMMENT ON FUNCTION im_admin.unreadable IS 'The fields of a kind of records that cannot be read, of a key, of a part of it, or of all. decides: whether the lists with the row fail. most: how many keys it looks at.';

CREATE OR REPLACE FUNCTION im_admin.unreadable_among(asked_record text, firsts text[], seconds text[])
  RETURNS TABLE (first text, second text, field text, decides boolean, reason text) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  number integer := cardinality(firsts);
  fields text[] := ARRAY(
    SELECT own.name FROM pg_proc CROSS JOIN unnest(proargnames, proargmodes) own (name, mode)
      WHERE pg_proc.oid = format('fields_of_%s(text, text)', asked_record)::regprocedure AND own.mode = 't');
  own text;
BEGIN
  BEGIN
    EXECUTE format('SELECT count(found.*::text) FROM unnest($1, $2) key (first, second) CROSS JOIN LATERAL (
      SELECT * FROM fields_of_%s(key.first, key.second) OFFSET 0) found WHERE found."where"', asked_record) USING firsts, seconds;
    RETURN;
  EXCEPTION WHEN OTHERS THEN
    IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
  END;
  IF number > 1 THEN
    RETURN QUERY SELECT * FROM unreadable_among(asked_record, firsts[: number / 2], seconds[: number / 2]);
    RETURN QUERY SELECT * FROM unreadable_among(asked_record, firsts[number / 2 + 1 :], seconds[number / 2 + 1 :]);
    RETURN;
  END IF;
  FOREACH own IN ARRAY fields LOOP
    BEGIN
      EXECUTE format('SELECT count(found.%I) FROM fields_of_%s($1, $2) found WHERE found."where"', own, asked_record)
        USING firsts[1], seconds[1];
    EXCEPTION WHEN OTHERS THEN
      IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
      RETURN QUERY SELECT firsts[1], seconds[1], own, asked_record || '.' || own IN (:deciding_fields), SQLSTATE::text;
      -- Without the filter, no field can be read.
      EXIT WHEN own = 'where';
    END;
  END LOOP;
END $$;
COMMENT ON FUNCTION im_admin.unreadable_among IS 'The fields that cannot be read of some records. It halves them until it knows whose they are.';
