CREATE TABLE users (
  user_id text COLLATE "C" NOT NULL CHECK (user_id <> '' AND strpos(user_id, E'\x01') = 0),
  nickname text COLLATE "C" NOT NULL DEFAULT '',
  face_url text COLLATE "C" NOT NULL DEFAULT '',
  ex text COLLATE "C" NOT NULL DEFAULT '',
  app_manger_level integer NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id)
);

CREATE TABLE groups (
  group_id text COLLATE "C" NOT NULL CHECK (group_id <> '' AND strpos(group_id, E'\x01') = 0),
  group_name text COLLATE "C" NOT NULL DEFAULT '',
  notification text COLLATE "C" NOT NULL DEFAULT '',
  introduction text COLLATE "C" NOT NULL DEFAULT '',
  face_url text COLLATE "C" NOT NULL DEFAULT '',
  create_time bigint NOT NULL DEFAULT 0 CHECK (create_time BETWEEN 0 AND 9999999999999999),
  ex text COLLATE "C" NOT NULL DEFAULT '',
  status integer NOT NULL DEFAULT 0,
  creator_user_id text COLLATE "C" NOT NULL DEFAULT '',
  group_type integer NOT NULL DEFAULT 0,
  need_verification integer NOT NULL DEFAULT 0,
  look_member_info integer NOT NULL DEFAULT 0,
  apply_member_friend integer NOT NULL DEFAULT 0,
  notification_update_time bigint NOT NULL DEFAULT 0 CHECK (notification_update_time BETWEEN 0 AND 9999999999999999),
  notification_user_id text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (group_id)
);

CREATE TABLE group_members (
  group_id text COLLATE "C" NOT NULL CHECK (group_id <> '' AND strpos(group_id, E'\x01') = 0),
  user_id text COLLATE "C" NOT NULL CHECK (user_id <> '' AND strpos(user_id, E'\x01') = 0),
  role_level integer NOT NULL DEFAULT 0 CHECK (role_level BETWEEN 0 AND 999),
  join_time bigint NOT NULL DEFAULT 0 CHECK (join_time BETWEEN 0 AND 9999999999999999),
  nickname text COLLATE "C" NOT NULL DEFAULT '',
  face_url text COLLATE "C" NOT NULL DEFAULT '',
  join_source integer NOT NULL DEFAULT 0,
  operator_user_id text COLLATE "C" NOT NULL DEFAULT '',
  ex text COLLATE "C" NOT NULL DEFAULT '',
  mute_end_time bigint NOT NULL DEFAULT 0 CHECK (mute_end_time BETWEEN 0 AND 9999999999999999),
  inviter_user_id text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (group_id, user_id)
);

CREATE TABLE blacks (
  owner_user_id text COLLATE "C" NOT NULL CHECK (owner_user_id <> '' AND strpos(owner_user_id, E'\x01') = 0),
  black_user_id text COLLATE "C" NOT NULL CHECK (black_user_id <> '' AND strpos(black_user_id, E'\x01') = 0),
  create_time bigint NOT NULL DEFAULT 0 CHECK (create_time BETWEEN 0 AND 9999999999999999),
  add_source integer NOT NULL DEFAULT 0,
  operator_user_id text COLLATE "C" NOT NULL DEFAULT '',
  ex text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (owner_user_id, black_user_id)
);

CREATE TABLE group_requests (
  group_id text COLLATE "C" NOT NULL CHECK (group_id <> '' AND strpos(group_id, E'\x01') = 0),
  user_id text COLLATE "C" NOT NULL CHECK (user_id <> '' AND strpos(user_id, E'\x01') = 0),
  handle_result integer NOT NULL DEFAULT 0,
  req_msg text COLLATE "C" NOT NULL DEFAULT '',
  handle_msg text COLLATE "C" NOT NULL DEFAULT '',
  req_time bigint NOT NULL DEFAULT 0 CHECK (req_time BETWEEN 0 AND 9999999999999999),
  handle_user_id text COLLATE "C" NOT NULL DEFAULT '',
  handle_time bigint NOT NULL DEFAULT 0 CHECK (handle_time BETWEEN 0 AND 9999999999999999),
  ex text COLLATE "C" NOT NULL DEFAULT '',
  join_source integer NOT NULL DEFAULT 0,
  inviter_user_id text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (group_id, user_id)
);

CREATE TABLE conversations (
  owner_user_id text COLLATE "C" NOT NULL CHECK (owner_user_id <> '' AND strpos(owner_user_id, E'\x01') = 0),
  conversation_id text COLLATE "C" NOT NULL CHECK (conversation_id <> '' AND strpos(conversation_id, E'\x01') = 0),
  conversation_type integer NOT NULL DEFAULT 0,
  user_id text COLLATE "C" NOT NULL DEFAULT '',
  group_id text COLLATE "C" NOT NULL DEFAULT '',
  recv_msg_opt integer NOT NULL DEFAULT 0,
  attached_info text COLLATE "C" NOT NULL DEFAULT '',
  is_pinned boolean NOT NULL DEFAULT false,
  is_private_chat boolean NOT NULL DEFAULT false,
  ex text COLLATE "C" NOT NULL DEFAULT '',
  burn_duration integer NOT NULL DEFAULT 0,
  PRIMARY KEY (owner_user_id, conversation_id)
);

CREATE TABLE IF NOT EXISTS lists (
  list smallint NOT NULL,
  owner text COLLATE "C" NOT NULL,
  announced_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
  is_marked boolean NOT NULL DEFAULT false,
  is_counted boolean NOT NULL DEFAULT false,
  PRIMARY KEY (list, owner)
);

CREATE INDEX IF NOT EXISTS lists_announced ON lists (list, owner) WHERE NOT is_counted;

CREATE TABLE IF NOT EXISTS list_totals (
  list smallint NOT NULL,
  owner text COLLATE "C" NOT NULL,
  version xid8 NOT NULL,
  total bigint NOT NULL,
  height integer NOT NULL,
  folded_before xid8 NOT NULL,
  unfinished xid8[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (list, owner, version)
) WITH (autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE IF NOT EXISTS list_changes (
  list smallint NOT NULL,
  owner text COLLATE "C" NOT NULL,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  key text COLLATE "C" NOT NULL,
  change integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE INDEX IF NOT EXISTS list_changes_of_lists ON list_changes (list, owner, transaction);

CREATE TABLE IF NOT EXISTS due_folds (
  list smallint NOT NULL,
  owner text COLLATE "C" NOT NULL,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE INDEX IF NOT EXISTS due_folds_of_lists ON due_folds (list, owner, transaction);

ALTER TABLE list_changes REPLICA IDENTITY FULL;

ALTER TABLE due_folds REPLICA IDENTITY FULL;

CREATE TABLE IF NOT EXISTS list_nodes (
  list smallint NOT NULL,
  owner text COLLATE "C" NOT NULL,
  level integer NOT NULL,
  start text COLLATE "C" NOT NULL,
  version xid8 NOT NULL,
  bounds text[] COLLATE "C" NOT NULL,
  totals bigint[] NOT NULL,
  PRIMARY KEY (list, owner, level, start, version)
) WITH (autovacuum_vacuum_scale_factor = 0.05);

ALTER TABLE list_nodes ALTER bounds SET STORAGE EXTERNAL;

CREATE TABLE IF NOT EXISTS received_group_requests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  manager_user_id text COLLATE "C" NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  req_time bigint NOT NULL,
  handle_result integer NOT NULL
);

CREATE INDEX IF NOT EXISTS received_of_requests ON received_group_requests (group_id, user_id);

CREATE INDEX IF NOT EXISTS received_of_managers ON received_group_requests (manager_user_id, group_id);

CREATE TABLE IF NOT EXISTS received_doubts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  group_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL DEFAULT '',
  manager_user_id text COLLATE "C" NOT NULL DEFAULT '',
  made_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
  is_marked boolean NOT NULL DEFAULT false
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE INDEX IF NOT EXISTS received_doubts_made ON received_doubts (made_by);

CREATE INDEX IF NOT EXISTS received_doubts_of_managers ON received_doubts (manager_user_id, group_id);

CREATE INDEX IF NOT EXISTS group_members_managing ON group_members (user_id, group_id) WHERE role_level IN (60, 100);

CREATE INDEX IF NOT EXISTS group_members_managers ON group_members (group_id, user_id) WHERE role_level IN (60, 100);

CREATE TABLE IF NOT EXISTS documents (
  group_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  words text COLLATE "C",
  PRIMARY KEY (group_id, key)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE IF NOT EXISTS searched_groups (
  group_id text COLLATE "C" PRIMARY KEY,
  documented_before text COLLATE "C" NOT NULL
);

CREATE TABLE IF NOT EXISTS profile_doubts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_ids text[] COLLATE "C" NOT NULL,
  made_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
  is_marked boolean NOT NULL DEFAULT false
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE INDEX IF NOT EXISTS documents_without_words ON documents (group_id, key) WHERE words IS NULL;

CREATE INDEX IF NOT EXISTS profile_doubts_marked ON profile_doubts (id) WHERE is_marked;

CREATE INDEX IF NOT EXISTS profile_doubts_unmarked ON profile_doubts (id) WHERE NOT is_marked;

CREATE INDEX IF NOT EXISTS group_members_in_order
  ON group_members (group_id, ((2000 - role_level)::text || (20000000000000000 + join_time)::text || user_id));

CREATE OR REPLACE VIEW group_members_entries AS
  SELECT group_id AS owner, ((2000 - role_level)::text || (20000000000000000 + join_time)::text || user_id) AS key FROM group_members;

CREATE INDEX IF NOT EXISTS joined_groups_in_order
  ON group_members (user_id, ((20000000000000000 - join_time)::text || group_id));

CREATE OR REPLACE VIEW joined_groups_entries AS
  SELECT user_id AS owner, ((20000000000000000 - join_time)::text || group_id) AS key FROM group_members;

CREATE INDEX IF NOT EXISTS blacks_in_order
  ON blacks (owner_user_id, ((20000000000000000 - create_time)::text || black_user_id));

CREATE OR REPLACE VIEW blacks_entries AS
  SELECT owner_user_id AS owner, ((20000000000000000 - create_time)::text || black_user_id) AS key FROM blacks;

CREATE INDEX IF NOT EXISTS notification_accounts_in_order
  ON users (('1' || user_id)) WHERE app_manger_level >= 3;

CREATE OR REPLACE VIEW notification_accounts_entries AS
  SELECT '' AS owner, ('1' || user_id) AS key FROM users WHERE app_manger_level >= 3;

CREATE INDEX IF NOT EXISTS notification_accounts_by_level_in_order
  ON users (((30000000000 + app_manger_level)::text || user_id)) WHERE app_manger_level >= 3;

CREATE OR REPLACE VIEW notification_accounts_by_level_entries AS
  SELECT '' AS owner, ((30000000000 + app_manger_level)::text || user_id) AS key FROM users WHERE app_manger_level >= 3;

CREATE INDEX IF NOT EXISTS received_group_requests_in_order
  ON received_group_requests (manager_user_id, ((20000000000000000 - req_time)::text || group_id || E'\x01' || user_id));

CREATE OR REPLACE VIEW received_group_requests_entries AS
  SELECT manager_user_id AS owner, ((20000000000000000 - req_time)::text || group_id || E'\x01' || user_id) AS key FROM received_group_requests;

CREATE INDEX IF NOT EXISTS received_group_requests_by_result_in_order
  ON received_group_requests (manager_user_id, ((30000000000 + handle_result)::text || (20000000000000000 - req_time)::text || group_id || E'\x01' || user_id));

CREATE OR REPLACE VIEW received_group_requests_by_result_entries AS
  SELECT manager_user_id AS owner, ((30000000000 + handle_result)::text || (20000000000000000 - req_time)::text || group_id || E'\x01' || user_id) AS key FROM received_group_requests;

CREATE OR REPLACE FUNCTION received_settle(most bigint, longest bigint)
  RETURNS void
  LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed'
    OR NOT pg_try_advisory_xact_lock(hashtext(current_schema() || ' received'), 0)
  THEN RETURN; END IF;
  PERFORM set_config('im_admin.settled', pg_current_xact_id()::text, true);
  WITH doubted AS MATERIALIZED (
    SELECT id, group_id, user_id FROM received_doubts WHERE user_id <> '' ORDER BY made_by LIMIT most
  ), present AS MATERIALIZED (
    SELECT doubted.id AS doubt, own.id FROM doubted CROSS JOIN LATERAL (
      SELECT id FROM received_group_requests kept
        WHERE kept.group_id = doubted.group_id AND kept.user_id = doubted.user_id OFFSET 0) own
  ), locked AS MATERIALIZED (
    SELECT id FROM received_group_requests WHERE id = ANY (ARRAY (SELECT id FROM present)) FOR UPDATE SKIP LOCKED
  ), blocked AS MATERIALIZED (
    SELECT doubt FROM present WHERE id NOT IN (SELECT id FROM locked)
  ), free AS MATERIALIZED (
    SELECT * FROM doubted WHERE id NOT IN (SELECT doubt FROM blocked)
  ), removed AS (
    DELETE FROM received_group_requests
      WHERE id = ANY (ARRAY (SELECT id FROM present WHERE doubt NOT IN (SELECT doubt FROM blocked)))
  ), settled AS (
    SELECT DISTINCT group_id, user_id FROM free
  ), added AS (
    INSERT INTO received_group_requests (manager_user_id, group_id, user_id, req_time, handle_result)
      SELECT manager.user_id AS manager_user_id, request.group_id, request.user_id, request.req_time, request.handle_result
        FROM (
          SELECT own.* FROM settled CROSS JOIN LATERAL (
            SELECT * FROM group_requests asked WHERE asked.group_id = settled.group_id AND asked.user_id = settled.user_id OFFSET 0) own) request CROSS JOIN LATERAL (
          SELECT user_id FROM group_members member WHERE member.group_id = request.group_id AND member.role_level IN (60, 100) OFFSET 0) manager
  )
  DELETE FROM received_doubts WHERE id = ANY (ARRAY (SELECT id FROM free));
  WITH doubted AS MATERIALIZED (
    SELECT id, group_id, manager_user_id FROM (
        SELECT *, sum(requests) OVER (ORDER BY made_by, id) AS requests_so_far FROM (
            SELECT doubt.*, asked.requests FROM received_doubts doubt CROSS JOIN LATERAL (
                SELECT count(*) AS requests
                  FROM (SELECT FROM group_requests WHERE group_id = doubt.group_id LIMIT longest + 1) request
              ) asked
              WHERE doubt.manager_user_id <> '' AND doubt.is_marked AND ((pg_snapshot_xmin(pg_current_snapshot())::text::bigint - doubt.xmin::text::bigint) & 4294967295 BETWEEN 1 AND 2147483648) AND asked.requests <= longest
              ORDER BY doubt.made_by, doubt.id LIMIT most
          ) short
      ) summed WHERE requests_so_far <= longest
  ), present AS MATERIALIZED (
    SELECT doubted.id AS doubt, own.id FROM doubted CROSS JOIN LATERAL (
      SELECT id FROM received_group_requests kept
        WHERE kept.group_id = doubted.group_id AND kept.manager_user_id = doubted.manager_user_id OFFSET 0) own
  ), locked AS MATERIALIZED (
    SELECT id FROM received_group_requests WHERE id = ANY (ARRAY (SELECT id FROM present)) FOR UPDATE SKIP LOCKED
  ), blocked AS MATERIALIZED (
    SELECT doubt FROM present WHERE id NOT IN (SELECT id FROM locked)
  ), free AS MATERIALIZED (
    SELECT * FROM doubted WHERE id NOT IN (SELECT doubt FROM blocked)
  ), removed AS (
    DELETE FROM received_group_requests
      WHERE id = ANY (ARRAY (SELECT id FROM present WHERE doubt NOT IN (SELECT doubt FROM blocked)))
  ), settled AS (
    SELECT DISTINCT group_id, manager_user_id FROM free
  ), added AS (
    INSERT INTO received_group_requests (manager_user_id, group_id, user_id, req_time, handle_result)
      SELECT settled.manager_user_id, request.group_id, request.user_id, request.req_time, request.handle_result
        FROM settled CROSS JOIN LATERAL (
          SELECT FROM group_members member
            WHERE member.group_id = settled.group_id AND member.user_id = settled.manager_user_id AND member.role_level IN (60, 100) OFFSET 0) manager
          CROSS JOIN LATERAL (
            SELECT * FROM group_requests asked WHERE asked.group_id = settled.group_id OFFSET 0) request
  )
  DELETE FROM received_doubts WHERE id = ANY (ARRAY (SELECT id FROM free));
  BEGIN
    UPDATE received_doubts SET is_marked = true WHERE id = ANY (ARRAY (SELECT id FROM received_doubts
      WHERE NOT is_marked AND manager_user_id <> '' AND made_by <> pg_current_xact_id()
      ORDER BY made_by LIMIT most));
  EXCEPTION WHEN assert_failure THEN
    NULL;
  END;
END
$body$;

CREATE OR REPLACE FUNCTION received_doubts_settle()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
BEGIN
  IF pg_trigger_depth() > 1
    OR current_setting('im_admin.settled', true) IS NOT DISTINCT FROM pg_current_xact_id()::text
  THEN RETURN NULL; END IF;
  PERFORM set_config('im_admin.settled', pg_current_xact_id()::text, true);
  IF EXISTS (SELECT FROM received_doubts) THEN
    BEGIN
      LOCK TABLE group_requests, group_members IN ACCESS SHARE MODE NOWAIT;
    EXCEPTION WHEN lock_not_available THEN
      RETURN NULL;
    END;
    PERFORM received_settle(20, 5000);
  END IF;
  RETURN NULL;
END
$body$;

DROP TRIGGER IF EXISTS received_doubts_settle ON received_doubts;

CREATE CONSTRAINT TRIGGER received_doubts_settle AFTER INSERT ON received_doubts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION received_doubts_settle();

DROP TRIGGER IF EXISTS received_group_requests_settle ON received_group_requests;

CREATE CONSTRAINT TRIGGER received_group_requests_settle AFTER INSERT ON received_group_requests DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (random() * 64 < 1) EXECUTE FUNCTION received_doubts_settle();

CREATE OR REPLACE FUNCTION documents_write(asked_group text, keys text[])
  RETURNS void
  LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
  SET gin_pending_list_limit = 512
AS $body$
#variable_conflict use_variable
DECLARE
  bound text := (SELECT documented_before FROM searched_groups WHERE group_id = asked_group);
BEGIN
  IF bound IS NULL THEN RETURN; END IF;
  WITH wanted AS MATERIALIZED (
    SELECT named.group_id, named.key,
        CASE WHEN octet_length(named.nickname) <= 4000
          THEN lower(named.user_id || E'\x1f' || named.nickname) END AS words
      FROM (
          SELECT member.group_id, member.user_id, ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) AS key,
              CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END AS nickname
            FROM (SELECT own.* FROM unnest(keys) AS asked (key) CROSS JOIN LATERAL (
              SELECT * FROM group_members member WHERE member.group_id = asked_group AND ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) = asked.key OFFSET 0) own
              WHERE asked.key < bound) member LEFT JOIN users profile ON profile.user_id = member.user_id
        ) named
  ), gone AS (
    DELETE FROM documents WHERE ctid = ANY (ARRAY (SELECT own.place FROM unnest(keys) AS asked (key) CROSS JOIN LATERAL (
      SELECT document.ctid AS place, document.key FROM documents document
        WHERE document.group_id = asked_group AND document.key = asked.key OFFSET 0) own
      WHERE own.key NOT IN (SELECT wanted.key FROM wanted)))
  )
  INSERT INTO documents (group_id, key, words) SELECT * FROM wanted
    ON CONFLICT (group_id, key) DO UPDATE SET words = excluded.words
      WHERE documents.words IS DISTINCT FROM excluded.words;
END
$body$;

CREATE OR REPLACE FUNCTION documents_keep(asked_group text, total bigint, most bigint)
  RETURNS void
  LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  bound text := (SELECT documented_before FROM searched_groups WHERE group_id = asked_group);
  next_bound text;
BEGIN
  IF total * 2 < 2000 THEN
    IF bound IS NOT NULL THEN
      DELETE FROM documents WHERE group_id = asked_group;
      DELETE FROM searched_groups WHERE group_id = asked_group;
    END IF;
    RETURN;
  END IF;
  IF bound = ':' OR (bound IS NULL AND total <= 2000) THEN RETURN; END IF;
  IF bound IS NULL THEN
    bound := '';
    INSERT INTO searched_groups (group_id, documented_before) VALUES (asked_group, bound);
  END IF;
  next_bound := coalesce((
    SELECT entry.key FROM group_members_entries entry
      WHERE entry.owner = asked_group AND entry.key >= bound ORDER BY entry.key OFFSET most LIMIT 1
  ), ':');
  -- Members who come to be in this range from now on have pending changes.
  DELETE FROM documents
    WHERE group_id = asked_group AND documents.key >= bound AND documents.key < next_bound;
  INSERT INTO documents (group_id, key, words)
    SELECT named.group_id, named.key,
        CASE WHEN octet_length(named.nickname) <= 4000
          THEN lower(named.user_id || E'\x1f' || named.nickname) END AS words
      FROM (
          SELECT member.group_id, member.user_id, ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) AS key,
              CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END AS nickname
            FROM (SELECT * FROM group_members member WHERE member.group_id = asked_group AND ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) >= bound AND ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) < next_bound) member LEFT JOIN users profile ON profile.user_id = member.user_id
        ) named;
  UPDATE searched_groups SET documented_before = next_bound WHERE group_id = asked_group;
END
$body$;

CREATE OR REPLACE FUNCTION documents_rebuild()
  RETURNS void
  LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT SET row_security = off
