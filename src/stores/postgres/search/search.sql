------------------------------------------------------------------------------------------------------------------------
-- How a keyword is found
--
-- The words of a leaf are one text, so that a search reads all leaves of a list of 300,000 rows in some 10 milliseconds.
-- It splits only leaves with the keyword into rows. Where words may have changed since, it reads the rows.
------------------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION im_admin.searched_words(id text, name text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN translate(lower((id || chr(31) || name) COLLATE "C"), chr(10), chr(30));
COMMENT ON FUNCTION im_admin.searched_words IS 'The texts of a row that a keyword search reads, as one line. With this collation, lower() changes only ASCII letters.';

CREATE OR REPLACE FUNCTION im_admin.has_keyword(id text, name text, keyword text) RETURNS boolean
  LANGUAGE sql IMMUTABLE RETURN strpos(lower(id COLLATE "C"), keyword) > 0 OR strpos(lower(name COLLATE "C"), keyword) > 0;
COMMENT ON FUNCTION im_admin.has_keyword IS 'Whether a row has a keyword in its ID or its name. The keyword is in small letters.';

CREATE OR REPLACE FUNCTION im_admin.most_doubtful() RETURNS integer LANGUAGE sql IMMUTABLE RETURN 10000;
COMMENT ON FUNCTION im_admin.most_doubtful IS 'The most rows that a search reads since their words may have changed. If there are more, it reads all rows of the list.';

CREATE OR REPLACE FUNCTION im_admin.found_page(
    asked_list text, asked_owner text, beginnings text[], keyword text, skip bigint, size bigint,
    OUT total bigint, OUT keys text[], OUT pending bigint)
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_variable
DECLARE
  kept record := kept_list(asked_list, asked_owner);
  asked_parent text := list_parent(asked_owner);
  doubtful text[] COLLATE "C" := '{}';
  renamed text[] := '{}';
BEGIN
  pending := 0;
  IF kept.total IS NOT NULL THEN
    SELECT array_agg(DISTINCT appended.key), count(*) INTO doubtful, pending
      FROM (
        SELECT * FROM waiting(asked_list, asked_owner, kept.since, kept.unfinished, kept.touched, kept.is_packed) LIMIT most_doubtful()
      ) appended;
    renamed := ARRAY(
      SELECT doubt.key FROM list_changes doubt WHERE doubt.list = 'changed_names' AND doubt.owner = ''
      UNION ALL SELECT key.first FROM touched key WHERE key.record = 'users'
      -- More names than are worth a look.
      UNION ALL SELECT NULL FROM packed_changes packed WHERE packed.record = 'users'
      LIMIT most_doubtful());
    pending := pending + cardinality(renamed);
  END IF;
  -- In words, other characters stand for these three.
  IF kept.total IS NULL OR pending >= most_doubtful() OR array_position(renamed, NULL) IS NOT NULL
    OR EXISTS (SELECT FROM mapped_files mapped WHERE mapped.record = 'users') AND (is_altered('users') OR is_rewritten('users'))
    OR keyword <> translate(keyword, chr(10) || chr(30) || chr(31), '') THEN
    SELECT * INTO total, keys FROM looked_at_page(asked_list, asked_owner, beginnings, keyword, skip, size);
    RETURN;
  END IF;
  :for_each_record
  doubtful := coalesce(doubtful, '{}') || ARRAY(
    SELECT listed.key FROM (SELECT DISTINCT id FROM unnest(renamed) id) doubt
      CROSS JOIN LATERAL (SELECT * FROM row_at(asked_list, asked_parent, doubt.id) OFFSET 0) listed
      WHERE listed.owner = asked_owner);
  :end
  :for_each_record
  WITH hits AS MATERIALIZED (
    SELECT entry.key FROM (
        SELECT unnest(node.entries) AS key, unnest(string_to_array(node.words, chr(10))) AS words FROM list_nodes node
          WHERE node.list = asked_list AND node.owner = asked_owner AND node.level = 1 AND strpos(node.words, keyword) > 0
      ) entry
      WHERE strpos(entry.words, keyword) > 0 AND (beginnings IS NULL OR left(entry.key, length(beginnings[1])) = ANY (beginnings))
        AND (doubtful = '{}' OR entry.key <> ALL (doubtful))
    UNION ALL
    SELECT listed.key FROM (SELECT DISTINCT key_id(asked_list, key) AS id FROM unnest(doubtful) key) doubt
      CROSS JOIN LATERAL (SELECT * FROM row_at(asked_list, asked_parent, doubt.id) OFFSET 0) listed
      WHERE listed.owner = asked_owner AND has_keyword(listed.id, listed.name, keyword)
        AND (beginnings IS NULL OR left(listed.key, length(beginnings[1])) = ANY (beginnings))
  )
  SELECT (SELECT count(*) FROM hits), ARRAY(SELECT hits.key FROM hits ORDER BY hits.key COLLATE "C" LIMIT size OFFSET skip)
    INTO total, keys;
  :end
END $$;
COMMENT ON FUNCTION im_admin.found_page IS 'A page of the rows with a keyword, which is in small letters. `beginnings`: only keys that begin with one of these.';

CREATE OR REPLACE FUNCTION im_admin.looked_at_page(
    asked_list text, asked_owner text, beginnings text[], keyword text, skip bigint, size bigint,
    OUT total bigint, OUT keys text[])
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET enable_seqscan = on SET enable_hashjoin = on
  SET enable_bitmapscan = on AS $$
#variable_conflict use_variable
BEGIN
  IF is_careful() THEN PERFORM look_up_each(); END IF;
  :for_each_record
  WITH hits AS MATERIALIZED (
    SELECT listed.key FROM rows_of(asked_list, list_parent(asked_owner)) listed
      WHERE listed.owner = asked_owner AND has_keyword(listed.id, listed.name, keyword)
        AND (beginnings IS NULL OR left(listed.key, length(beginnings[1])) = ANY (beginnings))
  )
  SELECT (SELECT count(*) FROM hits), ARRAY(SELECT hits.key FROM hits ORDER BY hits.key COLLATE "C" LIMIT size OFFSET skip)
    INTO total, keys;
  :end
END $$;
COMMENT ON FUNCTION im_admin.looked_at_page IS 'The same page as found_page, from all rows of the list.';
