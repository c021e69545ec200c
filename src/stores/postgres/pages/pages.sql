------------------------------------------------------------------------------------------------------------------------
-- How lists are read
--
-- Each answer comes from one snapshot, which the calling statement has taken. A list without a tree is read from its
-- rows: it is short, or settle() has not built its tree yet.
------------------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION im_admin.most_touched() RETURNS integer LANGUAGE sql IMMUTABLE RETURN 1000;
COMMENT ON FUNCTION im_admin.most_touched IS 'The most touched records of a list that a read looks up. If there are more, it reads all rows of the list.';

CREATE OR REPLACE FUNCTION im_admin.kept_list(
    asked_list text, asked_owner text, OUT total bigint, OUT height integer, OUT since xid8, OUT unfinished xid8[],
    OUT touched bigint, OUT is_packed boolean)
  LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  is_here boolean;
  is_touched boolean;
  is_watched boolean;
  is_any boolean;
BEGIN
  -- One statement, since a page of groups calls this for each of them.
  SELECT kept.total, kept.height, kept.settled_before, kept.unfinished,
      kept.settled_in = 'list_changes'::regclass AND kept.settled_before <= pg_snapshot_xmax(pg_current_snapshot()),
      EXISTS (SELECT FROM packed_changes packed WHERE packed.record = record_of(asked_list)),
      EXISTS (SELECT FROM touched key WHERE key.record = record_of(asked_list)),
      EXISTS (SELECT FROM mapped_files mapped WHERE mapped.record = record_of(asked_list))
    INTO total, height, since, unfinished, is_here, is_packed, is_touched, is_watched
    FROM lists kept WHERE kept.list = asked_list AND kept.owner = asked_owner;
  touched := 0;
  IF NOT is_here THEN
    since := '0';
    unfinished := '{}';
  END IF;
  IF is_touched THEN
    SELECT count(*), bool_or(found.id IS NULL) INTO touched, is_any
      FROM (SELECT ids.id FROM touched_ids(asked_list, list_parent(asked_owner)) ids LIMIT most_touched()) found;
    IF is_any OR touched = most_touched() THEN total := NULL; END IF;
  END IF;
  IF is_watched AND (is_altered(record_of(asked_list)) OR is_rewritten(record_of(asked_list))) THEN total := NULL; END IF;
  -- Nobody may read the tree then.
  IF total IS NULL THEN height := NULL; END IF;
END $$;
COMMENT ON FUNCTION im_admin.kept_list IS 'A list with a tree that can be read, and how many of its records were touched. If another server has settled it, all its changes are read, since transaction numbers differ between servers.';

CREATE OR REPLACE FUNCTION im_admin.pending(asked_list text, asked_owner text, since xid8, unfinished xid8[])
  RETURNS TABLE (key text, change bigint, place tid) LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT recent.key, recent.change::bigint, recent.ctid FROM im_admin.list_changes recent
    WHERE recent.list = asked_list AND recent.owner = asked_owner AND recent.transaction >= since
      -- Restored changes may have transaction numbers that this server has not reached yet.
      AND recent.transaction <= CASE WHEN since = '0' THEN '18446744073709551615'::xid8
        ELSE greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned()) END
  UNION ALL
  SELECT late.key, late.change, late.place FROM unnest(unfinished) number
    -- With ANY, some versions of PostgreSQL read all changes of the list.
    CROSS JOIN LATERAL (
      SELECT change.key, change.change::bigint, change.ctid AS place FROM im_admin.list_changes change
        WHERE change.list = asked_list AND change.owner = asked_owner AND change.transaction = number OFFSET 0
    ) late;
END;
COMMENT ON FUNCTION im_admin.pending IS 'The changes of a list that are not settled yet. The bounds keep the index from reading settled changes that are not vacuumed yet, and changes that are newer than the snapshot.';