AS $body$
#variable_conflict use_variable
BEGIN
  DELETE FROM documents;
  DELETE FROM searched_groups;
  INSERT INTO searched_groups (group_id, documented_before)
    SELECT owner, ':' FROM list_totals
      WHERE list = 1 AND total > 2000;
  INSERT INTO documents (group_id, key, words)
    SELECT named.group_id, named.key,
        CASE WHEN octet_length(named.nickname) <= 4000
          THEN lower(named.user_id || E'\x1f' || named.nickname) END AS words
      FROM (
          SELECT member.group_id, member.user_id, ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) AS key,
              CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END AS nickname
            FROM (SELECT * FROM group_members WHERE group_id IN (SELECT group_id FROM searched_groups)) member LEFT JOIN users profile ON profile.user_id = member.user_id
        ) named ORDER BY 1, 2;
END
$body$;

CREATE OR REPLACE FUNCTION profile_doubts_settle(most bigint)
  RETURNS void
  LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed'
    OR NOT pg_try_advisory_xact_lock(hashtext(current_schema() || ' profiles'), 0)
  THEN RETURN; END IF;
  -- They are marked in this order: where the first is not to be settled yet, hardly any is.
  IF (SELECT ((pg_snapshot_xmin(pg_current_snapshot())::text::bigint - doubt.xmin::text::bigint) & 4294967295 BETWEEN 1 AND 2147483648) FROM profile_doubts doubt WHERE doubt.is_marked ORDER BY id LIMIT 1) THEN
    WITH settled AS (
      DELETE FROM profile_doubts WHERE id = ANY (ARRAY (SELECT id FROM (
          SELECT id, sum(cardinality(user_ids)) OVER (ORDER BY id) - cardinality(user_ids) AS users_before FROM (
              SELECT * FROM profile_doubts doubt WHERE doubt.is_marked AND ((pg_snapshot_xmin(pg_current_snapshot())::text::bigint - doubt.xmin::text::bigint) & 4294967295 BETWEEN 1 AND 2147483648) ORDER BY id LIMIT most
            ) old
        ) summed WHERE users_before < most))
        RETURNING user_ids
    ), doubted AS MATERIALIZED (
      SELECT DISTINCT unnest(user_ids) AS user_id FROM settled
        WHERE EXISTS (SELECT FROM lists known WHERE known.list = 1)
    ), appended AS (
      INSERT INTO list_changes (list, owner, key, change)
        SELECT 1, named.group_id, named.key, 0
          FROM doubted CROSS JOIN LATERAL (
            SELECT member.group_id, ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) AS key FROM group_members member
              WHERE member.user_id = doubted.user_id AND member.nickname = '' OFFSET 0) named
          WHERE (SELECT true FROM lists known WHERE known.list = 1 AND known.owner = named.group_id)
        RETURNING owner
    )
    INSERT INTO due_folds (list, owner)
      SELECT 1, owner FROM appended
        GROUP BY owner HAVING random() * 64 < count(*);
  END IF;
  BEGIN
    UPDATE profile_doubts SET is_marked = true WHERE id = ANY (ARRAY (SELECT id FROM profile_doubts WHERE NOT is_marked AND made_by <> pg_current_xact_id() ORDER BY id LIMIT most));
  EXCEPTION WHEN assert_failure THEN
    NULL;
  END;
END
$body$;

CREATE OR REPLACE FUNCTION profile_doubts_settle_at_end()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
BEGIN
  IF pg_trigger_depth() > 1
    OR current_setting('im_admin.profiles_settled', true) IS NOT DISTINCT FROM pg_current_xact_id()::text
  THEN RETURN NULL; END IF;
  PERFORM set_config('im_admin.profiles_settled', pg_current_xact_id()::text, true);
  BEGIN
    LOCK TABLE group_members, users IN ACCESS SHARE MODE NOWAIT;
  EXCEPTION WHEN lock_not_available THEN
    RETURN NULL;
  END;
  PERFORM profile_doubts_settle(1000);
  RETURN NULL;
END
$body$;

DROP TRIGGER IF EXISTS profile_doubts_settle ON profile_doubts;

CREATE CONSTRAINT TRIGGER profile_doubts_settle AFTER INSERT ON profile_doubts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (random() * 64 < 4) EXECUTE FUNCTION profile_doubts_settle_at_end();

CREATE OR REPLACE FUNCTION list_announce(asked_list integer, asked_owner text, most bigint, OUT counted list_totals)
  LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  known lists;
  number bigint;
  is_long boolean;
BEGIN
  SELECT * INTO known FROM lists WHERE list = asked_list AND owner = asked_owner;
  IF NOT FOUND THEN
    EXECUTE format('SELECT count(*) > $1 FROM (SELECT FROM %I WHERE owner = $2 LIMIT $1 + 1) entry', CASE asked_list WHEN 1 THEN 'group_members_entries' WHEN 2 THEN 'joined_groups_entries' WHEN 3 THEN 'blacks_entries' WHEN 4 THEN 'notification_accounts_entries' WHEN 5 THEN 'notification_accounts_by_level_entries' WHEN 6 THEN 'received_group_requests_entries' WHEN 7 THEN 'received_group_requests_by_result_entries' END)
      INTO is_long USING 128, asked_owner;
    -- Nobody reads the changes of a list that is not counted.
    DELETE FROM list_changes WHERE list = asked_list AND owner = asked_owner;
    IF is_long THEN INSERT INTO lists (list, owner) VALUES (asked_list, asked_owner); END IF;
  ELSIF known.is_counted THEN
    SELECT * INTO counted FROM list_totals
      WHERE list = asked_list AND owner = asked_owner ORDER BY version DESC LIMIT 1;
  ELSIF NOT known.is_marked THEN
    IF known.announced_by = pg_current_xact_id() THEN RETURN; END IF;
    BEGIN
      UPDATE lists SET is_marked = true WHERE list = asked_list AND owner = asked_owner;
    EXCEPTION WHEN assert_failure THEN
      NULL;
    END;
  ELSE
    SELECT xmin::text::bigint INTO number FROM lists WHERE list = asked_list AND owner = asked_owner;
    EXECUTE format('SELECT count(*) > $1 FROM (SELECT FROM %I WHERE owner = $2 LIMIT $1 + 1) entry', CASE asked_list WHEN 1 THEN 'group_members_entries' WHEN 2 THEN 'joined_groups_entries' WHEN 3 THEN 'blacks_entries' WHEN 4 THEN 'notification_accounts_entries' WHEN 5 THEN 'notification_accounts_by_level_entries' WHEN 6 THEN 'received_group_requests_entries' WHEN 7 THEN 'received_group_requests_by_result_entries' END)
      INTO is_long USING most, asked_owner;
    IF is_long OR NOT ((pg_snapshot_xmin(pg_current_snapshot())::text::bigint - number) & 4294967295 BETWEEN 1 AND 2147483648) THEN RETURN; END IF;
    UPDATE lists SET is_counted = true WHERE list = asked_list AND owner = asked_owner;
    EXECUTE format('
      INSERT INTO list_totals (list, owner, version, total, height, folded_before)
        SELECT $1, $2, pg_current_xact_id(), (SELECT count(*) FROM %I WHERE owner = $2)
            - coalesce((SELECT sum(change) FROM list_changes WHERE list = $1 AND owner = $2), 0), 1, $3
        RETURNING *', CASE asked_list WHEN 1 THEN 'group_members_entries' WHEN 2 THEN 'joined_groups_entries' WHEN 3 THEN 'blacks_entries' WHEN 4 THEN 'notification_accounts_entries' WHEN 5 THEN 'notification_accounts_by_level_entries' WHEN 6 THEN 'received_group_requests_entries' WHEN 7 THEN 'received_group_requests_by_result_entries' END)
      INTO counted USING asked_list, asked_owner, '0'::xid8;
    INSERT INTO list_nodes (list, owner, level, start, version, bounds, totals)
      VALUES (asked_list, asked_owner, 1, '', counted.version, ARRAY['', ':'], ARRAY[counted.total]);
  END IF;
END
$body$;

CREATE OR REPLACE FUNCTION list_add(asked_list integer, asked_owner text, new_version xid8, asked_level integer, keys text[], changes bigint[], OUT uneven text[])
  LANGUAGE plpgsql VOLATILE
AS $body$
#variable_conflict use_variable
DECLARE
  place tid;
  node_start text;
  node_bounds text[];
  node_totals bigint[];
  child integer;
  change bigint;
  starts text[] := '{}';
  sums bigint[] := '{}';
  done integer := 0;
BEGIN
  WHILE done < cardinality(keys) LOOP
    SELECT nodes.ctid, nodes.start, nodes.bounds, nodes.totals INTO place, node_start, node_bounds, node_totals
      FROM list_nodes nodes
      WHERE nodes.list = asked_list AND nodes.owner = asked_owner AND nodes.level = asked_level
        AND nodes.start <= keys[done + 1]
      ORDER BY nodes.start DESC, nodes.version DESC LIMIT 1;
    -- There is no level above the one that counts the whole list.
    EXIT WHEN NOT FOUND;
    change := 0;
    LOOP
      done := done + 1;
      child := width_bucket(keys[done] COLLATE "C", node_bounds);
      node_totals[child] := node_totals[child] + changes[done];
      change := change + changes[done];
      EXIT WHEN done = cardinality(keys) OR keys[done + 1] COLLATE "C" >= node_bounds[cardinality(node_bounds)];
    END LOOP;
    -- Nobody else changes nodes of the list meanwhile.
    UPDATE list_nodes SET version = new_version, totals = node_totals WHERE ctid = place;
    starts := starts || node_start;
    sums := sums || change;
    IF asked_level = 1
      AND (128 < ANY (node_totals) OR (0 = ANY (node_totals) AND cardinality(node_totals) > 1))
    THEN
      uneven := uneven || node_start;
    END IF;
  END LOOP;
  IF starts <> '{}' THEN
    PERFORM list_add(asked_list, asked_owner, new_version, asked_level + 1, starts, sums);
  END IF;
END
$body$;

CREATE OR REPLACE FUNCTION group_members_ranges(asked_owner text, counted list_totals, first text, last text, size bigint, OUT bounds text[], OUT totals bigint[])
  LANGUAGE plpgsql VOLATILE
AS $body$
#variable_conflict use_variable
BEGIN
  WITH parts AS (
    SELECT key, 1 AS weight, 1 AS total FROM group_members_entries
      WHERE owner = asked_owner AND key >= first AND key < last
    UNION ALL
    SELECT key, 0, -change FROM (
      SELECT recent.ctid AS place, recent.* FROM list_changes recent
        WHERE recent.list = 1 AND recent.owner = asked_owner AND recent.transaction >= counted.folded_before
          AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
      UNION ALL
      SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
        SELECT ctid, late.* FROM list_changes late
          WHERE late.list = 1 AND late.owner = asked_owner AND late.transaction = open.number OFFSET 0) late
    ) pending WHERE key >= first AND key < last
  ), placed AS (
    -- By how many come before: those with the same key, of whom there may be several for a while, stay together.
    SELECT key, total, greatest(
        sum(weight) OVER (ORDER BY key) - greatest(sum(weight) OVER (PARTITION BY key), 1), 0
      )::bigint / size AS place FROM parts
  )
  SELECT array_agg(start ORDER BY place), array_agg(total ORDER BY place) INTO bounds, totals FROM (
    SELECT place, CASE place WHEN 0 THEN first ELSE min(key) END AS start, sum(total)::bigint AS total
      FROM placed GROUP BY place
  ) ranges;
END
$body$;

CREATE OR REPLACE FUNCTION joined_groups_ranges(asked_owner text, counted list_totals, first text, last text, size bigint, OUT bounds text[], OUT totals bigint[])
  LANGUAGE plpgsql VOLATILE
AS $body$
#variable_conflict use_variable
BEGIN
  WITH parts AS (
    SELECT key, 1 AS weight, 1 AS total FROM joined_groups_entries
      WHERE owner = asked_owner AND key >= first AND key < last
    UNION ALL
    SELECT key, 0, -change FROM (
      SELECT recent.ctid AS place, recent.* FROM list_changes recent
        WHERE recent.list = 2 AND recent.owner = asked_owner AND recent.transaction >= counted.folded_before
          AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
      UNION ALL
      SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
        SELECT ctid, late.* FROM list_changes late
          WHERE late.list = 2 AND late.owner = asked_owner AND late.transaction = open.number OFFSET 0) late
    ) pending WHERE key >= first AND key < last
  ), placed AS (
    -- By how many come before: those with the same key, of whom there may be several for a while, stay together.
    SELECT key, total, greatest(
        sum(weight) OVER (ORDER BY key) - greatest(sum(weight) OVER (PARTITION BY key), 1), 0
      )::bigint / size AS place FROM parts
  )
  SELECT array_agg(start ORDER BY place), array_agg(total ORDER BY place) INTO bounds, totals FROM (
    SELECT place, CASE place WHEN 0 THEN first ELSE min(key) END AS start, sum(total)::bigint AS total
      FROM placed GROUP BY place
  ) ranges;
END
$body$;

CREATE OR REPLACE FUNCTION blacks_ranges(asked_owner text, counted list_totals, first text, last text, size bigint, OUT bounds text[], OUT totals bigint[])
  LANGUAGE plpgsql VOLATILE
AS $body$
#variable_conflict use_variable
BEGIN
  WITH parts AS (
    SELECT key, 1 AS weight, 1 AS total FROM blacks_entries
      WHERE owner = asked_owner AND key >= first AND key < last
    UNION ALL
    SELECT key, 0, -change FROM (
      SELECT recent.ctid AS place, recent.* FROM list_changes recent
        WHERE recent.list = 3 AND recent.owner = asked_owner AND recent.transaction >= counted.folded_before
          AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
      UNION ALL
      SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
        SELECT ctid, late.* FROM list_changes late
          WHERE late.list = 3 AND late.owner = asked_owner AND late.transaction = open.number OFFSET 0) late
    ) pending WHERE key >= first AND key < last
  ), placed AS (
    -- By how many come before: those with the same key, of whom there may be several for a while, stay together.
    SELECT key, total, greatest(
        sum(weight) OVER (ORDER BY key) - greatest(sum(weight) OVER (PARTITION BY key), 1), 0
      )::bigint / size AS place FROM parts
  )
  SELECT array_agg(start ORDER BY place), array_agg(total ORDER BY place) INTO bounds, totals FROM (
    SELECT place, CASE place WHEN 0 THEN first ELSE min(key) END AS start, sum(total)::bigint AS total
      FROM placed GROUP BY place
  ) ranges;
END
$body$;

CREATE OR REPLACE FUNCTION notification_accounts_ranges(asked_owner text, counted list_totals, first text, last text, size bigint, OUT bounds text[], OUT totals bigint[])
  LANGUAGE plpgsql VOLATILE
AS $body$
#variable_conflict use_variable
BEGIN
  WITH parts AS (
    SELECT key, 1 AS weight, 1 AS total FROM notification_accounts_entries
      WHERE owner = asked_owner AND key >= first AND key < last
    UNION ALL
    SELECT key, 0, -change FROM (
      SELECT recent.ctid AS place, recent.* FROM list_changes recent
        WHERE recent.list = 4 AND recent.owner = asked_owner AND recent.transaction >= counted.folded_before
          AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
      UNION ALL
      SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
        SELECT ctid, late.* FROM list_changes late
          WHERE late.list = 4 AND late.owner = asked_owner AND late.transaction = open.number OFFSET 0) late
    ) pending WHERE key >= first AND key < last
  ), placed AS (
    -- By how many come before: those with the same key, of whom there may be several for a while, stay together.
    SELECT key, total, greatest(
        sum(weight) OVER (ORDER BY key) - greatest(sum(weight) OVER (PARTITION BY key), 1), 0
      )::bigint / size AS place FROM parts
  )
  SELECT array_agg(start ORDER BY place), array_agg(total ORDER BY place) INTO bounds, totals FROM (
    SELECT place, CASE place WHEN 0 THEN first ELSE min(key) END AS start, sum(total)::bigint AS total
      FROM placed GROUP BY place
  ) ranges;
END
$body$;

CREATE OR REPLACE FUNCTION notification_accounts_by_level_ranges(asked_owner text, counted list_totals, first text, last text, size bigint, OUT bounds text[], OUT totals bigint[])
  LANGUAGE plpgsql VOLATILE
AS $body$
#variable_conflict use_variable
BEGIN
  WITH parts AS (
    SELECT key, 1 AS weight, 1 AS total FROM notification_accounts_by_level_entries
      WHERE owner = asked_owner AND key >= first AND key < last
    UNION ALL
    SELECT key, 0, -change FROM (
      SELECT recent.ctid AS place, recent.* FROM list_changes recent
        WHERE recent.list = 5 AND recent.owner = asked_owner AND recent.transaction >= counted.folded_before
          AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
      UNION ALL
      SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
        SELECT ctid, late.* FROM list_changes late
          WHERE late.list = 5 AND late.owner = asked_owner AND late.transaction = open.number OFFSET 0) late
    ) pending WHERE key >= first AND key < last
  ), placed AS (
    -- By how many come before: those with the same key, of whom there may be several for a while, stay together.
    SELECT key, total, greatest(
        sum(weight) OVER (ORDER BY key) - greatest(sum(weight) OVER (PARTITION BY key), 1), 0
      )::bigint / size AS place FROM parts
  )
  SELECT array_agg(start ORDER BY place), array_agg(total ORDER BY place) INTO bounds, totals FROM (
    SELECT place, CASE place WHEN 0 THEN first ELSE min(key) END AS start, sum(total)::bigint AS total
      FROM placed GROUP BY place
  ) ranges;
END
$body$;

CREATE OR REPLACE FUNCTION received_group_requests_ranges(asked_owner text, counted list_totals, first text, last text, size bigint, OUT bounds text[], OUT totals bigint[])
  LANGUAGE plpgsql VOLATILE
AS $body$
#variable_conflict use_variable
BEGIN
  WITH parts AS (
    SELECT key, 1 AS weight, 1 AS total FROM received_group_requests_entries
      WHERE owner = asked_owner AND key >= first AND key < last
    UNION ALL
    SELECT key, 0, -change FROM (
      SELECT recent.ctid AS place, recent.* FROM list_changes recent
        WHERE recent.list = 6 AND recent.owner = asked_owner AND recent.transaction >= counted.folded_before
          AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
      UNION ALL
      SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
        SELECT ctid, late.* FROM list_changes late
          WHERE late.list = 6 AND late.owner = asked_owner AND late.transaction = open.number OFFSET 0) late
    ) pending WHERE key >= first AND key < last
  ), placed AS (
    -- By how many come before: those with the same key, of whom there may be several for a while, stay together.
    SELECT key, total, greatest(
        sum(weight) OVER (ORDER BY key) - greatest(sum(weight) OVER (PARTITION BY key), 1), 0
      )::bigint / size AS place FROM parts
  )
  SELECT array_agg(start ORDER BY place), array_agg(total ORDER BY place) INTO bounds, totals FROM (
    SELECT place, CASE place WHEN 0 THEN first ELSE min(key) END AS start, sum(total)::bigint AS total
      FROM placed GROUP BY place
  ) ranges;
END
$body$;

CREATE OR REPLACE FUNCTION received_group_requests_by_result_ranges(asked_owner text, counted list_totals, first text, last text, size bigint, OUT bounds text[], OUT totals bigint[])
  LANGUAGE plpgsql VOLATILE
AS $body$
#variable_conflict use_variable
BEGIN
  WITH parts AS (
    SELECT key, 1 AS weight, 1 AS total FROM received_group_requests_by_result_entries
      WHERE owner = asked_owner AND key >= first AND key < last
    UNION ALL
    SELECT key, 0, -change FROM (
      SELECT recent.ctid AS place, recent.* FROM list_changes recent
        WHERE recent.list = 7 AND recent.owner = asked_owner AND recent.transaction >= counted.folded_before
          AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
      UNION ALL
      SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
        SELECT ctid, late.* FROM list_changes late
          WHERE late.list = 7 AND late.owner = asked_owner AND late.transaction = open.number OFFSET 0) late
    ) pending WHERE key >= first AND key < last
  ), placed AS (
    -- By how many come before: those with the same key, of whom there may be several for a while, stay together.
    SELECT key, total, greatest(
        sum(weight) OVER (ORDER BY key) - greatest(sum(weight) OVER (PARTITION BY key), 1), 0
      )::bigint / size AS place FROM parts
  )
  SELECT array_agg(start ORDER BY place), array_agg(total ORDER BY place) INTO bounds, totals FROM (
    SELECT place, CASE place WHEN 0 THEN first ELSE min(key) END AS start, sum(total)::bigint AS total
      FROM placed GROUP BY place
  ) ranges;
END
$body$;

CREATE OR REPLACE FUNCTION list_store(asked_list integer, asked_owner text, new_version xid8, place tid, bounds text[], totals bigint[])
  RETURNS void
  LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  asked_level integer := 1;
  size integer;
  starts text[];
  sums bigint[];
  child integer;
BEGIN
  WHILE cardinality(totals) > 128 LOOP
    -- As few nodes as have room for a third more.
    size := cardinality(totals) / (cardinality(totals) * 4 / 384 + 1) + 1;
    DELETE FROM list_nodes WHERE ctid = place;
    WITH parts AS (
      SELECT (number - 1) / size AS part, array_agg(start ORDER BY number) AS starts,
          array_agg(total ORDER BY number) AS totals, sum(total)::bigint AS total
        FROM unnest(bounds, totals) WITH ORDINALITY AS child (start, total, number)
        WHERE total IS NOT NULL GROUP BY 1
    ), added AS (
      INSERT INTO list_nodes (list, owner, level, start, version, bounds, totals)
        SELECT asked_list, asked_owner, asked_level, parts.starts[1], new_version,
            parts.starts || lead(parts.starts[1], 1, bounds[cardinality(bounds)]) OVER (ORDER BY part), parts.totals
          FROM parts
    )
    SELECT array_agg(parts.starts[1] ORDER BY part), array_agg(total ORDER BY part) INTO starts, sums FROM parts;

    asked_level := asked_level + 1;
    SELECT nodes.ctid, nodes.bounds, nodes.totals INTO place, bounds, totals FROM list_nodes nodes
      WHERE nodes.list = asked_list AND nodes.owner = asked_owner AND nodes.level = asked_level
        AND nodes.start <= starts[1]
      ORDER BY nodes.start DESC, nodes.version DESC LIMIT 1;
    IF NOT FOUND THEN
      UPDATE list_totals SET height = asked_level
        WHERE list = asked_list AND owner = asked_owner AND version = new_version;
      INSERT INTO list_nodes AS nodes (list, owner, level, start, version, bounds, totals)
        VALUES (asked_list, asked_owner, asked_level, '', new_version, ARRAY['', ':'], ARRAY[0])
        RETURNING nodes.ctid, nodes.bounds, nodes.totals INTO place, bounds, totals;
    END IF;
    child := width_bucket(starts[1] COLLATE "C", bounds);
    bounds := bounds[: child - 1] || starts || bounds[child + 1 :];
    totals := totals[: child - 1] || sums || totals[child + 1 :];
  END LOOP;
  UPDATE list_nodes SET version = new_version, bounds = list_store.bounds, totals = list_store.totals
    WHERE ctid = place;
