------------------------------------------------------------------------------------------------------------------------
-- How changes are settled
--
-- One session settles at a time, and waits for nobody. It takes an advisory lock before its statements take snapshots.
-- One transaction deletes changes and writes them into a tree. Changes of transactions that are still running are
-- settled later.
------------------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION im_admin.settle(most integer DEFAULT 2000) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER :steady_plans AS $$
#variable_conflict use_variable
DECLARE
  place settle_position;
  due record;
  kept_lists text[] := '{}';
  kept_owners text[] := '{}';
  short_lists text[] := '{}';
  short_owners text[] := '{}';
  settled bigint := 0;
  attempt bigint;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE 'call settle() in a READ COMMITTED transaction';
  END IF;
  IF NOT pg_try_advisory_xact_lock(hashtext('im-admin settle'), 'lists'::regclass::oid::integer) THEN RETURN NULL; END IF;
  -- TRUNCATE has to wait for this transaction; this transaction waits for nobody.
  BEGIN
    LOCK TABLE :listed_tables IN ACCESS SHARE MODE NOWAIT;
  EXCEPTION WHEN lock_not_available THEN
    RETURN NULL;
  END;
  IF NOT hold_mapped() THEN RETURN NULL; END IF;
  PERFORM require_mapped();
  place := settle_position_here();
  PERFORM settle_rewritten();
  settled := settle_touched(most) + settle_packed();
  IF settled >= most OR EXISTS (SELECT FROM packed_changes) THEN RETURN greatest(settled, 1); END IF;
  -- If a list cannot be settled, for example within the statement_timeout, try it alone, and then skip it: others wait.
  attempt := nextval('settle_attempts');
  IF attempt > 1 THEN most := 1; END IF;
  FOR due IN
    SELECT batch.list, batch.owner,
        -- With EXISTS, the planner might read all lists.
        (SELECT true FROM lists kept WHERE kept.list = batch.list AND kept.owner = batch.owner) AS is_kept
      FROM (
        SELECT DISTINCT next.list, next.owner FROM (
            SELECT change.list, change.owner FROM list_changes change
              WHERE (change.list, change.owner) > (place.list, place.owner)
              ORDER BY change.list, change.owner LIMIT most
          ) next
      ) batch ORDER BY batch.list, batch.owner
  LOOP
    IF attempt > 2 THEN
      settled := 1;
    ELSIF due.list = 'changed_names' THEN
      -- Settle all names first: then a list is built only once if most of its words have changed. So the list of these
      -- names sorts before all lists that have words.
      settled := settle_names(most);
      IF settled >= most THEN
        PERFORM setval('settle_attempts', 1, false);
        RETURN settled;
      END IF;
    ELSIF due.is_kept THEN
      kept_lists := kept_lists || due.list;
      kept_owners := kept_owners || due.owner;
    ELSE
      short_lists := short_lists || due.list;
      short_owners := short_owners || due.owner;
    END IF;
    -- The lists take turns: the rest of a long list waits until all others have had theirs.
    place.list := due.list;
    place.owner := due.owner;
  END LOOP;
  settled := settled + settle_lists(kept_lists, kept_owners, most);
  IF short_lists <> '{}' THEN settled := settled + settle_short(short_lists, short_owners, most); END IF;
  PERFORM setval('settle_attempts', 1, false);
  IF settled = 0 THEN
    IF place.list = '' THEN RETURN 0; END IF;
    place.list := '';
    place.owner := '';
  END IF;
  UPDATE settle_position SET list = place.list, owner = place.owner;
  RETURN greatest(settled, 1);
END $$;
COMMENT ON FUNCTION im_admin.settle IS 'Settles some thousand changes, and returns how many. 0: none are left. NULL: another session settles, or has locked a table.';

CREATE OR REPLACE FUNCTION im_admin.settle_position_here(OUT place im_admin.settle_position) LANGUAGE plpgsql AS $$
DECLARE
  here text := (SELECT system_identifier FROM pg_control_system()) || ' ' || 'list_changes'::regclass::oid;
BEGIN
  SELECT * INTO place FROM settle_position LIMIT 1;
  IF place.server IS DISTINCT FROM here THEN
    UPDATE lists SET settled_before = '0', unfinished = '{}', settled_in = 'list_changes'::regclass;
    -- In a restored table, columns have other numbers if there were dropped ones.
    UPDATE mapped_columns mapped SET number = now.attnum FROM pg_attribute now
      WHERE now.attrelid = mapped.relation AND now.attname = mapped.name AND now.attnum <> mapped.number;
    UPDATE settle_position SET server = here;
  END IF;
