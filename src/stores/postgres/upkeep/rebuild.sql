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
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE 'call rebuild_lists() in a READ COMMITTED transaction';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('im-admin settle'), 'lists'::regclass::oid::integer);
  PERFORM require_mapped();
  PERFORM settle_rewritten();
  DELETE FROM touched;
  PERFORM forget_lists(VARIADIC list_names());
  INSERT INTO list_changes (list, owner, key, change)
    SELECT listed.list, listed.owner, '', 0 FROM list_rows listed WHERE NOT has_tree_always(listed.list)
      GROUP BY listed.list, listed.owner HAVING count(*) > node_size()
    UNION ALL SELECT list, '', '', 0 FROM unnest(list_names()) list WHERE has_tree_always(list);
END $$;
COMMENT ON FUNCTION im_admin.rebuild_lists IS 'Deletes all trees, and lets settle() build them again. Call settle() afterwards.';
