-- What im-admin has made of a map in version 1 of the schema.

SELECT pg_advisory_xact_lock(hashtext('im-admin settle'), 'im_admin.lists'::regclass::oid::integer);

SELECT set_config('search_path', 'im_admin, pg_temp', true);

DO $$
BEGIN
  IF EXISTS (SELECT FROM im_admin.table_map) THEN
    RAISE 'tables are mapped already: take that back first';
  END IF;
END $$;

DO $$
BEGIN
  IF EXISTS (SELECT FROM im_admin.users) THEN
    RAISE 'im_admin.users has records, which would be lost: remove them, or leave them out of the map';
  END IF;
END $$;
DROP TABLE im_admin.users CASCADE;

DO $$
BEGIN
  IF EXISTS (SELECT FROM im_admin.conversations) THEN
    RAISE 'im_admin.conversations has records, which would be lost: remove them, or leave them out of the map';
  END IF;
END $$;
DROP TABLE im_admin.conversations CASCADE;

DROP FUNCTION im_admin.users_written();

DROP VIEW IF EXISTS im_admin.list_rows;
DROP FUNCTION IF EXISTS im_admin.rows_of(integer, text), im_admin.row_at(integer, text, text);

CREATE FUNCTION im_admin.users_user_id_key(given bytea, OUT key chat.people.id%TYPE)
  LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  id text := convert_from(given, 'UTF8');
BEGIN
  key := id;
EXCEPTION WHEN data_exception THEN
  key := NULL;
END $$;
COMMENT ON FUNCTION im_admin.users_user_id_key IS 'What chat.people has for an ID; NULL where no row can have it.';

CREATE VIEW im_admin.users AS
  SELECT row.user_id, row.nickname, row.face_url, row.ex, row.app_manger_level::integer AS app_manger_level, row.user_id_key
  FROM (
    SELECT
        (people.id::text) COLLATE "C" AS user_id,
        coalesce((name)::text, '') COLLATE "C" AS nickname,
        ''::text COLLATE "C" AS face_url,
        ''::text COLLATE "C" AS ex,
        coalesce((level)::bigint, 0) AS app_manger_level,
        people.id AS user_id_key
      FROM chat.people AS people
  ) row
  WHERE CASE
      WHEN coalesce(row.user_id, '') = ''
        OR octet_length(row.user_id) > 512
        OR strpos(row.user_id, chr(1)) > 0
        OR row.app_manger_level NOT BETWEEN -2147483648 AND 2147483647
      THEN false ELSE true
    END;

CREATE FUNCTION im_admin.conversations_owner_user_id_key(given bytea, OUT key chat.inbox.owner%TYPE)
  LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  id text := convert_from(given, 'UTF8');
BEGIN
  key := id;
EXCEPTION WHEN data_exception THEN
  key := NULL;
END $$;
COMMENT ON FUNCTION im_admin.conversations_owner_user_id_key IS 'What chat.inbox has for an ID; NULL where no row can have it.';

CREATE FUNCTION im_admin.conversations_conversation_id_key(given bytea, OUT key chat.inbox.name%TYPE)
  LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  id text := convert_from(given, 'UTF8');
BEGIN
  key := id;
EXCEPTION WHEN data_exception THEN
  key := NULL;
END $$;
COMMENT ON FUNCTION im_admin.conversations_conversation_id_key IS 'What chat.inbox has for an ID; NULL where no row can have it.';

