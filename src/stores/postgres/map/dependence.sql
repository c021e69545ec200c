------------------------------------------------------------------------------------------------------------------------
-- What may depend on anything but rows
--
-- A list follows writes. So what decides about it must be the same for everybody as long as no row changes: whatever the
-- time, the session and its settings are. The server keeps each view as a tree, whose nodes name functions, operators and
-- types by their OIDs. These functions look up each of them in the catalogue.
------------------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION im_admin.nodes_of(trees text[])
  RETURNS TABLE (tree integer, node integer, parent integer, place text, kind text, fields jsonb) LANGUAGE plpgsql IMMUTABLE AS $$
#variable_conflict use_variable
DECLARE
  one text;
  token text;
  depth integer := 0;
  nodes integer[] := '{}';
  kinds text[] := '{}';
  places text[] := '{}';
  field text;
  held text := '';
  is_kind boolean := false;
  number integer := 0;
  found_node integer[] := '{}';
  found_field text[] := '{}';
  found_value text[] := '{}';
  of_tree integer[] := '{}';
  of_parent integer[] := '{}';
  of_place text[] := '{}';
  of_kind text[] := '{}';
BEGIN
  tree := 0;
  FOREACH one IN ARRAY trees LOOP
    tree := tree + 1;
    FOR token IN SELECT given[1] FROM regexp_matches(one, '[(){}]|(?:\\.|[^ \n\t(){}\\])+', 'g') given LOOP
      IF is_kind THEN
        kinds[depth] := token;
        is_kind := false;
        of_tree[number] := tree;
        of_parent[number] := CASE WHEN depth > 1 THEN nodes[depth - 1] ELSE 0 END;
        of_place[number] := places[depth];
        of_kind[number] := token;
        field := NULL;
      ELSIF token IN ('(', ')') THEN
        NULL;
      ELSIF token IN ('{', '}') OR starts_with(token, ':') THEN
        IF held <> '' THEN
          found_node := found_node || nodes[depth];
          found_field := found_field || field;
          found_value := found_value || held;
          held := '';
        END IF;
        IF token = '{' THEN
          depth := depth + 1;
          number := number + 1;
          nodes[depth] := number;
          places[depth] := field;
          is_kind := true;
        ELSIF token = '}' THEN
          field := places[depth];
          depth := depth - 1;
        ELSE
          field := substr(token, 2);
        END IF;
      ELSIF token <> '<>' THEN
        held := CASE held WHEN '' THEN token ELSE held || ' ' || token END;
      END IF;
    END LOOP;
  END LOOP;
  RETURN QUERY
    SELECT of_tree[one.node], one.node, of_parent[one.node], of_place[one.node], of_kind[one.node], coalesce(given.fields, '{}')
      FROM generate_series(1, number) one (node) LEFT JOIN (
          SELECT value.node, jsonb_object_agg(coalesce(value.field, ''), value.value) AS fields
            FROM unnest(found_node, found_field, found_value) value (node, field, value) GROUP BY value.node
        ) given ON given.node = one.node;
END $$;
COMMENT ON FUNCTION im_admin.nodes_of IS 'The nodes of stored trees, each with its parent, the field of the parent that it stands in, and its own fields.';

