------------------------------------------------------------------------------------------------------------------------
-- Whose tables a map reads
--
-- Who reads a table runs code of its owner: the server calls the functions of policies, casts and views, and of index
-- expressions when it plans a query. So a map reads only what belongs to the owner of this schema, to a role that can
-- act as this owner anyway, or to a role that the installation has named. require_mapped() looks whether the map still
-- reads the same tables, and whose they are, before anything of them is read.
------------------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION im_admin.changed_objects() RETURNS TABLE (record text, name text, problem text)
  LANGUAGE sql STABLE SET search_path = im_admin, pg_temp SET jit = off BEGIN ATOMIC
  SELECT mapped.record, coalesce(found.name, mapped.schema || '.' || mapped.name) AS name,
      CASE
        WHEN found.kind IS NULL THEN CASE WHEN to_regclass(quote_ident(mapped.schema) || '.' || quote_ident(mapped.name)) IS NULL
          OR mapped.relation IS NULL THEN 'is gone' ELSE 'is another table now' END
        WHEN found.kind <> mapped.kind THEN 'is not what it was: a table has become a view, or the other way round'
        WHEN found.is_replaced THEN 'is another table now'
        WHEN found.renamed IS NOT NULL THEN 'is called ' || found.renamed || ' now'
        ELSE 'belongs to ' || pg_get_userbyid(found.owner)
      END AS problem
    FROM im_admin.mapped_objects mapped LEFT JOIN LATERAL (
      SELECT CASE relation.oid WHEN mapped.relation THEN relation.relkind::text ELSE mapped.kind END, relation.relowner, EXISTS (
            SELECT FROM pg_class other
              WHERE other.relname = mapped.name AND other.relnamespace = to_regnamespace(quote_ident(mapped.schema))
                AND other.oid <> mapped.relation),
          CASE WHEN relation.oid <> mapped.relation THEN place.nspname || '.' || relation.relname END,
          CASE WHEN relation.oid = mapped.relation AND (place.nspname, relation.relname) <> (mapped.schema::name, mapped.name::name)
            THEN place.nspname || '.' || relation.relname END
        FROM (
          WITH RECURSIVE parts (part) AS (
            SELECT mapped.relation::oid
            UNION SELECT below.inhrelid FROM pg_inherits below JOIN parts ON below.inhparent = parts.part
          )
          SELECT part FROM parts
        ) parts JOIN pg_class relation ON relation.oid = parts.part JOIN pg_namespace place ON place.oid = relation.relnamespace
      UNION ALL
      SELECT 'function', routine.proowner, false, NULL, NULL FROM pg_proc routine
        WHERE mapped.kind = 'function' AND routine.proname = mapped.name
          AND routine.pronamespace = to_regnamespace(quote_ident(mapped.schema))
      UNION ALL
      SELECT 'operator', operator.oprowner, false, NULL, NULL FROM pg_operator operator
        WHERE mapped.kind = 'operator' AND operator.oprname = mapped.name
          AND operator.oprnamespace = to_regnamespace(quote_ident(mapped.schema))
      UNION ALL
      SELECT 'type', type.typowner, false, NULL, NULL FROM pg_type type WHERE type.oid = mapped.type
    ) found (kind, owner, is_replaced, name, renamed) ON true
    WHERE found.kind IS DISTINCT FROM mapped.kind OR found.is_replaced OR found.renamed IS NOT NULL OR NOT (
      pg_has_role(found.owner, (SELECT own.relowner FROM pg_class own WHERE own.oid = mapped.tableoid), 'MEMBER')
      OR EXISTS (SELECT FROM im_admin.table_map kept WHERE pg_get_userbyid(found.owner) = ANY (kept.trusted_owners)))
    ORDER BY 2;
END;
COMMENT ON FUNCTION im_admin.changed_objects IS 'What the map must not read: objects that are not those for which it was installed, or whose owner is not trusted.';