CREATE VIEW im_admin.conversations AS
  SELECT row.owner_user_id, row.conversation_id, row.conversation_type, row.user_id, row.group_id, row.recv_msg_opt, row.attached_info, row.is_pinned, row.is_private_chat, row.ex, row.burn_duration, row.owner_user_id_key, row.conversation_id_key
  FROM (
    SELECT
        (inbox.owner::text) COLLATE "C" AS owner_user_id,
        (inbox.name::text) COLLATE "C" AS conversation_id,
        coalesce((type)::bigint, 0) AS conversation_type,
        coalesce((peer)::text, '') COLLATE "C" AS user_id,
        coalesce((room)::text, '') COLLATE "C" AS group_id,
        0::bigint AS recv_msg_opt,
        ''::text COLLATE "C" AS attached_info,
        coalesce((pinned)::boolean, false) AS is_pinned,
        false::boolean AS is_private_chat,
        ''::text COLLATE "C" AS ex,
        0::bigint AS burn_duration,
        inbox.owner AS owner_user_id_key,
        inbox.name AS conversation_id_key
      FROM chat.inbox AS inbox
  ) row
  WHERE CASE
      WHEN coalesce(row.owner_user_id, '') = ''
        OR octet_length(row.owner_user_id) > 512
        OR strpos(row.owner_user_id, chr(1)) > 0
        OR coalesce(row.conversation_id, '') = ''
        OR octet_length(row.conversation_id) > 512
        OR strpos(row.conversation_id, chr(1)) > 0
      THEN false ELSE true
    END;

CREATE FUNCTION im_admin.user_at(asked_user_id text) RETURNS SETOF im_admin.users
  LANGUAGE sql STABLE AS $$
  SELECT stored.* FROM im_admin.users stored
    WHERE stored.user_id_key = im_admin.users_user_id_key(convert_to(user_at.asked_user_id, 'UTF8')) AND stored.user_id = user_at.asked_user_id
$$;
COMMENT ON FUNCTION im_admin.user_at IS 'The user with an ID.';

CREATE FUNCTION im_admin.conversation_at(asked_owner_user_id text, asked_conversation_id text) RETURNS SETOF im_admin.conversations
  LANGUAGE sql STABLE AS $$
  SELECT stored.* FROM im_admin.conversations stored
    WHERE stored.owner_user_id_key = im_admin.conversations_owner_user_id_key(convert_to(conversation_at.asked_owner_user_id, 'UTF8')) AND stored.owner_user_id = conversation_at.asked_owner_user_id AND stored.conversation_id_key = im_admin.conversations_conversation_id_key(convert_to(conversation_at.asked_conversation_id, 'UTF8')) AND stored.conversation_id = conversation_at.asked_conversation_id
$$;
COMMENT ON FUNCTION im_admin.conversation_at IS 'A conversation of a user.';

CREATE FUNCTION im_admin.conversations_of(asked_owner_user_id text) RETURNS SETOF im_admin.conversations
  LANGUAGE sql STABLE AS $$
  SELECT stored.* FROM im_admin.conversations stored
    WHERE stored.owner_user_id_key = im_admin.conversations_owner_user_id_key(convert_to(conversations_of.asked_owner_user_id, 'UTF8')) AND stored.owner_user_id = conversations_of.asked_owner_user_id
$$;
COMMENT ON FUNCTION im_admin.conversations_of IS 'The conversations of a user.';

CREATE VIEW im_admin.list_rows WITH (security_invoker = true) AS
  SELECT 1 AS list, listed.group_id AS parent, listed.group_id AS owner, listed.user_id AS id,
      im_admin.member_key(listed.role_level, listed.join_time, listed.user_id) AS key,
      CASE listed.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE listed.nickname END AS name
    FROM im_admin.group_members listed
      LEFT JOIN im_admin.users profile ON profile.user_id = listed.user_id
  UNION ALL
  SELECT 2 AS list, listed.user_id AS parent, listed.user_id AS owner, listed.group_id AS id,
      im_admin.newest_first_key(listed.join_time, listed.group_id) AS key,
      NULL AS name
    FROM im_admin.group_members listed
  UNION ALL
  SELECT 3 AS list, listed.owner_user_id AS parent, listed.owner_user_id AS owner, listed.black_user_id AS id,
      im_admin.newest_first_key(listed.create_time, listed.black_user_id) AS key,
      NULL AS name
    FROM im_admin.blacks listed
  UNION ALL
  SELECT 4 AS list, listed.group_id AS parent, listed.group_id AS owner, listed.user_id AS id,
      im_admin.request_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
  UNION ALL
  SELECT 4 AS list, listed.group_id AS parent, im_admin.requests_of(listed.group_id, listed.handle_result) AS owner, listed.user_id AS id,
      im_admin.request_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
  UNION ALL
  SELECT 5 AS list, '' AS parent, '' AS owner, listed.user_id AS id,
      listed.user_id AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE listed.app_manger_level >= 3
  UNION ALL
  SELECT 6 AS list, '' AS parent, '' AS owner, listed.user_id AS id,
      im_admin.level_key(listed.app_manger_level, listed.user_id) AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE listed.app_manger_level >= 3;