END
$body$;

CREATE OR REPLACE FUNCTION list_divide(asked_list integer, asked_owner text, new_version xid8, counted list_totals, asked_start text)
  RETURNS void
  LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  place tid;
  old_bounds text[];
  old_totals bigint[];
  bounds text[] := '{}';
  totals bigint[] := '{}';
  more_bounds text[];
  more_totals bigint[];
  size bigint;
  last bigint;
BEGIN
  SELECT nodes.ctid, nodes.bounds, nodes.totals INTO place, old_bounds, old_totals FROM list_nodes nodes
    WHERE nodes.list = asked_list AND nodes.owner = asked_owner AND nodes.level = 1 AND nodes.start = asked_start
    ORDER BY nodes.version DESC LIMIT 1;
  FOR child IN 1 .. cardinality(old_totals) LOOP
    size := old_totals[child];
    IF size > 128 THEN
      CASE asked_list
        WHEN 1 THEN
          SELECT * INTO more_bounds, more_totals FROM group_members_ranges(asked_owner, counted,
            old_bounds[child], old_bounds[child + 1], size / (size * 2 / 128) + 1);
        WHEN 2 THEN
          SELECT * INTO more_bounds, more_totals FROM joined_groups_ranges(asked_owner, counted,
            old_bounds[child], old_bounds[child + 1], size / (size * 2 / 128) + 1);
        WHEN 3 THEN
          SELECT * INTO more_bounds, more_totals FROM blacks_ranges(asked_owner, counted,
            old_bounds[child], old_bounds[child + 1], size / (size * 2 / 128) + 1);
        WHEN 4 THEN
          SELECT * INTO more_bounds, more_totals FROM notification_accounts_ranges(asked_owner, counted,
            old_bounds[child], old_bounds[child + 1], size / (size * 2 / 128) + 1);
        WHEN 5 THEN
          SELECT * INTO more_bounds, more_totals FROM notification_accounts_by_level_ranges(asked_owner, counted,
            old_bounds[child], old_bounds[child + 1], size / (size * 2 / 128) + 1);
        WHEN 6 THEN
          SELECT * INTO more_bounds, more_totals FROM received_group_requests_ranges(asked_owner, counted,
            old_bounds[child], old_bounds[child + 1], size / (size * 2 / 128) + 1);
        WHEN 7 THEN
          SELECT * INTO more_bounds, more_totals FROM received_group_requests_by_result_ranges(asked_owner, counted,
            old_bounds[child], old_bounds[child + 1], size / (size * 2 / 128) + 1);
      END CASE;
      bounds := bounds || more_bounds;
      totals := totals || more_totals;
      last := NULL;
    ELSIF last * size = 0 OR last + size <= 64 THEN
      last := last + size;
      totals[cardinality(totals)] := last;
    ELSE
      bounds := bounds || old_bounds[child];
      totals := totals || size;
      last := size;
    END IF;
  END LOOP;
  bounds := bounds || old_bounds[cardinality(old_bounds)];
  PERFORM list_store(asked_list, asked_owner, new_version, place, bounds, totals);
END
$body$;

CREATE OR REPLACE FUNCTION list_fold(asked_list integer, asked_owner text, most bigint, most_documents bigint)
  RETURNS void
  LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  counted list_totals;
  new_version xid8;
  folded record;
  uneven text[];
  uneven_start text;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' OR NOT pg_try_advisory_xact_lock(
    hashtext(current_schema() || ' lists'), hashtext(asked_owner || asked_list) & 255)
  THEN RETURN; END IF;
  counted := list_announce(asked_list, asked_owner, most);
  IF counted.version IS NULL THEN
    DELETE FROM due_folds WHERE list = asked_list AND owner = asked_owner;
    RETURN;
  END IF;
  new_version := greatest(counted.version, pg_current_xact_id());

  FOR folded IN
    WITH pending AS (
      DELETE FROM list_changes WHERE ctid = ANY (ARRAY (SELECT place FROM (
        SELECT recent.ctid AS place, recent.* FROM list_changes recent
          WHERE recent.list = asked_list AND recent.owner = asked_owner AND recent.transaction >= counted.folded_before
            AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
        UNION ALL
        SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
          SELECT ctid, late.* FROM list_changes late
            WHERE late.list = asked_list AND late.owner = asked_owner AND late.transaction = open.number OFFSET 0) late
      ) pending))
        RETURNING key, change
    ), asked AS (
      DELETE FROM due_folds WHERE ctid = ANY (ARRAY (SELECT place FROM (
        SELECT recent.ctid AS place, recent.* FROM due_folds recent
          WHERE recent.list = asked_list AND recent.owner = asked_owner AND recent.transaction >= counted.folded_before
            AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
        UNION ALL
        SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
          SELECT ctid, late.* FROM due_folds late
            WHERE late.list = asked_list AND late.owner = asked_owner AND late.transaction = open.number OFFSET 0) late
      ) pending))
    ), totalled AS (
      UPDATE list_totals
        SET version = new_version, total = total + coalesce((SELECT sum(change) FROM pending), 0),
          (folded_before, unfinished) = (SELECT least(min(after), min(number) FILTER (WHERE number >= first)),
              coalesce(array_agg(number) FILTER (WHERE number < first), '{}')
            FROM (
                SELECT now, pg_snapshot_xmax(now) AS after,
                    greatest(pg_snapshot_xmax(now)::text::bigint - 1000, 0)::text::xid8 AS first
                  FROM pg_current_snapshot() now
              ) snapshot CROSS JOIN LATERAL (
                SELECT pg_snapshot_xip(now) AS number UNION ALL SELECT pg_current_xact_id()
              ) under_way)
        WHERE list = asked_list AND owner = asked_owner AND version = counted.version
        RETURNING total
    )
    SELECT array_agg(key) AS all_keys, coalesce(array_agg(key ORDER BY key) FILTER (WHERE change <> 0), '{}') AS keys,
        coalesce(array_agg(change ORDER BY key) FILTER (WHERE change <> 0), '{}') AS changes,
        (SELECT total FROM totalled) AS total
      FROM (
        SELECT key, sum(change)::bigint AS change, (row_number() OVER (ORDER BY key) - 1) / 10000 AS part
          FROM pending GROUP BY key
      ) sums GROUP BY part
  LOOP
    counted.total := folded.total;
    IF asked_list = 1 THEN PERFORM documents_write(asked_owner, folded.all_keys); END IF;
    uneven := uneven || list_add(asked_list, asked_owner, new_version, 1, folded.keys, folded.changes);
  END LOOP;

  IF asked_list = 1 AND most_documents > 0 THEN
    PERFORM documents_keep(asked_owner, counted.total, most_documents);
  END IF;

  IF counted.total * 2 < 128 THEN
    DELETE FROM list_nodes WHERE list = asked_list AND owner = asked_owner;
    DELETE FROM list_totals WHERE list = asked_list AND owner = asked_owner;
    DELETE FROM lists WHERE list = asked_list AND owner = asked_owner;
    RETURN;
  END IF;
  -- What has just been counted for the first time is all in one range.
  IF counted.folded_before = '0' THEN uneven := ARRAY['']; END IF;
  FOREACH uneven_start IN ARRAY coalesce(uneven, '{}') LOOP
    PERFORM list_divide(asked_list, asked_owner, new_version, counted, uneven_start);
  END LOOP;
END
$body$;

CREATE OR REPLACE FUNCTION due_folds_fold()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  other text;
BEGIN
  IF pg_trigger_depth() > 1 OR NOT EXISTS (
    SELECT FROM due_folds WHERE list = NEW.list AND owner = NEW.owner AND transaction = NEW.transaction)
  THEN RETURN NULL; END IF;
  IF NEW.list = 1 THEN
    BEGIN
      LOCK TABLE group_members, users IN ACCESS SHARE MODE NOWAIT;
    EXCEPTION WHEN lock_not_available THEN
      RETURN NULL;
    END;
  END IF;
  PERFORM list_fold(NEW.list, NEW.owner, 10000, 500);
  -- A list that a single transaction has filled has no writer of its own to count it.
  SELECT owner INTO other FROM lists WHERE list = NEW.list AND NOT is_counted AND owner <> NEW.owner LIMIT 1;
  IF FOUND THEN PERFORM list_fold(NEW.list, other, 10000, 500); END IF;
  RETURN NULL;
END
$body$;

DROP TRIGGER IF EXISTS due_folds_fold ON due_folds;

CREATE CONSTRAINT TRIGGER due_folds_fold AFTER INSERT ON due_folds DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION due_folds_fold();

CREATE OR REPLACE FUNCTION list_settle()
  RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
AS $body$
#variable_conflict use_variable
DECLARE
  known record;
BEGIN
  BEGIN
    LOCK TABLE group_requests, group_members, blacks, users, received_group_requests IN ROW EXCLUSIVE MODE NOWAIT;
  EXCEPTION WHEN lock_not_available THEN
    RETURN 1;
  END;
  PERFORM received_settle(9223372036854775806, 9223372036854775806);
  PERFORM profile_doubts_settle(9223372036854775806);
  FOR known IN
    SELECT list, owner FROM lists WHERE NOT is_counted UNION SELECT list, owner FROM list_changes
    UNION SELECT list, owner FROM due_folds
    UNION SELECT 1, group_id FROM searched_groups WHERE documented_before <> ':'
  LOOP
    PERFORM list_fold(known.list, known.owner, 9223372036854775806, 9223372036854775806);
  END LOOP;
  RETURN (SELECT count(*) FROM lists WHERE NOT is_counted)
    + (SELECT count(*) FROM received_doubts WHERE manager_user_id <> '') + (SELECT count(*) FROM profile_doubts)
    + (SELECT count(*) FROM searched_groups WHERE documented_before <> ':');
END
$body$;

CREATE OR REPLACE FUNCTION group_members_insert()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  own group_members;
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF EXISTS (SELECT FROM written OFFSET 1) THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 1, entry.group_id, ((2000 - entry.role_level)::text || (20000000000000000 + entry.join_time)::text || entry.user_id), 1
        FROM written AS entry 
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 1 AND known.owner = entry.group_id))
      UNION ALL
      SELECT 2, entry.user_id, ((20000000000000000 - entry.join_time)::text || entry.group_id), 1
        FROM written AS entry 
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 2 AND known.owner = entry.user_id));
    IF (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 1, owners.owner
          FROM (SELECT entry.group_id AS owner FROM written AS entry WHERE true) AS owners
          GROUP BY owners.owner
          HAVING random() * 64 < count(*) AND ((SELECT true FROM lists known WHERE known.list = 1 AND known.owner = owners.owner) OR EXISTS (
            SELECT FROM group_members listed
              WHERE listed.group_id = owners.owner OFFSET 64))
        UNION ALL
        SELECT 2, owners.owner
          FROM (SELECT entry.user_id AS owner FROM written AS entry WHERE true) AS owners
          GROUP BY owners.owner
          HAVING random() * 64 < count(*) AND ((SELECT true FROM lists known WHERE known.list = 2 AND known.owner = owners.owner) OR EXISTS (
            SELECT FROM group_members listed
              WHERE listed.user_id = owners.owner OFFSET 64));
    END IF;
    INSERT INTO received_doubts (group_id, manager_user_id)
      SELECT group_id, user_id FROM written WHERE role_level IN (60, 100);
    RETURN NULL;
  END IF;
  SELECT * INTO own FROM written;
  IF FOUND THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 1, own.group_id, ((2000 - own.role_level)::text || (20000000000000000 + own.join_time)::text || own.user_id), 1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 1 AND known.owner = own.group_id))
      UNION ALL
      SELECT 2, own.user_id, ((20000000000000000 - own.join_time)::text || own.group_id), 1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 2 AND known.owner = own.user_id));
    IF random() * 64 < 1 AND (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 1, own.group_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 1 AND known.owner = own.group_id) OR EXISTS (
          SELECT FROM group_members listed
            WHERE listed.group_id = own.group_id OFFSET 64))
        UNION ALL
        SELECT 2, own.user_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 2 AND known.owner = own.user_id) OR EXISTS (
          SELECT FROM group_members listed
            WHERE listed.user_id = own.user_id OFFSET 64));
    END IF;
    IF own.role_level IN (60, 100) THEN
      INSERT INTO received_doubts (group_id, manager_user_id) VALUES (own.group_id, own.user_id);
    END IF;
  END IF;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER group_members_insert AFTER INSERT ON group_members
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION group_members_insert();

CREATE OR REPLACE FUNCTION group_members_delete()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  own group_members;
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF EXISTS (SELECT FROM written OFFSET 1) THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 1, entry.group_id, ((2000 - entry.role_level)::text || (20000000000000000 + entry.join_time)::text || entry.user_id), -1
        FROM written AS entry 
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 1 AND known.owner = entry.group_id))
      UNION ALL
      SELECT 2, entry.user_id, ((20000000000000000 - entry.join_time)::text || entry.group_id), -1
        FROM written AS entry 
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 2 AND known.owner = entry.user_id));
    IF (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 1, owners.owner
          FROM (SELECT entry.group_id AS owner FROM written AS entry WHERE true) AS owners
          GROUP BY owners.owner
          HAVING random() * 64 < count(*) AND ((SELECT true FROM lists known WHERE known.list = 1 AND known.owner = owners.owner) OR EXISTS (
            SELECT FROM group_members listed
              WHERE listed.group_id = owners.owner OFFSET 64))
        UNION ALL
        SELECT 2, owners.owner
          FROM (SELECT entry.user_id AS owner FROM written AS entry WHERE true) AS owners
          GROUP BY owners.owner
          HAVING random() * 64 < count(*) AND ((SELECT true FROM lists known WHERE known.list = 2 AND known.owner = owners.owner) OR EXISTS (
            SELECT FROM group_members listed
              WHERE listed.user_id = owners.owner OFFSET 64));
    END IF;
    INSERT INTO received_doubts (group_id, manager_user_id)
      SELECT group_id, user_id FROM written WHERE role_level IN (60, 100);
    RETURN NULL;
  END IF;
  SELECT * INTO own FROM written;
  IF FOUND THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 1, own.group_id, ((2000 - own.role_level)::text || (20000000000000000 + own.join_time)::text || own.user_id), -1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 1 AND known.owner = own.group_id))
      UNION ALL
      SELECT 2, own.user_id, ((20000000000000000 - own.join_time)::text || own.group_id), -1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 2 AND known.owner = own.user_id));
    IF random() * 64 < 1 AND (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 1, own.group_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 1 AND known.owner = own.group_id) OR EXISTS (
          SELECT FROM group_members listed
            WHERE listed.group_id = own.group_id OFFSET 64))
        UNION ALL
        SELECT 2, own.user_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 2 AND known.owner = own.user_id) OR EXISTS (
          SELECT FROM group_members listed
            WHERE listed.user_id = own.user_id OFFSET 64));
    END IF;
    IF own.role_level IN (60, 100) THEN
      INSERT INTO received_doubts (group_id, manager_user_id) VALUES (own.group_id, own.user_id);
    END IF;
  END IF;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER group_members_delete AFTER DELETE ON group_members
  REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION group_members_delete();

CREATE OR REPLACE FUNCTION group_members_update()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF (old.group_id, old.role_level, old.join_time, old.user_id) IS DISTINCT FROM (new.group_id, new.role_level, new.join_time, new.user_id) THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 1, old.group_id, ((2000 - old.role_level)::text || (20000000000000000 + old.join_time)::text || old.user_id), -1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 1 AND known.owner = old.group_id)) AND (old.group_id, old.role_level, old.join_time, old.user_id) IS DISTINCT FROM (new.group_id, new.role_level, new.join_time, new.user_id)
      UNION ALL
      SELECT 1, new.group_id, ((2000 - new.role_level)::text || (20000000000000000 + new.join_time)::text || new.user_id), 1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 1 AND known.owner = new.group_id)) AND (old.group_id, old.role_level, old.join_time, old.user_id) IS DISTINCT FROM (new.group_id, new.role_level, new.join_time, new.user_id)
      UNION ALL
      SELECT 2, old.user_id, ((20000000000000000 - old.join_time)::text || old.group_id), -1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 2 AND known.owner = old.user_id)) AND (old.user_id, old.join_time, old.group_id) IS DISTINCT FROM (new.user_id, new.join_time, new.group_id)
      UNION ALL
      SELECT 2, new.user_id, ((20000000000000000 - new.join_time)::text || new.group_id), 1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 2 AND known.owner = new.user_id)) AND (old.user_id, old.join_time, old.group_id) IS DISTINCT FROM (new.user_id, new.join_time, new.group_id);
    IF random() * 64 < 1 AND (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 1, old.group_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 1 AND known.owner = old.group_id) OR EXISTS (
          SELECT FROM group_members listed
            WHERE listed.group_id = old.group_id OFFSET 64)) AND (old.group_id, old.role_level, old.join_time, old.user_id) IS DISTINCT FROM (new.group_id, new.role_level, new.join_time, new.user_id)
        UNION ALL
        SELECT 1, new.group_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 1 AND known.owner = new.group_id) OR EXISTS (
          SELECT FROM group_members listed
            WHERE listed.group_id = new.group_id OFFSET 64)) AND (old.group_id, old.role_level, old.join_time, old.user_id) IS DISTINCT FROM (new.group_id, new.role_level, new.join_time, new.user_id)
        UNION ALL
        SELECT 2, old.user_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 2 AND known.owner = old.user_id) OR EXISTS (
          SELECT FROM group_members listed
            WHERE listed.user_id = old.user_id OFFSET 64)) AND (old.user_id, old.join_time, old.group_id) IS DISTINCT FROM (new.user_id, new.join_time, new.group_id)
        UNION ALL
        SELECT 2, new.user_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 2 AND known.owner = new.user_id) OR EXISTS (
          SELECT FROM group_members listed
            WHERE listed.user_id = new.user_id OFFSET 64)) AND (old.user_id, old.join_time, old.group_id) IS DISTINCT FROM (new.user_id, new.join_time, new.group_id);
    END IF;
  END IF;
  IF (old.group_id, old.user_id, old.role_level) IS DISTINCT FROM (new.group_id, new.user_id, new.role_level) THEN
    IF (old.group_id, old.user_id, old.role_level IN (60, 100)) IS DISTINCT FROM (new.group_id, new.user_id, new.role_level IN (60, 100)) THEN
      IF old.role_level IN (60, 100) THEN
        INSERT INTO received_doubts (group_id, manager_user_id) VALUES (old.group_id, old.user_id);
      END IF;
      IF new.role_level IN (60, 100) THEN
        INSERT INTO received_doubts (group_id, manager_user_id) VALUES (new.group_id, new.user_id);
      END IF;
    END IF;
  END IF;
  IF (old.nickname) IS DISTINCT FROM (new.nickname) THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 1, new.group_id, ((2000 - new.role_level)::text || (20000000000000000 + new.join_time)::text || new.user_id), 0
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 1 AND known.owner = new.group_id));
    IF random() * 64 < 1 AND (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 1, new.group_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 1 AND known.owner = new.group_id) OR EXISTS (
          SELECT FROM group_members listed
            WHERE listed.group_id = new.group_id OFFSET 64));
    END IF;
  END IF;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER group_members_update AFTER UPDATE ON group_members
  FOR EACH ROW WHEN ((old.group_id, old.role_level, old.join_time, old.user_id, old.nickname) IS DISTINCT FROM (new.group_id, new.role_level, new.join_time, new.user_id, new.nickname)) EXECUTE FUNCTION group_members_update();

CREATE OR REPLACE FUNCTION group_members_truncate()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF NOT (current_setting('transaction_isolation') = 'read committed') THEN
    RAISE 'im-admin counts the rows of group_members: truncate it in a READ COMMITTED transaction';
  END IF;
  DELETE FROM due_folds WHERE list IN (1, 2);
  DELETE FROM list_changes WHERE list IN (1, 2);
  DELETE FROM list_nodes WHERE list IN (1, 2);
  DELETE FROM list_totals WHERE list IN (1, 2);
  DELETE FROM lists WHERE list IN (1, 2);
  DELETE FROM received_doubts;
  DELETE FROM received_group_requests;
  DELETE FROM documents;
  DELETE FROM searched_groups;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER group_members_truncate AFTER TRUNCATE ON group_members
  FOR EACH STATEMENT EXECUTE FUNCTION group_members_truncate();

