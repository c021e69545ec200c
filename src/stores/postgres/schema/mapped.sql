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
        WHEN found.kind IS NULL THEN 'is gone'
        WHEN found.kind <> mapped.kind THEN 'is not what it was: a table has become a view, or the other way round'
        WHEN found.is_replaced THEN 'is another table now'
        ELSE 'belongs to ' || pg_get_userbyid(found.owner)
      END AS problem
    FROM im_admin.mapped_objects mapped LEFT JOIN LATERAL (
      SELECT CASE relation.oid WHEN mapped.relation THEN relation.relkind::text ELSE mapped.kind END, relation.relowner, EXISTS (
            SELECT FROM pg_class other
              WHERE other.relname = mapped.name AND other.relnamespace = to_regnamespace(quote_ident(mapped.schema))
                AND other.oid <> mapped.relation),
          CASE WHEN relation.oid <> mapped.relation THEN relation.relnamespace::regnamespace || '.' || relation.relname END
        FROM (
          WITH RECURSIVE parts (part) AS (
            SELECT mapped.relation::oid
            UNION SELECT below.inhrelid FROM pg_inherits below JOIN parts ON below.inhparent = parts.part
          )
          SELECT part FROM parts
        ) parts JOIN pg_class relation ON relation.oid = parts.part
      UNION ALL
      SELECT 'function', routine.proowner, false, NULL FROM pg_proc routine
        WHERE mapped.kind = 'function' AND routine.proname = mapped.name
          AND routine.pronamespace = to_regnamespace(quote_ident(mapped.schema))
      UNION ALL
      SELECT 'operator', operator.oprowner, false, NULL FROM pg_operator operator
        WHERE mapped.kind = 'operator' AND operator.oprname = mapped.name
          AND operator.oprnamespace = to_regnamespace(quote_ident(mapped.schema))
      UNION ALL
      SELECT 'type', type.typowner, false, NULL FROM pg_type type WHERE type.oid = mapped.type
    ) found (kind, owner, is_replaced, name) ON true
    WHERE found.kind IS DISTINCT FROM mapped.kind OR found.is_replaced OR NOT (
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

CREATE OR REPLACE FUNCTION im_admin.note_mapped_objects() RETURNS void
  LANGUAGE plpgsql SET search_path = im_admin, pg_temp AS $$
DECLARE
  own oid := (SELECT relnamespace FROM pg_class WHERE oid = 'lists'::regclass);
  strangers text;
BEGIN
  INSERT INTO mapped_objects (record, kind, schema, name, relation, type)
    WITH RECURSIVE reached (record, class, object, attribute) AS (
        SELECT substring(routine.proname, '^(.*)_(?:written|also_[0-9]+)$'), 'pg_class'::regclass::oid, tgrelid, 0
          FROM pg_trigger JOIN pg_proc routine ON routine.oid = tgfoid
          WHERE routine.pronamespace = own AND routine.proname <> 'mapped_truncated' AND routine.proname <> 'truncated'
      UNION
        SELECT relname, 'pg_class'::regclass, oid, 0 FROM pg_class
          WHERE relnamespace = own AND relkind = 'v' AND relname <> 'list_rows'
      UNION
        SELECT reached.record, below.class, below.object, below.attribute FROM reached CROSS JOIN LATERAL (
            SELECT refclassid, refobjid, refobjsubid FROM pg_rewrite rule
                JOIN pg_depend needed ON needed.classid = 'pg_rewrite'::regclass AND needed.objid = rule.oid
              WHERE reached.class = 'pg_class'::regclass AND rule.ev_class = reached.object
            UNION ALL
            SELECT 'pg_type'::regclass, atttypid, 0 FROM pg_attribute
              WHERE reached.class = 'pg_class'::regclass AND attrelid = reached.object AND attnum = reached.attribute
          ) below (class, object, attribute)
    )
    SELECT DISTINCT reached.record, found.kind, nspname, found.name, found.relation, found.type FROM reached CROSS JOIN LATERAL (
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
      WHERE pg_namespace.oid NOT IN (own, 'pg_catalog'::regnamespace, 'information_schema'::regnamespace);
  SELECT string_agg(DISTINCT changed.name || ' ' || changed.problem, ', ') INTO strangers FROM changed_objects() changed;
  IF strangers IS NOT NULL THEN
    RAISE 'the map would run code of others with the rights of %: %. Install it as their owner, or trust each owner: --trust-owner, or trustedOwners',
      current_user, strangers;
  END IF;
END $$;
COMMENT ON FUNCTION im_admin.note_mapped_objects IS 'Notes all that a new map reads. Fails if something of it belongs to a role that is not trusted.';
