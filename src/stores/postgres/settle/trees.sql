CREATE OR REPLACE FUNCTION im_admin.leaf_size() RETURNS integer LANGUAGE sql IMMUTABLE RETURN 64;
CREATE OR REPLACE FUNCTION im_admin.node_size() RETURNS integer LANGUAGE sql IMMUTABLE RETURN 128;
COMMENT ON FUNCTION im_admin.leaf_size IS 'The most keys of a leaf. So many fit into one page of the database.';
COMMENT ON FUNCTION im_admin.node_size IS 'The most children of any other node. A list with no more rows than that needs no tree.';

CREATE OR REPLACE FUNCTION im_admin.piece(place bigint, number bigint, size integer) RETURNS bigint LANGUAGE sql IMMUTABLE RETURN
  CASE WHEN number <= size THEN 0 ELSE (place - 1) * ceil(number / (size * 0.75))::bigint / number END;
COMMENT ON FUNCTION im_admin.piece IS 'The piece that a child is in after a full node is split. Each piece is filled to three quarters, so that it has room for more.';

CREATE OR REPLACE FUNCTION im_admin.write_leaves(
    asked_list text, asked_owner text, keys text[], changes bigint[], OUT starts text[], OUT totals bigint[])
  LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  asked_parent text := list_parent(asked_owner);
  touched record;
  leaf record;
  pieces integer;
  part text[];
BEGIN
  FOR touched IN
    SELECT node.start, array_agg(new.key ORDER BY new.key) AS keys, array_agg(new.change ORDER BY new.key) AS changes,
        array_agg(row.words ORDER BY new.key) AS words
      FROM (SELECT came.key COLLATE "C" AS key, came.change FROM unnest(keys, changes) came (key, change)) new
        CROSS JOIN LATERAL (
          SELECT below.start FROM list_nodes below
            WHERE below.list = asked_list AND below.owner = asked_owner AND below.level = 1 AND below.start <= new.key
            ORDER BY below.start DESC LIMIT 1
        ) node
        -- If the row no longer exists, a later change says so.
        LEFT JOIN LATERAL (
          SELECT searched_words(listed.id, listed.name) AS words
            FROM row_at(asked_list, asked_parent, key_id(asked_list, new.key)) listed
            WHERE is_searched(asked_list) AND new.change >= 0 AND listed.owner = asked_owner LIMIT 1
        ) row ON true
      GROUP BY node.start
  LOOP
    SELECT merged.entries, merged.words, cardinality(merged.entries) AS total INTO leaf FROM list_nodes node
        CROSS JOIN LATERAL merged_leaf(
          node.entries, string_to_array(node.words, chr(10)), touched.keys, touched.changes, touched.words) merged
      WHERE node.list = asked_list AND node.owner = asked_owner AND node.level = 1 AND node.start = touched.start;
    -- Pieces are filled to three quarters, so that they have room for more.
    pieces := CASE WHEN leaf.total > leaf_size() THEN ceil(leaf.total / (leaf_size() * 0.75)) ELSE 1 END;
    FOR number IN 1 .. pieces LOOP
      part := leaf.entries[(number - 1) * leaf.total / pieces + 1 : number * leaf.total / pieces];
      starts := starts || CASE number WHEN 1 THEN touched.start ELSE part[1] END;
      totals := totals || cardinality(part)::bigint;
      INSERT INTO list_nodes AS node (list, owner, level, start, entries, words)
        VALUES (asked_list, asked_owner, 1, starts[cardinality(starts)], part,
          array_to_string(leaf.words[(number - 1) * leaf.total / pieces + 1 : number * leaf.total / pieces], chr(10)))
        ON CONFLICT (list, owner, level, start) DO UPDATE SET entries = excluded.entries, words = excluded.words;
    END LOOP;
  END LOOP;
END $$;
COMMENT ON FUNCTION im_admin.write_leaves IS 'Writes changes into leaves, and returns the starts and totals of these leaves.';

CREATE OR REPLACE FUNCTION im_admin.merged_leaf(
    INOUT entries text[], INOUT words text[], keys text[], changes bigint[], new_words text[])
  LANGUAGE plpgsql IMMUTABLE AS $$