CREATE OR REPLACE FUNCTION blacks_insert()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  own blacks;
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF EXISTS (SELECT FROM written OFFSET 1) THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 3, entry.owner_user_id, ((20000000000000000 - entry.create_time)::text || entry.black_user_id), 1
        FROM written AS entry 
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 3 AND known.owner = entry.owner_user_id));
    IF (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 3, owners.owner
          FROM (SELECT entry.owner_user_id AS owner FROM written AS entry WHERE true) AS owners
          GROUP BY owners.owner
          HAVING random() * 64 < count(*) AND ((SELECT true FROM lists known WHERE known.list = 3 AND known.owner = owners.owner) OR EXISTS (
            SELECT FROM blacks listed
              WHERE listed.owner_user_id = owners.owner OFFSET 64));
    END IF;
    RETURN NULL;
  END IF;
  SELECT * INTO own FROM written;
  IF FOUND THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 3, own.owner_user_id, ((20000000000000000 - own.create_time)::text || own.black_user_id), 1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 3 AND known.owner = own.owner_user_id));
    IF random() * 64 < 1 AND (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 3, own.owner_user_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 3 AND known.owner = own.owner_user_id) OR EXISTS (
          SELECT FROM blacks listed
            WHERE listed.owner_user_id = own.owner_user_id OFFSET 64));
    END IF;
  END IF;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER blacks_insert AFTER INSERT ON blacks
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION blacks_insert();

CREATE OR REPLACE FUNCTION blacks_delete()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  own blacks;
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF EXISTS (SELECT FROM written OFFSET 1) THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 3, entry.owner_user_id, ((20000000000000000 - entry.create_time)::text || entry.black_user_id), -1
        FROM written AS entry 
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 3 AND known.owner = entry.owner_user_id));
    IF (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 3, owners.owner
          FROM (SELECT entry.owner_user_id AS owner FROM written AS entry WHERE true) AS owners
          GROUP BY owners.owner
          HAVING random() * 64 < count(*) AND ((SELECT true FROM lists known WHERE known.list = 3 AND known.owner = owners.owner) OR EXISTS (
            SELECT FROM blacks listed
              WHERE listed.owner_user_id = owners.owner OFFSET 64));
    END IF;
    RETURN NULL;
  END IF;
  SELECT * INTO own FROM written;
  IF FOUND THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 3, own.owner_user_id, ((20000000000000000 - own.create_time)::text || own.black_user_id), -1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 3 AND known.owner = own.owner_user_id));
    IF random() * 64 < 1 AND (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 3, own.owner_user_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 3 AND known.owner = own.owner_user_id) OR EXISTS (
          SELECT FROM blacks listed
            WHERE listed.owner_user_id = own.owner_user_id OFFSET 64));
    END IF;
  END IF;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER blacks_delete AFTER DELETE ON blacks
  REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION blacks_delete();

CREATE OR REPLACE FUNCTION blacks_update()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF (old.owner_user_id, old.create_time, old.black_user_id) IS DISTINCT FROM (new.owner_user_id, new.create_time, new.black_user_id) THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 3, old.owner_user_id, ((20000000000000000 - old.create_time)::text || old.black_user_id), -1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 3 AND known.owner = old.owner_user_id)) AND (old.owner_user_id, old.create_time, old.black_user_id) IS DISTINCT FROM (new.owner_user_id, new.create_time, new.black_user_id)
      UNION ALL
      SELECT 3, new.owner_user_id, ((20000000000000000 - new.create_time)::text || new.black_user_id), 1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 3 AND known.owner = new.owner_user_id)) AND (old.owner_user_id, old.create_time, old.black_user_id) IS DISTINCT FROM (new.owner_user_id, new.create_time, new.black_user_id);
    IF random() * 64 < 1 AND (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 3, old.owner_user_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 3 AND known.owner = old.owner_user_id) OR EXISTS (
          SELECT FROM blacks listed
            WHERE listed.owner_user_id = old.owner_user_id OFFSET 64)) AND (old.owner_user_id, old.create_time, old.black_user_id) IS DISTINCT FROM (new.owner_user_id, new.create_time, new.black_user_id)
        UNION ALL
        SELECT 3, new.owner_user_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 3 AND known.owner = new.owner_user_id) OR EXISTS (
          SELECT FROM blacks listed
            WHERE listed.owner_user_id = new.owner_user_id OFFSET 64)) AND (old.owner_user_id, old.create_time, old.black_user_id) IS DISTINCT FROM (new.owner_user_id, new.create_time, new.black_user_id);
    END IF;
  END IF;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER blacks_update AFTER UPDATE ON blacks
  FOR EACH ROW WHEN ((old.owner_user_id, old.create_time, old.black_user_id) IS DISTINCT FROM (new.owner_user_id, new.create_time, new.black_user_id)) EXECUTE FUNCTION blacks_update();

CREATE OR REPLACE FUNCTION blacks_truncate()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF NOT (current_setting('transaction_isolation') = 'read committed') THEN
    RAISE 'im-admin counts the rows of blacks: truncate it in a READ COMMITTED transaction';
  END IF;
  DELETE FROM due_folds WHERE list IN (3);
  DELETE FROM list_changes WHERE list IN (3);
  DELETE FROM list_nodes WHERE list IN (3);
  DELETE FROM list_totals WHERE list IN (3);
  DELETE FROM lists WHERE list IN (3);
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER blacks_truncate AFTER TRUNCATE ON blacks
  FOR EACH STATEMENT EXECUTE FUNCTION blacks_truncate();

CREATE OR REPLACE FUNCTION users_insert()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  own users;
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF EXISTS (SELECT FROM written OFFSET 1) THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 4, '', ('1' || entry.user_id), 1
        FROM written AS entry 
        WHERE entry.app_manger_level >= 3 AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 4 AND known.owner = ''))
      UNION ALL
      SELECT 5, '', ((30000000000 + entry.app_manger_level)::text || entry.user_id), 1
        FROM written AS entry 
        WHERE entry.app_manger_level >= 3 AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 5 AND known.owner = ''));
    IF (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 4, owners.owner
          FROM (SELECT '' AS owner FROM written AS entry WHERE entry.app_manger_level >= 3) AS owners
          GROUP BY owners.owner
          HAVING random() * 64 < count(*) AND ((SELECT true FROM lists known WHERE known.list = 4 AND known.owner = owners.owner) OR EXISTS (
            SELECT FROM users listed
              WHERE listed.app_manger_level >= 3 OFFSET 64))
        UNION ALL
        SELECT 5, owners.owner
          FROM (SELECT '' AS owner FROM written AS entry WHERE entry.app_manger_level >= 3) AS owners
          GROUP BY owners.owner
          HAVING random() * 64 < count(*) AND ((SELECT true FROM lists known WHERE known.list = 5 AND known.owner = owners.owner) OR EXISTS (
            SELECT FROM users listed
              WHERE listed.app_manger_level >= 3 OFFSET 64));
    END IF;
    INSERT INTO profile_doubts (user_ids)
      SELECT array_agg(user_id) FROM (
          SELECT user_id, (row_number() OVER () - 1) / 1000 AS part FROM written WHERE nickname <> ''
        ) profiles GROUP BY part;
    RETURN NULL;
  END IF;
  SELECT * INTO own FROM written;
  IF FOUND THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 4, '', ('1' || own.user_id), 1
        
        WHERE own.app_manger_level >= 3 AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 4 AND known.owner = ''))
      UNION ALL
      SELECT 5, '', ((30000000000 + own.app_manger_level)::text || own.user_id), 1
        
        WHERE own.app_manger_level >= 3 AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 5 AND known.owner = ''));
    IF random() * 64 < 1 AND (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 4, '' WHERE own.app_manger_level >= 3 AND ((SELECT true FROM lists known WHERE known.list = 4 AND known.owner = '') OR EXISTS (
          SELECT FROM users listed
            WHERE listed.app_manger_level >= 3 OFFSET 64))
        UNION ALL
        SELECT 5, '' WHERE own.app_manger_level >= 3 AND ((SELECT true FROM lists known WHERE known.list = 5 AND known.owner = '') OR EXISTS (
          SELECT FROM users listed
            WHERE listed.app_manger_level >= 3 OFFSET 64));
    END IF;
    IF own.nickname <> '' THEN
      INSERT INTO profile_doubts (user_ids) VALUES (ARRAY[own.user_id]);
    END IF;
  END IF;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER users_insert AFTER INSERT ON users
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION users_insert();

CREATE OR REPLACE FUNCTION users_delete()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  own users;
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF EXISTS (SELECT FROM written OFFSET 1) THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 4, '', ('1' || entry.user_id), -1
        FROM written AS entry 
        WHERE entry.app_manger_level >= 3 AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 4 AND known.owner = ''))
      UNION ALL
      SELECT 5, '', ((30000000000 + entry.app_manger_level)::text || entry.user_id), -1
        FROM written AS entry 
        WHERE entry.app_manger_level >= 3 AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 5 AND known.owner = ''));
    IF (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 4, owners.owner
          FROM (SELECT '' AS owner FROM written AS entry WHERE entry.app_manger_level >= 3) AS owners
          GROUP BY owners.owner
          HAVING random() * 64 < count(*) AND ((SELECT true FROM lists known WHERE known.list = 4 AND known.owner = owners.owner) OR EXISTS (
            SELECT FROM users listed
              WHERE listed.app_manger_level >= 3 OFFSET 64))
        UNION ALL
        SELECT 5, owners.owner
          FROM (SELECT '' AS owner FROM written AS entry WHERE entry.app_manger_level >= 3) AS owners
          GROUP BY owners.owner
          HAVING random() * 64 < count(*) AND ((SELECT true FROM lists known WHERE known.list = 5 AND known.owner = owners.owner) OR EXISTS (
            SELECT FROM users listed
              WHERE listed.app_manger_level >= 3 OFFSET 64));
    END IF;
    INSERT INTO profile_doubts (user_ids)
      SELECT array_agg(user_id) FROM (
          SELECT user_id, (row_number() OVER () - 1) / 1000 AS part FROM written WHERE nickname <> ''
        ) profiles GROUP BY part;
    RETURN NULL;
  END IF;
  SELECT * INTO own FROM written;
  IF FOUND THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 4, '', ('1' || own.user_id), -1
        
        WHERE own.app_manger_level >= 3 AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 4 AND known.owner = ''))
      UNION ALL
      SELECT 5, '', ((30000000000 + own.app_manger_level)::text || own.user_id), -1
        
        WHERE own.app_manger_level >= 3 AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 5 AND known.owner = ''));
    IF random() * 64 < 1 AND (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 4, '' WHERE own.app_manger_level >= 3 AND ((SELECT true FROM lists known WHERE known.list = 4 AND known.owner = '') OR EXISTS (
          SELECT FROM users listed
            WHERE listed.app_manger_level >= 3 OFFSET 64))
        UNION ALL
        SELECT 5, '' WHERE own.app_manger_level >= 3 AND ((SELECT true FROM lists known WHERE known.list = 5 AND known.owner = '') OR EXISTS (
          SELECT FROM users listed
            WHERE listed.app_manger_level >= 3 OFFSET 64));
    END IF;
    IF own.nickname <> '' THEN
      INSERT INTO profile_doubts (user_ids) VALUES (ARRAY[own.user_id]);
    END IF;
  END IF;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER users_delete AFTER DELETE ON users
  REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION users_delete();

CREATE OR REPLACE FUNCTION users_update()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF (old.user_id, old.app_manger_level) IS DISTINCT FROM (new.user_id, new.app_manger_level) THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 4, '', ('1' || old.user_id), -1
        
        WHERE old.app_manger_level >= 3 AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 4 AND known.owner = '')) AND (old.user_id, old.app_manger_level) IS DISTINCT FROM (new.user_id, new.app_manger_level)
      UNION ALL
      SELECT 4, '', ('1' || new.user_id), 1
        
        WHERE new.app_manger_level >= 3 AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 4 AND known.owner = '')) AND (old.user_id, old.app_manger_level) IS DISTINCT FROM (new.user_id, new.app_manger_level)
      UNION ALL
      SELECT 5, '', ((30000000000 + old.app_manger_level)::text || old.user_id), -1
        
        WHERE old.app_manger_level >= 3 AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 5 AND known.owner = '')) AND (old.app_manger_level, old.user_id) IS DISTINCT FROM (new.app_manger_level, new.user_id)
      UNION ALL
      SELECT 5, '', ((30000000000 + new.app_manger_level)::text || new.user_id), 1
        
        WHERE new.app_manger_level >= 3 AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 5 AND known.owner = '')) AND (old.app_manger_level, old.user_id) IS DISTINCT FROM (new.app_manger_level, new.user_id);
    IF random() * 64 < 1 AND (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 4, '' WHERE old.app_manger_level >= 3 AND ((SELECT true FROM lists known WHERE known.list = 4 AND known.owner = '') OR EXISTS (
          SELECT FROM users listed
            WHERE listed.app_manger_level >= 3 OFFSET 64)) AND (old.user_id, old.app_manger_level) IS DISTINCT FROM (new.user_id, new.app_manger_level)
        UNION ALL
        SELECT 4, '' WHERE new.app_manger_level >= 3 AND ((SELECT true FROM lists known WHERE known.list = 4 AND known.owner = '') OR EXISTS (
          SELECT FROM users listed
            WHERE listed.app_manger_level >= 3 OFFSET 64)) AND (old.user_id, old.app_manger_level) IS DISTINCT FROM (new.user_id, new.app_manger_level)
        UNION ALL
        SELECT 5, '' WHERE old.app_manger_level >= 3 AND ((SELECT true FROM lists known WHERE known.list = 5 AND known.owner = '') OR EXISTS (
          SELECT FROM users listed
            WHERE listed.app_manger_level >= 3 OFFSET 64)) AND (old.app_manger_level, old.user_id) IS DISTINCT FROM (new.app_manger_level, new.user_id)
        UNION ALL
        SELECT 5, '' WHERE new.app_manger_level >= 3 AND ((SELECT true FROM lists known WHERE known.list = 5 AND known.owner = '') OR EXISTS (
          SELECT FROM users listed
            WHERE listed.app_manger_level >= 3 OFFSET 64)) AND (old.app_manger_level, old.user_id) IS DISTINCT FROM (new.app_manger_level, new.user_id);
    END IF;
  END IF;
  IF (old.user_id, old.nickname) IS DISTINCT FROM (new.user_id, new.nickname) THEN
    INSERT INTO profile_doubts (user_ids) VALUES (ARRAY[old.user_id, new.user_id]);
  END IF;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER users_update AFTER UPDATE ON users
  FOR EACH ROW WHEN ((old.user_id, old.app_manger_level, old.nickname) IS DISTINCT FROM (new.user_id, new.app_manger_level, new.nickname)) EXECUTE FUNCTION users_update();

CREATE OR REPLACE FUNCTION users_truncate()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF NOT (current_setting('transaction_isolation') = 'read committed') THEN
    RAISE 'im-admin counts the rows of users: truncate it in a READ COMMITTED transaction';
  END IF;
  DELETE FROM due_folds WHERE list IN (4, 5);
  DELETE FROM list_changes WHERE list IN (4, 5);
  DELETE FROM list_nodes WHERE list IN (4, 5);
  DELETE FROM list_totals WHERE list IN (4, 5);
  DELETE FROM lists WHERE list IN (4, 5);
  DELETE FROM profile_doubts;
  UPDATE searched_groups SET documented_before = '';
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER users_truncate AFTER TRUNCATE ON users
  FOR EACH STATEMENT EXECUTE FUNCTION users_truncate();

CREATE OR REPLACE FUNCTION received_group_requests_insert()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  own received_group_requests;
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF EXISTS (SELECT FROM written OFFSET 1) THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 6, entry.manager_user_id, ((20000000000000000 - entry.req_time)::text || entry.group_id || E'\x01' || entry.user_id), 1
        FROM written AS entry 
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 6 AND known.owner = entry.manager_user_id))
      UNION ALL
      SELECT 7, entry.manager_user_id, ((30000000000 + entry.handle_result)::text || (20000000000000000 - entry.req_time)::text || entry.group_id || E'\x01' || entry.user_id), 1
        FROM written AS entry 
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 7 AND known.owner = entry.manager_user_id));
    IF (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 6, owners.owner
          FROM (SELECT entry.manager_user_id AS owner FROM written AS entry WHERE true) AS owners
          GROUP BY owners.owner
          HAVING random() * 64 < count(*) AND ((SELECT true FROM lists known WHERE known.list = 6 AND known.owner = owners.owner) OR EXISTS (
            SELECT FROM received_group_requests listed
              WHERE listed.manager_user_id = owners.owner OFFSET 64))
        UNION ALL
        SELECT 7, owners.owner
          FROM (SELECT entry.manager_user_id AS owner FROM written AS entry WHERE true) AS owners
          GROUP BY owners.owner
          HAVING random() * 64 < count(*) AND ((SELECT true FROM lists known WHERE known.list = 7 AND known.owner = owners.owner) OR EXISTS (
            SELECT FROM received_group_requests listed
              WHERE listed.manager_user_id = owners.owner OFFSET 64));
    END IF;
    RETURN NULL;
  END IF;
  SELECT * INTO own FROM written;
  IF FOUND THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 6, own.manager_user_id, ((20000000000000000 - own.req_time)::text || own.group_id || E'\x01' || own.user_id), 1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 6 AND known.owner = own.manager_user_id))
      UNION ALL
      SELECT 7, own.manager_user_id, ((30000000000 + own.handle_result)::text || (20000000000000000 - own.req_time)::text || own.group_id || E'\x01' || own.user_id), 1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 7 AND known.owner = own.manager_user_id));
    IF random() * 64 < 1 AND (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 6, own.manager_user_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 6 AND known.owner = own.manager_user_id) OR EXISTS (
          SELECT FROM received_group_requests listed
            WHERE listed.manager_user_id = own.manager_user_id OFFSET 64))
        UNION ALL
        SELECT 7, own.manager_user_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 7 AND known.owner = own.manager_user_id) OR EXISTS (
          SELECT FROM received_group_requests listed
            WHERE listed.manager_user_id = own.manager_user_id OFFSET 64));
    END IF;
  END IF;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER received_group_requests_insert AFTER INSERT ON received_group_requests
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION received_group_requests_insert();

CREATE OR REPLACE FUNCTION received_group_requests_delete()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  own received_group_requests;
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF EXISTS (SELECT FROM written OFFSET 1) THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 6, entry.manager_user_id, ((20000000000000000 - entry.req_time)::text || entry.group_id || E'\x01' || entry.user_id), -1
        FROM written AS entry 
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 6 AND known.owner = entry.manager_user_id))
      UNION ALL
      SELECT 7, entry.manager_user_id, ((30000000000 + entry.handle_result)::text || (20000000000000000 - entry.req_time)::text || entry.group_id || E'\x01' || entry.user_id), -1
        FROM written AS entry 
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 7 AND known.owner = entry.manager_user_id));
    IF (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 6, owners.owner
          FROM (SELECT entry.manager_user_id AS owner FROM written AS entry WHERE true) AS owners
          GROUP BY owners.owner
          HAVING random() * 64 < count(*) AND ((SELECT true FROM lists known WHERE known.list = 6 AND known.owner = owners.owner) OR EXISTS (
            SELECT FROM received_group_requests listed
              WHERE listed.manager_user_id = owners.owner OFFSET 64))
        UNION ALL
        SELECT 7, owners.owner
          FROM (SELECT entry.manager_user_id AS owner FROM written AS entry WHERE true) AS owners
          GROUP BY owners.owner
          HAVING random() * 64 < count(*) AND ((SELECT true FROM lists known WHERE known.list = 7 AND known.owner = owners.owner) OR EXISTS (
            SELECT FROM received_group_requests listed
              WHERE listed.manager_user_id = owners.owner OFFSET 64));
    END IF;
    RETURN NULL;
  END IF;
  SELECT * INTO own FROM written;
  IF FOUND THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 6, own.manager_user_id, ((20000000000000000 - own.req_time)::text || own.group_id || E'\x01' || own.user_id), -1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 6 AND known.owner = own.manager_user_id))
      UNION ALL
      SELECT 7, own.manager_user_id, ((30000000000 + own.handle_result)::text || (20000000000000000 - own.req_time)::text || own.group_id || E'\x01' || own.user_id), -1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 7 AND known.owner = own.manager_user_id));
    IF random() * 64 < 1 AND (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 6, own.manager_user_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 6 AND known.owner = own.manager_user_id) OR EXISTS (
          SELECT FROM received_group_requests listed
            WHERE listed.manager_user_id = own.manager_user_id OFFSET 64))
        UNION ALL
        SELECT 7, own.manager_user_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 7 AND known.owner = own.manager_user_id) OR EXISTS (
          SELECT FROM received_group_requests listed
            WHERE listed.manager_user_id = own.manager_user_id OFFSET 64));
    END IF;
  END IF;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER received_group_requests_delete AFTER DELETE ON received_group_requests
  REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION received_group_requests_delete();