CREATE OR REPLACE FUNCTION im_admin.require_mapped(asked_record text DEFAULT NULL) RETURNS void LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  changed record;
BEGIN
  -- This takes some microseconds, and changed_objects() takes more: call it only where something may have changed.
  IF NOT EXISTS (
    SELECT FROM im_admin.mapped_objects mapped
        LEFT JOIN pg_class own ON own.oid = mapped.tableoid
        LEFT JOIN pg_class relation ON relation.oid = mapped.relation
        LEFT JOIN pg_type type ON type.oid = mapped.type
      WHERE (asked_record IS NULL OR mapped.record = asked_record) AND (pg_has_role(coalesce(relation.relowner, type.typowner), own.relowner, 'MEMBER') AND (
          type.oid IS NOT NULL OR relation.relkind::text = mapped.kind AND NOT relation.relhassubclass
            AND mapped.relation::text = quote_ident(mapped.schema) || '.' || quote_ident(mapped.name))
        ) IS NOT TRUE)
  THEN
    RETURN;
  END IF;
  SELECT * INTO changed FROM im_admin.changed_objects() found
    WHERE asked_record IS NULL OR found.record = asked_record LIMIT 1;
  IF FOUND THEN
    RAISE '% %: nothing of it is read until a map is installed anew by im-admin tables', changed.name, changed.problem
      USING ERRCODE = 'IM002';
  END IF;
END $$;
COMMENT ON FUNCTION im_admin.require_mapped IS 'Fails if the map reads anything that is not as it was when the map was installed: for one kind of records, or for all.';

CREATE OR REPLACE FUNCTION im_admin.require_owner() RETURNS void LANGUAGE plpgsql SET search_path = im_admin, pg_temp AS $$
DECLARE
  owner name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = 'lists'::regclass);
BEGIN
  IF owner <> current_user THEN
    RAISE 'the tables of the schema % belong to the role %: do this as that role', current_schema(), owner;
  END IF;
END $$;
COMMENT ON FUNCTION im_admin.require_owner IS 'Fails for a role that does not own the tables of this schema: what a map makes must have the same owner.';

CREATE OR REPLACE FUNCTION im_admin.hold_mapped() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  relation text;
BEGIN
  FOR relation IN
    SELECT DISTINCT quote_ident(mapped.schema) || '.' || quote_ident(mapped.name) FROM mapped_objects mapped
      WHERE mapped.kind IN ('r', 'p', 'v') ORDER BY 1
  LOOP
    EXECUTE 'LOCK TABLE ' || relation || ' IN ACCESS SHARE MODE NOWAIT';
  END LOOP;
  RETURN true;
EXCEPTION
  WHEN lock_not_available THEN
    RETURN false;
  -- require_mapped() says what has become of it.
  WHEN undefined_table OR invalid_schema_name THEN
    RETURN true;
END $$;
COMMENT ON FUNCTION im_admin.hold_mapped IS 'Keeps all that the map reads by name from being altered or dropped in this transaction, before require_mapped() looks at it. false: somebody else has locked a table.';

CREATE OR REPLACE FUNCTION im_admin.changed_columns() RETURNS TABLE (name text, problem text)
  LANGUAGE sql STABLE SET search_path = im_admin, pg_temp BEGIN ATOMIC
  SELECT DISTINCT mapped.relation::text || '.' || mapped.name,
      CASE WHEN now.attname IS NULL THEN 'is gone' ELSE 'is called ' || now.attname || ' now' END
    FROM im_admin.mapped_columns mapped
      LEFT JOIN pg_attribute now ON now.attrelid = mapped.relation AND now.attnum = mapped.number AND NOT now.attisdropped
    WHERE mapped.number > 0 AND now.attname IS DISTINCT FROM mapped.name
      -- changed_objects() tells of a table that is gone.
      AND EXISTS (SELECT FROM pg_class WHERE oid = mapped.relation)
    ORDER BY 1;