CREATE OR REPLACE FUNCTION im_admin.known_nodes() RETURNS TABLE (kind text, type_field text, type oid)
  LANGUAGE sql IMMUTABLE BEGIN ATOMIC
  SELECT known.kind, known.type_field, known.type::regtype::oid FROM (
    VALUES
      ('QUERY', NULL, NULL), ('RANGETBLENTRY', NULL, NULL), ('RTEPERMISSIONINFO', NULL, NULL), ('ALIAS', NULL, NULL),
      ('RANGETBLREF', NULL, NULL), ('RANGETBLFUNCTION', NULL, NULL), ('JOINEXPR', NULL, NULL), ('FROMEXPR', NULL, NULL),
      ('TARGETENTRY', NULL, NULL), ('SORTGROUPCLAUSE', NULL, NULL), ('GROUPINGSET', NULL, NULL), ('WINDOWCLAUSE', NULL, NULL),
      ('COMMONTABLEEXPR', NULL, NULL), ('CTESEARCHCLAUSE', NULL, NULL), ('CTECYCLECLAUSE', NULL, NULL),
      ('SETOPERATIONSTMT', NULL, NULL), ('CASEWHEN', NULL, NULL), ('JSONFORMAT', NULL, NULL),
      ('COLLATEEXPR', NULL, NULL), ('NAMEDARGEXPR', NULL, NULL), ('SUBLINK', NULL, NULL),
      ('VAR', 'vartype', NULL), ('CONST', 'consttype', NULL), ('PARAM', 'paramtype', NULL), ('FUNCEXPR', 'funcresulttype', NULL),
      ('OPEXPR', 'opresulttype', NULL), ('NULLIFEXPR', 'opresulttype', NULL), ('AGGREF', 'aggtype', NULL),
      ('WINDOWFUNC', 'wintype', NULL), ('SUBSCRIPTINGREF', 'refrestype', NULL), ('FIELDSELECT', 'resulttype', NULL),
      ('RELABELTYPE', 'resulttype', NULL), ('COERCEVIAIO', 'resulttype', NULL), ('ARRAYCOERCEEXPR', 'resulttype', NULL),
      ('CONVERTROWTYPEEXPR', 'resulttype', NULL), ('COERCETODOMAIN', 'resulttype', NULL), ('CASEEXPR', 'casetype', NULL),
      ('CASETESTEXPR', 'typeId', NULL), ('ARRAYEXPR', 'array_typeid', NULL), ('ROWEXPR', 'row_typeid', NULL),
      ('COALESCEEXPR', 'coalescetype', NULL), ('MINMAXEXPR', 'minmaxtype', NULL), ('SQLVALUEFUNCTION', 'type', NULL),
      ('DISTINCTEXPR', NULL, 'boolean'), ('SCALARARRAYOPEXPR', NULL, 'boolean'), ('ROWCOMPAREEXPR', NULL, 'boolean'),
      ('BOOLEXPR', NULL, 'boolean'), ('NULLTEST', NULL, 'boolean'), ('BOOLEANTEST', NULL, 'boolean'),
      ('JSONISPREDICATE', NULL, 'boolean'), ('GROUPINGFUNC', NULL, 'integer')
    ) known (kind, type_field, type);
END;
COMMENT ON FUNCTION im_admin.known_nodes IS 'The kinds of nodes that depend on nothing but what is in them, each with the field that has its type, or with its type. Any other kind is refused.';

CREATE OR REPLACE FUNCTION im_admin.excepted_routines() RETURNS TABLE (name text, depends_on text)
  LANGUAGE sql IMMUTABLE BEGIN ATOMIC
  SELECT unnest(ARRAY[
      'byteaout', 'interval_out', 'float4out', 'float8out', 'cash_out', 'point_out', 'lseg_out', 'path_out', 'box_out', 'poly_out',
      'line_out', 'circle_out']), 'settings'
  UNION ALL
  SELECT unnest(ARRAY[
      'anytextcat', 'textanycat', 'concat', 'concat_ws', 'format', 'quote_literal', 'quote_nullable', 'array_to_string', 'array_to_json',
      'to_json', 'to_jsonb', 'row_to_json', 'json_build_array', 'json_build_object', 'jsonb_build_array', 'jsonb_build_object', 'json_agg',
      'json_agg_strict', 'jsonb_agg', 'jsonb_agg_strict', 'json_object_agg', 'json_object_agg_strict', 'json_object_agg_unique',
      'json_object_agg_unique_strict', 'jsonb_object_agg', 'jsonb_object_agg_strict', 'jsonb_object_agg_unique',
      'jsonb_object_agg_unique_strict']), 'texts'
  UNION ALL
  -- The encoding of a database never changes.
  SELECT unnest(ARRAY['convert', 'convert_from', 'convert_to']), 'nothing';