CREATE OR REPLACE FUNCTION received_group_requests_update()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF (old.manager_user_id, old.req_time, old.group_id, old.user_id, old.handle_result) IS DISTINCT FROM (new.manager_user_id, new.req_time, new.group_id, new.user_id, new.handle_result) THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 6, old.manager_user_id, ((20000000000000000 - old.req_time)::text || old.group_id || E'\x01' || old.user_id), -1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 6 AND known.owner = old.manager_user_id)) AND (old.manager_user_id, old.req_time, old.group_id, old.user_id) IS DISTINCT FROM (new.manager_user_id, new.req_time, new.group_id, new.user_id)
      UNION ALL
      SELECT 6, new.manager_user_id, ((20000000000000000 - new.req_time)::text || new.group_id || E'\x01' || new.user_id), 1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 6 AND known.owner = new.manager_user_id)) AND (old.manager_user_id, old.req_time, old.group_id, old.user_id) IS DISTINCT FROM (new.manager_user_id, new.req_time, new.group_id, new.user_id)
      UNION ALL
      SELECT 7, old.manager_user_id, ((30000000000 + old.handle_result)::text || (20000000000000000 - old.req_time)::text || old.group_id || E'\x01' || old.user_id), -1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 7 AND known.owner = old.manager_user_id)) AND (old.manager_user_id, old.handle_result, old.req_time, old.group_id, old.user_id) IS DISTINCT FROM (new.manager_user_id, new.handle_result, new.req_time, new.group_id, new.user_id)
      UNION ALL
      SELECT 7, new.manager_user_id, ((30000000000 + new.handle_result)::text || (20000000000000000 - new.req_time)::text || new.group_id || E'\x01' || new.user_id), 1
        
        WHERE true AND (NOT (current_setting('transaction_isolation') = 'read committed') OR (SELECT true FROM lists known WHERE known.list = 7 AND known.owner = new.manager_user_id)) AND (old.manager_user_id, old.handle_result, old.req_time, old.group_id, old.user_id) IS DISTINCT FROM (new.manager_user_id, new.handle_result, new.req_time, new.group_id, new.user_id);
    IF random() * 64 < 1 AND (current_setting('transaction_isolation') = 'read committed') THEN
      INSERT INTO due_folds (list, owner)
        SELECT 6, old.manager_user_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 6 AND known.owner = old.manager_user_id) OR EXISTS (
          SELECT FROM received_group_requests listed
            WHERE listed.manager_user_id = old.manager_user_id OFFSET 64)) AND (old.manager_user_id, old.req_time, old.group_id, old.user_id) IS DISTINCT FROM (new.manager_user_id, new.req_time, new.group_id, new.user_id)
        UNION ALL
        SELECT 6, new.manager_user_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 6 AND known.owner = new.manager_user_id) OR EXISTS (
          SELECT FROM received_group_requests listed
            WHERE listed.manager_user_id = new.manager_user_id OFFSET 64)) AND (old.manager_user_id, old.req_time, old.group_id, old.user_id) IS DISTINCT FROM (new.manager_user_id, new.req_time, new.group_id, new.user_id)
        UNION ALL
        SELECT 7, old.manager_user_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 7 AND known.owner = old.manager_user_id) OR EXISTS (
          SELECT FROM received_group_requests listed
            WHERE listed.manager_user_id = old.manager_user_id OFFSET 64)) AND (old.manager_user_id, old.handle_result, old.req_time, old.group_id, old.user_id) IS DISTINCT FROM (new.manager_user_id, new.handle_result, new.req_time, new.group_id, new.user_id)
        UNION ALL
        SELECT 7, new.manager_user_id WHERE true AND ((SELECT true FROM lists known WHERE known.list = 7 AND known.owner = new.manager_user_id) OR EXISTS (
          SELECT FROM received_group_requests listed
            WHERE listed.manager_user_id = new.manager_user_id OFFSET 64)) AND (old.manager_user_id, old.handle_result, old.req_time, old.group_id, old.user_id) IS DISTINCT FROM (new.manager_user_id, new.handle_result, new.req_time, new.group_id, new.user_id);
    END IF;
  END IF;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER received_group_requests_update AFTER UPDATE ON received_group_requests
  FOR EACH ROW WHEN ((old.manager_user_id, old.req_time, old.group_id, old.user_id, old.handle_result) IS DISTINCT FROM (new.manager_user_id, new.req_time, new.group_id, new.user_id, new.handle_result)) EXECUTE FUNCTION received_group_requests_update();

CREATE OR REPLACE FUNCTION received_group_requests_truncate()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF NOT (current_setting('transaction_isolation') = 'read committed') THEN
    RAISE 'im-admin counts the rows of received_group_requests: truncate it in a READ COMMITTED transaction';
  END IF;
  DELETE FROM due_folds WHERE list IN (6, 7);
  DELETE FROM list_changes WHERE list IN (6, 7);
  DELETE FROM list_nodes WHERE list IN (6, 7);
  DELETE FROM list_totals WHERE list IN (6, 7);
  DELETE FROM lists WHERE list IN (6, 7);
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER received_group_requests_truncate AFTER TRUNCATE ON received_group_requests
  FOR EACH STATEMENT EXECUTE FUNCTION received_group_requests_truncate();

CREATE OR REPLACE FUNCTION received_insert()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    INSERT INTO received_doubts (group_id, user_id)
      SELECT group_id, user_id FROM (SELECT group_id, user_id, req_time, handle_result FROM new_rows) own;
    RETURN NULL;
  END IF;
  
  INSERT INTO received_group_requests (manager_user_id, group_id, user_id, req_time, handle_result)
    SELECT manager.user_id AS manager_user_id, request.group_id, request.user_id, request.req_time, request.handle_result
      FROM (SELECT group_id, user_id, req_time, handle_result FROM new_rows) request CROSS JOIN LATERAL (
        SELECT user_id FROM group_members member WHERE member.group_id = request.group_id AND member.role_level IN (60, 100) OFFSET 0) manager;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER received_insert AFTER INSERT ON group_requests
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION received_insert();

CREATE OR REPLACE FUNCTION received_delete()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    INSERT INTO received_doubts (group_id, user_id)
      SELECT group_id, user_id FROM (SELECT group_id, user_id, req_time, handle_result FROM old_rows) own;
    RETURN NULL;
  END IF;
  WITH changed AS MATERIALIZED (
    SELECT group_id, user_id, req_time, handle_result FROM old_rows
  ), expected AS MATERIALIZED (
    SELECT manager.user_id AS manager_user_id, request.group_id, request.user_id, request.req_time, request.handle_result
      FROM changed request CROSS JOIN LATERAL (
        SELECT user_id FROM group_members member WHERE member.group_id = request.group_id AND member.role_level IN (60, 100) OFFSET 0) manager
  ), locked AS MATERIALIZED (
    SELECT own.id FROM changed CROSS JOIN LATERAL (
      SELECT id FROM received_group_requests kept
        WHERE kept.group_id = changed.group_id AND kept.user_id = changed.user_id FOR UPDATE SKIP LOCKED) own
  ), removed AS (
    DELETE FROM received_group_requests WHERE id = ANY (ARRAY (SELECT id FROM locked)) RETURNING *
  )
  INSERT INTO received_doubts (group_id, user_id)
    SELECT group_id, user_id FROM (
        (SELECT manager_user_id, group_id, user_id, req_time, handle_result FROM expected EXCEPT ALL SELECT manager_user_id, group_id, user_id, req_time, handle_result FROM removed)
        UNION ALL (SELECT manager_user_id, group_id, user_id, req_time, handle_result FROM removed EXCEPT ALL SELECT manager_user_id, group_id, user_id, req_time, handle_result FROM expected)
      ) different GROUP BY group_id, user_id;
  
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER received_delete AFTER DELETE ON group_requests
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION received_delete();

CREATE OR REPLACE FUNCTION received_update()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
BEGIN
  IF row_security_active('users'::regclass) OR row_security_active('group_members'::regclass) OR row_security_active('blacks'::regclass) OR row_security_active('group_requests'::regclass) THEN
    RAISE 'im-admin counts all rows of users, group_members, blacks, group_requests, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    INSERT INTO received_doubts (group_id, user_id)
      SELECT group_id, user_id FROM (SELECT group_id, user_id, req_time, handle_result FROM old_rows EXCEPT ALL SELECT group_id, user_id, req_time, handle_result FROM new_rows) own
      UNION
      SELECT group_id, user_id FROM (SELECT group_id, user_id, req_time, handle_result FROM new_rows EXCEPT ALL SELECT group_id, user_id, req_time, handle_result FROM old_rows) own;
    RETURN NULL;
  END IF;
  WITH changed AS MATERIALIZED (
    SELECT group_id, user_id, req_time, handle_result FROM old_rows EXCEPT ALL SELECT group_id, user_id, req_time, handle_result FROM new_rows
  ), expected AS MATERIALIZED (
    SELECT manager.user_id AS manager_user_id, request.group_id, request.user_id, request.req_time, request.handle_result
      FROM changed request CROSS JOIN LATERAL (
        SELECT user_id FROM group_members member WHERE member.group_id = request.group_id AND member.role_level IN (60, 100) OFFSET 0) manager
  ), locked AS MATERIALIZED (
    SELECT own.id FROM changed CROSS JOIN LATERAL (
      SELECT id FROM received_group_requests kept
        WHERE kept.group_id = changed.group_id AND kept.user_id = changed.user_id FOR UPDATE SKIP LOCKED) own
  ), removed AS (
    DELETE FROM received_group_requests WHERE id = ANY (ARRAY (SELECT id FROM locked)) RETURNING *
  )
  INSERT INTO received_doubts (group_id, user_id)
    SELECT group_id, user_id FROM (
        (SELECT manager_user_id, group_id, user_id, req_time, handle_result FROM expected EXCEPT ALL SELECT manager_user_id, group_id, user_id, req_time, handle_result FROM removed)
        UNION ALL (SELECT manager_user_id, group_id, user_id, req_time, handle_result FROM removed EXCEPT ALL SELECT manager_user_id, group_id, user_id, req_time, handle_result FROM expected)
      ) different GROUP BY group_id, user_id;
  INSERT INTO received_group_requests (manager_user_id, group_id, user_id, req_time, handle_result)
    SELECT manager.user_id AS manager_user_id, request.group_id, request.user_id, request.req_time, request.handle_result
      FROM (SELECT group_id, user_id, req_time, handle_result FROM new_rows EXCEPT ALL SELECT group_id, user_id, req_time, handle_result FROM old_rows) request CROSS JOIN LATERAL (
        SELECT user_id FROM group_members member WHERE member.group_id = request.group_id AND member.role_level IN (60, 100) OFFSET 0) manager;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER received_update AFTER UPDATE ON group_requests
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION received_update();

CREATE OR REPLACE FUNCTION received_truncate()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET row_security = off
AS $body$
#variable_conflict use_variable
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE 'im-admin lists the rows of group_requests: truncate it in a READ COMMITTED transaction';
  END IF;
  DELETE FROM received_doubts;
  DELETE FROM received_group_requests;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE TRIGGER received_truncate AFTER TRUNCATE ON group_requests
  FOR EACH STATEMENT EXECUTE FUNCTION received_truncate();

CREATE OR REPLACE FUNCTION list_seek(asked_list integer, asked_owner text, place bigint, OUT total bigint, OUT start text, OUT rest bigint)
  LANGUAGE plpgsql STABLE
AS $body$
#variable_conflict use_variable
DECLARE
  counted list_totals;
  node list_nodes;
  changed bigint;
  added bigint;
  nearer bigint;
  shift bigint := 0;
  child integer;
  size bigint;
BEGIN
  SELECT * INTO counted FROM (
    SELECT newest.* FROM list_totals newest
      WHERE newest.list = asked_list AND newest.owner = asked_owner AND newest.version <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
        AND EXISTS (SELECT FROM lists known WHERE known.list = asked_list AND known.owner = asked_owner AND known.is_counted)
      ORDER BY newest.version DESC LIMIT 1
  ) found;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT coalesce(sum(change), 0), coalesce(sum(change) FILTER (WHERE change > 0), 0) INTO changed, added
    FROM (
      SELECT recent.ctid AS place, recent.* FROM list_changes recent
        WHERE recent.list = asked_list AND recent.owner = asked_owner AND recent.transaction >= counted.folded_before
          AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
      UNION ALL
      SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
        SELECT ctid, late.* FROM list_changes late
          WHERE late.list = asked_list AND late.owner = asked_owner AND late.transaction = open.number OFFSET 0) late
    ) pending;
  total := counted.total + changed;
  IF place >= total THEN RETURN; END IF;
  -- In the nodes alone, an entry is elsewhere by what the pending changes before it add up to. Mostly that is little:
  -- the first guess is nothing, the second what came before the first place, and the last one is never too far.
  FOR guess IN 1 .. 3 LOOP
    nearer := greatest(least(place - CASE guess WHEN 3 THEN added ELSE shift END, counted.total - 1), 0);
    start := '';
    rest := nearer;
    FOR asked_level IN REVERSE CASE nearer WHEN 0 THEN 0 ELSE counted.height END .. 1 LOOP
      SELECT * INTO node FROM (
        SELECT newest.* FROM list_nodes newest
          WHERE newest.list = asked_list AND newest.owner = asked_owner AND newest.level = asked_level AND newest.start = list_seek.start
            AND newest.version <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
          ORDER BY newest.version DESC LIMIT 1
      ) found;
      child := 1;
      FOREACH size IN ARRAY node.totals LOOP
        EXIT WHEN rest < size;
        rest := rest - size;
        child := child + 1;
      END LOOP;
      start := node.bounds[child];
    END LOOP;
    shift := 0;
    IF start <> '' AND (added > 0 OR changed <> 0) THEN
      shift := coalesce((
        SELECT sum(change) FROM (
          SELECT recent.ctid AS place, recent.* FROM list_changes recent
            WHERE recent.list = asked_list AND recent.owner = asked_owner AND recent.transaction >= counted.folded_before
              AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
          UNION ALL
          SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
            SELECT ctid, late.* FROM list_changes late
              WHERE late.list = asked_list AND late.owner = asked_owner AND late.transaction = open.number OFFSET 0) late
        ) pending
          WHERE pending.key < list_seek.start), 0);
    END IF;
    rest := rest + place - nearer - shift;
    EXIT WHEN rest >= 0;
  END LOOP;
END
$body$;

CREATE OR REPLACE FUNCTION group_members_seek(asked_owner text, place bigint, OUT total bigint, OUT start text, OUT rest bigint)
  LANGUAGE plpgsql STABLE
AS $body$
#variable_conflict use_variable
BEGIN
  SELECT * INTO total, start, rest FROM list_seek(1, asked_owner, place);
  IF total IS NULL THEN
    total := (SELECT count(*) FROM group_members entry WHERE entry.group_id = asked_owner);
    IF place < total THEN
      start := '';
      rest := place;
    END IF;
  END IF;
END
$body$;

CREATE OR REPLACE FUNCTION joined_groups_seek(asked_owner text, place bigint, OUT total bigint, OUT start text, OUT rest bigint)
  LANGUAGE plpgsql STABLE
AS $body$
#variable_conflict use_variable
BEGIN
  SELECT * INTO total, start, rest FROM list_seek(2, asked_owner, place);
  IF total IS NULL THEN
    total := (SELECT count(*) FROM group_members entry WHERE entry.user_id = asked_owner);
    IF place < total THEN
      start := '';
      rest := place;
    END IF;
  END IF;
END
$body$;

CREATE OR REPLACE FUNCTION blacks_seek(asked_owner text, place bigint, OUT total bigint, OUT start text, OUT rest bigint)
  LANGUAGE plpgsql STABLE
AS $body$
#variable_conflict use_variable
BEGIN
  SELECT * INTO total, start, rest FROM list_seek(3, asked_owner, place);
  IF total IS NULL THEN
    total := (SELECT count(*) FROM blacks entry WHERE entry.owner_user_id = asked_owner);
    IF place < total THEN
      start := '';
      rest := place;
    END IF;
  END IF;
END
$body$;

CREATE OR REPLACE FUNCTION notification_accounts_seek(asked_owner text, place bigint, OUT total bigint, OUT start text, OUT rest bigint)
  LANGUAGE plpgsql STABLE
AS $body$
#variable_conflict use_variable
BEGIN
  SELECT * INTO total, start, rest FROM list_seek(4, asked_owner, place);
  IF total IS NULL THEN
    total := (SELECT count(*) FROM users entry WHERE entry.app_manger_level >= 3);
    IF place < total THEN
      start := '';
      rest := place;
    END IF;
  END IF;
END
$body$;

CREATE OR REPLACE FUNCTION notification_accounts_by_level_seek(asked_owner text, place bigint, OUT total bigint, OUT start text, OUT rest bigint)
  LANGUAGE plpgsql STABLE
AS $body$
#variable_conflict use_variable
BEGIN
  SELECT * INTO total, start, rest FROM list_seek(5, asked_owner, place);
  IF total IS NULL THEN
    total := (SELECT count(*) FROM users entry WHERE entry.app_manger_level >= 3);
    IF place < total THEN
      start := '';
      rest := place;
    END IF;
  END IF;
END
$body$;

CREATE OR REPLACE FUNCTION received_group_requests_seek(asked_owner text, place bigint, OUT total bigint, OUT start text, OUT rest bigint)
  LANGUAGE plpgsql STABLE
AS $body$
#variable_conflict use_variable
BEGIN
  SELECT * INTO total, start, rest FROM list_seek(6, asked_owner, place);
  IF total IS NULL THEN
    total := (SELECT count(*) FROM received_group_requests entry WHERE entry.manager_user_id = asked_owner);
    IF place < total THEN
      start := '';
      rest := place;
    END IF;
  END IF;
END
$body$;

CREATE OR REPLACE FUNCTION received_group_requests_by_result_seek(asked_owner text, place bigint, OUT total bigint, OUT start text, OUT rest bigint)
  LANGUAGE plpgsql STABLE
AS $body$
#variable_conflict use_variable
BEGIN
  SELECT * INTO total, start, rest FROM list_seek(7, asked_owner, place);
  IF total IS NULL THEN
    total := (SELECT count(*) FROM received_group_requests entry WHERE entry.manager_user_id = asked_owner);
    IF place < total THEN
      start := '';
      rest := place;
    END IF;
  END IF;
END
$body$;

CREATE OR REPLACE FUNCTION list_before(asked_list integer, asked_owner text, bound text, OUT start text, OUT rank bigint)
  LANGUAGE plpgsql STABLE
AS $body$
#variable_conflict use_variable
DECLARE
  counted list_totals;
  node list_nodes;
  child integer;
BEGIN
  SELECT * INTO counted FROM (
    SELECT newest.* FROM list_totals newest
      WHERE newest.list = asked_list AND newest.owner = asked_owner AND newest.version <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
        AND EXISTS (SELECT FROM lists known WHERE known.list = asked_list AND known.owner = asked_owner AND known.is_counted)
      ORDER BY newest.version DESC LIMIT 1
  ) found;
  start := '';
  rank := 0;
  FOR asked_level IN REVERSE coalesce(counted.height, 0) .. 1 LOOP
    SELECT * INTO node FROM (
      SELECT newest.* FROM list_nodes newest
        WHERE newest.list = asked_list AND newest.owner = asked_owner AND newest.level = asked_level AND newest.start = list_before.start
          AND newest.version <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
        ORDER BY newest.version DESC LIMIT 1
    ) found;
    child := least(width_bucket(bound COLLATE "C", node.bounds), cardinality(node.totals));
    rank := rank + coalesce((SELECT sum(size) FROM unnest(node.totals[: child - 1]) AS size), 0);
    start := node.bounds[child];
  END LOOP;
  IF start <> '' THEN
    rank := rank + coalesce((
      SELECT sum(change) FROM (
        SELECT recent.ctid AS place, recent.* FROM list_changes recent
          WHERE recent.list = asked_list AND recent.owner = asked_owner AND recent.transaction >= counted.folded_before
            AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
        UNION ALL
        SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
          SELECT ctid, late.* FROM list_changes late
            WHERE late.list = asked_list AND late.owner = asked_owner AND late.transaction = open.number OFFSET 0) late
      ) pending
        WHERE pending.key < list_before.start), 0);
  END IF;
END
$body$;

CREATE OR REPLACE FUNCTION group_members_before(asked_owner text, bound text, OUT rank bigint)
  LANGUAGE plpgsql STABLE
AS $body$
#variable_conflict use_variable
DECLARE
  near record;
BEGIN
  near := list_before(1, asked_owner, bound);
  rank := near.rank + (
    SELECT count(*) FROM group_members entry
      WHERE entry.group_id = asked_owner
        AND ((2000 - entry.role_level)::text || (20000000000000000 + entry.join_time)::text || entry.user_id) >= near.start AND ((2000 - entry.role_level)::text || (20000000000000000 + entry.join_time)::text || entry.user_id) < bound);
END
$body$;

CREATE OR REPLACE FUNCTION joined_groups_before(asked_owner text, bound text, OUT rank bigint)
  LANGUAGE plpgsql STABLE
AS $body$
#variable_conflict use_variable
DECLARE
  near record;
BEGIN
  near := list_before(2, asked_owner, bound);
  rank := near.rank + (
    SELECT count(*) FROM group_members entry
      WHERE entry.user_id = asked_owner
        AND ((20000000000000000 - entry.join_time)::text || entry.group_id) >= near.start AND ((20000000000000000 - entry.join_time)::text || entry.group_id) < bound);
END
$body$;

CREATE OR REPLACE FUNCTION blacks_before(asked_owner text, bound text, OUT rank bigint)
  LANGUAGE plpgsql STABLE
AS $body$
#variable_conflict use_variable
DECLARE
  near record;
BEGIN
  near := list_before(3, asked_owner, bound);
  rank := near.rank + (
    SELECT count(*) FROM blacks entry
      WHERE entry.owner_user_id = asked_owner
        AND ((20000000000000000 - entry.create_time)::text || entry.black_user_id) >= near.start AND ((20000000000000000 - entry.create_time)::text || entry.black_user_id) < bound);
END
$body$;

CREATE OR REPLACE FUNCTION notification_accounts_before(asked_owner text, bound text, OUT rank bigint)
  LANGUAGE plpgsql STABLE
AS $body$
#variable_conflict use_variable
DECLARE
  near record;
BEGIN
  near := list_before(4, asked_owner, bound);
  rank := near.rank + (
    SELECT count(*) FROM users entry
      WHERE entry.app_manger_level >= 3
        AND ('1' || entry.user_id) >= near.start AND ('1' || entry.user_id) < bound);
END
$body$;

CREATE OR REPLACE FUNCTION notification_accounts_by_level_before(asked_owner text, bound text, OUT rank bigint)
  LANGUAGE plpgsql STABLE
AS $body$
#variable_conflict use_variable
DECLARE
  near record;
BEGIN
  near := list_before(5, asked_owner, bound);
  rank := near.rank + (
    SELECT count(*) FROM users entry
      WHERE entry.app_manger_level >= 3
        AND ((30000000000 + entry.app_manger_level)::text || entry.user_id) >= near.start AND ((30000000000 + entry.app_manger_level)::text || entry.user_id) < bound);
END
$body$;

CREATE OR REPLACE FUNCTION received_group_requests_before(asked_owner text, bound text, OUT rank bigint)
  LANGUAGE plpgsql STABLE
AS $body$
#variable_conflict use_variable
DECLARE
  near record;