END;
COMMENT ON FUNCTION im_admin.changed_columns IS 'Columns that the map reads by names that they do not have any more.';

CREATE OR REPLACE FUNCTION im_admin.is_altered(asked_record text) RETURNS boolean LANGUAGE sql STABLE RETURN EXISTS (
  SELECT FROM im_admin.mapped_columns mapped
      LEFT JOIN pg_catalog.pg_attribute now ON now.attrelid = mapped.relation AND now.attnum = mapped.number
    WHERE mapped.record = asked_record AND mapped.decides AND mapped.number > 0 AND now.attname IS DISTINCT FROM mapped.name)
  OR EXISTS (
    SELECT FROM im_admin.mapped_files mapped
        JOIN pg_catalog.pg_class parent ON parent.oid = mapped.relation AND parent.relkind = 'r' AND parent.relhassubclass
        JOIN pg_catalog.pg_inherits child ON child.inhparent = parent.oid
      WHERE mapped.record = asked_record AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_trigger WHERE tgrelid = child.inhrelid AND starts_with(tgname, 'zz_im_admin_' || asked_record)))
  OR EXISTS (
    SELECT FROM im_admin.mapped_files mapped
        JOIN pg_catalog.pg_inherits parent ON parent.inhrelid = mapped.relation
        JOIN pg_catalog.pg_trigger ON tgrelid = mapped.relation AND tgnewtable IS NOT NULL
      WHERE mapped.record = asked_record AND mapped.parent IS NULL AND starts_with(tgname, 'zz_im_admin_' || asked_record));
COMMENT ON FUNCTION im_admin.is_altered IS 'Whether a column that decides about these records is not the one for which the map was installed, a table that inherits has no triggers, or a table has got a parent, whose statements fire none. Then lists are read from the rows.';

CREATE OR REPLACE FUNCTION im_admin.files_of(watched regclass) RETURNS TABLE (relation regclass, parent regclass, file oid)
  LANGUAGE sql STABLE BEGIN ATOMIC
  WITH RECURSIVE parts (part, parent) AS (
    SELECT watched::oid, NULL::oid
    UNION SELECT below.inhrelid, below.inhparent FROM pg_inherits below JOIN parts ON below.inhparent = parts.part
      WHERE NOT below.inhdetachpending
  )
  SELECT parts.part, parts.parent, relfilenode FROM parts JOIN pg_class ON pg_class.oid = parts.part;
END;
COMMENT ON FUNCTION im_admin.files_of IS 'The file of a table, and of each of its partitions.';

CREATE OR REPLACE FUNCTION im_admin.is_rewritten(asked_record text) RETURNS boolean LANGUAGE sql STABLE RETURN EXISTS (
  SELECT FROM im_admin.mapped_files mapped LEFT JOIN pg_catalog.pg_class now ON now.oid = mapped.relation
    WHERE mapped.record = asked_record AND (
      now.relfilenode IS DISTINCT FROM mapped.file
      OR mapped.parent IS NOT NULL AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_inherits part
          WHERE part.inhrelid = mapped.relation AND part.inhparent = mapped.parent AND NOT part.inhdetachpending)
      OR now.relhassubclass AND EXISTS (
        SELECT FROM pg_catalog.pg_inherits part
          WHERE part.inhparent = mapped.relation AND NOT part.inhdetachpending AND NOT EXISTS (
            SELECT FROM im_admin.mapped_files other WHERE other.record = asked_record AND other.relation = part.inhrelid))));
COMMENT ON FUNCTION im_admin.is_rewritten IS 'Whether a table of these records was rewritten, perhaps with other values, or has other partitions, since settle() looked at it.';

CREATE OR REPLACE FUNCTION im_admin.settle_rewritten() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  rewritten text[] := ARRAY(
    SELECT mapped.record FROM (SELECT DISTINCT record FROM mapped_files) mapped WHERE is_rewritten(mapped.record));