CREATE OR REPLACE FUNCTION im_admin.judged(asked_list text, asked_owner text) RETURNS TABLE (key text, change bigint)
  LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  :for_each_record
  RETURN QUERY SELECT side.key, sum(side.change)::bigint
    FROM (SELECT DISTINCT ids.id FROM touched_ids(asked_list, list_parent(asked_owner)) ids) one CROSS JOIN LATERAL (
      SELECT DISTINCT entry.key, -1 AS change FROM list_entries entry
        WHERE entry.list = asked_list AND entry.parent = list_parent(asked_owner) AND entry.id = one.id
          AND entry.owner = asked_owner
      UNION ALL
      SELECT DISTINCT found.key, 1 FROM row_at(asked_list, list_parent(asked_owner), one.id) found
        WHERE found.owner = asked_owner
      OFFSET 0
    ) side
    GROUP BY side.key;
  :end
END $$;
COMMENT ON FUNCTION im_admin.judged IS 'What the touched records of a list change: 1 adds a key, -1 removes it, 0 says that its words may have changed.';

CREATE OR REPLACE FUNCTION im_admin.packed(asked_list text, asked_owner text) RETURNS TABLE (key text, change bigint)
  LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY SELECT one.key, one.change::bigint FROM im_admin.unpacked_changes one
    WHERE one.list = asked_list AND one.owner = asked_owner;
END $$;
COMMENT ON FUNCTION im_admin.packed IS 'The packed changes of a list.';

CREATE OR REPLACE FUNCTION im_admin.waiting(
    asked_list text, asked_owner text, since xid8, unfinished xid8[], touched bigint, is_packed boolean)
  RETURNS TABLE (key text, change bigint) LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT appended.key, appended.change FROM im_admin.pending(asked_list, asked_owner, since, unfinished) appended
  UNION ALL
  SELECT judged.key, judged.change FROM im_admin.judged(asked_list, asked_owner) judged WHERE touched > 0
  UNION ALL
  SELECT packed.key, packed.change FROM im_admin.packed(asked_list, asked_owner) packed WHERE is_packed;
END;
COMMENT ON FUNCTION im_admin.waiting IS 'All changes of a list that are not in its tree yet.';

CREATE OR REPLACE FUNCTION im_admin.slice(keys text[], skip bigint, size bigint) RETURNS text[] LANGUAGE sql IMMUTABLE RETURN
  keys[least(skip, cardinality(keys)) + 1 : least(skip, cardinality(keys)) + least(size, cardinality(keys))];
COMMENT ON FUNCTION im_admin.slice IS 'The keys of a page, from `skip` on.';

CREATE OR REPLACE FUNCTION im_admin.list_page(
    asked_list text, asked_owner text, beginnings text[], skip bigint, size bigint,
    OUT total bigint, OUT keys text[], OUT pending bigint)
  LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  kept record := kept_list(asked_list, asked_owner);
  changed text[] COLLATE "C";
  changes bigint[];
  change bigint;
  beginning text;
  first bigint;
  length bigint;
BEGIN
  IF kept.total IS NULL THEN
    :for_each_record
    SELECT array_agg(listed.key ORDER BY listed.key COLLATE "C") INTO keys FROM rows_of(asked_list, list_parent(asked_owner)) listed
      WHERE listed.owner = asked_owner AND (beginnings IS NULL OR left(listed.key, length(beginnings[1])) = ANY (beginnings));
    :end
    total := coalesce(cardinality(keys), 0);
    keys := slice(coalesce(keys, '{}'), skip, size);
    pending := CASE WHEN total > node_size() THEN total ELSE 0 END;
    RETURN;
  END IF;

  IF kept.touched > 0 OR kept.is_packed THEN
    -- Looking up a touched record takes as long as reading some twenty changes.
    SELECT array_agg(appended.key), array_agg(appended.change), coalesce(sum(appended.change), 0), count(*) + 20 * kept.touched
      INTO changed, changes, change, pending
      FROM waiting(asked_list, asked_owner, kept.since, kept.unfinished, kept.touched, kept.is_packed) appended;
  ELSE
    SELECT array_agg(appended.key), array_agg(appended.change), coalesce(sum(appended.change), 0), count(*)
      INTO changed, changes, change, pending
      FROM pending(asked_list, asked_owner, kept.since, kept.unfinished) appended;
  END IF;
  IF beginnings IS NULL THEN
    total := kept.total + change;
    keys := tree_keys(asked_list, asked_owner, kept.height, changed, changes, skip, least(size, total - skip));
    RETURN;
  END IF;
  total := 0;
  keys := '{}';
  FOREACH beginning IN ARRAY beginnings LOOP
    first := tree_rank(asked_list, asked_owner, kept.height, changed, changes, beginning);
    length := tree_rank(asked_list, asked_owner, kept.height, changed, changes, (beginning::bigint + 1)::text) - first;
    keys := keys || tree_keys(
      asked_list, asked_owner, kept.height, changed, changes, first + greatest(skip - total, 0),
      least(length - greatest(skip - total, 0), size - cardinality(keys)));
    total := total + length;
  END LOOP;