BEGIN
  near := list_before(6, asked_owner, bound);
  rank := near.rank + (
    SELECT count(*) FROM received_group_requests entry
      WHERE entry.manager_user_id = asked_owner
        AND ((20000000000000000 - entry.req_time)::text || entry.group_id || E'\x01' || entry.user_id) >= near.start AND ((20000000000000000 - entry.req_time)::text || entry.group_id || E'\x01' || entry.user_id) < bound);
END
$body$;

CREATE OR REPLACE FUNCTION received_group_requests_by_result_before(asked_owner text, bound text, OUT rank bigint)
  LANGUAGE plpgsql STABLE
AS $body$
#variable_conflict use_variable
DECLARE
  near record;
BEGIN
  near := list_before(7, asked_owner, bound);
  rank := near.rank + (
    SELECT count(*) FROM received_group_requests entry
      WHERE entry.manager_user_id = asked_owner
        AND ((30000000000 + entry.handle_result)::text || (20000000000000000 - entry.req_time)::text || entry.group_id || E'\x01' || entry.user_id) >= near.start AND ((30000000000 + entry.handle_result)::text || (20000000000000000 - entry.req_time)::text || entry.group_id || E'\x01' || entry.user_id) < bound);
END
$body$;

CREATE OR REPLACE FUNCTION group_members_page(asked_owner text, skip bigint, size bigint, ranges text[], OUT total bigint, OUT items text)
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
  SET enable_sort = off
AS $body$
#variable_conflict use_variable
DECLARE
  beginning record;
  lower_rank bigint;
  length bigint;
  passed bigint;
  wanted bigint;
  starts text[] := '{}';
  rests bigint[] := '{}';
  sizes bigint[] := '{}';
BEGIN
  IF NOT EXISTS (SELECT FROM groups WHERE group_id = asked_owner) THEN RETURN; END IF;
  IF ranges IS NULL THEN
    beginning := group_members_seek(asked_owner, skip);
    total := beginning.total;
    IF beginning.start IS NOT NULL THEN
      starts := ARRAY[beginning.start];
      rests := ARRAY[beginning.rest];
      sizes := ARRAY[size];
    END IF;
  ELSE
    total := 0;
    FOR position IN 1 .. cardinality(ranges) BY 2 LOOP
      lower_rank := group_members_before(asked_owner, ranges[position]);
      length := group_members_before(asked_owner, ranges[position + 1]) - lower_rank;
      passed := greatest(skip - total, 0);
      wanted := least(length, skip + size - total) - passed;
      IF wanted > 0 THEN
        beginning := group_members_seek(asked_owner, lower_rank + passed);
        starts := starts || beginning.start;
        rests := rests || beginning.rest;
        sizes := sizes || wanted;
      END IF;
      total := total + length;
    END LOOP;
  END IF;
  items := (
    SELECT '[' || coalesce(string_agg(
        (SELECT row_to_json(item.*) FROM (
          SELECT
            place.group_id AS "groupID",
            place.user_id AS "userID",
            place.role_level AS "roleLevel",
            place.join_time AS "joinTime",
            CASE place.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE place.nickname END AS "nickname",
            CASE place.face_url WHEN '' THEN coalesce(profile.face_url, '') ELSE place.face_url END AS "faceURL",
            coalesce(profile.app_manger_level, 0) AS "appMangerLevel",
            place.join_source AS "joinSource",
            place.operator_user_id AS "operatorUserID",
            place.ex AS "ex",
            place.mute_end_time AS "muteEndTime",
            place.inviter_user_id AS "inviterUserID"
        ) item)::text,
        ',' ORDER BY place.piece, place.key), '') || ']'
      FROM (
        SELECT pieces.ordinality AS piece, listed.*
          FROM unnest(starts, rests, sizes) WITH ORDINALITY AS pieces (start, rest, size)
            CROSS JOIN LATERAL (
              SELECT entry.user_id, entry.group_id, entry.role_level, entry.join_time, entry.nickname, entry.face_url, entry.join_source, entry.operator_user_id, entry.ex, entry.mute_end_time, entry.inviter_user_id, ((2000 - entry.role_level)::text || (20000000000000000 + entry.join_time)::text || entry.user_id) AS key FROM group_members entry
                WHERE entry.group_id = asked_owner AND ((2000 - entry.role_level)::text || (20000000000000000 + entry.join_time)::text || entry.user_id) >= pieces.start
                ORDER BY ((2000 - entry.role_level)::text || (20000000000000000 + entry.join_time)::text || entry.user_id) LIMIT pieces.size OFFSET pieces.rest
            ) listed
      ) place
      LEFT JOIN users profile ON profile.user_id = place.user_id);
END
$body$;

CREATE OR REPLACE FUNCTION joined_groups_page(asked_owner text, skip bigint, size bigint, ranges text[], OUT total bigint, OUT items text)
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
  SET enable_sort = off
AS $body$
#variable_conflict use_variable
DECLARE
  beginning record;
  lower_rank bigint;
  length bigint;
  passed bigint;
  wanted bigint;
  starts text[] := '{}';
  rests bigint[] := '{}';
  sizes bigint[] := '{}';
BEGIN
  IF NOT EXISTS (SELECT FROM users WHERE user_id = asked_owner) THEN RETURN; END IF;
  IF ranges IS NULL THEN
    beginning := joined_groups_seek(asked_owner, skip);
    total := beginning.total;
    IF beginning.start IS NOT NULL THEN
      starts := ARRAY[beginning.start];
      rests := ARRAY[beginning.rest];
      sizes := ARRAY[size];
    END IF;
  ELSE
    total := 0;
    FOR position IN 1 .. cardinality(ranges) BY 2 LOOP
      lower_rank := joined_groups_before(asked_owner, ranges[position]);
      length := joined_groups_before(asked_owner, ranges[position + 1]) - lower_rank;
      passed := greatest(skip - total, 0);
      wanted := least(length, skip + size - total) - passed;
      IF wanted > 0 THEN
        beginning := joined_groups_seek(asked_owner, lower_rank + passed);
        starts := starts || beginning.start;
        rests := rests || beginning.rest;
        sizes := sizes || wanted;
      END IF;
      total := total + length;
    END LOOP;
  END IF;
  items := (
    SELECT '[' || coalesce(string_agg(
        (SELECT row_to_json(item.*) FROM (
          SELECT
            place.group_id AS "groupID",
            coalesce(joined.group_name, '') AS "groupName",
            coalesce(joined.notification, '') AS "notification",
            coalesce(joined.introduction, '') AS "introduction",
            coalesce(joined.face_url, '') AS "faceURL",
            coalesce((
              SELECT member.user_id FROM group_members member
                WHERE member.group_id = place.group_id
                  AND ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) >= '1900' AND ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) < '1901'
                ORDER BY ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) LIMIT 1), '') AS "ownerUserID",
            coalesce(joined.create_time, 0) AS "createTime",
            coalesce((
              SELECT counted.total + coalesce((
                  SELECT sum(pending.change) FROM (
                    SELECT recent.ctid AS place, recent.* FROM list_changes recent
                      WHERE recent.list = 1 AND recent.owner = place.group_id AND recent.transaction >= counted.folded_before
                        AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
                    UNION ALL
                    SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
                      SELECT ctid, late.* FROM list_changes late
                        WHERE late.list = 1 AND late.owner = place.group_id AND late.transaction = open.number OFFSET 0) late
                  ) pending), 0)
                FROM (
                  SELECT newest.* FROM list_totals newest
                    WHERE newest.list = 1 AND newest.owner = place.group_id AND newest.version <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
                      AND EXISTS (SELECT FROM lists known WHERE known.list = 1 AND known.owner = place.group_id AND known.is_counted)
                    ORDER BY newest.version DESC LIMIT 1
                ) counted
            ), (
              SELECT count(*) FROM group_members uncounted WHERE uncounted.group_id = place.group_id
            )) AS "memberCount",
            coalesce(joined.ex, '') AS "ex",
            coalesce(joined.status, 0) AS "status",
            coalesce(joined.creator_user_id, '') AS "creatorUserID",
            coalesce(joined.group_type, 0) AS "groupType",
            coalesce(joined.need_verification, 0) AS "needVerification",
            coalesce(joined.look_member_info, 0) AS "lookMemberInfo",
            coalesce(joined.apply_member_friend, 0) AS "applyMemberFriend",
            coalesce(joined.notification_update_time, 0) AS "notificationUpdateTime",
            coalesce(joined.notification_user_id, '') AS "notificationUserID"
        ) item)::text,
        ',' ORDER BY place.piece, place.key), '') || ']'
      FROM (
        SELECT pieces.ordinality AS piece, listed.*
          FROM unnest(starts, rests, sizes) WITH ORDINALITY AS pieces (start, rest, size)
            CROSS JOIN LATERAL (
              SELECT entry.group_id, ((20000000000000000 - entry.join_time)::text || entry.group_id) AS key FROM group_members entry
                WHERE entry.user_id = asked_owner AND ((20000000000000000 - entry.join_time)::text || entry.group_id) >= pieces.start
                ORDER BY ((20000000000000000 - entry.join_time)::text || entry.group_id) LIMIT pieces.size OFFSET pieces.rest
            ) listed
      ) place
      LEFT JOIN groups joined ON joined.group_id = place.group_id);
END
$body$;

CREATE OR REPLACE FUNCTION blacks_page(asked_owner text, skip bigint, size bigint, ranges text[], OUT total bigint, OUT items text)
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
  SET enable_sort = off
AS $body$
#variable_conflict use_variable
DECLARE
  beginning record;
  lower_rank bigint;
  length bigint;
  passed bigint;
  wanted bigint;
  starts text[] := '{}';
  rests bigint[] := '{}';
  sizes bigint[] := '{}';
BEGIN
  IF NOT EXISTS (SELECT FROM users WHERE user_id = asked_owner) THEN RETURN; END IF;
  IF ranges IS NULL THEN
    beginning := blacks_seek(asked_owner, skip);
    total := beginning.total;
    IF beginning.start IS NOT NULL THEN
      starts := ARRAY[beginning.start];
      rests := ARRAY[beginning.rest];
      sizes := ARRAY[size];
    END IF;
  ELSE
    total := 0;
    FOR position IN 1 .. cardinality(ranges) BY 2 LOOP
      lower_rank := blacks_before(asked_owner, ranges[position]);
      length := blacks_before(asked_owner, ranges[position + 1]) - lower_rank;
      passed := greatest(skip - total, 0);
      wanted := least(length, skip + size - total) - passed;
      IF wanted > 0 THEN
        beginning := blacks_seek(asked_owner, lower_rank + passed);
        starts := starts || beginning.start;
        rests := rests || beginning.rest;
        sizes := sizes || wanted;
      END IF;
      total := total + length;
    END LOOP;
  END IF;
  items := (
    SELECT '[' || coalesce(string_agg(
        (SELECT row_to_json(item.*) FROM (
          SELECT
            place.owner_user_id AS "ownerUserID",
            place.create_time AS "createTime",
            (SELECT row_to_json(item.*) FROM (
              SELECT
                place.black_user_id AS "userID",
                coalesce(profile.nickname, '') AS "nickname",
                coalesce(profile.face_url, '') AS "faceURL",
                coalesce(profile.ex, '') AS "ex"
            ) item) AS "blackUserInfo",
            place.add_source AS "addSource",
            place.operator_user_id AS "operatorUserID",
            place.ex AS "ex"
        ) item)::text,
        ',' ORDER BY place.piece, place.key), '') || ']'
      FROM (
        SELECT pieces.ordinality AS piece, listed.*
          FROM unnest(starts, rests, sizes) WITH ORDINALITY AS pieces (start, rest, size)
            CROSS JOIN LATERAL (
              SELECT entry.black_user_id, entry.owner_user_id, entry.create_time, entry.add_source, entry.operator_user_id, entry.ex, ((20000000000000000 - entry.create_time)::text || entry.black_user_id) AS key FROM blacks entry
                WHERE entry.owner_user_id = asked_owner AND ((20000000000000000 - entry.create_time)::text || entry.black_user_id) >= pieces.start
                ORDER BY ((20000000000000000 - entry.create_time)::text || entry.black_user_id) LIMIT pieces.size OFFSET pieces.rest
            ) listed
      ) place
      LEFT JOIN users profile ON profile.user_id = place.black_user_id);
END
$body$;

CREATE OR REPLACE FUNCTION received_group_requests_page(asked_owner text, skip bigint, size bigint, ranges text[], OUT total bigint, OUT items text)
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
  SET enable_sort = off
AS $body$
#variable_conflict use_variable
DECLARE
  beginning record;
  lower_rank bigint;
  length bigint;
  passed bigint;
  wanted bigint;
  starts text[] := '{}';
  rests bigint[] := '{}';
  sizes bigint[] := '{}';
BEGIN
  IF NOT EXISTS (SELECT FROM users WHERE user_id = asked_owner) THEN RETURN; END IF;
  IF ranges IS NULL THEN
    beginning := received_group_requests_seek(asked_owner, skip);
    total := beginning.total;
    IF beginning.start IS NOT NULL THEN
      starts := ARRAY[beginning.start];
      rests := ARRAY[beginning.rest];
      sizes := ARRAY[size];
    END IF;
  ELSE
    total := 0;
    FOR position IN 1 .. cardinality(ranges) BY 2 LOOP
      lower_rank := received_group_requests_before(asked_owner, ranges[position]);
      length := received_group_requests_before(asked_owner, ranges[position + 1]) - lower_rank;
      passed := greatest(skip - total, 0);
      wanted := least(length, skip + size - total) - passed;
      IF wanted > 0 THEN
        beginning := received_group_requests_seek(asked_owner, lower_rank + passed);
        starts := starts || beginning.start;
        rests := rests || beginning.rest;
        sizes := sizes || wanted;
      END IF;
      total := total + length;
    END LOOP;
  END IF;
  items := (
    SELECT '[' || coalesce(string_agg(
        (SELECT row_to_json(item.*) FROM (
          SELECT
            (SELECT row_to_json(item.*) FROM (
              SELECT
                place.user_id AS "userID",
                coalesce(profile.nickname, '') AS "nickname",
                coalesce(profile.face_url, '') AS "faceURL",
                coalesce(profile.ex, '') AS "ex"
            ) item) AS "userInfo",
            (SELECT row_to_json(item.*) FROM (
              SELECT
                place.group_id AS "groupID",
                coalesce(joined.group_name, '') AS "groupName",
                coalesce(joined.notification, '') AS "notification",
                coalesce(joined.introduction, '') AS "introduction",
                coalesce(joined.face_url, '') AS "faceURL",
                coalesce((
                  SELECT member.user_id FROM group_members member
                    WHERE member.group_id = place.group_id
                      AND ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) >= '1900' AND ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) < '1901'
                    ORDER BY ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) LIMIT 1), '') AS "ownerUserID",
                coalesce(joined.create_time, 0) AS "createTime",
                coalesce((
                  SELECT counted.total + coalesce((
                      SELECT sum(pending.change) FROM (
                        SELECT recent.ctid AS place, recent.* FROM list_changes recent
                          WHERE recent.list = 1 AND recent.owner = place.group_id AND recent.transaction >= counted.folded_before
                            AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
                        UNION ALL
                        SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
                          SELECT ctid, late.* FROM list_changes late
                            WHERE late.list = 1 AND late.owner = place.group_id AND late.transaction = open.number OFFSET 0) late
                      ) pending), 0)
                    FROM (
                      SELECT newest.* FROM list_totals newest
                        WHERE newest.list = 1 AND newest.owner = place.group_id AND newest.version <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
                          AND EXISTS (SELECT FROM lists known WHERE known.list = 1 AND known.owner = place.group_id AND known.is_counted)
                        ORDER BY newest.version DESC LIMIT 1
                    ) counted
                ), (
                  SELECT count(*) FROM group_members uncounted WHERE uncounted.group_id = place.group_id
                )) AS "memberCount",
                coalesce(joined.ex, '') AS "ex",
                coalesce(joined.status, 0) AS "status",
                coalesce(joined.creator_user_id, '') AS "creatorUserID",
                coalesce(joined.group_type, 0) AS "groupType",
                coalesce(joined.need_verification, 0) AS "needVerification",
                coalesce(joined.look_member_info, 0) AS "lookMemberInfo",
                coalesce(joined.apply_member_friend, 0) AS "applyMemberFriend",
                coalesce(joined.notification_update_time, 0) AS "notificationUpdateTime",
                coalesce(joined.notification_user_id, '') AS "notificationUserID"
            ) item) AS "groupInfo",
            place.handle_result AS "handleResult",
            place.req_msg AS "reqMsg",
            place.handle_msg AS "handleMsg",
            place.req_time AS "reqTime",
            place.handle_user_id AS "handleUserID",
            place.handle_time AS "handleTime",
            place.ex AS "ex",
            place.join_source AS "joinSource",
            place.inviter_user_id AS "inviterUserID"
        ) item)::text,
        ',' ORDER BY place.piece, place.key), '') || ']'
      FROM (
        SELECT pieces.ordinality AS piece, listed.*
          FROM unnest(starts, rests, sizes) WITH ORDINALITY AS pieces (start, rest, size)
            CROSS JOIN LATERAL (
              SELECT answered.user_id, answered.group_id, answered.handle_result, answered.req_msg, answered.handle_msg, answered.req_time, answered.handle_user_id, answered.handle_time, answered.ex, answered.join_source, answered.inviter_user_id, entry.key FROM (
                  SELECT entry.group_id, entry.user_id, ((20000000000000000 - entry.req_time)::text || entry.group_id || E'\x01' || entry.user_id) AS key FROM received_group_requests entry
                    WHERE entry.manager_user_id = asked_owner AND ((20000000000000000 - entry.req_time)::text || entry.group_id || E'\x01' || entry.user_id) >= pieces.start
                    ORDER BY ((20000000000000000 - entry.req_time)::text || entry.group_id || E'\x01' || entry.user_id) LIMIT pieces.size OFFSET pieces.rest
                ) entry JOIN group_requests answered ON (answered.group_id, answered.user_id) = (entry.group_id, entry.user_id)
            ) listed
      ) place
      LEFT JOIN users profile ON profile.user_id = place.user_id
      LEFT JOIN groups joined ON joined.group_id = place.group_id);
END
$body$;

CREATE OR REPLACE FUNCTION received_group_requests_by_result_page(asked_owner text, skip bigint, size bigint, ranges text[], OUT total bigint, OUT items text)
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
  SET enable_sort = off
AS $body$
#variable_conflict use_variable
DECLARE
  beginning record;
  lower_rank bigint;
  length bigint;
  passed bigint;
  wanted bigint;
  starts text[] := '{}';
  rests bigint[] := '{}';
  sizes bigint[] := '{}';
BEGIN
  IF NOT EXISTS (SELECT FROM users WHERE user_id = asked_owner) THEN RETURN; END IF;
  IF ranges IS NULL THEN
    beginning := received_group_requests_by_result_seek(asked_owner, skip);
    total := beginning.total;
    IF beginning.start IS NOT NULL THEN
      starts := ARRAY[beginning.start];
      rests := ARRAY[beginning.rest];
      sizes := ARRAY[size];
    END IF;
  ELSE
    total := 0;
    FOR position IN 1 .. cardinality(ranges) BY 2 LOOP
      lower_rank := received_group_requests_by_result_before(asked_owner, ranges[position]);
      length := received_group_requests_by_result_before(asked_owner, ranges[position + 1]) - lower_rank;
      passed := greatest(skip - total, 0);
      wanted := least(length, skip + size - total) - passed;
      IF wanted > 0 THEN
        beginning := received_group_requests_by_result_seek(asked_owner, lower_rank + passed);
        starts := starts || beginning.start;
        rests := rests || beginning.rest;
        sizes := sizes || wanted;
      END IF;
      total := total + length;
    END LOOP;
  END IF;
  items := (
    SELECT '[' || coalesce(string_agg(
        (SELECT row_to_json(item.*) FROM (
          SELECT
            (SELECT row_to_json(item.*) FROM (
              SELECT
                place.user_id AS "userID",
                coalesce(profile.nickname, '') AS "nickname",
                coalesce(profile.face_url, '') AS "faceURL",
                coalesce(profile.ex, '') AS "ex"
            ) item) AS "userInfo",
            (SELECT row_to_json(item.*) FROM (
              SELECT
                place.group_id AS "groupID",
                coalesce(joined.group_name, '') AS "groupName",
                coalesce(joined.notification, '') AS "notification",
                coalesce(joined.introduction, '') AS "introduction",
                coalesce(joined.face_url, '') AS "faceURL",
                coalesce((
                  SELECT member.user_id FROM group_members member
                    WHERE member.group_id = place.group_id
                      AND ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) >= '1900' AND ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) < '1901'
                    ORDER BY ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) LIMIT 1), '') AS "ownerUserID",
                coalesce(joined.create_time, 0) AS "createTime",
                coalesce((
                  SELECT counted.total + coalesce((
                      SELECT sum(pending.change) FROM (
                        SELECT recent.ctid AS place, recent.* FROM list_changes recent
                          WHERE recent.list = 1 AND recent.owner = place.group_id AND recent.transaction >= counted.folded_before
                            AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
                        UNION ALL
                        SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
                          SELECT ctid, late.* FROM list_changes late
                            WHERE late.list = 1 AND late.owner = place.group_id AND late.transaction = open.number OFFSET 0) late
                      ) pending), 0)
                    FROM (
                      SELECT newest.* FROM list_totals newest
                        WHERE newest.list = 1 AND newest.owner = place.group_id AND newest.version <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
                          AND EXISTS (SELECT FROM lists known WHERE known.list = 1 AND known.owner = place.group_id AND known.is_counted)
                        ORDER BY newest.version DESC LIMIT 1
                    ) counted
                ), (
                  SELECT count(*) FROM group_members uncounted WHERE uncounted.group_id = place.group_id
                )) AS "memberCount",
                coalesce(joined.ex, '') AS "ex",
                coalesce(joined.status, 0) AS "status",
                coalesce(joined.creator_user_id, '') AS "creatorUserID",
                coalesce(joined.group_type, 0) AS "groupType",
                coalesce(joined.need_verification, 0) AS "needVerification",
                coalesce(joined.look_member_info, 0) AS "lookMemberInfo",
                coalesce(joined.apply_member_friend, 0) AS "applyMemberFriend",
                coalesce(joined.notification_update_time, 0) AS "notificationUpdateTime",
                coalesce(joined.notification_user_id, '') AS "notificationUserID"
            ) item) AS "groupInfo",
            place.handle_result AS "handleResult",
            place.req_msg AS "reqMsg",
            place.handle_msg AS "handleMsg",
            place.req_time AS "reqTime",
            place.handle_user_id AS "handleUserID",
            place.handle_time AS "handleTime",
            place.ex AS "ex",
            place.join_source AS "joinSource",
            place.inviter_user_id AS "inviterUserID"
        ) item)::text,
        ',' ORDER BY place.piece, place.key), '') || ']'
      FROM (
        SELECT pieces.ordinality AS piece, listed.*
          FROM unnest(starts, rests, sizes) WITH ORDINALITY AS pieces (start, rest, size)
            CROSS JOIN LATERAL (
              SELECT answered.user_id, answered.group_id, answered.handle_result, answered.req_msg, answered.handle_msg, answered.req_time, answered.handle_user_id, answered.handle_time, answered.ex, answered.join_source, answered.inviter_user_id, entry.key FROM (
                  SELECT entry.group_id, entry.user_id, ((30000000000 + entry.handle_result)::text || (20000000000000000 - entry.req_time)::text || entry.group_id || E'\x01' || entry.user_id) AS key FROM received_group_requests entry
                    WHERE entry.manager_user_id = asked_owner AND ((30000000000 + entry.handle_result)::text || (20000000000000000 - entry.req_time)::text || entry.group_id || E'\x01' || entry.user_id) >= pieces.start
                    ORDER BY ((30000000000 + entry.handle_result)::text || (20000000000000000 - entry.req_time)::text || entry.group_id || E'\x01' || entry.user_id) LIMIT pieces.size OFFSET pieces.rest
                ) entry JOIN group_requests answered ON (answered.group_id, answered.user_id) = (entry.group_id, entry.user_id)
            ) listed
      ) place
      LEFT JOIN users profile ON profile.user_id = place.user_id
      LEFT JOIN groups joined ON joined.group_id = place.group_id);