END $$;
COMMENT ON FUNCTION im_admin.settle_position_here IS 'Where settle() continues. In another database, for example after a dump was restored, it makes lists forget their transaction numbers.';

CREATE OR REPLACE FUNCTION im_admin.settle_packed() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  taken tid := (SELECT packed.ctid FROM packed_changes packed LIMIT 1);
  settled bigint;
BEGIN
  IF taken IS NULL THEN RETURN 0; END IF;
  INSERT INTO list_changes (list, owner, key, change)
    SELECT unpacked.list, unpacked.owner, unpacked.key, unpacked.change FROM (
        SELECT one.list, one.owner, one.key, sum(one.change) AS change FROM unpacked_changes one
          WHERE one.place = taken GROUP BY one.list, one.owner, one.key
      ) unpacked
      -- A list without a tree can only grow long.
      WHERE unpacked.change > 0 OR unpacked.list = 'changed_names'
        OR EXISTS (SELECT FROM lists kept WHERE kept.list = unpacked.list AND kept.owner = unpacked.owner);
  DELETE FROM packed_changes packed WHERE packed.ctid = taken RETURNING cardinality(packed.firsts) INTO settled;
  RETURN settled;
END $$;
COMMENT ON FUNCTION im_admin.settle_packed IS 'Moves some packed changes into list_changes, as far as their lists need them, and returns how many there were.';

CREATE OR REPLACE FUNCTION im_admin.settle_lists(due_lists text[], due_owners text[], most integer) RETURNS bigint
  LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  number integer := cardinality(due_lists);
  settled bigint := 0;
BEGIN
  IF number = 0 THEN RETURN 0; END IF;
  -- A list that is alone gets two attempts, and the second one is careful.
  FOR attempt IN 1 .. CASE number WHEN 1 THEN 2 ELSE 1 END LOOP
    BEGIN
      PERFORM be_careful(attempt = 2);
      FOR place IN 1 .. number LOOP
        settled := settled + settle_list(due_lists[place], due_owners[place], most);
      END LOOP;
      PERFORM be_careful(false);
      RETURN settled;
    EXCEPTION WHEN OTHERS THEN
      IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
      settled := 0;
    END;
  END LOOP;
  IF number = 1 THEN RETURN set_aside(due_lists[1], due_owners[1]); END IF;
  RETURN settle_lists(due_lists[: number / 2], due_owners[: number / 2], most)
    + settle_lists(due_lists[number / 2 + 1 :], due_owners[number / 2 + 1 :], most);
END $$;
COMMENT ON FUNCTION im_admin.settle_lists IS 'Settles lists. It halves them until it knows which one has a row that cannot be read.';

CREATE OR REPLACE FUNCTION im_admin.set_aside(asked_list text, asked_owner text) RETURNS bigint LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  settled bigint;
BEGIN
  -- To find these rows, all of the list are read: once.
  IF NOT has_aside(asked_list, asked_owner) THEN
    INSERT INTO touched (record, first, second, problem)
      SELECT record_of(asked_list), found.first, found.second, min(found.field || ' cannot be read (SQLSTATE ' || found.reason || ')')
        FROM touched_lists(record_of(asked_list), '1', '2') place
          CROSS JOIN LATERAL unreadable(
            record_of(asked_list), CASE place.parent WHEN '1' THEN list_parent(asked_owner) END,
            CASE place.parent WHEN '2' THEN list_parent(asked_owner) END) found
        WHERE place.list = asked_list AND found.decides
        GROUP BY found.first, found.second;
  END IF;
  PERFORM drop_list(asked_list, asked_owner);
  DELETE FROM list_changes WHERE list = asked_list AND owner = asked_owner;
  GET DIAGNOSTICS settled = ROW_COUNT;
  RETURN greatest(settled, 1);
END $$;
COMMENT ON FUNCTION im_admin.set_aside IS 'Notes the rows of a list that cannot be read, and deletes its tree. When such a row is touched again, the list is built.';