COMMENT ON VIEW im_admin.list_rows IS 'The rows of all lists, with their keys. list: 1 members of the group owner, 2 groups that the user owner has joined, 3 blacklist of the user owner, 4 join requests of the group owner, and again the requests of each result, 5 accounts, 6 accounts by level.';

CREATE FUNCTION im_admin.rows_of(asked_list integer, asked_parent text) RETURNS TABLE (owner text, id text, key text, name text)
  LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT listed.group_id AS owner, listed.user_id AS id,
      im_admin.member_key(listed.role_level, listed.join_time, listed.user_id) AS key,
      CASE listed.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE listed.nickname END AS name
    FROM im_admin.group_members listed
      LEFT JOIN im_admin.users profile ON profile.user_id_key = im_admin.users_user_id_key(convert_to(listed.user_id, 'UTF8')) AND profile.user_id = listed.user_id
    WHERE rows_of.asked_list = 1 AND listed.group_id = rows_of.asked_parent
  UNION ALL
  SELECT listed.user_id AS owner, listed.group_id AS id,
      im_admin.newest_first_key(listed.join_time, listed.group_id) AS key,
      NULL AS name
    FROM im_admin.group_members listed
    WHERE rows_of.asked_list = 2 AND listed.user_id = rows_of.asked_parent
  UNION ALL
  SELECT listed.owner_user_id AS owner, listed.black_user_id AS id,
      im_admin.newest_first_key(listed.create_time, listed.black_user_id) AS key,
      NULL AS name
    FROM im_admin.blacks listed
    WHERE rows_of.asked_list = 3 AND listed.owner_user_id = rows_of.asked_parent
  UNION ALL
  SELECT listed.group_id AS owner, listed.user_id AS id,
      im_admin.request_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
    WHERE rows_of.asked_list = 4 AND listed.group_id = rows_of.asked_parent
  UNION ALL
  SELECT im_admin.requests_of(listed.group_id, listed.handle_result) AS owner, listed.user_id AS id,
      im_admin.request_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
    WHERE rows_of.asked_list = 4 AND listed.group_id = rows_of.asked_parent
  UNION ALL
  SELECT '' AS owner, listed.user_id AS id,
      listed.user_id AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE rows_of.asked_list = 5 AND listed.app_manger_level >= 3
  UNION ALL
  SELECT '' AS owner, listed.user_id AS id,
      im_admin.level_key(listed.app_manger_level, listed.user_id) AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE rows_of.asked_list = 6 AND listed.app_manger_level >= 3;
END;
COMMENT ON FUNCTION im_admin.rows_of IS 'The rows of all lists of one kind that have this parent.';