END
$body$;

CREATE OR REPLACE FUNCTION notification_accounts_page(asked_owner text, skip bigint, size bigint, ranges text[], OUT total bigint, OUT items text)
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
  SET enable_sort = off
AS $body$
#variable_conflict use_variable
DECLARE
  beginning record;
  lower_rank bigint;
  length bigint;
  passed bigint;
  wanted bigint;
  starts text[] := '{}';
  rests bigint[] := '{}';
  sizes bigint[] := '{}';
BEGIN
  
  IF ranges IS NULL THEN
    beginning := notification_accounts_seek(asked_owner, skip);
    total := beginning.total;
    IF beginning.start IS NOT NULL THEN
      starts := ARRAY[beginning.start];
      rests := ARRAY[beginning.rest];
      sizes := ARRAY[size];
    END IF;
  ELSE
    total := 0;
    FOR position IN 1 .. cardinality(ranges) BY 2 LOOP
      lower_rank := notification_accounts_before(asked_owner, ranges[position]);
      length := notification_accounts_before(asked_owner, ranges[position + 1]) - lower_rank;
      passed := greatest(skip - total, 0);
      wanted := least(length, skip + size - total) - passed;
      IF wanted > 0 THEN
        beginning := notification_accounts_seek(asked_owner, lower_rank + passed);
        starts := starts || beginning.start;
        rests := rests || beginning.rest;
        sizes := sizes || wanted;
      END IF;
      total := total + length;
    END LOOP;
  END IF;
  items := (
    SELECT '[' || coalesce(string_agg(
        (SELECT row_to_json(item.*) FROM (
          SELECT
            place.user_id AS "userID",
            place.face_url AS "faceURL",
            place.nickname AS "nickName"
        ) item)::text,
        ',' ORDER BY place.piece, place.key), '') || ']'
      FROM (
        SELECT pieces.ordinality AS piece, listed.*
          FROM unnest(starts, rests, sizes) WITH ORDINALITY AS pieces (start, rest, size)
            CROSS JOIN LATERAL (
              SELECT entry.user_id, entry.face_url, entry.nickname, ('1' || entry.user_id) AS key FROM users entry
                WHERE entry.app_manger_level >= 3 AND ('1' || entry.user_id) >= pieces.start
                ORDER BY ('1' || entry.user_id) LIMIT pieces.size OFFSET pieces.rest
            ) listed
      ) place
      );
END
$body$;

CREATE OR REPLACE FUNCTION notification_accounts_by_level_page(asked_owner text, skip bigint, size bigint, ranges text[], OUT total bigint, OUT items text)
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
  SET enable_sort = off
AS $body$
#variable_conflict use_variable
DECLARE
  beginning record;
  lower_rank bigint;
  length bigint;
  passed bigint;
  wanted bigint;
  starts text[] := '{}';
  rests bigint[] := '{}';
  sizes bigint[] := '{}';
BEGIN
  
  IF ranges IS NULL THEN
    beginning := notification_accounts_by_level_seek(asked_owner, skip);
    total := beginning.total;
    IF beginning.start IS NOT NULL THEN
      starts := ARRAY[beginning.start];
      rests := ARRAY[beginning.rest];
      sizes := ARRAY[size];
    END IF;
  ELSE
    total := 0;
    FOR position IN 1 .. cardinality(ranges) BY 2 LOOP
      lower_rank := notification_accounts_by_level_before(asked_owner, ranges[position]);
      length := notification_accounts_by_level_before(asked_owner, ranges[position + 1]) - lower_rank;
      passed := greatest(skip - total, 0);
      wanted := least(length, skip + size - total) - passed;
      IF wanted > 0 THEN
        beginning := notification_accounts_by_level_seek(asked_owner, lower_rank + passed);
        starts := starts || beginning.start;
        rests := rests || beginning.rest;
        sizes := sizes || wanted;
      END IF;
      total := total + length;
    END LOOP;
  END IF;
  items := (
    SELECT '[' || coalesce(string_agg(
        (SELECT row_to_json(item.*) FROM (
          SELECT
            place.user_id AS "userID",
            place.face_url AS "faceURL",
            place.nickname AS "nickName"
        ) item)::text,
        ',' ORDER BY place.piece, place.key), '') || ']'
      FROM (
        SELECT pieces.ordinality AS piece, listed.*
          FROM unnest(starts, rests, sizes) WITH ORDINALITY AS pieces (start, rest, size)
            CROSS JOIN LATERAL (
              SELECT entry.user_id, entry.face_url, entry.nickname, ((30000000000 + entry.app_manger_level)::text || entry.user_id) AS key FROM users entry
                WHERE entry.app_manger_level >= 3 AND ((30000000000 + entry.app_manger_level)::text || entry.user_id) >= pieces.start
                ORDER BY ((30000000000 + entry.app_manger_level)::text || entry.user_id) LIMIT pieces.size OFFSET pieces.rest
            ) listed
      ) place
      );
END
$body$;

CREATE OR REPLACE FUNCTION received_requests(asked_owner text, skip bigint, size bigint, asked_groups text[], asked_results integer[], OUT total bigint, OUT items text)
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  doubtful text[] := ARRAY(
    SELECT group_id FROM received_doubts WHERE manager_user_id = asked_owner
    UNION
    SELECT group_id FROM group_members WHERE user_id = asked_owner AND role_level IN (60, 100) AND EXISTS (SELECT FROM received_doubts)
      AND EXISTS (SELECT FROM received_doubts doubt
        WHERE doubt.manager_user_id = '' AND doubt.group_id = group_members.group_id));
  looked_at text[];
BEGIN
  IF NOT EXISTS (SELECT FROM users WHERE user_id = asked_owner) THEN RETURN; END IF;
  IF doubtful = '{}' AND asked_groups IS NULL AND coalesce(cardinality(asked_results), 1) = 1 THEN
    IF asked_results IS NULL THEN
      SELECT * INTO total, items FROM received_group_requests_page(asked_owner, skip, size, NULL);
    ELSE
      SELECT * INTO total, items FROM received_group_requests_by_result_page(
        asked_owner, skip, size,
        ARRAY[(30000000000 + asked_results[1])::text, (30000000000 + asked_results[1] + 1)::text]);
    END IF;
    RETURN;
  END IF;
  looked_at := ARRAY(SELECT group_id FROM group_members WHERE user_id = asked_owner AND role_level IN (60, 100) AND group_id = ANY (coalesce(asked_groups, doubtful)));
  total := CASE
    WHEN asked_groups IS NULL AND asked_results IS NULL THEN
      coalesce((
        SELECT counted.total + coalesce((
            SELECT sum(pending.change) FROM (
              SELECT recent.ctid AS place, recent.* FROM list_changes recent
                WHERE recent.list = 6 AND recent.owner = asked_owner AND recent.transaction >= counted.folded_before
                  AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
              UNION ALL
              SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
                SELECT ctid, late.* FROM list_changes late
                  WHERE late.list = 6 AND late.owner = asked_owner AND late.transaction = open.number OFFSET 0) late
            ) pending), 0)
          FROM (
            SELECT newest.* FROM list_totals newest
              WHERE newest.list = 6 AND newest.owner = asked_owner AND newest.version <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
                AND EXISTS (SELECT FROM lists known WHERE known.list = 6 AND known.owner = asked_owner AND known.is_counted)
              ORDER BY newest.version DESC LIMIT 1
          ) counted
      ), (
        SELECT count(*) FROM received_group_requests uncounted WHERE uncounted.manager_user_id = asked_owner
      ))
        - (SELECT count(*) FROM received_group_requests own
            WHERE own.group_id = ANY (doubtful) AND own.manager_user_id = asked_owner)
        + (SELECT count(*) FROM group_requests WHERE group_id = ANY (looked_at))
    ELSE (
      SELECT count(*) FROM (
        (SELECT own.group_id, own.user_id, ((20000000000000000 - own.req_time)::text || own.group_id || E'\x01' || own.user_id) AS key FROM received_group_requests own
          WHERE asked_groups IS NULL AND own.manager_user_id = asked_owner
            AND own.group_id <> ALL (doubtful) AND (asked_results IS NULL OR own.handle_result = ANY (asked_results)))
        UNION ALL
        (SELECT request.group_id, request.user_id, ((20000000000000000 - request.req_time)::text || request.group_id || E'\x01' || request.user_id) AS key FROM group_requests request
          WHERE request.group_id = ANY (looked_at) AND (asked_results IS NULL OR request.handle_result = ANY (asked_results)))
      ) entry)
    END;
  items := (
    SELECT '[' || coalesce(string_agg(
        (SELECT row_to_json(item.*) FROM (
          SELECT
            (SELECT row_to_json(item.*) FROM (
              SELECT
                place.user_id AS "userID",
                coalesce(profile.nickname, '') AS "nickname",
                coalesce(profile.face_url, '') AS "faceURL",
                coalesce(profile.ex, '') AS "ex"
            ) item) AS "userInfo",
            (SELECT row_to_json(item.*) FROM (
              SELECT
                place.group_id AS "groupID",
                coalesce(joined.group_name, '') AS "groupName",
                coalesce(joined.notification, '') AS "notification",
                coalesce(joined.introduction, '') AS "introduction",
                coalesce(joined.face_url, '') AS "faceURL",
                coalesce((
                  SELECT member.user_id FROM group_members member
                    WHERE member.group_id = place.group_id
                      AND ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) >= '1900' AND ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) < '1901'
                    ORDER BY ((2000 - member.role_level)::text || (20000000000000000 + member.join_time)::text || member.user_id) LIMIT 1), '') AS "ownerUserID",
                coalesce(joined.create_time, 0) AS "createTime",
                coalesce((
                  SELECT counted.total + coalesce((
                      SELECT sum(pending.change) FROM (
                        SELECT recent.ctid AS place, recent.* FROM list_changes recent
                          WHERE recent.list = 1 AND recent.owner = place.group_id AND recent.transaction >= counted.folded_before
                            AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
                        UNION ALL
                        SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
                          SELECT ctid, late.* FROM list_changes late
                            WHERE late.list = 1 AND late.owner = place.group_id AND late.transaction = open.number OFFSET 0) late
                      ) pending), 0)
                    FROM (
                      SELECT newest.* FROM list_totals newest
                        WHERE newest.list = 1 AND newest.owner = place.group_id AND newest.version <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
                          AND EXISTS (SELECT FROM lists known WHERE known.list = 1 AND known.owner = place.group_id AND known.is_counted)
                        ORDER BY newest.version DESC LIMIT 1
                    ) counted
                ), (
                  SELECT count(*) FROM group_members uncounted WHERE uncounted.group_id = place.group_id
                )) AS "memberCount",
                coalesce(joined.ex, '') AS "ex",
                coalesce(joined.status, 0) AS "status",
                coalesce(joined.creator_user_id, '') AS "creatorUserID",
                coalesce(joined.group_type, 0) AS "groupType",
                coalesce(joined.need_verification, 0) AS "needVerification",
                coalesce(joined.look_member_info, 0) AS "lookMemberInfo",
                coalesce(joined.apply_member_friend, 0) AS "applyMemberFriend",
                coalesce(joined.notification_update_time, 0) AS "notificationUpdateTime",
                coalesce(joined.notification_user_id, '') AS "notificationUserID"
            ) item) AS "groupInfo",
            place.handle_result AS "handleResult",
            place.req_msg AS "reqMsg",
            place.handle_msg AS "handleMsg",
            place.req_time AS "reqTime",
            place.handle_user_id AS "handleUserID",
            place.handle_time AS "handleTime",
            place.ex AS "ex",
            place.join_source AS "joinSource",
            place.inviter_user_id AS "inviterUserID"
        ) item)::text,
        ',' ORDER BY place.piece, place.key), '') || ']'
      FROM (
        SELECT 1 AS piece, request.user_id, request.group_id, request.handle_result, request.req_msg, request.handle_msg, request.req_time, request.handle_user_id, request.handle_time, request.ex, request.join_source, request.inviter_user_id, entry.key FROM (
            SELECT * FROM (
              (SELECT own.group_id, own.user_id, ((20000000000000000 - own.req_time)::text || own.group_id || E'\x01' || own.user_id) AS key FROM received_group_requests own
                WHERE asked_groups IS NULL AND own.manager_user_id = asked_owner
                  AND own.group_id <> ALL (doubtful) AND (asked_results IS NULL OR own.handle_result = ANY (asked_results)) ORDER BY key LIMIT skip + size)
              UNION ALL
              (SELECT request.group_id, request.user_id, ((20000000000000000 - request.req_time)::text || request.group_id || E'\x01' || request.user_id) AS key FROM group_requests request
                WHERE request.group_id = ANY (looked_at) AND (asked_results IS NULL OR request.handle_result = ANY (asked_results)) ORDER BY key LIMIT skip + size)
            ) entry ORDER BY entry.key LIMIT size OFFSET skip
          ) entry JOIN group_requests request USING (group_id, user_id)
      ) place
      LEFT JOIN users profile ON profile.user_id = place.user_id
      LEFT JOIN groups joined ON joined.group_id = place.group_id);
END
$body$;