END;
COMMENT ON FUNCTION im_admin.excepted_routines IS 'Functions of the server for which the volatility in the catalogue does not tell what they depend on. settings: on those of the session, although IMMUTABLE; texts: on the texts of their arguments; nothing: on their arguments alone.';

CREATE OR REPLACE FUNCTION im_admin.unsteady_type(asked oid, is_read boolean) RETURNS text LANGUAGE sql STABLE BEGIN ATOMIC
  WITH RECURSIVE parts (type) AS (
      SELECT asked
    UNION
      SELECT below.type FROM parts JOIN pg_type whole ON whole.oid = parts.type CROSS JOIN LATERAL (
          SELECT whole.typelem WHERE whole.typoutput = 'array_out'::regproc
          UNION ALL SELECT whole.typbasetype WHERE whole.typtype = 'd'
          UNION ALL SELECT atttypid FROM pg_attribute WHERE attrelid = whole.typrelid AND attnum > 0 AND NOT attisdropped
          UNION ALL SELECT rngsubtype FROM pg_range WHERE whole.oid IN (rngtypid, rngmultitypid)
        ) below (type)
  )
  SELECT coalesce(format_type(parts.type, NULL), 'value')
    FROM parts LEFT JOIN pg_type ON pg_type.oid = parts.type
      LEFT JOIN pg_proc ON pg_proc.oid = CASE WHEN is_read THEN typinput ELSE typoutput END
      LEFT JOIN im_admin.excepted_routines() excepted ON excepted.name = proname AND depends_on = 'settings'
        AND pronamespace = 'pg_catalog'::regnamespace
    -- The texts of these follow from those of their parts, and an enum has the same for everybody.
    WHERE (typoutput = 'array_out'::regproc OR typtype IN ('c', 'd', 'e', 'm', 'r')) IS NOT TRUE
      AND (provolatile = 'i' AND excepted.name IS NULL) IS NOT TRUE
    LIMIT 1;
END;
COMMENT ON FUNCTION im_admin.unsteady_type IS 'The type, or the part of it, whose texts depend on the session or its settings; NULL if there is none. is_read: when a text becomes a value.';