BEGIN
  IF rewritten = '{}' THEN RETURN; END IF;
  INSERT INTO touched (record) SELECT record FROM unnest(rewritten) record;
  WITH gone AS (
    DELETE FROM mapped_files WHERE record = ANY (rewritten) RETURNING record, relation, parent
  )
  INSERT INTO mapped_files (record, relation, parent, file)
    SELECT gone.record, now.* FROM gone CROSS JOIN LATERAL files_of(gone.relation) now WHERE gone.parent IS NULL;
END $$;
COMMENT ON FUNCTION im_admin.settle_rewritten IS 'Notes that all records of a rewritten table may have changed.';

------------------------------------------------------------------------------------------------------------------------
-- How a map is installed
------------------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION im_admin.reached_by(view regclass) RETURNS TABLE (class oid, object oid, attribute integer)
  LANGUAGE sql STABLE BEGIN ATOMIC
  WITH RECURSIVE reached (class, object, attribute) AS (
      SELECT 'pg_class'::regclass::oid, view::oid, 0
    UNION
      SELECT below.class, below.object, below.attribute FROM reached CROSS JOIN LATERAL (
          SELECT refclassid, refobjid, refobjsubid FROM pg_rewrite rule
              JOIN pg_depend needed ON needed.classid = 'pg_rewrite'::regclass AND needed.objid = rule.oid
            WHERE reached.class = 'pg_class'::regclass AND rule.ev_class = reached.object
          UNION ALL
          SELECT 'pg_type'::regclass, atttypid, 0 FROM pg_attribute
            WHERE reached.class = 'pg_class'::regclass AND attrelid = reached.object AND attnum = reached.attribute
        ) below (class, object, attribute)
  )
  SELECT reached.class, reached.object, reached.attribute FROM reached WHERE reached.object <> view;
END;
COMMENT ON FUNCTION im_admin.reached_by IS 'All that a view reads, also through other views: tables and their columns, functions, operators and types.';

CREATE OR REPLACE FUNCTION im_admin.note_part(
    asked_record text, part text, query text, decides boolean, is_key boolean, own text, also text[])
  RETURNS void LANGUAGE plpgsql SET search_path = im_admin, pg_temp SET jit = off AS $$
#variable_conflict use_variable
DECLARE
  schema oid := (SELECT relnamespace FROM pg_class WHERE oid = 'lists'::regclass);
  trees text[];
  instant text;
  is_steady boolean;
  problem text;