CREATE FUNCTION im_admin.row_at(asked_list integer, asked_parent text, asked_id text)
  RETURNS TABLE (owner text, id text, key text, name text)
  LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT listed.group_id AS owner, listed.user_id AS id,
      im_admin.member_key(listed.role_level, listed.join_time, listed.user_id) AS key,
      CASE listed.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE listed.nickname END AS name
    FROM im_admin.group_members listed
      LEFT JOIN im_admin.users profile ON profile.user_id_key = im_admin.users_user_id_key(convert_to(listed.user_id, 'UTF8')) AND profile.user_id = listed.user_id
    WHERE row_at.asked_list = 1 AND listed.group_id = row_at.asked_parent AND listed.user_id = row_at.asked_id
  UNION ALL
  SELECT listed.user_id AS owner, listed.group_id AS id,
      im_admin.newest_first_key(listed.join_time, listed.group_id) AS key,
      NULL AS name
    FROM im_admin.group_members listed
    WHERE row_at.asked_list = 2 AND listed.user_id = row_at.asked_parent AND listed.group_id = row_at.asked_id
  UNION ALL
  SELECT listed.owner_user_id AS owner, listed.black_user_id AS id,
      im_admin.newest_first_key(listed.create_time, listed.black_user_id) AS key,
      NULL AS name
    FROM im_admin.blacks listed
    WHERE row_at.asked_list = 3 AND listed.owner_user_id = row_at.asked_parent AND listed.black_user_id = row_at.asked_id
  UNION ALL
  SELECT listed.group_id AS owner, listed.user_id AS id,
      im_admin.request_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
    WHERE row_at.asked_list = 4 AND listed.group_id = row_at.asked_parent AND listed.user_id = row_at.asked_id
  UNION ALL
  SELECT im_admin.requests_of(listed.group_id, listed.handle_result) AS owner, listed.user_id AS id,
      im_admin.request_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
    WHERE row_at.asked_list = 4 AND listed.group_id = row_at.asked_parent AND listed.user_id = row_at.asked_id
  UNION ALL
  SELECT '' AS owner, listed.user_id AS id,
      listed.user_id AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE row_at.asked_list = 5 AND listed.user_id_key = im_admin.users_user_id_key(convert_to(row_at.asked_id, 'UTF8')) AND listed.user_id = row_at.asked_id AND listed.app_manger_level >= 3
  UNION ALL
  SELECT '' AS owner, listed.user_id AS id,
      im_admin.level_key(listed.app_manger_level, listed.user_id) AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE row_at.asked_list = 6 AND listed.user_id_key = im_admin.users_user_id_key(convert_to(row_at.asked_id, 'UTF8')) AND listed.user_id = row_at.asked_id AND listed.app_manger_level >= 3;
END;
COMMENT ON FUNCTION im_admin.row_at IS 'The rows of an ID in the lists of one kind that have this parent.';

CREATE FUNCTION im_admin.users_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp AS $$
#variable_conflict use_column
DECLARE
  lists smallint[];
  owners text[];
  keys text[];
  changes smallint[];