CREATE OR REPLACE FUNCTION im_admin.problem_of(trees text[], decides boolean, instant text, part text) RETURNS text
  LANGUAGE sql STABLE SET search_path = im_admin, pg_temp BEGIN ATOMIC
  WITH RECURSIVE found AS MATERIALIZED (
    SELECT * FROM im_admin.nodes_of(trees)
  ), typed (node, type) AS (
      SELECT found.node, CASE WHEN known.kind = 'SUBLINK' AND found.fields ->> 'subLinkType' NOT IN ('4', '6') THEN 'boolean'::regtype::oid
          ELSE coalesce(known.type, (found.fields ->> known.type_field)::oid) END
        FROM found JOIN im_admin.known_nodes() known ON known.kind = found.kind
        WHERE known.type IS NOT NULL OR known.type_field IS NOT NULL
          OR known.kind = 'SUBLINK' AND found.fields ->> 'subLinkType' NOT IN ('4', '6')
    UNION ALL
      -- These have the type of what is in them.
      SELECT above.node, typed.type FROM typed JOIN found below ON below.node = typed.node JOIN found above ON above.node = below.parent
        WHERE above.kind IN ('COLLATEEXPR', 'NAMEDARGEXPR') AND below.place = 'arg'
          OR above.kind = 'TARGETENTRY' AND below.place = 'expr'
          OR above.kind = 'QUERY' AND below.place = 'targetList' AND below.fields ->> 'resno' = '1'
          OR above.kind = 'SUBLINK' AND below.place = 'subselect' AND above.fields ->> 'subLinkType' IN ('4', '6')
  ), called (node, routine) AS MATERIALIZED (
      SELECT node, (fields ->> CASE kind WHEN 'FUNCEXPR' THEN 'funcid' WHEN 'AGGREF' THEN 'aggfnoid' ELSE 'winfnoid' END)::oid
        FROM found WHERE kind IN ('FUNCEXPR', 'AGGREF', 'WINDOWFUNC')
    UNION
      SELECT found.node, oprcode FROM found
          CROSS JOIN regexp_split_to_table(ltrim(coalesce(fields ->> 'opno', fields ->> 'opnos'), 'o '), ' ') number
          JOIN pg_operator ON pg_operator.oid = number::oid
        WHERE kind IN ('OPEXPR', 'DISTINCTEXPR', 'NULLIFEXPR', 'SCALARARRAYOPEXPR', 'ROWCOMPAREEXPR')
    UNION
      -- The catalogue says of each aggregate of yours that it is IMMUTABLE, whatever its functions are.
      SELECT found.node, routine FROM found JOIN pg_aggregate ON aggfnoid = (fields ->> 'aggfnoid')::oid
          CROSS JOIN unnest(ARRAY[aggtransfn, aggfinalfn, aggmtransfn, aggminvtransfn, aggmfinalfn, aggcombinefn]) routine
        WHERE kind = 'AGGREF' AND routine <> 0 AND aggfnoid >= 16384
  ), routine AS MATERIALIZED (
    SELECT called.node, CASE pronamespace WHEN 'pg_catalog'::regnamespace THEN proname ELSE called.routine::regproc::text END || '()' AS name, provolatile, pronamespace = 'pg_catalog'::regnamespace AS is_own, excepted.depends_on,
        proname IN ('extract', 'date_part') AND EXISTS (
          SELECT FROM found argument WHERE argument.parent = called.node AND argument.kind = 'CONST'
            AND argument.fields ->> 'constvalue' LIKE '9 [ % 101 112 111 99 104 ]') AS is_epoch
      FROM called JOIN pg_proc ON pg_proc.oid = called.routine
        LEFT JOIN im_admin.excepted_routines() excepted ON excepted.name = proname AND pronamespace = 'pg_catalog'::regnamespace
  ), problem (rank, node, told) AS (
      SELECT 1, node, name || ' differs from call to call' FROM routine WHERE provolatile = 'v'
    UNION ALL
      SELECT 1, node, 'TABLESAMPLE differs from call to call' FROM found WHERE kind = 'TABLESAMPLECLAUSE'
    UNION ALL
      -- Operators are looked up among those of the server alone.
      SELECT 2, found.node, 'compares ' || typed.type::regtype || ' as text: cast it to text, or name the operator, such as OPERATOR(public.=)'
        FROM found JOIN found argument ON argument.parent = found.node AND argument.place = 'arg'
          JOIN typed ON typed.node = argument.node JOIN pg_type ON pg_type.oid = typed.type
          JOIN found above ON above.node = found.parent
        WHERE found.kind = 'RELABELTYPE' AND found.fields ->> 'resulttype' = '25' AND found.fields ->> 'relabelformat' = '2'
          AND typtype = 'b' AND typnamespace <> 'pg_catalog'::regnamespace
          AND NOT (above.kind = 'OPEXPR' AND above.fields ->> 'opresulttype' = '25')
    UNION ALL
      SELECT 3, node, 'the collation of the key takes different IDs for the same: name a key such as { sql: ''id COLLATE "C"'' }'
        FROM found JOIN pg_collation ON pg_collation.oid = (fields ->> 'inputcollid')::oid
        WHERE part LIKE '%.latest' AND NOT collisdeterministic
    UNION ALL
      SELECT 4, node, 'has SQL that im-admin does not know: ' || found.kind FROM found
        WHERE decides AND found.kind NOT IN (SELECT known.kind FROM im_admin.known_nodes() known)
    UNION ALL
      SELECT 5, node, name || ' may read what im-admin does not see: declare it IMMUTABLE if it reads nothing but its arguments'
        FROM routine WHERE decides AND provolatile = 's' AND NOT is_own
    UNION ALL
      SELECT 5, session.node, format('the time or the session decides by %s, and no write tells im-admin when it does', session.cause) FROM (
          SELECT node, name FROM routine
            WHERE is_own AND NOT is_epoch AND (provolatile = 's' AND depends_on IS NULL OR depends_on = 'settings')
          UNION ALL
          SELECT node, 'CURRENT_TIMESTAMP, CURRENT_USER or the like' FROM found WHERE kind = 'SQLVALUEFUNCTION'
          UNION ALL
          SELECT node, 'a constant such as ''now''' FROM found
            WHERE kind = 'CONST' AND fields ->> 'consttype' NOT IN ('25', '705') AND strpos(fields ->> 'constvalue', instant) > 0
          UNION ALL
          SELECT argument.node, 'the text of a ' || unsteady.type
            FROM found argument JOIN found above ON above.node = argument.parent LEFT JOIN typed ON typed.node = argument.node
              CROSS JOIN im_admin.unsteady_type(typed.type, false) unsteady (type)
            WHERE unsteady.type IS NOT NULL AND (above.kind = 'COERCEVIAIO' AND argument.place = 'arg'
              OR argument.place = 'args' AND above.node IN (SELECT routine.node FROM routine WHERE depends_on = 'texts'))
          UNION ALL
          SELECT node, 'how a text becomes a ' || unsteady.type
            FROM found CROSS JOIN im_admin.unsteady_type((fields ->> 'resulttype')::oid, true) unsteady (type)
            WHERE kind = 'COERCEVIAIO' AND unsteady.type IS NOT NULL
        ) session (node, cause)
        WHERE decides
  )
  SELECT told FROM problem ORDER BY rank, node LIMIT 1;
