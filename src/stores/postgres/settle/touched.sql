------------------------------------------------------------------------------------------------------------------------
-- How touched records of your own tables are settled
--
-- Which keys a record had in lists is in list_entries, and which it has now is in its row. Looking a record up twice
-- does no harm, so it does not matter in which order transactions wrote, or what they saw of each other.
------------------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION im_admin.is_mapped(asked_list text) RETURNS boolean LANGUAGE sql STABLE RETURN EXISTS (
  SELECT FROM im_admin.mapped_objects mapped WHERE mapped.record = im_admin.record_of(asked_list));
COMMENT ON FUNCTION im_admin.is_mapped IS 'Whether the rows of a list are in your own tables.';

CREATE OR REPLACE FUNCTION im_admin.trees_of(asked_list text, asked_parent text) RETURNS TABLE (owner text)
  LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT kept.owner FROM im_admin.lists kept WHERE kept.list = asked_list AND kept.owner = asked_parent
  UNION ALL
  SELECT kept.owner FROM im_admin.lists kept
    WHERE kept.list = asked_list AND kept.owner > asked_parent || chr(1) AND kept.owner < asked_parent || chr(2);
END;
COMMENT ON FUNCTION im_admin.trees_of IS 'The owners of the lists of one kind with this parent, as far as they have a tree.';

CREATE OR REPLACE FUNCTION im_admin.settle_touched(most integer) RETURNS bigint LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  altered text[];
BEGIN
  -- Lists of altered tables are read from the rows until a map is installed anew.
  altered := ARRAY(SELECT mapped.record FROM (SELECT DISTINCT record FROM mapped_columns) mapped WHERE is_altered(mapped.record));
  RETURN settle_places(
    ARRAY(SELECT key.ctid FROM touched key WHERE key.problem IS NULL AND key.record <> ALL (altered) LIMIT most));
END $$;
COMMENT ON FUNCTION im_admin.settle_touched IS 'Looks up touched records, and returns how many. A record that cannot be looked up stays, with the reason, until it or a part of its key is touched again.';

CREATE OR REPLACE FUNCTION im_admin.settle_places(places tid[]) RETURNS bigint LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  number integer := cardinality(places);
BEGIN
  IF number = 0 THEN RETURN 0; END IF;
  -- A record that is alone gets two attempts, and the second one is careful: it reads no profile.
  FOR attempt IN 1 .. CASE number WHEN 1 THEN 2 ELSE 1 END LOOP
    BEGIN
      PERFORM be_careful(attempt = 2);
      PERFORM look_up_touched(places);
      PERFORM be_careful(false);
      RETURN number;
    EXCEPTION WHEN OTHERS THEN
      IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
      IF attempt = 2 THEN
        UPDATE touched key SET problem = field_unread(key.record, key.first, key.second, SQLSTATE) WHERE key.ctid = places[1];
        RETURN 1;
      END IF;
    END;
  END LOOP;
  RETURN settle_places(places[: number / 2]) + settle_places(places[number / 2 + 1 :]);
END $$;
COMMENT ON FUNCTION im_admin.settle_places IS 'Looks up these touched records, and returns how many. It halves them until it knows which one cannot be read.';

CREATE OR REPLACE FUNCTION im_admin.field_unread(asked_record text, asked_first text, asked_second text, state text) RETURNS text
  LANGUAGE sql STABLE RETURN coalesce(
    (SELECT found.field || ' cannot be read (SQLSTATE ' || found.reason || ')'
      FROM im_admin.unreadable(asked_record, asked_first, asked_second) found WHERE found.decides LIMIT 1),
    'cannot be read (SQLSTATE ' || state || ')');
COMMENT ON FUNCTION im_admin.field_unread IS 'Which field of a record cannot be read, without its value.';

CREATE OR REPLACE FUNCTION im_admin.look_up_touched(places tid[]) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  records text[];
  firsts text[];
  seconds text[];
  lists text[];
  parents text[];
  ids text[];