BEGIN
  BEGIN
    IF TG_OP = 'INSERT' THEN
      SELECT array_agg(appended.list), array_agg(appended.owner), array_agg(appended.key), array_agg(appended.change)
        INTO lists, owners, keys, changes FROM (
          WITH come AS (
            SELECT row.user_id, row.nickname, row.app_manger_level::integer AS app_manger_level
            FROM (
              SELECT
                  (people.id::text) COLLATE "C" AS user_id,
                  coalesce((name)::text, '') COLLATE "C" AS nickname,
                  coalesce((level)::bigint, 0) AS app_manger_level,
                  people.id AS user_id_key
                FROM new_rows AS people
            ) row
            WHERE CASE
                WHEN coalesce(row.user_id, '') = ''
                  OR octet_length(row.user_id) > 512
                  OR strpos(row.user_id, chr(1)) > 0
                  OR row.app_manger_level NOT BETWEEN -2147483648 AND 2147483647
                THEN false ELSE true
              END
          )
          SELECT 0, '', written.user_id, 1 FROM come written WHERE written.nickname <> ''
          UNION ALL
          SELECT 5, '', written.user_id, 1 FROM come written WHERE written.app_manger_level >= 3
          UNION ALL
          SELECT 6, '', im_admin.level_key(written.app_manger_level, written.user_id), 1 FROM come written WHERE written.app_manger_level >= 3
        ) appended (list, owner, key, change);
    ELSIF TG_OP = 'DELETE' THEN
      SELECT array_agg(appended.list), array_agg(appended.owner), array_agg(appended.key), array_agg(appended.change)
        INTO lists, owners, keys, changes FROM (
          WITH gone AS (
            SELECT row.user_id, row.nickname, row.app_manger_level::integer AS app_manger_level
            FROM (
              SELECT
                  (people.id::text) COLLATE "C" AS user_id,
                  coalesce((name)::text, '') COLLATE "C" AS nickname,
                  coalesce((level)::bigint, 0) AS app_manger_level,
                  people.id AS user_id_key
                FROM old_rows AS people
            ) row
            WHERE CASE
                WHEN coalesce(row.user_id, '') = ''
                  OR octet_length(row.user_id) > 512
                  OR strpos(row.user_id, chr(1)) > 0
                  OR row.app_manger_level NOT BETWEEN -2147483648 AND 2147483647
                THEN false ELSE true
              END
          )
          SELECT 0, '', written.user_id, -1 FROM gone written WHERE written.nickname <> ''
          UNION ALL
          SELECT 5, '', written.user_id, -1 FROM gone written WHERE written.app_manger_level >= 3
          UNION ALL
          SELECT 6, '', im_admin.level_key(written.app_manger_level, written.user_id), -1 FROM gone written WHERE written.app_manger_level >= 3
        ) appended (list, owner, key, change);
    ELSE
      IF pg_partition_root(TG_RELID) IS NOT NULL THEN
        IF EXISTS (
          SELECT FROM old_rows gone
            WHERE NOT EXISTS (SELECT FROM new_rows come WHERE come.id = gone.id)
              AND EXISTS (SELECT FROM chat.people stored WHERE stored.id = gone.id))
        THEN
          INSERT INTO list_doubts (list, owner) SELECT number, chr(1) FROM unnest('{1, 5, 6}'::smallint[]) number;
          INSERT INTO list_changes (list, owner, key, change) SELECT number, chr(1), '', 0 FROM unnest('{1, 5, 6}'::smallint[]) number;
          RETURN NULL;
        END IF;
      END IF;
      SELECT array_agg(appended.list), array_agg(appended.owner), array_agg(appended.key), array_agg(appended.change)
        INTO lists, owners, keys, changes FROM (
          WITH gone AS (
            SELECT row.user_id, row.nickname, row.app_manger_level::integer AS app_manger_level
            FROM (
              SELECT
                  (people.id::text) COLLATE "C" AS user_id,
                  coalesce((name)::text, '') COLLATE "C" AS nickname,
                  coalesce((level)::bigint, 0) AS app_manger_level,
                  people.id AS user_id_key
                FROM old_rows AS people
            ) row
            WHERE CASE
                WHEN coalesce(row.user_id, '') = ''
                  OR octet_length(row.user_id) > 512
                  OR strpos(row.user_id, chr(1)) > 0
                  OR row.app_manger_level NOT BETWEEN -2147483648 AND 2147483647
                THEN false ELSE true
              END
          ), come AS (
            SELECT row.user_id, row.nickname, row.app_manger_level::integer AS app_manger_level
            FROM (
              SELECT
                  (people.id::text) COLLATE "C" AS user_id,
                  coalesce((name)::text, '') COLLATE "C" AS nickname,
                  coalesce((level)::bigint, 0) AS app_manger_level,
                  people.id AS user_id_key
                FROM new_rows AS people
            ) row
            WHERE CASE
                WHEN coalesce(row.user_id, '') = ''
                  OR octet_length(row.user_id) > 512
                  OR strpos(row.user_id, chr(1)) > 0
                  OR row.app_manger_level NOT BETWEEN -2147483648 AND 2147483647
                THEN false ELSE true
              END
          )
          SELECT entry.list, entry.owner, entry.key, sum(entry.change) FROM (
              SELECT 0, '', written.user_id, written.nickname, -1 FROM gone written WHERE written.nickname <> ''
              UNION ALL
              SELECT 5, '', written.user_id, '', -1 FROM gone written WHERE written.app_manger_level >= 3
              UNION ALL
              SELECT 6, '', im_admin.level_key(written.app_manger_level, written.user_id), '', -1 FROM gone written WHERE written.app_manger_level >= 3
              UNION ALL
              SELECT 0, '', written.user_id, written.nickname, 1 FROM come written WHERE written.nickname <> ''
              UNION ALL
              SELECT 5, '', written.user_id, '', 1 FROM come written WHERE written.app_manger_level >= 3
              UNION ALL
              SELECT 6, '', im_admin.level_key(written.app_manger_level, written.user_id), '', 1 FROM come written WHERE written.app_manger_level >= 3
            ) entry (list, owner, key, word, change)
            GROUP BY entry.list, entry.owner, entry.key
            HAVING sum(entry.change) <> 0 OR min(entry.word) <> max(entry.word)
        ) appended (list, owner, key, change);
    END IF;
  EXCEPTION
    -- The transaction cannot be serialized any more.
    WHEN transaction_rollback THEN
      RAISE;
    WHEN OTHERS THEN
      INSERT INTO list_doubts (list, owner, problem)
        SELECT number, chr(1), 'chat.people: ' || SQLERRM FROM unnest('{1, 5, 6}'::smallint[]) number;
      RETURN NULL;
  END;
  INSERT INTO list_changes (list, owner, key, change) SELECT * FROM unnest(lists, owners, keys, changes);
  RETURN NULL;