#variable_conflict use_variable
DECLARE
  place integer;
  is_there boolean;
BEGIN
  -- A row that no longer exists has the words of an empty ID and name. No line may be empty: a text of one would have none.
  -- With more keys than this, changing one after the other takes longer.
  IF cardinality(keys) > leaf_size() THEN
    -- A leaf without entries has words, too: without them, later entries would have none.
    SELECT coalesce(array_agg(merged.key ORDER BY merged.key), '{}'),
        CASE WHEN words IS NOT NULL THEN coalesce(array_agg(merged.words ORDER BY merged.key), '{}') END
      INTO merged_leaf.entries, merged_leaf.words FROM (
        SELECT found.key COLLATE "C" AS key, coalesce(max(found.words) FILTER (WHERE found.is_new), max(found.words), chr(31)) AS words FROM (
            SELECT entry.key, entry.words, 1 AS change, false AS is_new FROM unnest(entries, words) entry (key, words)
            UNION ALL SELECT new.key, new.words, new.change, true FROM unnest(keys, new_words, changes) new (key, words, change)
          ) found GROUP BY found.key COLLATE "C" HAVING sum(found.change) > 0
      ) merged;
    RETURN;
  END IF;
  FOR number IN 1 .. cardinality(keys) LOOP
    place := width_bucket(keys[number] COLLATE "C", entries COLLATE "C");
    is_there := place > 0 AND entries[place] = keys[number];
    IF is_there AND changes[number] < 0 THEN
      entries := entries[: place - 1] || entries[place + 1 :];
      words := words[: place - 1] || words[place + 1 :];
    ELSIF is_there AND new_words[number] IS NOT NULL THEN
      words[place] := new_words[number];
    ELSIF NOT is_there AND changes[number] > 0 THEN
      entries := entries[: place] || keys[number] || entries[place + 1 :];
      IF words IS NOT NULL THEN words := words[: place] || coalesce(new_words[number], chr(31)) || words[place + 1 :]; END IF;
    END IF;
  END LOOP;
END $$;
COMMENT ON FUNCTION im_admin.merged_leaf IS 'A leaf with some changes applied. For few changes, a loop is faster than SQL over rows.';

CREATE OR REPLACE FUNCTION im_admin.write_nodes(asked_list text, asked_owner text, height integer, starts text[], totals bigint[])
  RETURNS integer LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  at_level integer := 2;
BEGIN
  WHILE at_level <= height OR cardinality(starts) > 1 LOOP
    WITH changed AS MATERIALIZED (
      SELECT child.start COLLATE "C" AS start, child.total, coalesce((
          SELECT node.start FROM list_nodes node
            WHERE node.list = asked_list AND node.owner = asked_owner AND node.level = at_level AND node.start <= child.start
            ORDER BY node.start DESC LIMIT 1), '') AS parent
        FROM unnest(starts, totals) child (start, total)
    ), children AS (
      SELECT found.parent, found.start, coalesce(max(found.total) FILTER (WHERE found.is_new), max(found.total)) AS total FROM (
          SELECT parent, start, changed.total, true AS is_new FROM changed
          UNION ALL
          SELECT node.start, child.start, child.total, false FROM (SELECT DISTINCT parent FROM changed) touched
            CROSS JOIN LATERAL (
              SELECT above.* FROM list_nodes above
                WHERE above.list = asked_list AND above.owner = asked_owner AND above.level = at_level
                  AND above.start = touched.parent OFFSET 0
            ) node
            CROSS JOIN LATERAL unnest(node.entries, node.totals) child (start, total)
        ) found GROUP BY found.parent, found.start
    ), placed AS (
      SELECT children.*,
          piece(row_number() OVER (PARTITION BY parent ORDER BY start), count(*) OVER (PARTITION BY parent), node_size()) AS piece
        FROM children
    ), written AS (
      INSERT INTO list_nodes AS node (list, owner, level, start, entries, totals)
        SELECT asked_list, asked_owner, at_level, CASE piece WHEN 0 THEN parent ELSE min(start) END,
            array_agg(start ORDER BY start), array_agg(placed.total ORDER BY start)
          FROM placed GROUP BY parent, piece
        ON CONFLICT (list, owner, level, start) DO UPDATE SET entries = excluded.entries, totals = excluded.totals
        RETURNING node.start, (SELECT sum(total) FROM unnest(node.totals) total)::bigint AS total
    )
    SELECT array_agg(written.start), array_agg(written.total) INTO starts, totals FROM written;
    at_level := at_level + 1;
  END LOOP;
  RETURN at_level - 1;