END;
COMMENT ON FUNCTION im_admin.problem_of IS 'Why a part of a map must not be installed, from its stored tree and those of the views that it reads; NULL if nothing stands against it. instant: the bytes of the time that a constant would have if it were the present one.';

CREATE OR REPLACE FUNCTION im_admin.tree_of(view regclass) RETURNS text LANGUAGE sql STABLE RETURN (
  SELECT ev_action::text FROM pg_catalog.pg_rewrite WHERE ev_class = view AND ev_type = '1');
COMMENT ON FUNCTION im_admin.tree_of IS 'The stored tree of a view.';

CREATE OR REPLACE FUNCTION im_admin.make_part(query text, OUT instant text, OUT is_steady boolean)
  LANGUAGE plpgsql SET search_path = im_admin, pg_temp SET TimeZone = '-12' SET DateStyle = 'ISO, MDY' SET IntervalStyle = 'postgres'
  SET transform_null_equals = off SET array_nulls = on SET xmloption = 'content' SET escape_string_warning = off AS $$
#variable_conflict use_variable
DECLARE
  tree text;
BEGIN
  CREATE VIEW part_of_map AS SELECT TIMESTAMPTZ 'now' AS one;
  instant := substring(tree_of('part_of_map') FROM ':consttype 1184 [^{}]*:constvalue 8 \[ ([-0-9 ]+) \]');
  DROP VIEW part_of_map;
  -- A constant in a text of the map is read anew in each session, so its value must not depend on settings. The tree has
  -- places in this statement, so it is the same one twice.
  EXECUTE 'CREATE OR REPLACE VIEW part_of_map AS ' || query;
  tree := tree_of('part_of_map');
  PERFORM set_config(name, value, true) FROM (
    VALUES ('TimeZone', '14'), ('DateStyle', 'SQL, DMY'), ('IntervalStyle', 'sql_standard'), ('transform_null_equals', 'on'),
      ('array_nulls', 'off'), ('xmloption', 'document')) other (name, value);
  BEGIN
    EXECUTE 'CREATE OR REPLACE VIEW part_of_map AS ' || query;
    is_steady := tree = tree_of('part_of_map');
  EXCEPTION WHEN OTHERS THEN
    is_steady := false;
  END;
END $$;
COMMENT ON FUNCTION im_admin.make_part IS 'Creates the view part_of_map. is_steady: whether it is the same under other settings of a session; instant: the bytes of the present time in its tree.';
