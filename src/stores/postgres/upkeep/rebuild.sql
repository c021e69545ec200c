CREATE OR REPLACE FUNCTION im_admin.forget_lists(VARIADIC forgotten text[]) RETURNS void
  LANGUAGE sql SET search_path = im_admin, pg_temp AS $$
  DELETE FROM list_nodes WHERE list = ANY (forgotten);
  DELETE FROM list_entries WHERE list = ANY (forgotten);
  WITH gone AS (DELETE FROM lists WHERE list = ANY (forgotten) RETURNING list, owner)
  INSERT INTO list_changes (list, owner, key, change) SELECT list, owner, '', 0 FROM gone;
$$;
COMMENT ON FUNCTION im_admin.forget_lists IS 'Deletes the trees of some lists, and appends a change with an empty key for each: settle() then builds the tree again if the list is still long.';

CREATE OR REPLACE FUNCTION im_admin.rebuild_lists() RETURNS void
  LANGUAGE plpgsql SET search_path = im_admin, pg_temp SET row_security = off AS $$
#variable_conflict use_variable
DECLARE
  own text;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE 'call rebuild_lists() in a READ COMMITTED transaction';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('im-admin settle'), 'lists'::regclass::oid::integer);
  PERFORM require_mapped();
  PERFORM settle_rewritten();
  DELETE FROM touched;
  PERFORM forget_lists(VARIADIC list_names());
  FOREACH own IN ARRAY list_names() LOOP
    BEGIN
      INSERT INTO list_changes (list, owner, key, change)
        SELECT own, listed.owner, '', 0 FROM list_rows listed WHERE listed.list = own AND NOT has_tree_always(own)
          GROUP BY listed.owner HAVING count(*) > node_size()
        UNION ALL SELECT own, '', '', 0 WHERE has_tree_always(own);
    EXCEPTION WHEN OTHERS THEN
      IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
      -- A row cannot be read. settle() finds out which lists are long.
      EXECUTE format($query$
        INSERT INTO list_changes (list, owner, key, change)
          SELECT $1, concerned.parent, '', 0 FROM %I() key
            CROSS JOIN LATERAL touched_lists(record_of($1), key.first, key.second) concerned
            WHERE concerned.list = $1 GROUP BY concerned.parent HAVING count(*) > node_size() OR has_tree_always($1)
      $query$, 'keys_of_' || record_of(own)) USING own;
    END;
  END LOOP;
END $$;
COMMENT ON FUNCTION im_admin.rebuild_lists IS 'Deletes all trees, and lets settle() build them again. Call settle() afterwards.';