END $$;
COMMENT ON FUNCTION im_admin.list_page IS 'The keys of a page, the total, and how many changes were read. `beginnings`: only keys that begin with one of these numbers; all have the same length and are in order.';

CREATE OR REPLACE FUNCTION im_admin.tree_keys(
    asked_list text, asked_owner text, height integer, changed text[], changes bigint[], skip bigint, size bigint)
  RETURNS text[] LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  keys text[] := '{}';
  change bigint;
  start text COLLATE "C" := '';
  stop text COLLATE "C";
  entries text[] COLLATE "C";
  totals bigint[];
  child integer;
BEGIN
  IF size <= 0 THEN RETURN keys; END IF;
  FOR at_level IN REVERSE height .. 2 LOOP
    SELECT node.entries, node.totals INTO entries, totals FROM list_nodes node
      WHERE node.list = asked_list AND node.owner = asked_owner AND node.level = at_level AND node.start = start;
    IF changed IS NOT NULL THEN
      totals := totals_with(entries, totals, stop, changed, changes);
    END IF;
    child := 1;
    FOREACH change IN ARRAY totals LOOP
      EXIT WHEN skip < change OR child = cardinality(totals);
      skip := skip - change;
      child := child + 1;
    END LOOP;
    start := entries[child];
    stop := coalesce(entries[child + 1], stop);
  END LOOP;

  LOOP
    SELECT node.entries, (
          SELECT next.start FROM list_nodes next
            WHERE next.list = asked_list AND next.owner = asked_owner AND next.level = 1 AND next.start > node.start
            ORDER BY next.start LIMIT 1)
      INTO entries, stop FROM list_nodes node
      WHERE node.list = asked_list AND node.owner = asked_owner AND node.level = 1 AND node.start = start;
    IF changed IS NOT NULL THEN
      entries := entries_with(entries, start, stop, changed, changes);
    END IF;
    keys := keys || entries[skip + 1 : skip + size - cardinality(keys)];
    skip := greatest(skip - cardinality(entries), 0);
    EXIT WHEN cardinality(keys) >= size OR stop IS NULL;
    start := stop;
  END LOOP;
  RETURN keys;
END $$;
COMMENT ON FUNCTION im_admin.tree_keys IS 'Some keys of a tree, with the given changes applied.';

CREATE OR REPLACE FUNCTION im_admin.totals_with(entries text[], totals bigint[], stop text, changed text[], changes bigint[]) RETURNS bigint[]
  LANGUAGE sql IMMUTABLE RETURN (
  SELECT array_agg(child.total + coalesce(added.change, 0) ORDER BY child.number)
    FROM unnest(totals) WITH ORDINALITY child (total, number)
      LEFT JOIN (
        SELECT width_bucket(came.key COLLATE "C", entries COLLATE "C") AS number, sum(came.change)::bigint AS change
          FROM unnest(changed, changes) came (key, change)
          WHERE came.key COLLATE "C" >= entries[1] AND (stop IS NULL OR came.key COLLATE "C" < stop) GROUP BY 1
      ) added ON added.number = child.number);
