------------------------------------------------------------------------------------------------------------------------
-- What cannot be read of a host's rows
--
-- An expression of a map may fail for a row: a text that is no JSON, a time that is infinity. Nothing looks for that as
-- long as nothing fails. If a statement fails, it runs again and is careful: each field that is only shown or searched is
-- then evaluated by itself, and is 0, false or "" if it fails. If a key, the order or a filter fails, so does the
-- statement, and settle() sets the row aside.
------------------------------------------------------------------------------------------------------------------------

-- The name of a setting has two parts, and the first one must not depend on the name of this schema.
CREATE OR REPLACE FUNCTION im_admin.is_careful() RETURNS boolean LANGUAGE sql STABLE RETURN
  coalesce(current_setting('imadmin.is_careful', true) = 'on', false);
COMMENT ON FUNCTION im_admin.is_careful IS 'Whether the fields of a host''s rows are evaluated one by one in this transaction.';

CREATE OR REPLACE FUNCTION im_admin.be_careful(careful boolean) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('imadmin.is_careful', CASE WHEN careful THEN 'on' ELSE 'off' END, true);
$$;
COMMENT ON FUNCTION im_admin.be_careful IS 'Says whether the fields of a host''s rows are evaluated one by one in this transaction.';

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

CREATE OR REPLACE FUNCTION im_admin.unreadable(asked_record text, asked_first text, asked_second text)
  RETURNS TABLE (first text, second text, field text, decides boolean, reason text) LANGUAGE plpgsql STABLE
  SET search_path = im_admin, pg_temp SET row_security = off AS $$
BEGIN
  IF EXISTS (SELECT FROM im_admin.mapped_objects mapped WHERE mapped.record = asked_record) THEN
    RETURN QUERY EXECUTE format('SELECT * FROM unreadable_%s($1, $2)', asked_record) USING asked_first, asked_second;
  END IF;
END $$;
COMMENT ON FUNCTION im_admin.unreadable IS 'The fields of a kind of records that cannot be read, of a key, of a part of it, or of all. decides: whether the lists with the row fail.';