END $$;
COMMENT ON FUNCTION im_admin.users_written IS 'Appends the changes of a statement that has written users: of accounts, and of nicknames.';
REVOKE EXECUTE ON FUNCTION im_admin.users_written FROM PUBLIC;

CREATE FUNCTION im_admin.mapped_truncated() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp AS $$
BEGIN
  INSERT INTO list_doubts (list, owner) SELECT number::smallint, chr(1) FROM unnest(TG_ARGV) number;
  INSERT INTO list_changes (list, owner, key, change) SELECT number::smallint, chr(1), '', 0 FROM unnest(TG_ARGV) number;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION im_admin.mapped_truncated IS 'Makes the lists of an emptied table doubtful, so that nobody reads their trees.';

REVOKE EXECUTE ON FUNCTION im_admin.mapped_truncated FROM PUBLIC;

CREATE TRIGGER zz_im_admin_users_insert AFTER INSERT ON chat.people REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.users_written();

CREATE TRIGGER zz_im_admin_users_delete AFTER DELETE ON chat.people REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.users_written();

CREATE TRIGGER zz_im_admin_users_update AFTER UPDATE ON chat.people REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.users_written();

CREATE TRIGGER zz_im_admin_users_truncate AFTER TRUNCATE ON chat.people
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.mapped_truncated(1, 5, 6);

DO $parts$
DECLARE
  part regclass;
BEGIN
  FOR part IN
    WITH RECURSIVE parts AS (
      SELECT inhrelid FROM pg_inherits WHERE inhparent = 'chat.people'::regclass
      UNION SELECT below.inhrelid FROM pg_inherits below JOIN parts ON below.inhparent = parts.inhrelid
    )
    SELECT inhrelid FROM parts
  LOOP
    EXECUTE format($triggers$
      CREATE TRIGGER zz_im_admin_users_insert AFTER INSERT ON %1$s REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION im_admin.users_written();
      CREATE TRIGGER zz_im_admin_users_delete AFTER DELETE ON %1$s REFERENCING OLD TABLE AS old_rows
        FOR EACH STATEMENT EXECUTE FUNCTION im_admin.users_written();
      CREATE TRIGGER zz_im_admin_users_update AFTER UPDATE ON %1$s REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION im_admin.users_written();
      CREATE TRIGGER zz_im_admin_users_truncate AFTER TRUNCATE ON %1$s
        FOR EACH STATEMENT EXECUTE FUNCTION im_admin.mapped_truncated(1, 5, 6);
    $triggers$, part);
  END LOOP;