COMMENT ON FUNCTION im_admin.totals_with IS 'The number of keys below each child of a node, with the given changes applied.';

CREATE OR REPLACE FUNCTION im_admin.entries_with(entries text[], start text, stop text, changed text[], changes bigint[]) RETURNS text[]
  LANGUAGE sql IMMUTABLE RETURN (
  SELECT coalesce(array_agg(merged.key ORDER BY merged.key COLLATE "C"), '{}') FROM (
      SELECT merging.key FROM (
          SELECT key, 1 AS change FROM unnest(entries) key
          UNION ALL
          SELECT came.key, came.change FROM unnest(changed, changes) came (key, change)
            WHERE came.key COLLATE "C" >= start AND (stop IS NULL OR came.key COLLATE "C" < stop)
        ) merging GROUP BY merging.key HAVING sum(merging.change) > 0
    ) merged);
COMMENT ON FUNCTION im_admin.entries_with IS 'The keys of a leaf from `start` up to `stop`, with the given changes applied.';

CREATE OR REPLACE FUNCTION im_admin.tree_rank(
    asked_list text, asked_owner text, height integer, changed text[], changes bigint[], bound text)
  RETURNS bigint LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  rank bigint := coalesce((
    SELECT sum(came.change) FROM unnest(changed, changes) came (key, change) WHERE came.key COLLATE "C" < bound), 0);
  start text COLLATE "C" := '';
  entries text[] COLLATE "C";
  totals bigint[];
  child integer;
BEGIN
  FOR at_level IN REVERSE height .. 2 LOOP
    SELECT node.entries, node.totals INTO entries, totals FROM list_nodes node
      WHERE node.list = asked_list AND node.owner = asked_owner AND node.level = at_level AND node.start = start;
    child := width_bucket(bound COLLATE "C", entries);
    rank := rank + coalesce((SELECT sum(total) FROM unnest(totals[: child - 1]) total), 0);
    start := entries[child];
  END LOOP;
  RETURN rank + (
    SELECT count(*) FROM list_nodes node CROSS JOIN LATERAL unnest(node.entries) entry
      WHERE node.list = asked_list AND node.owner = asked_owner AND node.level = 1 AND node.start = start
        AND entry < bound);
END $$;
COMMENT ON FUNCTION im_admin.tree_rank IS 'How many keys of a tree come before a bound, with the given changes applied.';

CREATE OR REPLACE FUNCTION im_admin.merged_page(
    asked_list text, owners text[], skip bigint, size bigint, OUT total bigint, OUT keys text[], OUT pending bigint)
  LANGUAGE plpgsql STABLE SET enable_hashjoin = on AS $$
#variable_conflict use_variable
DECLARE
  page record;
