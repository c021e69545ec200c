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
  parent text;
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
      PERFORM look_up_each();
      FOR parent IN EXECUTE format($query$
        SELECT concerned.parent FROM keys_of_%s(NULL, NULL) key
            CROSS JOIN LATERAL touched_lists(record_of($1), key.first, key.second) concerned
          WHERE concerned.list = $1 GROUP BY concerned.parent HAVING count(*) > node_size() OR has_tree_always($1)
      $query$, record_of(own)) USING own
      LOOP
        BEGIN
          INSERT INTO list_changes (list, owner, key, change)
            SELECT own, listed.owner, '', 0 FROM rows_of(own, parent) listed
              GROUP BY listed.owner HAVING count(*) > node_size() OR has_tree_always(own);
        EXCEPTION WHEN OTHERS THEN
          IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
          -- settle() sets the row aside.
          INSERT INTO list_changes (list, owner, key, change) VALUES (own, parent, '', 0);
        END;
      END LOOP;
    END;
  END LOOP;
END $$;
COMMENT ON FUNCTION im_admin.rebuild_lists IS 'Deletes all trees, and lets settle() build them again. Call settle() afterwards.';