BEGIN
  WITH gone AS (
    DELETE FROM touched WHERE ctid = ANY (places) RETURNING record, first, second
  )
  SELECT array_agg(key.record), array_agg(key.first), array_agg(key.second) INTO records, firsts, seconds
    FROM (SELECT DISTINCT gone.* FROM gone) key;
  -- They may be right by now, and their lists may have lost their trees.
  WITH tried AS (
    UPDATE touched key SET problem = NULL WHERE key.problem IS NOT NULL
      AND EXISTS (
        SELECT FROM unnest(records, firsts, seconds) settled (record, first, second)
          WHERE settled.record = key.record AND coalesce(settled.first = key.first, true)
            AND coalesce(settled.second = key.second, true))
      RETURNING key.record, key.first, key.second
  )
  INSERT INTO list_changes (list, owner, key, change)
    SELECT DISTINCT concerned.list, concerned.parent, '', 0 FROM tried
        CROSS JOIN LATERAL touched_lists(tried.record, tried.first, tried.second) concerned
      WHERE NOT EXISTS (SELECT FROM trees_of(concerned.list, concerned.parent)) AND concerned.parent IS NOT NULL;
  SELECT array_agg(concerned.list), array_agg(concerned.parent), array_agg(concerned.id) INTO lists, parents, ids
    FROM unnest(records, firsts, seconds) key (record, first, second)
      CROSS JOIN LATERAL touched_lists(key.record, key.first, key.second) concerned;

  INSERT INTO list_changes (list, owner, key, change)
    SELECT 'changed_names', '', key.first, 0 FROM unnest(records, firsts) key (record, first)
      WHERE key.record = 'users' AND key.first IS NOT NULL;
  IF EXISTS (SELECT FROM unnest(records, firsts) key (record, first) WHERE key.record = 'users' AND key.first IS NULL) THEN
    PERFORM forget_lists(VARIADIC ARRAY(SELECT list FROM unnest(list_names()) list WHERE is_searched(list)));
  END IF;
  PERFORM forget_lists(VARIADIC ARRAY(
    SELECT DISTINCT concerned.list FROM unnest(lists, parents, ids) concerned (list, parent, id)
      WHERE coalesce(concerned.parent, '') = '' AND concerned.id IS NULL));
  PERFORM forget_list(due.list, due.owner) FROM (
      SELECT DISTINCT concerned.list, kept.owner FROM unnest(lists, parents, ids) concerned (list, parent, id)
          CROSS JOIN LATERAL (
            SELECT owner FROM trees_of(concerned.list, concerned.parent)
            UNION SELECT owner FROM rows_of(concerned.list, concerned.parent)
          ) kept
        WHERE concerned.id IS NULL AND concerned.parent <> ''
    ) due;

  WITH asked AS MATERIALIZED (
    SELECT DISTINCT concerned.* FROM unnest(lists, parents, ids) concerned (list, parent, id) WHERE concerned.id IS NOT NULL
  ), placed AS MATERIALIZED (
    SELECT asked.list, asked.parent, asked.id FROM asked WHERE asked.parent IS NOT NULL
    UNION
    SELECT asked.list, place.parent, asked.id FROM asked CROSS JOIN LATERAL (
        SELECT entry.parent FROM list_entries entry WHERE entry.list = asked.list AND entry.id = asked.id
        UNION ALL
        SELECT found.parent FROM rows_with(asked.list, asked.id) found
          WHERE EXISTS (SELECT FROM trees_of(asked.list, found.parent))
        OFFSET 0
      ) place WHERE asked.parent IS NULL
  ), net AS MATERIALIZED (
    SELECT placed.list, placed.parent, placed.id, side.owner, side.key, sum(side.change)::smallint AS change,
        EXISTS (SELECT FROM lists kept WHERE kept.list = placed.list AND kept.owner = side.owner) AS is_kept
      FROM placed CROSS JOIN LATERAL (
        SELECT DISTINCT entry.owner, entry.key, -1 AS change FROM list_entries entry
          WHERE entry.list = placed.list AND entry.parent = placed.parent AND entry.id = placed.id
        UNION ALL
        SELECT DISTINCT found.owner, found.key, 1 FROM row_at(placed.list, placed.parent, placed.id) found
        OFFSET 0
      ) side
      GROUP BY placed.list, placed.parent, placed.id, side.owner, side.key
  ), went AS (
    DELETE FROM list_entries entry USING net
      WHERE net.change < 0 AND entry.list = net.list AND entry.parent = net.parent AND entry.id = net.id
        AND entry.owner = net.owner AND entry.key = net.key
  ), came AS (
    INSERT INTO list_entries (list, parent, id, owner, key)
      SELECT net.list, net.parent, net.id, net.owner, net.key FROM net WHERE net.change > 0 AND net.is_kept
  )
  INSERT INTO list_changes (list, owner, key, change)
    -- In a list without a tree, a record that comes may make it long.
    SELECT net.list, net.owner, net.key, net.change FROM net WHERE net.change <> 0 OR is_searched(net.list) AND net.is_kept;
END $$;
COMMENT ON FUNCTION im_admin.look_up_touched IS 'Deletes touched keys, and appends what their records change in the lists.';

CREATE OR REPLACE FUNCTION im_admin.forget_list(asked_list text, asked_owner text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM drop_list(asked_list, asked_owner);
  INSERT INTO list_changes (list, owner, key, change) VALUES (asked_list, asked_owner, '', 0);
END $$;
COMMENT ON FUNCTION im_admin.forget_list IS 'Deletes the tree of a list, and lets settle() build it again if it is still long.';