CREATE OR REPLACE FUNCTION grams(words text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 50
  SET search_path FROM CURRENT
AS $body$
  DECLARE
    parts text[] := '{}';
    own text;
    previous text;
  BEGIN
    FOREACH own IN ARRAY string_to_array(regexp_replace(words, '([0-9])[0-9]+([0-9])', E'\\1\\2', 'g'), NULL) LOOP
      IF octet_length(own) > 1 THEN parts := parts || own; END IF;
      IF previous IS NOT NULL THEN parts := parts || (previous || own); END IF;
      previous := own;
    END LOOP;
    RETURN parts;
  END
$body$;

CREATE INDEX IF NOT EXISTS documents_grams ON documents USING gin ((grams(words) COLLATE "C"));

CREATE INDEX IF NOT EXISTS documents_trigrams ON documents USING gin (words public.gin_trgm_ops);

CREATE OR REPLACE FUNCTION notification_accounts_search(asked_owner text, skip bigint, size bigint, asked_levels integer[], keyword text, OUT total bigint, OUT items text)
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  has_letters boolean := keyword COLLATE "C" ~ '[a-z]';
BEGIN
  WITH hits AS MATERIALIZED (
    SELECT entry.ctid AS place, entry.user_id FROM users entry
      WHERE entry.app_manger_level >= 3 AND (asked_levels IS NULL OR app_manger_level = ANY (asked_levels))
        AND (strpos(CASE WHEN has_letters THEN lower(entry.user_id COLLATE "C") ELSE entry.user_id END, keyword) > 0 OR strpos(CASE WHEN has_letters THEN lower(entry.nickname COLLATE "C") ELSE entry.nickname END, keyword) > 0)
  )
  SELECT (SELECT count(*) FROM hits), (
    SELECT '[' || coalesce(string_agg(
        (SELECT row_to_json(item.*) FROM (
          SELECT
            place.user_id AS "userID",
            place.face_url AS "faceURL",
            place.nickname AS "nickName"
        ) item)::text,
        ',' ORDER BY place.piece, place.key), '') || ']'
      FROM (
        SELECT 1 AS piece, entry.user_id, entry.face_url, entry.nickname, ('1' || entry.user_id) AS key
          FROM (SELECT place FROM hits ORDER BY user_id COLLATE "C" LIMIT size OFFSET skip) hit
            JOIN users entry ON entry.ctid = hit.place
      ) place
      )
    INTO total, items;
END
$body$;

CREATE OR REPLACE FUNCTION group_members_hits(asked_owner text, asked_levels integer[], keyword text)
  RETURNS TABLE (place tid, role_level group_members.role_level%TYPE, join_time group_members.join_time%TYPE, user_id group_members.user_id%TYPE)
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_custom_plan
  SET enable_seqscan = on
  SET enable_bitmapscan = on
  SET enable_hashjoin = on
  SET enable_mergejoin = on
  SET random_page_cost = 1.1
  SET parallel_tuple_cost = 0.001
AS $body$
#variable_conflict use_variable
DECLARE
  has_letters boolean := keyword COLLATE "C" ~ '[a-z]';
BEGIN
  RETURN QUERY
    SELECT entry.ctid AS place, entry.role_level, entry.join_time, entry.user_id FROM group_members entry LEFT JOIN (
        SELECT profile.user_id FROM users profile WHERE strpos(CASE WHEN has_letters THEN lower(profile.nickname COLLATE "C") ELSE profile.nickname END, keyword) > 0
      ) named ON named.user_id = entry.user_id AND entry.nickname = ''
      WHERE entry.group_id = asked_owner AND (asked_levels IS NULL OR entry.role_level = ANY (asked_levels)) AND ((strpos(CASE WHEN has_letters THEN lower(entry.user_id COLLATE "C") ELSE entry.user_id END, keyword) > 0 OR strpos(CASE WHEN has_letters THEN lower(entry.nickname COLLATE "C") ELSE entry.nickname END, keyword) > 0) OR named.user_id IS NOT NULL);
END
$body$;

CREATE OR REPLACE FUNCTION documents_count(asked_group text, asked_levels text[], doubtful text[], keyword text, asked_grams text[], asked_pattern text, is_exact boolean, looked_for text)
  RETURNS bigint
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_custom_plan
  SET enable_seqscan = on
  SET enable_bitmapscan = on
  SET enable_hashjoin = on
  SET enable_mergejoin = on
  SET random_page_cost = 1.1
  SET parallel_tuple_cost = 0.001
  SET max_parallel_workers_per_gather = 0
  SET gin_fuzzy_search_limit = 0
AS $body$
#variable_conflict use_variable
BEGIN
  RETURN (
    SELECT count(*) FROM (
      SELECT key FROM documents
        WHERE group_id = asked_group AND (asked_levels IS NULL OR left(key, 4) = ANY (asked_levels))
          AND (doubtful = '{}' OR key <> ALL (doubtful)) AND (asked_grams IS NULL OR (grams(words) COLLATE "C") @> asked_grams)
          AND (asked_pattern IS NULL OR words LIKE asked_pattern) AND (is_exact OR strpos(words, keyword) > 0)
          AND (looked_for IS NULL OR words COLLATE "POSIX" LIKE looked_for)
    ) hit);
END
$body$;

CREATE OR REPLACE FUNCTION documents_some(asked_group text, asked_levels text[], doubtful text[], keyword text, asked_grams text[], asked_pattern text, is_exact boolean, looked_for text, most bigint)
  RETURNS text[]
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_custom_plan
  SET enable_seqscan = on
  SET enable_bitmapscan = on
  SET enable_hashjoin = on
  SET enable_mergejoin = on
  SET random_page_cost = 1.1
  SET parallel_tuple_cost = 0.001
  SET max_parallel_workers_per_gather = 0
  SET gin_fuzzy_search_limit = 0
AS $body$
#variable_conflict use_variable
BEGIN
  RETURN ARRAY(
    SELECT key FROM documents
      WHERE group_id = asked_group AND (asked_levels IS NULL OR left(key, 4) = ANY (asked_levels))
        AND (doubtful = '{}' OR key <> ALL (doubtful)) AND (asked_grams IS NULL OR (grams(words) COLLATE "C") @> asked_grams)
        AND (asked_pattern IS NULL OR words LIKE asked_pattern) AND (is_exact OR strpos(words, keyword) > 0)
        AND (looked_for IS NULL OR words COLLATE "POSIX" LIKE looked_for)
      LIMIT most);
END
$body$;

CREATE OR REPLACE FUNCTION documents_sorted(asked_group text, asked_levels text[], doubtful text[], keyword text, asked_grams text[], asked_pattern text, is_exact boolean, looked_for text, live text[], skip bigint, size bigint)
  RETURNS text[]
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_custom_plan
  SET enable_seqscan = on
  SET enable_bitmapscan = on
  SET enable_hashjoin = on
  SET enable_mergejoin = on
  SET random_page_cost = 1.1
  SET parallel_tuple_cost = 0.001
  SET max_parallel_workers_per_gather = 0
  SET gin_fuzzy_search_limit = 0
AS $body$
#variable_conflict use_variable
BEGIN
  RETURN ARRAY(
    SELECT key FROM (
      SELECT key FROM documents
        WHERE group_id = asked_group AND (asked_levels IS NULL OR left(key, 4) = ANY (asked_levels))
          AND (doubtful = '{}' OR key <> ALL (doubtful)) AND (asked_grams IS NULL OR (grams(words) COLLATE "C") @> asked_grams)
          AND (asked_pattern IS NULL OR words LIKE asked_pattern) AND (is_exact OR strpos(words, keyword) > 0)
          AND (looked_for IS NULL OR words COLLATE "POSIX" LIKE looked_for)
      UNION ALL SELECT unnest(live)
    ) hit ORDER BY key COLLATE "C" LIMIT size OFFSET skip);
END
$body$;

CREATE OR REPLACE FUNCTION documents_from_first(asked_group text, asked_levels text[], doubtful text[], asked_pattern text, live text[], skip bigint, size bigint)
  RETURNS text[]
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
  SET plan_cache_mode = force_custom_plan
AS $body$
#variable_conflict use_variable
BEGIN
  RETURN ARRAY(
    SELECT key FROM (
      (SELECT key FROM documents WHERE group_id = asked_group AND (asked_levels IS NULL OR left(key, 4) = ANY (asked_levels))
        AND (doubtful = '{}' OR key <> ALL (doubtful)) AND words LIKE asked_pattern
        ORDER BY key ASC LIMIT skip + size)
      UNION ALL SELECT unnest(live)
    ) hit ORDER BY key COLLATE "C" ASC LIMIT size OFFSET skip);
END
$body$;

CREATE OR REPLACE FUNCTION documents_from_last(asked_group text, asked_levels text[], doubtful text[], asked_pattern text, live text[], skip bigint, size bigint)
  RETURNS text[]
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
  SET plan_cache_mode = force_custom_plan
AS $body$
#variable_conflict use_variable
BEGIN
  RETURN ARRAY(
    SELECT key FROM (
      (SELECT key FROM documents WHERE group_id = asked_group AND (asked_levels IS NULL OR left(key, 4) = ANY (asked_levels))
        AND (doubtful = '{}' OR key <> ALL (doubtful)) AND words LIKE asked_pattern
        ORDER BY key DESC LIMIT skip + size)
      UNION ALL SELECT unnest(live)
    ) hit ORDER BY key COLLATE "C" DESC LIMIT size OFFSET skip);
END
$body$;

CREATE OR REPLACE FUNCTION documents_find(asked_group text, asked_levels text[], keyword text, skip bigint, size bigint, OUT total bigint, OUT keys text[])
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  has_letters boolean := keyword COLLATE "C" ~ '[a-z]';
  pattern text := '%' || regexp_replace(keyword, '([%_]|' || E'\\\\' || ')', E'\\\\\\1', 'g') || '%';
  is_ascii boolean := octet_length(keyword) = char_length(keyword);
  doubted text[];
  doubtful text[];
  live text[];
  listed bigint;
  sample record;
  asked_grams text[];
  asked_pattern text;
  is_exact boolean := true;
  looked_for text := pattern;
  is_met_soon boolean;
BEGIN
  IF strpos(keyword, E'\x1f') > 0 OR NOT EXISTS (
    SELECT FROM searched_groups WHERE group_id = asked_group AND documented_before = ':')
  THEN RETURN; END IF;
  doubted := ARRAY(SELECT unnest(user_ids) FROM profile_doubts LIMIT 10000);
  doubtful := ARRAY(
    SELECT pending.key FROM (
      SELECT pending.* FROM (
          SELECT newest.* FROM list_totals newest
            WHERE newest.list = 1 AND newest.owner = asked_group AND newest.version <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
              AND EXISTS (SELECT FROM lists known WHERE known.list = 1 AND known.owner = asked_group AND known.is_counted)
            ORDER BY newest.version DESC LIMIT 1
        ) counted CROSS JOIN LATERAL (
          SELECT recent.ctid AS place, recent.* FROM list_changes recent
            WHERE recent.list = 1 AND recent.owner = asked_group AND recent.transaction >= counted.folded_before
              AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
          UNION ALL
          SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
            SELECT ctid, late.* FROM list_changes late
              WHERE late.list = 1 AND late.owner = asked_group AND late.transaction = open.number OFFSET 0) late
        ) pending
    ) pending GROUP BY pending.key
    UNION SELECT key FROM documents WHERE group_id = asked_group AND words IS NULL
    LIMIT 10000);
  IF 10000 IN (cardinality(doubted), cardinality(doubtful)) THEN RETURN; END IF;
  doubtful := doubtful || ARRAY(
    SELECT ((2000 - entry.role_level)::text || (20000000000000000 + entry.join_time)::text || entry.user_id) FROM group_members entry
      WHERE entry.group_id = asked_group AND entry.user_id = ANY (doubted) AND entry.nickname = '');
  live := ARRAY(
    SELECT ((2000 - entry.role_level)::text || (20000000000000000 + entry.join_time)::text || entry.user_id) FROM group_members entry LEFT JOIN users profile ON profile.user_id = entry.user_id
      WHERE entry.group_id = asked_group AND ((2000 - entry.role_level)::text || (20000000000000000 + entry.join_time)::text || entry.user_id) = ANY (doubtful)
        AND (asked_levels IS NULL OR left(((2000 - entry.role_level)::text || (20000000000000000 + entry.join_time)::text || entry.user_id), 4) = ANY (asked_levels)) AND ((strpos(CASE WHEN has_letters THEN lower(entry.user_id COLLATE "C") ELSE entry.user_id END, keyword) > 0 OR strpos(CASE WHEN has_letters THEN lower(entry.nickname COLLATE "C") ELSE entry.nickname END, keyword) > 0) OR entry.nickname = '' AND strpos(CASE WHEN has_letters THEN lower(profile.nickname COLLATE "C") ELSE profile.nickname END, keyword) > 0));

  listed := coalesce((
    SELECT counted.total + coalesce((
        SELECT sum(pending.change) FROM (
          SELECT recent.ctid AS place, recent.* FROM list_changes recent
            WHERE recent.list = 1 AND recent.owner = asked_group AND recent.transaction >= counted.folded_before
              AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
          UNION ALL
          SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
            SELECT ctid, late.* FROM list_changes late
              WHERE late.list = 1 AND late.owner = asked_group AND late.transaction = open.number OFFSET 0) late
        ) pending), 0)
      FROM (
        SELECT newest.* FROM list_totals newest
          WHERE newest.list = 1 AND newest.owner = asked_group AND newest.version <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
            AND EXISTS (SELECT FROM lists known WHERE known.list = 1 AND known.owner = asked_group AND known.is_counted)
          ORDER BY newest.version DESC LIMIT 1
      ) counted
  ), (
    SELECT count(*) FROM group_members uncounted WHERE uncounted.group_id = asked_group
  ));
  SELECT count(*) FILTER (WHERE place.hits > 0) AS places, sum(place.hits) AS hits INTO sample FROM (
      SELECT (
          SELECT count(*) FROM (
            SELECT words FROM documents WHERE group_id = asked_group AND key >= found.start
              ORDER BY key LIMIT 40
          ) near WHERE words LIKE pattern
        ) AS hits
        FROM generate_series(0, 4) number
          CROSS JOIN LATERAL list_seek(1, asked_group, listed * number / 5) found
    ) place;
  -- On the way along the list, where it is in so many places.
  is_met_soon := asked_levels IS NULL AND sample.places * 2 > 5;
  IF listed > 10000 AND sample.hits * 3 * greatest(listed, (
      SELECT reltuples FROM pg_class WHERE oid = 'documents'::regclass
    )) < listed * 200
  THEN
    IF is_ascii AND keyword COLLATE "C" ~ '[a-z0-9]{3}' THEN
      looked_for := NULL;
      -- What numbers begin with, many have in common, as where they are given in their order.
      is_exact := keyword COLLATE "C" !~ '^[0-9]{7,}$';
      asked_pattern := CASE WHEN is_exact THEN pattern ELSE '%' || right(keyword, 6) || '%' END;
    ELSE
      asked_grams := ARRAY(
        SELECT DISTINCT gram FROM unnest(grams(keyword)) gram
          -- Those with characters beyond ASCII are the rare ones; nobody has pairs of digits.
          WHERE CASE WHEN is_ascii THEN gram COLLATE "C" !~ '^[0-9]{2}$' ELSE octet_length(gram) > char_length(gram) END);
      IF asked_grams = '{}' THEN
        asked_grams := NULL;
      ELSE
        looked_for := NULL;
        is_exact := char_length(keyword) <= 2;
      END IF;
    END IF;
  END IF;
  IF NOT is_met_soon THEN
    keys := live || documents_some(
      asked_group, asked_levels, doubtful, keyword, asked_grams, asked_pattern, is_exact, looked_for, 20000);
    IF cardinality(keys) < 20000 THEN
      total := cardinality(keys);
      keys := ARRAY(SELECT key FROM unnest(keys) key ORDER BY key COLLATE "C" LIMIT size OFFSET skip);
      RETURN;
    END IF;
  END IF;
  total := cardinality(live)
    + documents_count(asked_group, asked_levels, doubtful, keyword, asked_grams, asked_pattern, is_exact, looked_for);

  size := least(size, greatest(total - skip, 0));
  keys := CASE
    WHEN skip >= total THEN '{}'
    WHEN NOT is_met_soon OR least(skip + size, total - skip) * listed > 4 * total * total
    THEN documents_sorted(
      asked_group, asked_levels, doubtful, keyword, asked_grams, asked_pattern, is_exact, looked_for, live, skip, size)
    WHEN skip + size < total - skip
    THEN documents_from_first(asked_group, asked_levels, doubtful, pattern, live, skip, size)
    ELSE documents_from_last(
      asked_group, asked_levels, doubtful, pattern, live, total - skip - size, size)
  END;
END
$body$;

CREATE OR REPLACE FUNCTION group_members_search(asked_owner text, skip bigint, size bigint, asked_levels integer[], keyword text, OUT total bigint, OUT items text)
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  has_letters boolean := keyword COLLATE "C" ~ '[a-z]';
  keys text[];
BEGIN
  IF NOT EXISTS (SELECT FROM groups WHERE group_id = asked_owner) THEN RETURN; END IF;
  SELECT found.total, found.keys INTO total, keys
    FROM documents_find(
      asked_owner, CASE WHEN asked_levels IS NOT NULL THEN ARRAY(SELECT (2000 - level)::text FROM unnest(asked_levels) level) END,
      keyword, skip, size
    ) found;
  IF total IS NOT NULL THEN
    items := (
      SELECT '[' || coalesce(string_agg(
          (SELECT row_to_json(item.*) FROM (
            SELECT
              place.group_id AS "groupID",
              place.user_id AS "userID",
              place.role_level AS "roleLevel",
              place.join_time AS "joinTime",
              CASE place.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE place.nickname END AS "nickname",
              CASE place.face_url WHEN '' THEN coalesce(profile.face_url, '') ELSE place.face_url END AS "faceURL",
              coalesce(profile.app_manger_level, 0) AS "appMangerLevel",
              place.join_source AS "joinSource",
              place.operator_user_id AS "operatorUserID",
              place.ex AS "ex",
              place.mute_end_time AS "muteEndTime",
              place.inviter_user_id AS "inviterUserID"
          ) item)::text,
          ',' ORDER BY place.piece, place.key), '') || ']'
        FROM (
          SELECT 1 AS piece, entry.user_id, entry.group_id, entry.role_level, entry.join_time, entry.nickname, entry.face_url, entry.join_source, entry.operator_user_id, entry.ex, entry.mute_end_time, entry.inviter_user_id, found.key FROM unnest(keys) AS found (key)
            JOIN group_members entry ON entry.group_id = asked_owner AND ((2000 - entry.role_level)::text || (20000000000000000 + entry.join_time)::text || entry.user_id) = found.key
        ) place
        LEFT JOIN users profile ON profile.user_id = place.user_id);
  ELSIF (coalesce((
    SELECT counted.total + coalesce((
        SELECT sum(pending.change) FROM (
          SELECT recent.ctid AS place, recent.* FROM list_changes recent
            WHERE recent.list = 1 AND recent.owner = asked_owner AND recent.transaction >= counted.folded_before
              AND recent.transaction <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
          UNION ALL
          SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN LATERAL (
            SELECT ctid, late.* FROM list_changes late
              WHERE late.list = 1 AND late.owner = asked_owner AND late.transaction = open.number OFFSET 0) late
        ) pending), 0)
      FROM (
        SELECT newest.* FROM list_totals newest
          WHERE newest.list = 1 AND newest.owner = asked_owner AND newest.version <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
            AND EXISTS (SELECT FROM lists known WHERE known.list = 1 AND known.owner = asked_owner AND known.is_counted)
          ORDER BY newest.version DESC LIMIT 1
      ) counted
  ), (
    SELECT count(*) FROM group_members uncounted WHERE uncounted.group_id = asked_owner
  ))) <= 2000 THEN
    WITH hits AS MATERIALIZED (
      SELECT entry.ctid AS place, entry.role_level, entry.join_time, entry.user_id FROM group_members entry LEFT JOIN users profile ON profile.user_id = entry.user_id
        WHERE entry.group_id = asked_owner AND (asked_levels IS NULL OR entry.role_level = ANY (asked_levels)) AND ((strpos(CASE WHEN has_letters THEN lower(entry.user_id COLLATE "C") ELSE entry.user_id END, keyword) > 0 OR strpos(CASE WHEN has_letters THEN lower(entry.nickname COLLATE "C") ELSE entry.nickname END, keyword) > 0) OR entry.nickname = '' AND strpos(CASE WHEN has_letters THEN lower(profile.nickname COLLATE "C") ELSE profile.nickname END, keyword) > 0)
    )
    SELECT (SELECT count(*) FROM hits), (
      SELECT '[' || coalesce(string_agg(
          (SELECT row_to_json(item.*) FROM (
            SELECT
              place.group_id AS "groupID",
              place.user_id AS "userID",
              place.role_level AS "roleLevel",
              place.join_time AS "joinTime",
              CASE place.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE place.nickname END AS "nickname",
              CASE place.face_url WHEN '' THEN coalesce(profile.face_url, '') ELSE place.face_url END AS "faceURL",
              coalesce(profile.app_manger_level, 0) AS "appMangerLevel",
              place.join_source AS "joinSource",
              place.operator_user_id AS "operatorUserID",
              place.ex AS "ex",
              place.mute_end_time AS "muteEndTime",
              place.inviter_user_id AS "inviterUserID"
          ) item)::text,
          ',' ORDER BY place.piece, place.key), '') || ']'
        FROM (
          SELECT 1 AS piece, entry.user_id, entry.group_id, entry.role_level, entry.join_time, entry.nickname, entry.face_url, entry.join_source, entry.operator_user_id, entry.ex, entry.mute_end_time, entry.inviter_user_id, ((2000 - entry.role_level)::text || (20000000000000000 + entry.join_time)::text || entry.user_id) AS key
            FROM (SELECT place FROM hits ORDER BY role_level DESC, join_time, user_id COLLATE "C" LIMIT size OFFSET skip) hit
              JOIN group_members entry ON entry.ctid = hit.place
        ) place
        LEFT JOIN users profile ON profile.user_id = place.user_id)
      INTO total, items;
  ELSE
    WITH hits AS MATERIALIZED (
      SELECT * FROM group_members_hits(asked_owner, asked_levels, keyword)
    )
    SELECT (SELECT count(*) FROM hits), (
      SELECT '[' || coalesce(string_agg(
          (SELECT row_to_json(item.*) FROM (
            SELECT
              place.group_id AS "groupID",
              place.user_id AS "userID",
              place.role_level AS "roleLevel",
              place.join_time AS "joinTime",
              CASE place.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE place.nickname END AS "nickname",
              CASE place.face_url WHEN '' THEN coalesce(profile.face_url, '') ELSE place.face_url END AS "faceURL",
              coalesce(profile.app_manger_level, 0) AS "appMangerLevel",
              place.join_source AS "joinSource",
              place.operator_user_id AS "operatorUserID",
              place.ex AS "ex",
              place.mute_end_time AS "muteEndTime",
              place.inviter_user_id AS "inviterUserID"
          ) item)::text,
          ',' ORDER BY place.piece, place.key), '') || ']'
        FROM (
          SELECT 1 AS piece, entry.user_id, entry.group_id, entry.role_level, entry.join_time, entry.nickname, entry.face_url, entry.join_source, entry.operator_user_id, entry.ex, entry.mute_end_time, entry.inviter_user_id, ((2000 - entry.role_level)::text || (20000000000000000 + entry.join_time)::text || entry.user_id) AS key
            FROM (SELECT place FROM hits ORDER BY role_level DESC, join_time, user_id COLLATE "C" LIMIT size OFFSET skip) hit
              JOIN group_members entry ON entry.ctid = hit.place
        ) place
        LEFT JOIN users profile ON profile.user_id = place.user_id)
      INTO total, items;
  END IF;
END
$body$;

CREATE OR REPLACE FUNCTION set_conversations(asked_owners text[], asked_conversation text, asked_type integer, asked_user text, asked_group text,
  asked_recv_msg_opt integer, asked_attached_info text, asked_is_pinned boolean, asked_is_private_chat boolean, asked_ex text, asked_burn_duration integer, OUT outcome text, OUT user_ids text)
  LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT SET row_security = off
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
AS $body$
#variable_conflict use_variable
DECLARE
  concerned text[];
  wrong text[];
  changed text[];
BEGIN
  IF asked_type = 3 THEN
    SELECT CASE status WHEN 2 THEN 'groupDismissed' END INTO outcome FROM groups WHERE group_id = asked_group;
    IF NOT FOUND THEN outcome := 'groupNotFound'; END IF;
    IF outcome IS NOT NULL THEN RETURN; END IF;
  END IF;
  concerned := CASE asked_type WHEN 1 THEN asked_owners || asked_user ELSE asked_owners END;
  -- Mostly all of them are there, which is found out faster than which of them is not.
  IF (SELECT count(*) FROM users WHERE user_id = ANY (concerned)) < cardinality(concerned) THEN
    wrong := ARRAY(
      SELECT named.id FROM unnest(concerned) WITH ORDINALITY AS named (id, position)
        WHERE NOT EXISTS (SELECT FROM users WHERE users.user_id = named.id)
        GROUP BY named.id ORDER BY min(named.position));
    IF cardinality(wrong) > 0 THEN
      outcome := 'usersNotFound';
      user_ids := array_to_json(wrong);
      RETURN;
    END IF;
  END IF;

  BEGIN
    IF num_nonnulls(asked_recv_msg_opt, asked_attached_info, asked_is_pinned, asked_is_private_chat, asked_ex, asked_burn_duration) > 0 THEN
      WITH written AS (
        INSERT INTO conversations AS stored
            (owner_user_id, conversation_id, conversation_type, user_id, group_id, recv_msg_opt, attached_info, is_pinned, is_private_chat, ex, burn_duration)
          SELECT id, asked_conversation, asked_type, asked_user, asked_group, coalesce(asked_recv_msg_opt, 0), coalesce(asked_attached_info, ''), coalesce(asked_is_pinned, false), coalesce(asked_is_private_chat, false), coalesce(asked_ex, ''), coalesce(asked_burn_duration, 0)
            FROM unnest(asked_owners) AS owners (id) ORDER BY id COLLATE "C"
          ON CONFLICT (owner_user_id, conversation_id) DO UPDATE SET (recv_msg_opt, attached_info, is_pinned, is_private_chat, ex, burn_duration) = ROW (coalesce(asked_recv_msg_opt, stored.recv_msg_opt), coalesce(asked_attached_info, stored.attached_info), coalesce(asked_is_pinned, stored.is_pinned), coalesce(asked_is_private_chat, stored.is_private_chat), coalesce(asked_ex, stored.ex), coalesce(asked_burn_duration, stored.burn_duration))
            WHERE NOT (stored.conversation_type, stored.user_id, stored.group_id)
                IS DISTINCT FROM (asked_type, asked_user, asked_group)
              AND (stored.recv_msg_opt, stored.attached_info, stored.is_pinned, stored.is_private_chat, stored.ex, stored.burn_duration) IS DISTINCT FROM (coalesce(asked_recv_msg_opt, stored.recv_msg_opt), coalesce(asked_attached_info, stored.attached_info), coalesce(asked_is_pinned, stored.is_pinned), coalesce(asked_is_private_chat, stored.is_private_chat), coalesce(asked_ex, stored.ex), coalesce(asked_burn_duration, stored.burn_duration))
          RETURNING owner_user_id
      )
      SELECT array_agg(owner_user_id) INTO changed FROM written;
    END IF;
    -- What is written does not contradict.
    IF cardinality(changed) IS DISTINCT FROM cardinality(asked_owners) THEN
      wrong := ARRAY(
        SELECT owners.id FROM unnest(asked_owners) WITH ORDINALITY AS owners (id, position)
          JOIN conversations stored ON stored.owner_user_id = owners.id AND stored.conversation_id = asked_conversation
          WHERE (stored.conversation_type, stored.user_id, stored.group_id)
              IS DISTINCT FROM (asked_type, asked_user, asked_group) ORDER BY owners.position);
      IF cardinality(wrong) > 0 THEN RAISE 'contradicted' USING ERRCODE = 'IM001'; END IF;
    END IF;
  EXCEPTION WHEN SQLSTATE 'IM001' THEN
    outcome := 'contradicted';
    user_ids := array_to_json(wrong);
    RETURN;
  END;
  outcome := 'done';
  user_ids := array_to_json(coalesce(changed, '{}'));
END
$body$;