CREATE OR REPLACE FUNCTION im_admin.has_aside(asked_list text, asked_owner text) RETURNS boolean LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT EXISTS (
    SELECT FROM im_admin.touched key CROSS JOIN LATERAL im_admin.touched_lists(key.record, key.first, key.second) concerned
      WHERE key.problem IS NOT NULL AND key.record = im_admin.record_of(asked_list) AND concerned.list = asked_list
        AND coalesce(concerned.parent = im_admin.list_parent(asked_owner), true));
END;
COMMENT ON FUNCTION im_admin.has_aside IS 'Whether a row of a list was set aside.';

CREATE OR REPLACE FUNCTION im_admin.settle_short(short_lists text[], short_owners text[], most integer) RETURNS bigint
  LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  number integer := cardinality(short_lists);
  is_any_aside boolean := EXISTS (SELECT FROM touched key WHERE key.problem IS NOT NULL);
  long_lists text[];
  long_owners text[];
  settled bigint;
BEGIN
  BEGIN
    WITH gone AS (
      DELETE FROM list_changes WHERE ctid = ANY (ARRAY(
          SELECT change.place FROM unnest(short_lists, short_owners) due (list, owner)
            CROSS JOIN LATERAL (
              SELECT appended.ctid AS place FROM list_changes appended
                WHERE appended.list = due.list AND appended.owner = due.owner OFFSET 0
            ) change))
        RETURNING list_changes.*
    ), grown AS MATERIALIZED (
      SELECT gone.list, gone.owner FROM gone GROUP BY gone.list, gone.owner HAVING sum(gone.change) > 0 OR bool_or(gone.key = '')
    ), long AS MATERIALIZED (
      SELECT grown.list, grown.owner FROM grown
        -- As long as a row is set aside, no tree can be built.
        WHERE NOT CASE WHEN is_any_aside THEN has_aside(grown.list, grown.owner) ELSE false END
          -- One that is alone is looked at carefully below.
          AND (number = 1 OR has_tree_always(grown.list) OR (
            SELECT count(*) FROM (
              SELECT FROM rows_of(grown.list, list_parent(grown.owner)) listed
                WHERE listed.owner = grown.owner LIMIT node_size() + 1
            ) first_rows) > node_size())
    )
    SELECT coalesce(array_agg(long.list), '{}'), coalesce(array_agg(long.owner), '{}'), (SELECT count(*) FROM gone)
      INTO long_lists, long_owners, settled FROM long;
  EXCEPTION WHEN OTHERS THEN
    IF number = 1 OR NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
    RETURN settle_short(short_lists[: number / 2], short_owners[: number / 2], most)
      + settle_short(short_lists[number / 2 + 1 :], short_owners[number / 2 + 1 :], most);
  END;
  RETURN settled + settle_lists(long_lists, long_owners, most);
END $$;
COMMENT ON FUNCTION im_admin.settle_short IS 'Settles lists without a tree: deletes their changes, which nobody reads, and builds trees for lists that have grown long.';

CREATE OR REPLACE FUNCTION im_admin.settle_names(most integer) RETURNS bigint LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  settled bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM lists kept WHERE is_searched(kept.list)) THEN
    DELETE FROM list_changes doubt WHERE doubt.list = 'changed_names';
    GET DIAGNOSTICS settled = ROW_COUNT;
    RETURN settled;
  END IF;
  WITH gone AS (
    DELETE FROM list_changes WHERE ctid = ANY (ARRAY(
        SELECT doubt.ctid FROM list_changes doubt WHERE doubt.list = 'changed_names' AND doubt.owner = '' LIMIT most))
      RETURNING key
  ), renamed AS (
    SELECT DISTINCT gone.key AS user_id FROM gone
  ), doubtful AS (
    INSERT INTO list_changes (list, owner, key, change)
      :renamed_rows
      UNION ALL
      -- A host's rows may be unreadable. The entries say where they are.
      SELECT own.list, entry.owner, entry.key, 0
        FROM renamed CROSS JOIN unnest(list_names()) own (list) CROSS JOIN LATERAL (
          SELECT known.* FROM list_entries known WHERE known.list = own.list AND known.id = renamed.user_id OFFSET 0
        ) entry
        WHERE is_searched(own.list)
  )
  SELECT count(*) INTO settled FROM gone;
  RETURN settled;
END $$;
COMMENT ON FUNCTION im_admin.settle_names IS 'Settles changed nicknames: appends a change for each member and account whose words may have changed.';