END $$;
COMMENT ON FUNCTION im_admin.write_nodes IS 'Updates the nodes above some children, adds levels until there is one node at the top, and returns the height.';

CREATE OR REPLACE FUNCTION im_admin.drop_list(asked_list text, asked_owner text) RETURNS void LANGUAGE sql AS $$
  DELETE FROM im_admin.list_nodes WHERE list = asked_list AND owner = asked_owner;
  DELETE FROM im_admin.list_entries WHERE list = asked_list AND parent = im_admin.list_parent(asked_owner) AND owner = asked_owner;
  DELETE FROM im_admin.lists WHERE list = asked_list AND owner = asked_owner;
$$;
COMMENT ON FUNCTION im_admin.drop_list IS 'Deletes the tree of a list.';

CREATE OR REPLACE FUNCTION im_admin.build_list(asked_list text, asked_owner text) RETURNS bigint
  LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan SET enable_seqscan = on SET enable_bitmapscan = on
  SET enable_hashjoin = on SET enable_mergejoin = on SET work_mem = '64MB' AS $$
#variable_conflict use_variable
DECLARE
  settled bigint;
  seen pg_snapshot;
  starts text[];
  totals bigint[];
BEGIN
  IF is_careful() THEN PERFORM look_up_each(); END IF;
  PERFORM drop_list(asked_list, asked_owner);
  -- One statement reads rows and deletes changes, in one snapshot.
  WITH gone AS (
    DELETE FROM list_changes WHERE list = asked_list AND owner = asked_owner RETURNING 1
  ), undone AS (
    -- Packed changes cannot be deleted for one list alone.
    INSERT INTO list_changes (list, owner, key, change)
      SELECT asked_list, asked_owner, packed.key, -packed.change FROM packed(asked_list, asked_owner) packed
  ), placed AS MATERIALIZED (
    SELECT listed.id, listed.key COLLATE "C" AS key, CASE WHEN is_searched(asked_list) THEN searched_words(listed.id, listed.name) END AS words,
        (row_number() OVER (ORDER BY listed.key COLLATE "C") - 1) / ceil(leaf_size() * 0.75)::integer AS piece
      FROM rows_of(asked_list, list_parent(asked_owner)) listed WHERE listed.owner = asked_owner
  ), written AS (
    INSERT INTO list_nodes AS node (list, owner, level, start, entries, words)
      SELECT asked_list, asked_owner, 1, CASE piece WHEN 0 THEN '' ELSE min(key) END, array_agg(key ORDER BY key),
          string_agg(words, chr(10) ORDER BY key)
        FROM placed GROUP BY piece
      -- A tree has at least one leaf, which may be empty.
      UNION ALL SELECT asked_list, asked_owner, 1, '', '{}', ''
        WHERE has_tree_always(asked_list) AND NOT EXISTS (SELECT FROM placed)
      RETURNING node.start, cardinality(node.entries) AS total
  ), noted AS (
    INSERT INTO list_entries (list, parent, id, owner, key)
      SELECT asked_list, list_parent(asked_owner), placed.id, asked_owner, placed.key FROM placed WHERE is_mapped(asked_list)
  )
  SELECT array_agg(written.start), array_agg(written.total), (SELECT count(*) FROM gone), pg_current_snapshot()
    INTO starts, totals, settled, seen FROM written;
  IF starts IS NOT NULL THEN
    INSERT INTO lists (list, owner, total, height, settled_before, unfinished, settled_in)
      SELECT asked_list, asked_owner, sum(total), write_nodes(asked_list, asked_owner, 1, starts, totals), '0', '{}', 0
        FROM unnest(totals) total;
    PERFORM mark_settled(asked_list, asked_owner, seen);
  END IF;
  RETURN settled;
END $$;
COMMENT ON FUNCTION im_admin.build_list IS 'Builds the tree of a list from its rows, and returns how many changes it has settled so.';