END $parts$;

DROP FUNCTION IF EXISTS im_admin.write_conversations;

CREATE FUNCTION im_admin.conversations_user_id(given bytea, OUT key chat.inbox.peer%TYPE)
  LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  id text := convert_from(given, 'UTF8');
BEGIN
  key := id;
EXCEPTION WHEN data_exception THEN
  key := NULL;
END $$;
COMMENT ON FUNCTION im_admin.conversations_user_id IS 'What chat.inbox has for an ID; NULL where no row can have it.';

CREATE FUNCTION im_admin.conversations_group_id(given bytea, OUT key chat.inbox.room%TYPE)
  LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  id text := convert_from(given, 'UTF8');
BEGIN
  key := id;
EXCEPTION WHEN data_exception THEN
  key := NULL;
END $$;
COMMENT ON FUNCTION im_admin.conversations_group_id IS 'What chat.inbox has for an ID; NULL where no row can have it.';

CREATE FUNCTION im_admin.write_conversations(
    asked_owners text[], asked_conversation text, asked_type integer, asked_user text, asked_group text,
    asked_recv_msg_opt integer, asked_attached_info text, asked_is_pinned boolean, asked_is_private_chat boolean,
    asked_ex text, asked_burn_duration integer)
  RETURNS text[] LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  changed text[];
BEGIN
  IF asked_recv_msg_opt IS NOT NULL THEN RAISE 'conversations are mapped without recvMsgOpt'; END IF;
  IF asked_attached_info IS NOT NULL THEN RAISE 'conversations are mapped without attachedInfo'; END IF;
  IF asked_is_private_chat IS NOT NULL THEN RAISE 'conversations are mapped without isPrivateChat'; END IF;
  IF asked_ex IS NOT NULL THEN RAISE 'conversations are mapped without ex'; END IF;
  IF asked_burn_duration IS NOT NULL THEN RAISE 'conversations are mapped without burnDuration'; END IF;
  WITH written AS (
    INSERT INTO chat.inbox AS stored (owner, name, type, peer, room, pinned)
      SELECT im_admin.conversations_owner_user_id_key(convert_to(id, 'UTF8')), im_admin.conversations_conversation_id_key(convert_to(asked_conversation, 'UTF8')), asked_type, im_admin.conversations_user_id(convert_to(asked_user, 'UTF8')), im_admin.conversations_group_id(convert_to(asked_group, 'UTF8')),
          coalesce(asked_is_pinned, false)
        FROM unnest(asked_owners) AS owners (id) ORDER BY id COLLATE "C"
      ON CONFLICT (owner, name) DO UPDATE
        SET pinned = coalesce(asked_is_pinned, stored.pinned)
        WHERE (coalesce(stored.type, 0), coalesce(stored.peer::text, ''), coalesce(stored.room::text, ''))
            = (asked_type, asked_user, asked_group)
          AND (asked_is_pinned IS DISTINCT FROM stored.pinned AND asked_is_pinned IS NOT NULL)
      RETURNING (stored.owner::text) COLLATE "C" AS id
  )
  SELECT array_agg(written.id) INTO changed FROM written;
  RETURN changed;
END $$;
COMMENT ON FUNCTION im_admin.write_conversations IS 'Writes what is asked to chat.inbox; gives whose rows have changed. One that contradicts stays.';

INSERT INTO im_admin.table_map (map) VALUES ('{"users":{"from":"chat.people","key":{"userID":"id"},"fields":{"nickname":"name","appMangerLevel":"level"}},"conversations":{"from":"chat.inbox","key":{"ownerUserID":"owner","conversationID":"name"},"fields":{"conversationType":"type","userID":"peer","groupID":"room","isPinned":"pinned"}}}');

SELECT im_admin.forget_lists(1, 2, 3, 4, 5, 6);