CREATE OR REPLACE FUNCTION im_admin.settle_list(asked_list text, asked_owner text, most integer) RETURNS bigint
  LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  kept record := kept_list(asked_list, asked_owner);
  -- With more changes than this, building the list again takes less time.
  many bigint := greatest(kept.total / 10, most);
  number bigint;
  stop text COLLATE "C";
  keys text[];
  changes bigint[];
  seen pg_snapshot;
  starts text[];
  totals bigint[];
BEGIN
  -- It has no tree, or too many of its records are touched.
  IF kept.total IS NULL THEN
    IF NOT has_tree_always(asked_list) AND (
      SELECT count(*) FROM (
        SELECT FROM rows_of(asked_list, list_parent(asked_owner)) listed
          WHERE listed.owner = asked_owner LIMIT node_size() + 1
      ) first_rows) <= node_size() AND NOT EXISTS (SELECT FROM lists WHERE list = asked_list AND owner = asked_owner)
    THEN
      RETURN 0;
    END IF;
    RETURN build_list(asked_list, asked_owner);
  END IF;
  number := (
    SELECT count(*) FROM (
      SELECT FROM pending(asked_list, asked_owner, kept.since, kept.unfinished) LIMIT many + 1) first_changes);
  IF number > many THEN RETURN build_list(asked_list, asked_owner); END IF;
  IF number > most THEN
    -- Settle all changes of a key together: a single one of +1 and -1 would be lost.
    SELECT due.key INTO stop FROM (
        SELECT appended.key, sum(count(*)) OVER (ORDER BY appended.key COLLATE "C") AS number
          FROM pending(asked_list, asked_owner, kept.since, kept.unfinished) appended GROUP BY appended.key
      ) due WHERE due.number > most ORDER BY due.number OFFSET 1 LIMIT 1;
  END IF;
  WITH gone AS (
    DELETE FROM list_changes WHERE ctid = ANY (ARRAY(
        SELECT appended.place FROM pending(asked_list, asked_owner, kept.since, kept.unfinished) appended
          WHERE (stop IS NULL OR appended.key < stop)
            -- Other changes of these keys may be among packed ones.
            AND NOT EXISTS (SELECT FROM packed_changes packed WHERE packed.record = record_of(asked_list))))
      RETURNING key, change
  )
  SELECT array_agg(net.key), array_agg(net.change), coalesce(sum(net.number), 0), pg_current_snapshot()
    INTO keys, changes, number, seen
    FROM (SELECT gone.key, sum(gone.change)::bigint AS change, count(*) AS number FROM gone GROUP BY gone.key) net;
  IF number = 0 THEN RETURN 0; END IF;

  SELECT * INTO starts, totals FROM write_leaves(asked_list, asked_owner, keys, changes);
  UPDATE lists SET total = total + (SELECT sum(change) FROM unnest(changes) change),
      height = write_nodes(asked_list, asked_owner, kept.height, starts, totals)
    WHERE list = asked_list AND owner = asked_owner RETURNING lists.total INTO kept.total;
  IF stop IS NULL THEN PERFORM mark_settled(asked_list, asked_owner, seen); END IF;

  IF kept.total < node_size() / 2 AND NOT has_tree_always(asked_list) THEN
    PERFORM drop_list(asked_list, asked_owner);
  ELSIF -1 = ANY (changes) AND (
      SELECT count(*) FROM list_nodes leaf WHERE leaf.list = asked_list AND leaf.owner = asked_owner AND leaf.level = 1
    ) > 8 + 4 * kept.total / leaf_size()
  THEN
    -- Leaves are never merged, so many of them are almost empty by now.
    RETURN number + build_list(asked_list, asked_owner);
  END IF;
  RETURN number;
END $$;
COMMENT ON FUNCTION im_admin.settle_list IS 'Settles a list that has a tree, or builds one if the list is long.';

CREATE OR REPLACE FUNCTION im_admin.mark_settled(asked_list text, asked_owner text, seen pg_snapshot) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  UPDATE lists
    SET settled_before = pg_snapshot_xmax(seen), settled_in = 'list_changes'::regclass,
      unfinished = ARRAY(
        SELECT number FROM pg_snapshot_xip(seen) number
        UNION SELECT pg_current_xact_id() WHERE pg_current_xact_id() < pg_snapshot_xmax(seen))
    WHERE list = asked_list AND owner = asked_owner;
END $$;
COMMENT ON FUNCTION im_admin.mark_settled IS 'Tells readers which changes of a list are not in its tree: those of later transactions, and of transactions that are still running, perhaps this one.';