BEGIN
  IF cardinality(owners) = 1 THEN
    SELECT * INTO total, keys, pending FROM list_page(asked_list, owners[1], NULL, skip, size);
    RETURN;
  END IF;
  :for_each_record
  WITH kept AS MATERIALIZED (
    SELECT asked.owner, tree.* FROM unnest(owners) asked (owner) CROSS JOIN LATERAL kept_list(asked_list, asked.owner) tree
  ), loose AS MATERIALIZED (
    -- The keys of lists without a tree.
    SELECT listed.key COLLATE "C" AS key FROM kept
        CROSS JOIN LATERAL (SELECT * FROM rows_of(asked_list, list_parent(kept.owner)) OFFSET 0) listed
      WHERE kept.total IS NULL AND listed.owner = kept.owner
  ), changed AS MATERIALIZED (
    -- The pending changes, with the leaf that each belongs to.
    SELECT kept.owner, leaf.start, net.* FROM kept CROSS JOIN LATERAL (
        SELECT appended.key COLLATE "C" AS key, sum(appended.change)::bigint AS change, count(*) AS number
          FROM waiting(asked_list, kept.owner, kept.since, kept.unfinished, kept.touched, kept.is_packed) appended GROUP BY 1
      ) net CROSS JOIN LATERAL (
        SELECT node.start FROM list_nodes node
          WHERE node.list = asked_list AND node.owner = kept.owner AND node.level = 1 AND node.start <= net.key
          ORDER BY node.start DESC LIMIT 1
      ) leaf
      WHERE kept.total IS NOT NULL
  ), leaves AS MATERIALIZED (
    -- How many keys each leaf has, by the nodes above, and where it stops.
    SELECT leaf.owner, leaf.start, leaf.total + coalesce(added.change, 0) AS total,
        lead(leaf.start) OVER (PARTITION BY leaf.owner ORDER BY leaf.start) AS stop
      FROM (
        SELECT owner, '' COLLATE "C" AS start, kept.total FROM kept WHERE height = 1
        UNION ALL
        SELECT kept.owner, child.start, child.total FROM kept
          CROSS JOIN LATERAL (
            SELECT above.* FROM list_nodes above WHERE above.list = asked_list AND above.owner = kept.owner AND above.level = 2 OFFSET 0
          ) node
          CROSS JOIN LATERAL unnest(node.entries, node.totals) child (start, total)
          WHERE kept.height > 1
      ) leaf LEFT JOIN (
        SELECT owner, start, sum(change)::bigint AS change FROM changed GROUP BY owner, start
      ) added USING (owner, start)
  ), parts AS MATERIALIZED (
    SELECT leaves.owner, leaves.start, leaves.stop, leaves.total FROM leaves
    UNION ALL SELECT NULL, '', NULL, count(*) FROM loose
  ), bounds AS MATERIALIZED (
    -- Before `low` come at most the keys of the leaves that start before it, and before `high` at least those of the
    -- leaves that stop by then.
    SELECT (
        SELECT max(start) FROM (
            SELECT start, sum(sum(parts.total)) OVER (ORDER BY start) - sum(parts.total) AS before FROM parts GROUP BY start
          ) starts WHERE before <= skip
      ) AS low, (
        SELECT min(stop) FROM (
            SELECT stop, sum(parts.total) OVER (ORDER BY stop RANGE UNBOUNDED PRECEDING) AS before FROM parts WHERE stop IS NOT NULL
          ) stops WHERE before - size >= skip
      ) AS high
  ), opened AS MATERIALIZED (
    SELECT leaves.owner, leaves.start FROM leaves CROSS JOIN bounds
      WHERE (stop IS NULL OR stop > low) AND (high IS NULL OR start < high)
  ), found AS (
    SELECT entry.key, 1 AS change FROM opened
      CROSS JOIN LATERAL (
        SELECT leaf.* FROM list_nodes leaf
          WHERE leaf.list = asked_list AND leaf.owner = opened.owner AND leaf.level = 1 AND leaf.start = opened.start OFFSET 0
      ) node
      CROSS JOIN LATERAL unnest(node.entries) entry (key)
    UNION ALL SELECT changed.key, changed.change FROM opened JOIN changed USING (owner, start)
    UNION ALL SELECT loose.key, 1 FROM loose
  )
  SELECT (SELECT coalesce(sum(parts.total), 0)::bigint FROM parts) AS total,
      ARRAY(
        SELECT found.key FROM found GROUP BY found.key HAVING sum(found.change) > 0 ORDER BY found.key COLLATE "C"
          LIMIT size
          OFFSET skip - (SELECT coalesce(sum(parts.total), 0) FROM parts CROSS JOIN bounds WHERE stop <= low)
      ) AS keys,
      (SELECT coalesce(sum(changed.number), 0)::bigint FROM changed) AS pending
    INTO page;
  :end
  total := page.total;
  keys := page.keys;
  pending := page.pending;
END $$;
COMMENT ON FUNCTION im_admin.merged_page IS 'A page of several lists of one kind, merged in the order of their keys. It reads only the leaves between `low` and `high`, which may hold the page: at most `skip` keys come before `low`, and the whole page comes before `high`.';