BEGIN
  -- The server checks a view without reading a row. It allows no aggregates, window functions and sets in WHERE.
  SELECT * INTO instant, is_steady FROM make_part(query);
  trees := tree_of('part_of_map') || ARRAY(
    SELECT DISTINCT tree_of(object) FROM reached_by('part_of_map') JOIN pg_class ON pg_class.oid = object
      WHERE class = 'pg_class'::regclass AND relkind = 'v');
  problem := problem_of(trees, decides OR is_key, instant, part);
  IF (decides OR is_key) AND problem IS NULL AND NOT is_steady THEN
    problem := 'the time or the session decides by a constant, and no write tells im-admin when it does';
  END IF;
  IF (decides OR is_key) AND problem IS NULL AND EXISTS (
      SELECT FROM reached_by('part_of_map') WHERE class = 'pg_class'::regclass AND attribute BETWEEN -5 AND -1)
  THEN
    problem := 'reads a column of the server''s own, such as xmin, which changes without notice';
  END IF;
  IF decides AND problem IS NULL THEN
    problem := (
      SELECT 'reads ' || pg_class.oid::regclass || ': name it in also, so that its writes are noticed, or leave it out'
        FROM reached_by('part_of_map') reached JOIN pg_class ON class = 'pg_class'::regclass AND pg_class.oid = object
        WHERE relkind <> 'v' AND NOT pg_class.oid = ANY (also::regclass[]) AND own::regclass IS DISTINCT FROM pg_class.oid
        ORDER BY 1 LIMIT 1);
    IF problem IS NULL AND NOT coalesce(own::regclass = ANY (also::regclass[]), true)
      -- The tree of a view names the view itself.
      AND (SELECT count(*) FROM nodes_of(trees) WHERE kind = 'RANGETBLENTRY' AND fields ->> 'relid' = own::regclass::oid::text
          AND (tree = 1 OR fields ->> 'relkind' <> 'v')) > 1
    THEN
      problem := 'reads other rows of ' || own || ': name it in also, with the columns by which the rows belong together, or use latest';
    END IF;
  END IF;
  IF problem IS NOT NULL THEN RAISE '%', problem; END IF;

  INSERT INTO mapped_objects (record, kind, schema, name, relation, type)
    SELECT asked_record, found.kind, nspname, found.name, found.relation, found.type FROM reached_by('part_of_map') reached CROSS JOIN LATERAL (
          SELECT relkind::text, relname, relnamespace, oid::regclass, NULL::regtype FROM pg_class
            WHERE reached.class = 'pg_class'::regclass AND oid = reached.object
          UNION ALL
          SELECT 'function', proname, pronamespace, NULL, NULL FROM pg_proc
            WHERE reached.class = 'pg_proc'::regclass AND oid = reached.object
          UNION ALL
          SELECT 'operator', oprname, oprnamespace, NULL, NULL FROM pg_operator
            WHERE reached.class = 'pg_operator'::regclass AND oid = reached.object
          UNION ALL
          SELECT 'type', typname, typnamespace, NULL, oid::regtype FROM pg_type
            WHERE reached.class = 'pg_type'::regclass AND oid = reached.object
        ) found (kind, name, schema, relation, type)
        JOIN pg_namespace ON pg_namespace.oid = found.schema
      WHERE pg_namespace.oid NOT IN (schema, 'pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    EXCEPT SELECT * FROM mapped_objects;
  INSERT INTO mapped_columns (record, part, decides, relation, number, name)
    SELECT asked_record, part, decides, object, attnum, attname
      FROM reached_by('part_of_map') reached JOIN pg_attribute ON class = 'pg_class'::regclass AND attrelid = object AND attnum = attribute
      WHERE attnum > 0
    UNION ALL
    -- All columns count where the whole row is read, or another table without naming a column.
    SELECT asked_record, part, decides, table_read.object, 0, '' FROM (
        SELECT object, max(attribute) AS attribute FROM reached_by('part_of_map') WHERE class = 'pg_class'::regclass GROUP BY object
      ) table_read
      WHERE trees[1] LIKE '%:varattno 0 %' OR table_read.attribute = 0 AND table_read.object IS DISTINCT FROM own::regclass;
  DROP VIEW part_of_map;
EXCEPTION WHEN OTHERS THEN
  RAISE '%: %', part, SQLERRM USING ERRCODE = SQLSTATE;
END $$;
COMMENT ON FUNCTION im_admin.note_part IS 'Checks a part of a new map, and notes what it reads. It fails if no write could tell when its value changes. is_key: whether triggers make keys of it; own: the table of the records, if it is no query; also: the second tables.';

CREATE OR REPLACE FUNCTION im_admin.require_trusted() RETURNS void
  LANGUAGE plpgsql SET search_path = im_admin, pg_temp AS $$
DECLARE
  strangers text := (SELECT string_agg(DISTINCT changed.name || ' ' || changed.problem, ', ') FROM changed_objects() changed);
BEGIN
  IF strangers IS NOT NULL THEN
    RAISE 'the map would run code of others with the rights of %: %. Install it as their owner, or trust each owner: --trust-owner, or trustedOwners',
      current_user, strangers;
  END IF;
END $$;
COMMENT ON FUNCTION im_admin.require_trusted IS 'Fails if a new map reads something of a role that is not trusted.';

CREATE OR REPLACE FUNCTION im_admin.require_unique(part text, view text, key text) RETURNS void
  LANGUAGE plpgsql SET search_path = im_admin, pg_temp SET row_security = off AS $$
DECLARE
  number bigint;
  examples text;
BEGIN
  PERFORM require_mapped();
  BEGIN
    EXECUTE format($query$
      SELECT count(*), array_to_string((array_agg(same.key ORDER BY same.key))[:3], ' and ')
        FROM (SELECT concat_ws(', ', %1$s) AS key FROM %2$s GROUP BY %1$s HAVING count(*) > 1) same
    $query$, key, view::regclass) INTO number, examples;
  EXCEPTION WHEN OTHERS THEN
    -- check tells which row cannot be read.
    IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
  END;
  IF number > 0 THEN
    RAISE '%: % keys have several rows, such as %: say by latest or where which of them counts', part, number, examples;
  END IF;
END $$;
COMMENT ON FUNCTION im_admin.require_unique IS 'Fails if two records of a new map have the same key. Totals would be wrong.';

CREATE OR REPLACE FUNCTION im_admin.make_conversion(routine text, source text, value text) RETURNS void
  LANGUAGE plpgsql SET search_path = im_admin, pg_temp AS $$
DECLARE
  type text;
BEGIN
  EXECUTE 'CREATE VIEW part_of_map AS ' || source;
  -- The type below a domain, whose constraints would refuse IDs that no row has.
  type := (
    WITH RECURSIVE types (type) AS (
      SELECT atttypid FROM pg_attribute WHERE attrelid = 'part_of_map'::regclass AND attnum = 1
      UNION SELECT typbasetype FROM pg_type JOIN types ON pg_type.oid = types.type WHERE typtype = 'd'
    )
    SELECT format_type(oid, NULL) FROM pg_type JOIN types ON pg_type.oid = types.type WHERE typtype <> 'd');
  DROP VIEW part_of_map;
  -- The text comes as bytes, which have no collation, so an index of the column is used whatever its collation is.
  EXECUTE format('CREATE FUNCTION %s(given bytea, OUT key %s) LANGUAGE plpgsql IMMUTABLE AS %L', routine, type, format($body$
    DECLARE
      id text := pg_catalog.convert_from(given, 'UTF8');
    BEGIN
      key := %s;
    EXCEPTION WHEN data_exception THEN
      key := NULL;
    END $body$, value));
  EXECUTE format('COMMENT ON FUNCTION %s IS %L', routine, 'Converts an ID into a value of a column; NULL if no row can have it.');
END $$;
COMMENT ON FUNCTION im_admin.make_conversion IS 'Creates a function that converts a text into the type of a column of your own. source: a query of that column.';

CREATE OR REPLACE FUNCTION im_admin.watch_table(
    asked_record text, routine text, watched text, also_part text, old_key text[], new_key text[], row_key text[], alias text)
  RETURNS void LANGUAGE plpgsql SET search_path = im_admin, pg_temp AS $$
#variable_conflict use_variable
DECLARE
  relation regclass := watched::regclass;
  kind "char" := (SELECT relkind FROM pg_class WHERE oid = relation);
  columns text;
  part regclass;
BEGIN
  IF kind = 'v' THEN
    IF also_part IS NULL AND EXISTS (SELECT FROM mapped_columns mapped WHERE mapped.record = asked_record AND mapped.part LIKE '%.also[%') THEN
      RETURN;
    END IF;
    RAISE '%: % is no table, and has no triggers: name the tables that it reads in also', asked_record, watched;
  END IF;
  -- Nothing that decides reads this second table.
  IF also_part IS NOT NULL AND NOT EXISTS (
      SELECT FROM mapped_columns mapped WHERE mapped.record = asked_record AND mapped.relation = relation AND mapped.decides)
  THEN
    RETURN;
  END IF;
  IF EXISTS (
      SELECT FROM files_of(relation) files JOIN pg_class ON pg_class.oid = files.relation WHERE relpersistence <> 'p' OR relkind IN ('f', 'm'))
  THEN
    RAISE '%: % is unlogged or materialized, or a part of it is on another server: it may change without a trigger', asked_record, watched;
  END IF;
  SELECT CASE WHEN bool_or(mapped.number = 0 OR stored.attgenerated = 'v') THEN '%1$s.*'
      ELSE string_agg(DISTINCT '%1$s.' || replace(quote_ident(stored.attname), '%', '%%'), ', ') END
    INTO columns FROM mapped_columns mapped LEFT JOIN pg_attribute stored ON attrelid = relation AND attnum = mapped.number
    WHERE mapped.record = asked_record AND mapped.relation = relation AND (mapped.decides OR mapped.part = also_part);
  EXECUTE format('CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS %L', routine, format($body$
    #variable_conflict use_column
    DECLARE
      firsts text[];
      seconds text[];
      many text[] := '{}';
      is_any boolean := false;
    BEGIN
      -- Your server may alter its table, and must still be able to write. So the block that may fail writes nothing: a
      -- subtransaction that writes would get a number of its own, and thousands of them slow down the whole server.
      BEGIN
        IF TG_LEVEL = 'ROW' THEN
          -- As records, rows are compared byte by byte, whatever types the columns have.
          IF TG_OP = 'UPDATE' AND ROW(%1$s)::record *= ROW(%2$s)::record THEN RETURN NULL; END IF;
          firsts := CASE TG_OP WHEN 'UPDATE' THEN ARRAY[%3$s, %5$s] WHEN 'DELETE' THEN ARRAY[%3$s] ELSE ARRAY[%5$s] END;
          seconds := CASE TG_OP WHEN 'UPDATE' THEN ARRAY[%4$s, %6$s] WHEN 'DELETE' THEN ARRAY[%4$s] ELSE ARRAY[%6$s] END;
          IF (firsts[1], seconds[1]) IS NOT DISTINCT FROM (firsts[2], seconds[2]) THEN
            firsts := firsts[:1];
            seconds := seconds[:1];
          END IF;
        ELSIF TG_OP = 'INSERT' THEN
          SELECT array_agg(%7$s), array_agg(%8$s) INTO firsts, seconds FROM new_rows AS %9$s;
        ELSIF TG_OP = 'DELETE' THEN
          SELECT array_agg(%7$s), array_agg(%8$s) INTO firsts, seconds FROM old_rows AS %9$s;
        ELSE
          is_any := true;
        END IF;
      EXCEPTION
        -- The transaction cannot be serialized any more.
        WHEN transaction_rollback THEN
          RAISE;
        WHEN OTHERS THEN
          -- The first parts may have been read when the second ones failed.
          firsts := NULL;
          seconds := NULL;
          is_any := TG_LEVEL = 'STATEMENT';
      END;
      IF firsts IS NULL AND TG_LEVEL = 'ROW' THEN
        -- A session keeps plans with the types that columns had before. These statements get plans of their own.
        BEGIN
          IF TG_OP <> 'INSERT' THEN
            EXECUTE %10$L INTO STRICT firsts, seconds USING OLD, firsts, seconds;
          END IF;
          IF TG_OP <> 'DELETE' THEN
            EXECUTE %10$L INTO STRICT firsts, seconds USING NEW, firsts, seconds;
          END IF;
        EXCEPTION
          WHEN transaction_rollback THEN
            RAISE;
          WHEN OTHERS THEN
            is_any := true;
        END;
      END IF;
      IF is_any THEN
        INSERT INTO touched (record) VALUES (%11$L);
      ELSE
        IF cardinality(firsts) > most_touched() AND NOT %13$L::boolean THEN
          -- One key stands for all of a group or user: as many keys, with their indexes, would make the statement slow.
          many := ARRAY(
            SELECT key.first FROM unnest(firsts) key (first) WHERE octet_length(key.first) BETWEEN 1 AND 512
              GROUP BY key.first HAVING count(*) > most_touched());
          INSERT INTO touched (record, first) SELECT %11$L, one FROM unnest(many) one;
        END IF;
        INSERT INTO touched (record, first, second)
          SELECT %14$s %11$L, key.first, key.second FROM unnest(firsts, seconds) key (first, second)
            -- Rows with other keys are not listed.
            WHERE %12$s AND (many = '{}' OR key.first <> ALL (many));
      END IF;
      RETURN NULL;
    END $body$,
    format(columns, 'OLD'), format(columns, 'NEW'), old_key[1], old_key[2], new_key[1], new_key[2],
    row_key[1], row_key[2], alias,
    format('SELECT $2 || (%s), $3 || (%s) FROM (SELECT ($1).*) AS %s', row_key[1], row_key[2], alias), asked_record,
    concat_ws(' AND ',
      CASE WHEN row_key[1] <> 'NULL::text' THEN 'octet_length(key.first) BETWEEN 1 AND 512' END,
      CASE WHEN row_key[2] <> 'NULL::text' THEN 'octet_length(key.second) BETWEEN 1 AND 512' END),
    'NULL::text' = ANY (row_key), CASE WHEN 'NULL::text' = ANY (row_key) THEN 'DISTINCT' ELSE '' END));
  EXECUTE format('COMMENT ON FUNCTION %1$s IS %2$L; REVOKE EXECUTE ON FUNCTION %1$s FROM PUBLIC',
    routine, 'Notes the keys of ' || asked_record || ' that a statement has touched in ' || watched || '.');
  INSERT INTO mapped_files (record, relation, parent, file) SELECT asked_record, files.* FROM files_of(relation) files;
  -- A partition that is emptied gets another file.
  EXECUTE format('CREATE TRIGGER zz_im_admin_%1$s_truncate AFTER TRUNCATE ON %2$s EXECUTE FUNCTION %1$s()', routine, relation);
  FOR part IN SELECT DISTINCT files.relation FROM files_of(relation) files LOOP
    -- A row that moves to another partition fires no triggers for statements, nor does a statement that writes a parent of
    -- this table. Partitions have the row triggers of the table.
    IF kind = 'p' THEN
      CONTINUE WHEN part <> relation;
    ELSIF NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = relation) THEN
      EXECUTE format($triggers$
        CREATE TRIGGER zz_im_admin_%1$s_update AFTER UPDATE ON %2$s FOR EACH ROW EXECUTE FUNCTION %1$s();
        CREATE TRIGGER zz_im_admin_%1$s_insert AFTER INSERT ON %2$s REFERENCING NEW TABLE AS new_rows EXECUTE FUNCTION %1$s();
        CREATE TRIGGER zz_im_admin_%1$s_delete AFTER DELETE ON %2$s REFERENCING OLD TABLE AS old_rows EXECUTE FUNCTION %1$s();
      $triggers$, routine, part);
      CONTINUE;
    END IF;
    EXECUTE format(
      'CREATE TRIGGER zz_im_admin_%1$s_update AFTER INSERT OR DELETE OR UPDATE ON %2$s FOR EACH ROW EXECUTE FUNCTION %1$s()',
      routine, part);
  END LOOP;
END $$;
COMMENT ON FUNCTION im_admin.watch_table IS 'Creates the triggers on a table of your own that note touched keys. also_part: the part of the map that names a second table.';

CREATE OR REPLACE FUNCTION im_admin.truncated() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp AS $$
BEGIN
  INSERT INTO touched (record) VALUES (TG_ARGV[0]);
  RETURN NULL;
END $$;
COMMENT ON FUNCTION im_admin.truncated IS 'Notes that a table of this schema was emptied.';
REVOKE EXECUTE ON FUNCTION im_admin.truncated FROM PUBLIC;
