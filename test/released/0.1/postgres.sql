-- im-admin in PostgreSQL 15 and later: version 1 of the schema. docs/postgres.md tells how to use it.
--
-- Your server writes the six tables of records with its own SQL. From them im-admin answers lists: any page of a list,
-- with its exact total, costs about as much as the first page. To do so, the database keeps the keys of long lists in
-- order. A key is one text. It sorts as its list does, and ends with the ID of the listed row.
--
--   a write   A trigger appends a change to list_changes for each added key (+1) and each removed key (-1). It reads
--             nothing and waits for nothing.
--   settle()  moves these changes, some thousand at a time, into the trees in list_nodes. im-admin calls it.
--   a read    takes keys from a tree, applies the changes that are not settled yet, and looks up the rows, all in one
--             snapshot.
--
-- In every snapshot, and for each list that has a tree:  tree + visible changes = rows.
--
-- Over tables of your own, a trigger appends the key of each touched record to touched instead, and evaluates no
-- expression of the map. settle() looks these records up, compares them with list_entries, and appends the changes. A
-- read does the same for the touched records of its list, and writes nothing.

CREATE SCHEMA IF NOT EXISTS im_admin;
COMMENT ON SCHEMA im_admin IS 'Made by im-admin. im-admin tables --remove --all drops it.';

CREATE TABLE im_admin.users (
  user_id text COLLATE "C" NOT NULL CHECK (user_id <> '' AND strpos(user_id, chr(1)) = 0 AND octet_length(user_id) <= 512),
  nickname text COLLATE "C" NOT NULL DEFAULT '',
  face_url text COLLATE "C" NOT NULL DEFAULT '',
  ex text COLLATE "C" NOT NULL DEFAULT '',
  app_manger_level integer NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id)
);
CREATE INDEX users_by_app_manger_level ON im_admin.users (app_manger_level, user_id) WHERE app_manger_level >= 3;
COMMENT ON TABLE im_admin.users IS 'Users and their profiles. app_manger_level: 1 ordinary, 2 administrator, 3 notification account, 4 robot.';

CREATE TABLE im_admin.groups (
  group_id text COLLATE "C" NOT NULL CHECK (group_id <> '' AND strpos(group_id, chr(1)) = 0 AND octet_length(group_id) <= 512),
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
COMMENT ON TABLE im_admin.groups IS 'Groups. status 2: dismissed.';

CREATE TABLE im_admin.group_members (
  group_id text COLLATE "C" NOT NULL CHECK (group_id <> '' AND strpos(group_id, chr(1)) = 0 AND octet_length(group_id) <= 512),
  user_id text COLLATE "C" NOT NULL CHECK (user_id <> '' AND strpos(user_id, chr(1)) = 0 AND octet_length(user_id) <= 512),
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
CREATE INDEX group_members_by_user_id ON im_admin.group_members (user_id, group_id);
COMMENT ON TABLE im_admin.group_members IS 'The members of groups. role_level: 100 owner, 60 administrator, 20 member. A member without a nickname has the nickname of the profile.';

CREATE TABLE im_admin.blacks (
  owner_user_id text COLLATE "C" NOT NULL CHECK (owner_user_id <> '' AND strpos(owner_user_id, chr(1)) = 0 AND octet_length(owner_user_id) <= 512),
  black_user_id text COLLATE "C" NOT NULL CHECK (black_user_id <> '' AND strpos(black_user_id, chr(1)) = 0 AND octet_length(black_user_id) <= 512),
  create_time bigint NOT NULL DEFAULT 0 CHECK (create_time BETWEEN 0 AND 9999999999999999),
  add_source integer NOT NULL DEFAULT 0,
  operator_user_id text COLLATE "C" NOT NULL DEFAULT '',
  ex text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (owner_user_id, black_user_id)
);
COMMENT ON TABLE im_admin.blacks IS 'The users that a user has blocked.';

CREATE TABLE im_admin.group_requests (
  group_id text COLLATE "C" NOT NULL CHECK (group_id <> '' AND strpos(group_id, chr(1)) = 0 AND octet_length(group_id) <= 512),
  user_id text COLLATE "C" NOT NULL CHECK (user_id <> '' AND strpos(user_id, chr(1)) = 0 AND octet_length(user_id) <= 512),
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
COMMENT ON TABLE im_admin.group_requests IS 'Join requests. handle_result: 0 pending, 1 accepted, -1 refused.';

CREATE TABLE im_admin.conversations (
  owner_user_id text COLLATE "C" NOT NULL CHECK (owner_user_id <> '' AND strpos(owner_user_id, chr(1)) = 0 AND octet_length(owner_user_id) <= 512),
  conversation_id text COLLATE "C" NOT NULL CHECK (conversation_id <> '' AND strpos(conversation_id, chr(1)) = 0 AND octet_length(conversation_id) <= 512),
  conversation_type integer NOT NULL DEFAULT 0,
  user_id text COLLATE "C" NOT NULL DEFAULT '',
  group_id text COLLATE "C" NOT NULL DEFAULT '',
  recv_msg_opt integer NOT NULL DEFAULT 0,
  attached_info text COLLATE "C" NOT NULL DEFAULT '',
  is_pinned boolean NOT NULL DEFAULT false,
  is_private_chat boolean NOT NULL DEFAULT false,
  ex text COLLATE "C" NOT NULL DEFAULT '',
  burn_duration integer NOT NULL DEFAULT 0,
  min_seq bigint NOT NULL DEFAULT 0,
  max_seq bigint NOT NULL DEFAULT 0,
  group_at_type integer NOT NULL DEFAULT 0,
  msg_destruct_time bigint NOT NULL DEFAULT 0,
  is_msg_destruct boolean NOT NULL DEFAULT false,
  PRIMARY KEY (owner_user_id, conversation_id)
);
COMMENT ON TABLE im_admin.conversations IS 'The settings of a conversation for each user. conversation_type: 1 single chat, 3 group chat.';

------------------------------------------------------------------------------------------------------------------------
-- Lists and their trees
------------------------------------------------------------------------------------------------------------------------

CREATE TABLE im_admin.lists (
  list text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  total bigint NOT NULL,
  height integer NOT NULL,
  settled_before xid8 NOT NULL,
  unfinished xid8[] NOT NULL,
  settled_in oid NOT NULL,
  PRIMARY KEY (list, owner)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE im_admin.list_nodes (
  list text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  level smallint NOT NULL,
  start text COLLATE "C" NOT NULL,
  entries text[] COLLATE "C" NOT NULL,
  totals bigint[],
  words text COLLATE "C",
  PRIMARY KEY (list, owner, level, start)
  -- Keeps a row uncompressed and in one page, if it fits.
) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE im_admin.list_changes (
  list text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  key text COLLATE "C" NOT NULL,
  change smallint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX list_changes_of_lists ON im_admin.list_changes (list, owner, transaction);

CREATE TABLE im_admin.packed_changes (
  record text COLLATE "C" NOT NULL,
  firsts text[] COLLATE "C" NOT NULL,
  seconds text[] COLLATE "C",
  levels integer[],
  times bigint[],
  changes smallint[] NOT NULL
);
ALTER TABLE im_admin.packed_changes
  ALTER firsts SET STORAGE EXTERNAL, ALTER seconds SET STORAGE EXTERNAL, ALTER times SET STORAGE EXTERNAL;

CREATE TABLE im_admin.touched (record text COLLATE "C" NOT NULL, first text COLLATE "C", second text COLLATE "C", problem text)
  WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX touched_by_first ON im_admin.touched (record, first);
CREATE INDEX touched_by_second ON im_admin.touched (second) WHERE record IN ('group_members');
CREATE INDEX touched_with_problems ON im_admin.touched (record) WHERE problem IS NOT NULL;

CREATE TABLE im_admin.list_entries (
  list text COLLATE "C" NOT NULL,
  parent text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL
);
CREATE INDEX list_entries_of_lists ON im_admin.list_entries (list, parent, id);
CREATE INDEX list_entries_of_ids ON im_admin.list_entries (list, id);

-- Where the next settle() continues.
CREATE TABLE im_admin.settle_position (list text COLLATE "C" NOT NULL, owner text COLLATE "C" NOT NULL, server text NOT NULL);
INSERT INTO im_admin.settle_position VALUES ('', '', '');

-- How often settle() has begun at that place. It is a sequence, since a sequence also counts transactions that fail.
CREATE SEQUENCE im_admin.settle_attempts;

CREATE TABLE im_admin.table_map (map text NOT NULL, trusted_owners text[] NOT NULL DEFAULT '{}');

CREATE TABLE im_admin.mapped_objects (
  record text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  schema text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  relation regclass,
  type regtype
);

CREATE TABLE im_admin.mapped_columns (
  record text COLLATE "C" NOT NULL,
  part text COLLATE "C" NOT NULL,
  decides boolean NOT NULL,
  relation regclass NOT NULL,
  number smallint NOT NULL,
  name text COLLATE "C" NOT NULL
);

CREATE TABLE im_admin.mapped_files (
  record text COLLATE "C" NOT NULL,
  relation regclass NOT NULL,
  parent regclass,
  file oid NOT NULL
);

CREATE TABLE im_admin.schema_version (version integer NOT NULL);
INSERT INTO im_admin.schema_version VALUES (1);

CREATE TABLE im_admin.last_import (time bigint, token text COLLATE "C");

CREATE TABLE im_admin.followed (
  record text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  PRIMARY KEY (record, id)
);

-- A key may be too long for an index that is sorted.
CREATE INDEX followed_by_key ON im_admin.followed USING hash (key);

-- A host may publish all tables. Rows of a published table without a key could not be deleted.
ALTER TABLE im_admin.list_changes REPLICA IDENTITY FULL;
ALTER TABLE im_admin.packed_changes REPLICA IDENTITY FULL;
ALTER TABLE im_admin.touched REPLICA IDENTITY FULL;
ALTER TABLE im_admin.list_entries REPLICA IDENTITY FULL;
ALTER TABLE im_admin.settle_position REPLICA IDENTITY FULL;
ALTER TABLE im_admin.table_map REPLICA IDENTITY FULL;
ALTER TABLE im_admin.mapped_objects REPLICA IDENTITY FULL;
ALTER TABLE im_admin.mapped_columns REPLICA IDENTITY FULL;
ALTER TABLE im_admin.mapped_files REPLICA IDENTITY FULL;
ALTER TABLE im_admin.schema_version REPLICA IDENTITY FULL;
ALTER TABLE im_admin.last_import REPLICA IDENTITY FULL;

COMMENT ON TABLE im_admin.lists IS 'Lists that have a tree. list: the kind of the list, such as group_members; owner: the group or user that it belongs to. The tree has the changes of all transactions before settled_before, but not of those in unfinished. That holds only where list_changes has the oid settled_in: a restored dump has other transaction numbers.';
COMMENT ON TABLE im_admin.list_nodes IS 'The nodes of trees. A node of level 1 has keys, and the words of each key in one line, which a keyword search reads. A node of a higher level has the starts of its children and the number of keys below each.';
COMMENT ON TABLE im_admin.list_changes IS 'Changes that settle() has not settled yet: 1 adds a key, -1 removes it, 0 says that its words may have changed. The list changed_names has the user IDs of profiles whose nicknames have changed; change has no meaning there. An empty key tells settle() to look at the list.';
COMMENT ON TABLE im_admin.packed_changes IS 'The rows of statements that have written very many: so many rows of list_changes, with their index, would make the statement slow. firsts and seconds: the parts of their keys; levels, times and texts: the other values that decide in which lists a row is, and where. settle() moves what they change in lists to list_changes.';
COMMENT ON TABLE im_admin.touched IS 'The keys of records of your own tables that were touched, and that settle() has not looked up yet: first and second are the parts of the key. NULL stands for any: an emptied table has touched all records. problem: why settle() could not look it up; the lists with this row fail until the row is right.';
COMMENT ON TABLE im_admin.list_entries IS 'Where settle() has seen the rows of your own tables: the key of each row in the lists that have a tree. parent: the group or user of the list.';
COMMENT ON TABLE im_admin.settle_position IS 'The list after which the next settle() continues, and the server of the last one.';
COMMENT ON SEQUENCE im_admin.settle_attempts IS 'How often settle() has begun at the place in settle_position.';
COMMENT ON TABLE im_admin.table_map IS 'The map of your own tables as JSON, and the roles whose tables it may read beside those of the schema''s owner. It is empty if all records are in tables of this schema.';
COMMENT ON TABLE im_admin.mapped_objects IS 'All that the map reads for each kind of records: tables and views with their relkind, and functions, operators and types that are not the server''s own.';
COMMENT ON TABLE im_admin.mapped_columns IS 'The columns that each part of the map reads. decides: whether it decides which records are listed, in which order, or by which words they are found. number 0: the whole row.';
COMMENT ON TABLE im_admin.mapped_files IS 'The file (relfilenode) of each watched table and partition; parent: the table that it is a partition of. A table that gets another file was rewritten, perhaps with other values, and no trigger tells that, nor that a partition comes or goes with its rows.';
COMMENT ON TABLE im_admin.schema_version IS 'The version of this schema.';
COMMENT ON TABLE im_admin.last_import IS 'Up to when the records are those of another server, in milliseconds since 1970. token: the place in the changes of that server, if the records follow them.';
COMMENT ON TABLE im_admin.followed IS 'Which record each document of the other server has become: its key as JSON.';

CREATE FUNCTION im_admin.group_members_key(role_level integer, join_time bigint, user_id text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN (2000 - role_level)::text || (20000000000000000 + join_time)::text || user_id;
COMMENT ON FUNCTION im_admin.group_members_key IS 'The key of a row of group_members. It sorts by role_level descending, join_time ascending, user_id ascending.';

CREATE FUNCTION im_admin.joined_groups_key(join_time bigint, group_id text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN (20000000000000000 - join_time)::text || group_id;
COMMENT ON FUNCTION im_admin.joined_groups_key IS 'The key of a row of joined_groups. It sorts by join_time descending, group_id ascending.';

CREATE FUNCTION im_admin.blacks_key(create_time bigint, black_user_id text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN (20000000000000000 - create_time)::text || black_user_id;
COMMENT ON FUNCTION im_admin.blacks_key IS 'The key of a row of blacks. It sorts by create_time descending, black_user_id ascending.';

CREATE FUNCTION im_admin.group_requests_key(req_time bigint, group_id text, user_id text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN (20000000000000000 - req_time)::text || group_id || chr(1) || user_id;
COMMENT ON FUNCTION im_admin.group_requests_key IS 'The key of a row of group_requests. It sorts by req_time descending, group_id ascending, user_id ascending.';

CREATE FUNCTION im_admin.group_requests_by_result_key(req_time bigint, group_id text, user_id text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN (20000000000000000 - req_time)::text || group_id || chr(1) || user_id;
COMMENT ON FUNCTION im_admin.group_requests_by_result_key IS 'The key of a row of group_requests_by_result. It sorts by req_time descending, group_id ascending, user_id ascending.';

CREATE FUNCTION im_admin.notification_accounts_key(user_id text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN user_id;
COMMENT ON FUNCTION im_admin.notification_accounts_key IS 'The key of a row of notification_accounts. It sorts by user_id ascending.';

CREATE FUNCTION im_admin.notification_accounts_by_level_key(app_manger_level integer, user_id text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN (30000000000 + app_manger_level)::text || user_id;
COMMENT ON FUNCTION im_admin.notification_accounts_by_level_key IS 'The key of a row of notification_accounts_by_level. It sorts by app_manger_level ascending, user_id ascending.';

CREATE FUNCTION im_admin.part_of_owner(parent text, part text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN parent || chr(1) || part;
COMMENT ON FUNCTION im_admin.part_of_owner IS 'The owner of one of the lists of a group or user, where each value of a field has a list of its own.';

CREATE FUNCTION im_admin.record_of(list text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN CASE list
    WHEN 'group_members' THEN 'group_members'
    WHEN 'joined_groups' THEN 'group_members'
    WHEN 'blacks' THEN 'blacks'
    WHEN 'group_requests' THEN 'group_requests'
    WHEN 'group_requests_by_result' THEN 'group_requests'
    WHEN 'notification_accounts' THEN 'users'
    WHEN 'notification_accounts_by_level' THEN 'users'
  END;
COMMENT ON FUNCTION im_admin.record_of IS 'The kind of records that a list has.';

CREATE FUNCTION im_admin.list_parent(owner text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN split_part(owner, chr(1), 1);
COMMENT ON FUNCTION im_admin.list_parent IS 'The group or user of a list, from its owner.';

CREATE FUNCTION im_admin.key_id(list text, key text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN CASE list
    WHEN 'group_members' THEN substr(key, 22)
    WHEN 'joined_groups' THEN substr(key, 18)
    WHEN 'blacks' THEN substr(key, 18)
    WHEN 'group_requests' THEN split_part(substr(key, 18), chr(1), 2)
    WHEN 'group_requests_by_result' THEN split_part(substr(key, 18), chr(1), 2)
    WHEN 'notification_accounts' THEN key
    WHEN 'notification_accounts_by_level' THEN substr(key, 12)
  END;
COMMENT ON FUNCTION im_admin.key_id IS 'The ID at the end of a key.';

CREATE FUNCTION im_admin.list_names() RETURNS text[]
  LANGUAGE sql IMMUTABLE RETURN ARRAY['group_members', 'joined_groups', 'blacks', 'group_requests', 'group_requests_by_result', 'notification_accounts', 'notification_accounts_by_level'];
COMMENT ON FUNCTION im_admin.list_names IS 'The names of all lists.';

CREATE FUNCTION im_admin.is_searched(list text) RETURNS boolean
  LANGUAGE sql IMMUTABLE RETURN list IN ('group_members', 'notification_accounts', 'notification_accounts_by_level');
COMMENT ON FUNCTION im_admin.is_searched IS 'Whether a list can be searched for keywords.';

CREATE FUNCTION im_admin.has_tree_always(list text) RETURNS boolean
  LANGUAGE sql IMMUTABLE RETURN list IN ('notification_accounts', 'notification_accounts_by_level');
COMMENT ON FUNCTION im_admin.has_tree_always IS 'Whether a list has a tree even if it is short: your own table of users may have no index that finds accounts.';

------------------------------------------------------------------------------------------------------------------------
-- What cannot be read of a host's rows
--
-- An expression of a map may fail for a row: a text that is no JSON, a time that is infinity. Nothing looks for that as
-- long as nothing fails. If a statement fails, it runs again and is careful: a record that cannot be read is then read
-- field by field, and a field that is only shown or searched is 0, false or "" if it fails. If a key, the order or a
-- filter fails, so does the statement, and settle() sets the row aside.
------------------------------------------------------------------------------------------------------------------------

-- The name of a setting has two parts, and the first one must not depend on the name of this schema.
CREATE FUNCTION im_admin.is_careful() RETURNS boolean LANGUAGE sql STABLE RETURN
  coalesce(current_setting('imadmin.is_careful', true) = 'on', false);
COMMENT ON FUNCTION im_admin.is_careful IS 'Whether records that cannot be read are read field by field in this transaction.';

CREATE FUNCTION im_admin.be_careful(careful boolean) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('imadmin.is_careful', CASE WHEN careful THEN 'on' ELSE 'off' END, true);
$$;
COMMENT ON FUNCTION im_admin.be_careful IS 'Says whether records that cannot be read are read field by field in this transaction.';

CREATE FUNCTION im_admin.look_up_each() RETURNS void LANGUAGE sql AS $$
  SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true);
$$;
COMMENT ON FUNCTION im_admin.look_up_each IS 'Lets the calling function read no rows but those that it asks for: a scan or a hash of a table would evaluate the map for others, too.';

CREATE FUNCTION im_admin.is_of_row(state text) RETURNS boolean LANGUAGE sql STABLE RETURN
  EXISTS (SELECT FROM im_admin.mapped_objects) AND left(state, 2) NOT IN ('08', '25', '28', '3D', '3F', '40', '42', '53', '55', '57', '58', 'IM', 'XX');
COMMENT ON FUNCTION im_admin.is_of_row IS 'Whether an SQLSTATE says that an expression of a map failed for a row. The others tell of locks, conflicts, rights, definitions and the server.';

CREATE FUNCTION im_admin.note_unreadable(record text, field text, key text[], state text) RETURNS void
  LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  noted jsonb := coalesce(nullif(current_setting('imadmin.unreadable', true), ''), '[]')::jsonb;
  found jsonb := jsonb_build_object('record', record, 'key', key, 'field', field, 'reason', 'SQLSTATE ' || state);
BEGIN
  IF jsonb_array_length(noted) < 20 AND NOT noted @> jsonb_build_array(found) THEN
    PERFORM set_config('imadmin.unreadable', (noted || found)::text, true);
  END IF;
END $$;
COMMENT ON FUNCTION im_admin.note_unreadable IS 'Notes in this transaction which field of which record cannot be read, at most twenty of them. It never notes a value.';

CREATE FUNCTION im_admin.carefully(kind anyelement, routine text, VARIADIC key text[]) RETURNS SETOF anyelement
  LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  relation regclass := pg_typeof(kind)::text::regclass;
  called text := format('%s(%s)', routine, (SELECT string_agg(quote_literal(part), ', ') FROM unnest(key) part));
  own record;
  shown jsonb := '{}';
  value jsonb;
  number bigint;
BEGIN
  BEGIN
    RETURN QUERY EXECUTE format('SELECT found.* FROM %s found', called);
    RETURN;
  EXCEPTION WHEN OTHERS THEN
    IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
  END;
  BEGIN
    EXECUTE format('SELECT count(*) FROM %s', called) INTO number;
    IF number = 0 THEN RETURN; END IF;
  EXCEPTION WHEN OTHERS THEN
    -- A profile or a group is answered as if it were gone.
    IF cardinality(key) > 1 OR NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
    PERFORM note_unreadable((SELECT relname FROM pg_class WHERE oid = relation), 'where', key, SQLSTATE);
    RETURN;
  END;
  FOR own IN SELECT attname AS name, atttypid = 'text'::regtype AS is_text FROM pg_attribute
    WHERE attrelid = relation AND attnum > 0 ORDER BY attnum
  LOOP
    BEGIN
      EXECUTE format('SELECT to_jsonb(found.%I) FROM %s found', own.name, called) INTO value;
    EXCEPTION WHEN OTHERS THEN
      IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
      PERFORM note_unreadable((SELECT relname FROM pg_class WHERE oid = relation), own.name, key, SQLSTATE);
      value := CASE WHEN own.is_text THEN '""' ELSE '0' END;
    END;
    shown := shown || jsonb_build_object(own.name, value);
  END LOOP;
  RETURN NEXT jsonb_populate_record(kind, shown);
END $$;
COMMENT ON FUNCTION im_admin.carefully IS 'A record, with 0, false or "" for what cannot be read. routine: the function that looks it up by its key.';

CREATE FUNCTION im_admin.careful_nickname(asked_user text, asked_group text) RETURNS text LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  own text;
BEGIN
  BEGIN
    IF asked_group IS NULL THEN
      own := (SELECT profile.nickname FROM user_at(asked_user) profile LIMIT 1);
    ELSE
      own := (SELECT member.nickname FROM member_at(asked_group, asked_user) member LIMIT 1);
    END IF;
  EXCEPTION WHEN OTHERS THEN
    IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
    IF asked_group IS NULL THEN
      PERFORM note_unreadable('users', 'nickname', ARRAY[asked_user], SQLSTATE);
    ELSE
      PERFORM note_unreadable('group_members', 'nickname', ARRAY[asked_group, asked_user], SQLSTATE);
    END IF;
  END;
  IF coalesce(own, '') = '' AND asked_group IS NOT NULL THEN RETURN careful_nickname(asked_user, NULL); END IF;
  RETURN coalesce(own, '');
END $$;
COMMENT ON FUNCTION im_admin.careful_nickname IS 'The nickname of a user, or the one in a group, without what cannot be read.';

CREATE FUNCTION im_admin.unreadable(
    asked_record text, asked_first text DEFAULT NULL, asked_second text DEFAULT NULL, most bigint DEFAULT NULL)
  RETURNS TABLE (first text, second text, field text, decides boolean, reason text) LANGUAGE plpgsql STABLE
  SET search_path = im_admin, pg_temp SET row_security = off SET enable_seqscan = off AS $$
#variable_conflict use_variable
DECLARE
  keys record;
BEGIN
  IF NOT EXISTS (SELECT FROM mapped_objects mapped WHERE mapped.record = asked_record) THEN RETURN; END IF;
  IF coalesce(asked_first, asked_second) IS NULL THEN
    BEGIN
      -- One look at the whole table, and mostly the only one.
      EXECUTE format('SELECT count(found.*::text) FROM %s_of_host() found', asked_record);
      RETURN;
    EXCEPTION WHEN OTHERS THEN
      IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
    END;
  END IF;
  BEGIN
    FOR keys IN EXECUTE format($query$
      SELECT array_agg(chunk.first) AS firsts, array_agg(chunk.second) AS seconds FROM (
          SELECT key.*, row_number() OVER () / 10000 AS number
            FROM (SELECT DISTINCT * FROM keys_of_%s($1, $2) LIMIT $3) key
        ) chunk GROUP BY chunk.number
    $query$, asked_record) USING asked_first, asked_second, most
    LOOP
      RETURN QUERY SELECT * FROM unreadable_among(asked_record, keys.firsts, keys.seconds);
    END LOOP;
  EXCEPTION WHEN OTHERS THEN
    IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
    RETURN QUERY SELECT asked_first, asked_second, 'key', true, SQLSTATE::text;
  END;
END $$;
COMMENT ON FUNCTION im_admin.unreadable IS 'The fields of a kind of records that cannot be read, of a key, of a part of it, or of all. decides: whether the lists with the row fail. most: how many keys it looks at.';

CREATE FUNCTION im_admin.unreadable_among(asked_record text, firsts text[], seconds text[])
  RETURNS TABLE (first text, second text, field text, decides boolean, reason text) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  number integer := cardinality(firsts);
  fields text[] := ARRAY(
    SELECT own.name FROM pg_proc CROSS JOIN unnest(proargnames, proargmodes) own (name, mode)
      WHERE pg_proc.oid = format('fields_of_%s(text, text)', asked_record)::regprocedure AND own.mode = 't');
  own text;
BEGIN
  BEGIN
    EXECUTE format('SELECT count(found.*::text) FROM unnest($1, $2) key (first, second) CROSS JOIN LATERAL (
      SELECT * FROM fields_of_%s(key.first, key.second) OFFSET 0) found WHERE found."where"', asked_record) USING firsts, seconds;
    RETURN;
  EXCEPTION WHEN OTHERS THEN
    IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
  END;
  IF number > 1 THEN
    RETURN QUERY SELECT * FROM unreadable_among(asked_record, firsts[: number / 2], seconds[: number / 2]);
    RETURN QUERY SELECT * FROM unreadable_among(asked_record, firsts[number / 2 + 1 :], seconds[number / 2 + 1 :]);
    RETURN;
  END IF;
  FOREACH own IN ARRAY fields LOOP
    BEGIN
      EXECUTE format('SELECT count(found.%I) FROM fields_of_%s($1, $2) found WHERE found."where"', own, asked_record)
        USING firsts[1], seconds[1];
    EXCEPTION WHEN OTHERS THEN
      IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
      RETURN QUERY SELECT firsts[1], seconds[1], own, asked_record || '.' || own IN ('users.where', 'users.appMangerLevel', 'groups.where', 'group_members.where', 'group_members.roleLevel', 'group_members.joinTime', 'blacks.where', 'blacks.createTime', 'group_requests.where', 'group_requests.handleResult', 'group_requests.reqTime', 'conversations.where'), SQLSTATE::text;
      -- Without the filter, no field can be read.
      EXIT WHEN own = 'where';
    END;
  END LOOP;
END $$;
COMMENT ON FUNCTION im_admin.unreadable_among IS 'The fields that cannot be read of some records. It halves them until it knows whose they are.';

CREATE FUNCTION im_admin.user_at(asked_user_id text) RETURNS SETOF im_admin.users
  LANGUAGE sql STABLE AS $body$
  SELECT stored.* FROM im_admin.users stored
    WHERE stored.user_id = user_at.asked_user_id
$body$;
COMMENT ON FUNCTION im_admin.user_at IS 'The user with an ID.';

CREATE FUNCTION im_admin.group_at(asked_group_id text) RETURNS SETOF im_admin.groups
  LANGUAGE sql STABLE AS $body$
  SELECT stored.* FROM im_admin.groups stored
    WHERE stored.group_id = group_at.asked_group_id
$body$;
COMMENT ON FUNCTION im_admin.group_at IS 'The group with an ID.';

CREATE FUNCTION im_admin.member_at(asked_group_id text, asked_user_id text) RETURNS SETOF im_admin.group_members
  LANGUAGE sql STABLE AS $body$
  SELECT stored.* FROM im_admin.group_members stored
    WHERE stored.group_id = member_at.asked_group_id AND stored.user_id = member_at.asked_user_id
$body$;
COMMENT ON FUNCTION im_admin.member_at IS 'A member of a group.';

CREATE FUNCTION im_admin.memberships_of(asked_user_id text) RETURNS SETOF im_admin.group_members
  LANGUAGE sql STABLE AS $body$
  SELECT stored.* FROM im_admin.group_members stored
    WHERE stored.user_id = memberships_of.asked_user_id
$body$;
COMMENT ON FUNCTION im_admin.memberships_of IS 'The memberships of a user.';

CREATE FUNCTION im_admin.black_at(asked_owner_user_id text, asked_black_user_id text) RETURNS SETOF im_admin.blacks
  LANGUAGE sql STABLE AS $body$
  SELECT stored.* FROM im_admin.blacks stored
    WHERE stored.owner_user_id = black_at.asked_owner_user_id AND stored.black_user_id = black_at.asked_black_user_id
$body$;
COMMENT ON FUNCTION im_admin.black_at IS 'An entry of a blacklist.';

CREATE FUNCTION im_admin.request_at(asked_group_id text, asked_user_id text) RETURNS SETOF im_admin.group_requests
  LANGUAGE sql STABLE AS $body$
  SELECT stored.* FROM im_admin.group_requests stored
    WHERE stored.group_id = request_at.asked_group_id AND stored.user_id = request_at.asked_user_id
$body$;
COMMENT ON FUNCTION im_admin.request_at IS 'A join request.';

CREATE FUNCTION im_admin.conversation_at(asked_owner_user_id text, asked_conversation_id text) RETURNS SETOF im_admin.conversations
  LANGUAGE sql STABLE AS $body$
  SELECT stored.* FROM im_admin.conversations stored
    WHERE stored.owner_user_id = conversation_at.asked_owner_user_id AND stored.conversation_id = conversation_at.asked_conversation_id
$body$;
COMMENT ON FUNCTION im_admin.conversation_at IS 'A conversation of a user.';

CREATE FUNCTION im_admin.conversations_of(asked_owner_user_id text) RETURNS SETOF im_admin.conversations
  LANGUAGE sql STABLE AS $body$
  SELECT stored.* FROM im_admin.conversations stored
    WHERE stored.owner_user_id = conversations_of.asked_owner_user_id
$body$;
COMMENT ON FUNCTION im_admin.conversations_of IS 'The conversations of a user.';

CREATE VIEW im_admin.list_rows WITH (security_invoker = true) AS
  SELECT 'group_members' AS list, listed.group_id AS parent, listed.group_id AS owner, listed.user_id AS id,
      im_admin.group_members_key(listed.role_level, listed.join_time, listed.user_id) AS key,
      CASE listed.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE listed.nickname END AS name
    FROM im_admin.group_members listed
      LEFT JOIN im_admin.users profile ON profile.user_id = listed.user_id
  UNION ALL
  SELECT 'joined_groups' AS list, listed.user_id AS parent, listed.user_id AS owner, listed.group_id AS id,
      im_admin.joined_groups_key(listed.join_time, listed.group_id) AS key,
      NULL AS name
    FROM im_admin.group_members listed
  UNION ALL
  SELECT 'blacks' AS list, listed.owner_user_id AS parent, listed.owner_user_id AS owner, listed.black_user_id AS id,
      im_admin.blacks_key(listed.create_time, listed.black_user_id) AS key,
      NULL AS name
    FROM im_admin.blacks listed
  UNION ALL
  SELECT 'group_requests' AS list, listed.group_id AS parent, listed.group_id AS owner, listed.user_id AS id,
      im_admin.group_requests_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
  UNION ALL
  SELECT 'group_requests_by_result' AS list, listed.group_id AS parent, im_admin.part_of_owner(listed.group_id, listed.handle_result::text) AS owner, listed.user_id AS id,
      im_admin.group_requests_by_result_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
  UNION ALL
  SELECT 'notification_accounts' AS list, '' AS parent, '' AS owner, listed.user_id AS id,
      im_admin.notification_accounts_key(listed.user_id) AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE listed.app_manger_level >= 3
  UNION ALL
  SELECT 'notification_accounts_by_level' AS list, '' AS parent, '' AS owner, listed.user_id AS id,
      im_admin.notification_accounts_by_level_key(listed.app_manger_level, listed.user_id) AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE listed.app_manger_level >= 3;
COMMENT ON VIEW im_admin.list_rows IS 'The rows of all lists, with their keys. parent: the group or user of the list. owner: the same, and behind it the value of the field by which lists are divided, such as a result.';

CREATE FUNCTION im_admin.rows_of_users(asked_list text, asked_parent text)
  RETURNS TABLE (parent text, owner text, id text, key text, name text) LANGUAGE sql STABLE AS $body$
  SELECT '', '' AS owner, listed.user_id AS id,
      im_admin.notification_accounts_key(listed.user_id) AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE rows_of_users.asked_list = 'notification_accounts' AND listed.app_manger_level >= 3
  UNION ALL
  SELECT '', '' AS owner, listed.user_id AS id,
      im_admin.notification_accounts_by_level_key(listed.app_manger_level, listed.user_id) AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE rows_of_users.asked_list = 'notification_accounts_by_level' AND listed.app_manger_level >= 3
$body$;
COMMENT ON FUNCTION im_admin.rows_of_users IS 'The same, of lists of these records.';

CREATE FUNCTION im_admin.row_at_users(asked_list text, asked_parent text, asked_id text)
  RETURNS TABLE (parent text, owner text, id text, key text, name text) LANGUAGE sql STABLE AS $body$
  SELECT '', '' AS owner, listed.user_id AS id,
      im_admin.notification_accounts_key(listed.user_id) AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE row_at_users.asked_list = 'notification_accounts' AND listed.user_id = row_at_users.asked_id AND listed.app_manger_level >= 3
  UNION ALL
  SELECT '', '' AS owner, listed.user_id AS id,
      im_admin.notification_accounts_by_level_key(listed.app_manger_level, listed.user_id) AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE row_at_users.asked_list = 'notification_accounts_by_level' AND listed.user_id = row_at_users.asked_id AND listed.app_manger_level >= 3
$body$;
COMMENT ON FUNCTION im_admin.row_at_users IS 'The same, of lists of these records.';

CREATE FUNCTION im_admin.rows_of_group_members(asked_list text, asked_parent text)
  RETURNS TABLE (parent text, owner text, id text, key text, name text) LANGUAGE sql STABLE AS $body$
  SELECT listed.group_id, listed.group_id AS owner, listed.user_id AS id,
      im_admin.group_members_key(listed.role_level, listed.join_time, listed.user_id) AS key,
      CASE listed.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE listed.nickname END AS name
    FROM im_admin.group_members listed
      LEFT JOIN im_admin.users profile ON profile.user_id = listed.user_id
    WHERE rows_of_group_members.asked_list = 'group_members' AND listed.group_id = rows_of_group_members.asked_parent
  UNION ALL
  SELECT listed.user_id, listed.user_id AS owner, listed.group_id AS id,
      im_admin.joined_groups_key(listed.join_time, listed.group_id) AS key,
      NULL AS name
    FROM im_admin.group_members listed
    WHERE rows_of_group_members.asked_list = 'joined_groups' AND listed.user_id = rows_of_group_members.asked_parent
$body$;
COMMENT ON FUNCTION im_admin.rows_of_group_members IS 'The same, of lists of these records.';

CREATE FUNCTION im_admin.row_at_group_members(asked_list text, asked_parent text, asked_id text)
  RETURNS TABLE (parent text, owner text, id text, key text, name text) LANGUAGE sql STABLE AS $body$
  SELECT listed.group_id, listed.group_id AS owner, listed.user_id AS id,
      im_admin.group_members_key(listed.role_level, listed.join_time, listed.user_id) AS key,
      CASE listed.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE listed.nickname END AS name
    FROM im_admin.group_members listed
      LEFT JOIN im_admin.users profile ON profile.user_id = listed.user_id
    WHERE row_at_group_members.asked_list = 'group_members' AND listed.group_id = row_at_group_members.asked_parent AND listed.user_id = row_at_group_members.asked_id
  UNION ALL
  SELECT listed.user_id, listed.user_id AS owner, listed.group_id AS id,
      im_admin.joined_groups_key(listed.join_time, listed.group_id) AS key,
      NULL AS name
    FROM im_admin.group_members listed
    WHERE row_at_group_members.asked_list = 'joined_groups' AND listed.user_id = row_at_group_members.asked_parent AND listed.group_id = row_at_group_members.asked_id
$body$;
COMMENT ON FUNCTION im_admin.row_at_group_members IS 'The same, of lists of these records.';

CREATE FUNCTION im_admin.rows_of_blacks(asked_list text, asked_parent text)
  RETURNS TABLE (parent text, owner text, id text, key text, name text) LANGUAGE sql STABLE AS $body$
  SELECT listed.owner_user_id, listed.owner_user_id AS owner, listed.black_user_id AS id,
      im_admin.blacks_key(listed.create_time, listed.black_user_id) AS key,
      NULL AS name
    FROM im_admin.blacks listed
    WHERE rows_of_blacks.asked_list = 'blacks' AND listed.owner_user_id = rows_of_blacks.asked_parent
$body$;
COMMENT ON FUNCTION im_admin.rows_of_blacks IS 'The same, of lists of these records.';

CREATE FUNCTION im_admin.row_at_blacks(asked_list text, asked_parent text, asked_id text)
  RETURNS TABLE (parent text, owner text, id text, key text, name text) LANGUAGE sql STABLE AS $body$
  SELECT listed.owner_user_id, listed.owner_user_id AS owner, listed.black_user_id AS id,
      im_admin.blacks_key(listed.create_time, listed.black_user_id) AS key,
      NULL AS name
    FROM im_admin.blacks listed
    WHERE row_at_blacks.asked_list = 'blacks' AND listed.owner_user_id = row_at_blacks.asked_parent AND listed.black_user_id = row_at_blacks.asked_id
$body$;
COMMENT ON FUNCTION im_admin.row_at_blacks IS 'The same, of lists of these records.';

CREATE FUNCTION im_admin.rows_of_group_requests(asked_list text, asked_parent text)
  RETURNS TABLE (parent text, owner text, id text, key text, name text) LANGUAGE sql STABLE AS $body$
  SELECT listed.group_id, listed.group_id AS owner, listed.user_id AS id,
      im_admin.group_requests_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
    WHERE rows_of_group_requests.asked_list = 'group_requests' AND listed.group_id = rows_of_group_requests.asked_parent
  UNION ALL
  SELECT listed.group_id, im_admin.part_of_owner(listed.group_id, listed.handle_result::text) AS owner, listed.user_id AS id,
      im_admin.group_requests_by_result_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
    WHERE rows_of_group_requests.asked_list = 'group_requests_by_result' AND listed.group_id = rows_of_group_requests.asked_parent
$body$;
COMMENT ON FUNCTION im_admin.rows_of_group_requests IS 'The same, of lists of these records.';

CREATE FUNCTION im_admin.row_at_group_requests(asked_list text, asked_parent text, asked_id text)
  RETURNS TABLE (parent text, owner text, id text, key text, name text) LANGUAGE sql STABLE AS $body$
  SELECT listed.group_id, listed.group_id AS owner, listed.user_id AS id,
      im_admin.group_requests_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
    WHERE row_at_group_requests.asked_list = 'group_requests' AND listed.group_id = row_at_group_requests.asked_parent AND listed.user_id = row_at_group_requests.asked_id
  UNION ALL
  SELECT listed.group_id, im_admin.part_of_owner(listed.group_id, listed.handle_result::text) AS owner, listed.user_id AS id,
      im_admin.group_requests_by_result_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
    WHERE row_at_group_requests.asked_list = 'group_requests_by_result' AND listed.group_id = row_at_group_requests.asked_parent AND listed.user_id = row_at_group_requests.asked_id
$body$;
COMMENT ON FUNCTION im_admin.row_at_group_requests IS 'The same, of lists of these records.';

CREATE FUNCTION im_admin.rows_of(asked_list text, asked_parent text)
  RETURNS TABLE (parent text, owner text, id text, key text, name text) LANGUAGE sql STABLE AS $body$
  SELECT listed.group_id, listed.group_id AS owner, listed.user_id AS id,
      im_admin.group_members_key(listed.role_level, listed.join_time, listed.user_id) AS key,
      CASE listed.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE listed.nickname END AS name
    FROM im_admin.group_members listed
      LEFT JOIN im_admin.users profile ON profile.user_id = listed.user_id
    WHERE rows_of.asked_list = 'group_members' AND listed.group_id = rows_of.asked_parent
  UNION ALL
  SELECT listed.user_id, listed.user_id AS owner, listed.group_id AS id,
      im_admin.joined_groups_key(listed.join_time, listed.group_id) AS key,
      NULL AS name
    FROM im_admin.group_members listed
    WHERE rows_of.asked_list = 'joined_groups' AND listed.user_id = rows_of.asked_parent
  UNION ALL
  SELECT listed.owner_user_id, listed.owner_user_id AS owner, listed.black_user_id AS id,
      im_admin.blacks_key(listed.create_time, listed.black_user_id) AS key,
      NULL AS name
    FROM im_admin.blacks listed
    WHERE rows_of.asked_list = 'blacks' AND listed.owner_user_id = rows_of.asked_parent
  UNION ALL
  SELECT listed.group_id, listed.group_id AS owner, listed.user_id AS id,
      im_admin.group_requests_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
    WHERE rows_of.asked_list = 'group_requests' AND listed.group_id = rows_of.asked_parent
  UNION ALL
  SELECT listed.group_id, im_admin.part_of_owner(listed.group_id, listed.handle_result::text) AS owner, listed.user_id AS id,
      im_admin.group_requests_by_result_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
    WHERE rows_of.asked_list = 'group_requests_by_result' AND listed.group_id = rows_of.asked_parent
  UNION ALL
  SELECT '', '' AS owner, listed.user_id AS id,
      im_admin.notification_accounts_key(listed.user_id) AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE rows_of.asked_list = 'notification_accounts' AND listed.app_manger_level >= 3
  UNION ALL
  SELECT '', '' AS owner, listed.user_id AS id,
      im_admin.notification_accounts_by_level_key(listed.app_manger_level, listed.user_id) AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE rows_of.asked_list = 'notification_accounts_by_level' AND listed.app_manger_level >= 3
$body$;
COMMENT ON FUNCTION im_admin.rows_of IS 'The rows of all lists of one kind that have this parent.';

CREATE FUNCTION im_admin.row_at(asked_list text, asked_parent text, asked_id text)
  RETURNS TABLE (parent text, owner text, id text, key text, name text) LANGUAGE sql STABLE AS $body$
  SELECT listed.group_id, listed.group_id AS owner, listed.user_id AS id,
      im_admin.group_members_key(listed.role_level, listed.join_time, listed.user_id) AS key,
      CASE listed.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE listed.nickname END AS name
    FROM im_admin.group_members listed
      LEFT JOIN im_admin.users profile ON profile.user_id = listed.user_id
    WHERE row_at.asked_list = 'group_members' AND listed.group_id = row_at.asked_parent AND listed.user_id = row_at.asked_id
  UNION ALL
  SELECT listed.user_id, listed.user_id AS owner, listed.group_id AS id,
      im_admin.joined_groups_key(listed.join_time, listed.group_id) AS key,
      NULL AS name
    FROM im_admin.group_members listed
    WHERE row_at.asked_list = 'joined_groups' AND listed.user_id = row_at.asked_parent AND listed.group_id = row_at.asked_id
  UNION ALL
  SELECT listed.owner_user_id, listed.owner_user_id AS owner, listed.black_user_id AS id,
      im_admin.blacks_key(listed.create_time, listed.black_user_id) AS key,
      NULL AS name
    FROM im_admin.blacks listed
    WHERE row_at.asked_list = 'blacks' AND listed.owner_user_id = row_at.asked_parent AND listed.black_user_id = row_at.asked_id
  UNION ALL
  SELECT listed.group_id, listed.group_id AS owner, listed.user_id AS id,
      im_admin.group_requests_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
    WHERE row_at.asked_list = 'group_requests' AND listed.group_id = row_at.asked_parent AND listed.user_id = row_at.asked_id
  UNION ALL
  SELECT listed.group_id, im_admin.part_of_owner(listed.group_id, listed.handle_result::text) AS owner, listed.user_id AS id,
      im_admin.group_requests_by_result_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
    WHERE row_at.asked_list = 'group_requests_by_result' AND listed.group_id = row_at.asked_parent AND listed.user_id = row_at.asked_id
  UNION ALL
  SELECT '', '' AS owner, listed.user_id AS id,
      im_admin.notification_accounts_key(listed.user_id) AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE row_at.asked_list = 'notification_accounts' AND listed.user_id = row_at.asked_id AND listed.app_manger_level >= 3
  UNION ALL
  SELECT '', '' AS owner, listed.user_id AS id,
      im_admin.notification_accounts_by_level_key(listed.app_manger_level, listed.user_id) AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE row_at.asked_list = 'notification_accounts_by_level' AND listed.user_id = row_at.asked_id AND listed.app_manger_level >= 3
$body$;
COMMENT ON FUNCTION im_admin.row_at IS 'The rows of an ID in the lists of one kind that have this parent.';

CREATE FUNCTION im_admin.rows_with(asked_list text, asked_id text)
  RETURNS TABLE (parent text, owner text, id text, key text, name text) LANGUAGE sql STABLE AS $body$
  SELECT listed.group_id, listed.group_id AS owner, listed.user_id AS id,
      im_admin.group_members_key(listed.role_level, listed.join_time, listed.user_id) AS key,
      CASE listed.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE listed.nickname END AS name
    FROM im_admin.group_members listed
      LEFT JOIN im_admin.users profile ON profile.user_id = listed.user_id
    WHERE rows_with.asked_list = 'group_members' AND listed.user_id = rows_with.asked_id
  UNION ALL
  SELECT listed.user_id, listed.user_id AS owner, listed.group_id AS id,
      im_admin.joined_groups_key(listed.join_time, listed.group_id) AS key,
      NULL AS name
    FROM im_admin.group_members listed
    WHERE rows_with.asked_list = 'joined_groups' AND listed.group_id = rows_with.asked_id
  UNION ALL
  SELECT listed.owner_user_id, listed.owner_user_id AS owner, listed.black_user_id AS id,
      im_admin.blacks_key(listed.create_time, listed.black_user_id) AS key,
      NULL AS name
    FROM im_admin.blacks listed
    WHERE rows_with.asked_list = 'blacks' AND listed.black_user_id = rows_with.asked_id
  UNION ALL
  SELECT listed.group_id, listed.group_id AS owner, listed.user_id AS id,
      im_admin.group_requests_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
    WHERE rows_with.asked_list = 'group_requests' AND listed.user_id = rows_with.asked_id
  UNION ALL
  SELECT listed.group_id, im_admin.part_of_owner(listed.group_id, listed.handle_result::text) AS owner, listed.user_id AS id,
      im_admin.group_requests_by_result_key(listed.req_time, listed.group_id, listed.user_id) AS key,
      NULL AS name
    FROM im_admin.group_requests listed
    WHERE rows_with.asked_list = 'group_requests_by_result' AND listed.user_id = rows_with.asked_id
  UNION ALL
  SELECT '', '' AS owner, listed.user_id AS id,
      im_admin.notification_accounts_key(listed.user_id) AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE rows_with.asked_list = 'notification_accounts' AND listed.user_id = rows_with.asked_id AND listed.app_manger_level >= 3
  UNION ALL
  SELECT '', '' AS owner, listed.user_id AS id,
      im_admin.notification_accounts_by_level_key(listed.app_manger_level, listed.user_id) AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE rows_with.asked_list = 'notification_accounts_by_level' AND listed.user_id = rows_with.asked_id AND listed.app_manger_level >= 3
$body$;
COMMENT ON FUNCTION im_admin.rows_with IS 'The rows of an ID in all lists of one kind.';

CREATE FUNCTION im_admin.touched_lists(record text, first text, second text)
  RETURNS TABLE (list text, parent text, id text) LANGUAGE sql IMMUTABLE BEGIN ATOMIC
  SELECT concerned.list, concerned.parent, concerned.id FROM (
      VALUES
        ('group_members', 'group_members', first, second),
        ('group_members', 'joined_groups', second, first),
        ('blacks', 'blacks', first, second),
        ('group_requests', 'group_requests', first, second),
        ('group_requests', 'group_requests_by_result', first, second),
        ('users', 'notification_accounts', '', first),
        ('users', 'notification_accounts_by_level', '', first)
    ) concerned (record, list, parent, id) WHERE concerned.record = touched_lists.record;
END;
COMMENT ON FUNCTION im_admin.touched_lists IS 'The lists that a touched key concerns. parent: NULL for any; id: NULL for all rows of these lists.';

CREATE FUNCTION im_admin.touched_ids(asked_list text, asked_parent text) RETURNS TABLE (id text)
  LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT key.second FROM im_admin.touched key
    WHERE asked_list = 'group_members' AND key.record = 'group_members' AND key.first = asked_parent
  UNION ALL
  SELECT key.second FROM im_admin.touched key
    WHERE asked_list = 'group_members' AND key.record = 'group_members' AND key.first IS NULL
  UNION ALL
  SELECT key.first FROM im_admin.touched key
    WHERE asked_list = 'joined_groups' AND key.record = 'group_members' AND key.second = asked_parent
  UNION ALL
  SELECT key.first FROM im_admin.touched key
    WHERE asked_list = 'joined_groups' AND key.record = 'group_members' AND key.second IS NULL
  UNION ALL
  SELECT key.second FROM im_admin.touched key
    WHERE asked_list = 'blacks' AND key.record = 'blacks' AND key.first = asked_parent
  UNION ALL
  SELECT key.second FROM im_admin.touched key
    WHERE asked_list = 'blacks' AND key.record = 'blacks' AND key.first IS NULL
  UNION ALL
  SELECT key.second FROM im_admin.touched key
    WHERE asked_list = 'group_requests' AND key.record = 'group_requests' AND key.first = asked_parent
  UNION ALL
  SELECT key.second FROM im_admin.touched key
    WHERE asked_list = 'group_requests' AND key.record = 'group_requests' AND key.first IS NULL
  UNION ALL
  SELECT key.second FROM im_admin.touched key
    WHERE asked_list = 'group_requests_by_result' AND key.record = 'group_requests' AND key.first = asked_parent
  UNION ALL
  SELECT key.second FROM im_admin.touched key
    WHERE asked_list = 'group_requests_by_result' AND key.record = 'group_requests' AND key.first IS NULL
  UNION ALL
  SELECT key.first FROM im_admin.touched key
    WHERE asked_list = 'notification_accounts' AND key.record = 'users'
  UNION ALL
  SELECT key.first FROM im_admin.touched key
    WHERE asked_list = 'notification_accounts_by_level' AND key.record = 'users';
END;
COMMENT ON FUNCTION im_admin.touched_ids IS 'The IDs of a list that were touched, and are not settled yet. NULL: any of its rows may have been.';

------------------------------------------------------------------------------------------------------------------------
-- What may depend on anything but rows
--
-- A list follows writes. So what decides about it must be the same for everybody as long as no row changes: whatever the
-- time, the session and its settings are. The server keeps each view as a tree, whose nodes name functions, operators and
-- types by their OIDs. These functions look up each of them in the catalogue.
------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION im_admin.nodes_of(trees text[])
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

CREATE FUNCTION im_admin.known_nodes() RETURNS TABLE (kind text, type_field text, type oid)
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

CREATE FUNCTION im_admin.excepted_routines() RETURNS TABLE (name text, depends_on text)
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

CREATE FUNCTION im_admin.unsteady_type(asked oid, is_read boolean) RETURNS text LANGUAGE sql STABLE BEGIN ATOMIC
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

CREATE FUNCTION im_admin.problem_of(trees text[], decides boolean, instant text, part text) RETURNS text
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

CREATE FUNCTION im_admin.tree_of(view regclass) RETURNS text LANGUAGE sql STABLE RETURN (
  SELECT ev_action::text FROM pg_catalog.pg_rewrite WHERE ev_class = view AND ev_type = '1');
COMMENT ON FUNCTION im_admin.tree_of IS 'The stored tree of a view.';

CREATE FUNCTION im_admin.make_part(query text, OUT instant text, OUT is_steady boolean)
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

------------------------------------------------------------------------------------------------------------------------
-- Whose tables a map reads
--
-- Who reads a table runs code of its owner: the server calls the functions of policies, casts and views, and of index
-- expressions when it plans a query. So a map reads only what belongs to the owner of this schema, to a role that can
-- act as this owner anyway, or to a role that the installation has named. require_mapped() looks whether the map still
-- reads the same tables, and whose they are, before anything of them is read.
------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION im_admin.changed_objects() RETURNS TABLE (record text, name text, problem text)
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

CREATE FUNCTION im_admin.require_mapped(asked_record text DEFAULT NULL) RETURNS void LANGUAGE plpgsql STABLE AS $$
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

CREATE FUNCTION im_admin.require_owner() RETURNS void LANGUAGE plpgsql SET search_path = im_admin, pg_temp AS $$
DECLARE
  owner name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = 'lists'::regclass);
BEGIN
  IF owner <> current_user THEN
    RAISE 'the tables of the schema % belong to the role %: do this as that role', current_schema(), owner;
  END IF;
END $$;
COMMENT ON FUNCTION im_admin.require_owner IS 'Fails for a role that does not own the tables of this schema: what a map makes must have the same owner.';

CREATE FUNCTION im_admin.hold_mapped() RETURNS boolean LANGUAGE plpgsql AS $$
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

CREATE FUNCTION im_admin.changed_columns() RETURNS TABLE (name text, problem text)
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

CREATE FUNCTION im_admin.is_altered(asked_record text) RETURNS boolean LANGUAGE sql STABLE RETURN EXISTS (
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

CREATE FUNCTION im_admin.files_of(watched regclass) RETURNS TABLE (relation regclass, parent regclass, file oid)
  LANGUAGE sql STABLE BEGIN ATOMIC
  WITH RECURSIVE parts (part, parent) AS (
    SELECT watched::oid, NULL::oid
    UNION SELECT below.inhrelid, below.inhparent FROM pg_inherits below JOIN parts ON below.inhparent = parts.part
      WHERE NOT below.inhdetachpending
  )
  SELECT parts.part, parts.parent, relfilenode FROM parts JOIN pg_class ON pg_class.oid = parts.part;
END;
COMMENT ON FUNCTION im_admin.files_of IS 'The file of a table, and of each of its partitions.';

CREATE FUNCTION im_admin.is_rewritten(asked_record text) RETURNS boolean LANGUAGE sql STABLE RETURN EXISTS (
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

CREATE FUNCTION im_admin.settle_rewritten() RETURNS void LANGUAGE plpgsql AS $$
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

CREATE FUNCTION im_admin.reached_by(view regclass) RETURNS TABLE (class oid, object oid, attribute integer)
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

CREATE FUNCTION im_admin.note_part(
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

CREATE FUNCTION im_admin.require_trusted() RETURNS void
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

CREATE FUNCTION im_admin.require_unique(part text, view text, key text) RETURNS void
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

CREATE FUNCTION im_admin.make_conversion(routine text, source text, value text) RETURNS void
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

CREATE FUNCTION im_admin.watch_table(
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

CREATE FUNCTION im_admin.truncated() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp AS $$
BEGIN
  INSERT INTO touched (record) VALUES (TG_ARGV[0]);
  RETURN NULL;
END $$;
COMMENT ON FUNCTION im_admin.truncated IS 'Notes that a table of this schema was emptied.';
REVOKE EXECUTE ON FUNCTION im_admin.truncated FROM PUBLIC;

CREATE FUNCTION im_admin.users_written() RETURNS trigger
  -- The server would sort very many rows on the disk to divide them.
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp SET enable_sort = off AS $$
DECLARE
  number bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN number := (SELECT count(*) FROM old_rows); END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 'changed_names', '', written.user_id, 1 FROM new_rows written WHERE written.nickname <> ''
      UNION ALL
      SELECT 'notification_accounts', '', im_admin.notification_accounts_key(written.user_id), 1 FROM new_rows written WHERE written.app_manger_level >= 3
      UNION ALL
      SELECT 'notification_accounts_by_level', '', im_admin.notification_accounts_by_level_key(written.app_manger_level, written.user_id), 1 FROM new_rows written WHERE written.app_manger_level >= 3;
  ELSIF TG_OP = 'DELETE' AND number <= most_touched() THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 'changed_names', '', written.user_id, -1 FROM old_rows written WHERE written.nickname <> ''
      UNION ALL
      SELECT 'notification_accounts', '', im_admin.notification_accounts_key(written.user_id), -1 FROM old_rows written WHERE written.app_manger_level >= 3
      UNION ALL
      SELECT 'notification_accounts_by_level', '', im_admin.notification_accounts_by_level_key(written.app_manger_level, written.user_id), -1 FROM old_rows written WHERE written.app_manger_level >= 3;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO packed_changes (record, firsts, levels, changes)
      SELECT 'users', array_agg(packed.user_id), array_agg(packed.app_manger_level), array_agg(packed.change)
        FROM (
          SELECT written.user_id, written.app_manger_level, (-1)::smallint AS change FROM old_rows written
        ) packed GROUP BY (hashtext(packed.user_id) & 2147483647) % (number / 10000 + 1);
  ELSIF number <= most_touched() THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT entry.list, entry.owner, entry.key, sum(entry.change) AS change FROM (
          SELECT 'changed_names', '', written.user_id, written.nickname, -1 FROM old_rows written WHERE written.nickname <> ''
          UNION ALL
          SELECT 'notification_accounts', '', im_admin.notification_accounts_key(written.user_id), '', -1 FROM old_rows written WHERE written.app_manger_level >= 3
          UNION ALL
          SELECT 'notification_accounts_by_level', '', im_admin.notification_accounts_by_level_key(written.app_manger_level, written.user_id), '', -1 FROM old_rows written WHERE written.app_manger_level >= 3
          UNION ALL
          SELECT 'changed_names', '', written.user_id, written.nickname, 1 FROM new_rows written WHERE written.nickname <> ''
          UNION ALL
          SELECT 'notification_accounts', '', im_admin.notification_accounts_key(written.user_id), '', 1 FROM new_rows written WHERE written.app_manger_level >= 3
          UNION ALL
          SELECT 'notification_accounts_by_level', '', im_admin.notification_accounts_by_level_key(written.app_manger_level, written.user_id), '', 1 FROM new_rows written WHERE written.app_manger_level >= 3
        ) entry (list, owner, key, word, change)
        GROUP BY entry.list, entry.owner, entry.key
        HAVING sum(entry.change) <> 0 OR min(entry.word) <> max(entry.word);
  ELSE
    INSERT INTO packed_changes (record, firsts, levels, changes)
      SELECT 'users', array_agg(packed.user_id), array_agg(packed.app_manger_level), array_agg(packed.change)
        FROM (
          SELECT entry.user_id, entry.app_manger_level, sum(entry.change) AS change FROM (
              SELECT written.user_id, written.app_manger_level, written.nickname, -1 FROM old_rows written
              UNION ALL
              SELECT written.user_id, written.app_manger_level, written.nickname, 1 FROM new_rows written
            ) entry (user_id, app_manger_level, word, change)
            GROUP BY entry.user_id, entry.app_manger_level
            HAVING sum(entry.change) <> 0 OR min(entry.word) <> max(entry.word)
        ) packed GROUP BY (hashtext(packed.user_id) & 2147483647) % (number / 10000 + 1);
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION im_admin.users_written IS 'Appends the changes of a statement that has written users: of accounts, and of nicknames.';
REVOKE EXECUTE ON FUNCTION im_admin.users_written FROM PUBLIC;

CREATE FUNCTION im_admin.group_members_written() RETURNS trigger
  -- The server would sort very many rows on the disk to divide them.
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp SET enable_sort = off AS $$
DECLARE
  number bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN number := (SELECT count(*) FROM old_rows); END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 'group_members', written.group_id, im_admin.group_members_key(written.role_level, written.join_time, written.user_id), 1 FROM new_rows written
      UNION ALL
      SELECT 'joined_groups', written.user_id, im_admin.joined_groups_key(written.join_time, written.group_id), 1 FROM new_rows written;
  ELSIF TG_OP = 'DELETE' AND number <= most_touched() THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 'group_members', written.group_id, im_admin.group_members_key(written.role_level, written.join_time, written.user_id), -1 FROM old_rows written
      UNION ALL
      SELECT 'joined_groups', written.user_id, im_admin.joined_groups_key(written.join_time, written.group_id), -1 FROM old_rows written;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO packed_changes (record, firsts, seconds, levels, times, changes)
      SELECT 'group_members', array_agg(packed.group_id), array_agg(packed.user_id), array_agg(packed.role_level), array_agg(packed.join_time), array_agg(packed.change)
        FROM (
          SELECT written.group_id, written.user_id, written.role_level, written.join_time, (-1)::smallint AS change FROM old_rows written
        ) packed GROUP BY (hashtext(packed.group_id) # hashtext(packed.user_id) & 2147483647) % (number / 10000 + 1);
  ELSIF number <= most_touched() THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT entry.list, entry.owner, entry.key, sum(entry.change) AS change FROM (
          SELECT 'group_members', written.group_id, im_admin.group_members_key(written.role_level, written.join_time, written.user_id), written.nickname, -1 FROM old_rows written
          UNION ALL
          SELECT 'joined_groups', written.user_id, im_admin.joined_groups_key(written.join_time, written.group_id), '', -1 FROM old_rows written
          UNION ALL
          SELECT 'group_members', written.group_id, im_admin.group_members_key(written.role_level, written.join_time, written.user_id), written.nickname, 1 FROM new_rows written
          UNION ALL
          SELECT 'joined_groups', written.user_id, im_admin.joined_groups_key(written.join_time, written.group_id), '', 1 FROM new_rows written
        ) entry (list, owner, key, word, change)
        GROUP BY entry.list, entry.owner, entry.key
        HAVING sum(entry.change) <> 0 OR min(entry.word) <> max(entry.word);
  ELSE
    INSERT INTO packed_changes (record, firsts, seconds, levels, times, changes)
      SELECT 'group_members', array_agg(packed.group_id), array_agg(packed.user_id), array_agg(packed.role_level), array_agg(packed.join_time), array_agg(packed.change)
        FROM (
          SELECT entry.group_id, entry.user_id, entry.role_level, entry.join_time, sum(entry.change) AS change FROM (
              SELECT written.group_id, written.user_id, written.role_level, written.join_time, written.nickname, -1 FROM old_rows written
              UNION ALL
              SELECT written.group_id, written.user_id, written.role_level, written.join_time, written.nickname, 1 FROM new_rows written
            ) entry (group_id, user_id, role_level, join_time, word, change)
            GROUP BY entry.group_id, entry.user_id, entry.role_level, entry.join_time
            HAVING sum(entry.change) <> 0 OR min(entry.word) <> max(entry.word)
        ) packed GROUP BY (hashtext(packed.group_id) # hashtext(packed.user_id) & 2147483647) % (number / 10000 + 1);
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION im_admin.group_members_written IS 'Appends the changes of a statement that has written members.';
REVOKE EXECUTE ON FUNCTION im_admin.group_members_written FROM PUBLIC;

CREATE FUNCTION im_admin.blacks_written() RETURNS trigger
  -- The server would sort very many rows on the disk to divide them.
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp SET enable_sort = off AS $$
DECLARE
  number bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN number := (SELECT count(*) FROM old_rows); END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 'blacks', written.owner_user_id, im_admin.blacks_key(written.create_time, written.black_user_id), 1 FROM new_rows written;
  ELSIF TG_OP = 'DELETE' AND number <= most_touched() THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 'blacks', written.owner_user_id, im_admin.blacks_key(written.create_time, written.black_user_id), -1 FROM old_rows written;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO packed_changes (record, firsts, seconds, times, changes)
      SELECT 'blacks', array_agg(packed.owner_user_id), array_agg(packed.black_user_id), array_agg(packed.create_time), array_agg(packed.change)
        FROM (
          SELECT written.owner_user_id, written.black_user_id, written.create_time, (-1)::smallint AS change FROM old_rows written
        ) packed GROUP BY (hashtext(packed.owner_user_id) # hashtext(packed.black_user_id) & 2147483647) % (number / 10000 + 1);
  ELSIF number <= most_touched() THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT entry.list, entry.owner, entry.key, sum(entry.change) AS change FROM (
          SELECT 'blacks', written.owner_user_id, im_admin.blacks_key(written.create_time, written.black_user_id), '', -1 FROM old_rows written
          UNION ALL
          SELECT 'blacks', written.owner_user_id, im_admin.blacks_key(written.create_time, written.black_user_id), '', 1 FROM new_rows written
        ) entry (list, owner, key, word, change)
        GROUP BY entry.list, entry.owner, entry.key
        HAVING sum(entry.change) <> 0 OR min(entry.word) <> max(entry.word);
  ELSE
    INSERT INTO packed_changes (record, firsts, seconds, times, changes)
      SELECT 'blacks', array_agg(packed.owner_user_id), array_agg(packed.black_user_id), array_agg(packed.create_time), array_agg(packed.change)
        FROM (
          SELECT entry.owner_user_id, entry.black_user_id, entry.create_time, sum(entry.change) AS change FROM (
              SELECT written.owner_user_id, written.black_user_id, written.create_time, '', -1 FROM old_rows written
              UNION ALL
              SELECT written.owner_user_id, written.black_user_id, written.create_time, '', 1 FROM new_rows written
            ) entry (owner_user_id, black_user_id, create_time, word, change)
            GROUP BY entry.owner_user_id, entry.black_user_id, entry.create_time
            HAVING sum(entry.change) <> 0 OR min(entry.word) <> max(entry.word)
        ) packed GROUP BY (hashtext(packed.owner_user_id) # hashtext(packed.black_user_id) & 2147483647) % (number / 10000 + 1);
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION im_admin.blacks_written IS 'Appends the changes of a statement that has written blacklists.';
REVOKE EXECUTE ON FUNCTION im_admin.blacks_written FROM PUBLIC;

CREATE FUNCTION im_admin.group_requests_written() RETURNS trigger
  -- The server would sort very many rows on the disk to divide them.
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp SET enable_sort = off AS $$
DECLARE
  number bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN number := (SELECT count(*) FROM old_rows); END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 'group_requests', written.group_id, im_admin.group_requests_key(written.req_time, written.group_id, written.user_id), 1 FROM new_rows written
      UNION ALL
      SELECT 'group_requests_by_result', im_admin.part_of_owner(written.group_id, written.handle_result::text), im_admin.group_requests_by_result_key(written.req_time, written.group_id, written.user_id), 1 FROM new_rows written;
  ELSIF TG_OP = 'DELETE' AND number <= most_touched() THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 'group_requests', written.group_id, im_admin.group_requests_key(written.req_time, written.group_id, written.user_id), -1 FROM old_rows written
      UNION ALL
      SELECT 'group_requests_by_result', im_admin.part_of_owner(written.group_id, written.handle_result::text), im_admin.group_requests_by_result_key(written.req_time, written.group_id, written.user_id), -1 FROM old_rows written;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO packed_changes (record, firsts, seconds, levels, times, changes)
      SELECT 'group_requests', array_agg(packed.group_id), array_agg(packed.user_id), array_agg(packed.handle_result), array_agg(packed.req_time), array_agg(packed.change)
        FROM (
          SELECT written.group_id, written.user_id, written.handle_result, written.req_time, (-1)::smallint AS change FROM old_rows written
        ) packed GROUP BY (hashtext(packed.group_id) # hashtext(packed.user_id) & 2147483647) % (number / 10000 + 1);
  ELSIF number <= most_touched() THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT entry.list, entry.owner, entry.key, sum(entry.change) AS change FROM (
          SELECT 'group_requests', written.group_id, im_admin.group_requests_key(written.req_time, written.group_id, written.user_id), '', -1 FROM old_rows written
          UNION ALL
          SELECT 'group_requests_by_result', im_admin.part_of_owner(written.group_id, written.handle_result::text), im_admin.group_requests_by_result_key(written.req_time, written.group_id, written.user_id), '', -1 FROM old_rows written
          UNION ALL
          SELECT 'group_requests', written.group_id, im_admin.group_requests_key(written.req_time, written.group_id, written.user_id), '', 1 FROM new_rows written
          UNION ALL
          SELECT 'group_requests_by_result', im_admin.part_of_owner(written.group_id, written.handle_result::text), im_admin.group_requests_by_result_key(written.req_time, written.group_id, written.user_id), '', 1 FROM new_rows written
        ) entry (list, owner, key, word, change)
        GROUP BY entry.list, entry.owner, entry.key
        HAVING sum(entry.change) <> 0 OR min(entry.word) <> max(entry.word);
  ELSE
    INSERT INTO packed_changes (record, firsts, seconds, levels, times, changes)
      SELECT 'group_requests', array_agg(packed.group_id), array_agg(packed.user_id), array_agg(packed.handle_result), array_agg(packed.req_time), array_agg(packed.change)
        FROM (
          SELECT entry.group_id, entry.user_id, entry.handle_result, entry.req_time, sum(entry.change) AS change FROM (
              SELECT written.group_id, written.user_id, written.handle_result, written.req_time, '', -1 FROM old_rows written
              UNION ALL
              SELECT written.group_id, written.user_id, written.handle_result, written.req_time, '', 1 FROM new_rows written
            ) entry (group_id, user_id, handle_result, req_time, word, change)
            GROUP BY entry.group_id, entry.user_id, entry.handle_result, entry.req_time
            HAVING sum(entry.change) <> 0 OR min(entry.word) <> max(entry.word)
        ) packed GROUP BY (hashtext(packed.group_id) # hashtext(packed.user_id) & 2147483647) % (number / 10000 + 1);
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION im_admin.group_requests_written IS 'Appends the changes of a statement that has written join requests.';
REVOKE EXECUTE ON FUNCTION im_admin.group_requests_written FROM PUBLIC;

CREATE VIEW im_admin.unpacked_changes AS
  SELECT packed.ctid AS place, 'changed_names' AS list, '' AS owner, written.user_id AS key, written.change
    FROM im_admin.packed_changes packed CROSS JOIN LATERAL unnest(packed.firsts, packed.levels, packed.changes)
      written (user_id, app_manger_level, change)
    WHERE packed.record = 'users' AND true
  UNION ALL
  SELECT packed.ctid AS place, 'notification_accounts' AS list, '' AS owner, im_admin.notification_accounts_key(written.user_id) AS key, written.change
    FROM im_admin.packed_changes packed CROSS JOIN LATERAL unnest(packed.firsts, packed.levels, packed.changes)
      written (user_id, app_manger_level, change)
    WHERE packed.record = 'users' AND written.app_manger_level >= 3
  UNION ALL
  SELECT packed.ctid AS place, 'notification_accounts_by_level' AS list, '' AS owner, im_admin.notification_accounts_by_level_key(written.app_manger_level, written.user_id) AS key, written.change
    FROM im_admin.packed_changes packed CROSS JOIN LATERAL unnest(packed.firsts, packed.levels, packed.changes)
      written (user_id, app_manger_level, change)
    WHERE packed.record = 'users' AND written.app_manger_level >= 3
  UNION ALL
  SELECT packed.ctid AS place, 'group_members' AS list, written.group_id AS owner, im_admin.group_members_key(written.role_level, written.join_time, written.user_id) AS key, written.change
    FROM im_admin.packed_changes packed CROSS JOIN LATERAL unnest(packed.firsts, packed.seconds, packed.levels, packed.times, packed.changes)
      written (group_id, user_id, role_level, join_time, change)
    WHERE packed.record = 'group_members' AND true
  UNION ALL
  SELECT packed.ctid AS place, 'joined_groups' AS list, written.user_id AS owner, im_admin.joined_groups_key(written.join_time, written.group_id) AS key, written.change
    FROM im_admin.packed_changes packed CROSS JOIN LATERAL unnest(packed.firsts, packed.seconds, packed.levels, packed.times, packed.changes)
      written (group_id, user_id, role_level, join_time, change)
    WHERE packed.record = 'group_members' AND true
  UNION ALL
  SELECT packed.ctid AS place, 'blacks' AS list, written.owner_user_id AS owner, im_admin.blacks_key(written.create_time, written.black_user_id) AS key, written.change
    FROM im_admin.packed_changes packed CROSS JOIN LATERAL unnest(packed.firsts, packed.seconds, packed.times, packed.changes)
      written (owner_user_id, black_user_id, create_time, change)
    WHERE packed.record = 'blacks' AND true
  UNION ALL
  SELECT packed.ctid AS place, 'group_requests' AS list, written.group_id AS owner, im_admin.group_requests_key(written.req_time, written.group_id, written.user_id) AS key, written.change
    FROM im_admin.packed_changes packed CROSS JOIN LATERAL unnest(packed.firsts, packed.seconds, packed.levels, packed.times, packed.changes)
      written (group_id, user_id, handle_result, req_time, change)
    WHERE packed.record = 'group_requests' AND true
  UNION ALL
  SELECT packed.ctid AS place, 'group_requests_by_result' AS list, im_admin.part_of_owner(written.group_id, written.handle_result::text) AS owner, im_admin.group_requests_by_result_key(written.req_time, written.group_id, written.user_id) AS key, written.change
    FROM im_admin.packed_changes packed CROSS JOIN LATERAL unnest(packed.firsts, packed.seconds, packed.levels, packed.times, packed.changes)
      written (group_id, user_id, handle_result, req_time, change)
    WHERE packed.record = 'group_requests' AND true;
COMMENT ON VIEW im_admin.unpacked_changes IS 'What packed_changes has for each list. place: the row of packed_changes.';

CREATE TRIGGER zz_im_admin_users_insert AFTER INSERT ON im_admin.users REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.users_written();

CREATE TRIGGER zz_im_admin_users_delete AFTER DELETE ON im_admin.users REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.users_written();

CREATE TRIGGER zz_im_admin_users_update AFTER UPDATE ON im_admin.users REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.users_written();

CREATE TRIGGER zz_im_admin_users_truncate AFTER TRUNCATE ON im_admin.users
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.truncated('users');

CREATE TRIGGER zz_im_admin_group_members_insert AFTER INSERT ON im_admin.group_members REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.group_members_written();

CREATE TRIGGER zz_im_admin_group_members_delete AFTER DELETE ON im_admin.group_members REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.group_members_written();

CREATE TRIGGER zz_im_admin_group_members_update AFTER UPDATE ON im_admin.group_members REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.group_members_written();

CREATE TRIGGER zz_im_admin_group_members_truncate AFTER TRUNCATE ON im_admin.group_members
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.truncated('group_members');

CREATE TRIGGER zz_im_admin_blacks_insert AFTER INSERT ON im_admin.blacks REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.blacks_written();

CREATE TRIGGER zz_im_admin_blacks_delete AFTER DELETE ON im_admin.blacks REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.blacks_written();

CREATE TRIGGER zz_im_admin_blacks_update AFTER UPDATE ON im_admin.blacks REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.blacks_written();

CREATE TRIGGER zz_im_admin_blacks_truncate AFTER TRUNCATE ON im_admin.blacks
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.truncated('blacks');

CREATE TRIGGER zz_im_admin_group_requests_insert AFTER INSERT ON im_admin.group_requests REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.group_requests_written();

CREATE TRIGGER zz_im_admin_group_requests_delete AFTER DELETE ON im_admin.group_requests REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.group_requests_written();

CREATE TRIGGER zz_im_admin_group_requests_update AFTER UPDATE ON im_admin.group_requests REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.group_requests_written();

CREATE TRIGGER zz_im_admin_group_requests_truncate AFTER TRUNCATE ON im_admin.group_requests
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.truncated('group_requests');

------------------------------------------------------------------------------------------------------------------------
-- How lists are read
--
-- Each answer comes from one snapshot, which the calling statement has taken. A list without a tree is read from its
-- rows: it is short, or settle() has not built its tree yet.
------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION im_admin.most_touched() RETURNS integer LANGUAGE sql IMMUTABLE RETURN 1000;
COMMENT ON FUNCTION im_admin.most_touched IS 'The most touched records of a list that a read looks up. If there are more, it reads all rows of the list.';

CREATE FUNCTION im_admin.kept_list(
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

CREATE FUNCTION im_admin.pending(asked_list text, asked_owner text, since xid8, unfinished xid8[])
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

CREATE FUNCTION im_admin.judged(asked_list text, asked_owner text) RETURNS TABLE (key text, change bigint)
  LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  CASE record_of(asked_list)
    WHEN 'users' THEN
    RETURN QUERY SELECT side.key, sum(side.change)::bigint
      FROM (SELECT DISTINCT ids.id FROM touched_ids(asked_list, list_parent(asked_owner)) ids) one CROSS JOIN LATERAL (
        SELECT DISTINCT entry.key, -1 AS change FROM list_entries entry
          WHERE entry.list = asked_list AND entry.parent = list_parent(asked_owner) AND entry.id = one.id
            AND entry.owner = asked_owner
        UNION ALL
        SELECT DISTINCT found.key, 1 FROM row_at_users(asked_list, list_parent(asked_owner), one.id) found
          WHERE found.owner = asked_owner
        OFFSET 0
      ) side
      GROUP BY side.key;
    WHEN 'group_members' THEN
    RETURN QUERY SELECT side.key, sum(side.change)::bigint
      FROM (SELECT DISTINCT ids.id FROM touched_ids(asked_list, list_parent(asked_owner)) ids) one CROSS JOIN LATERAL (
        SELECT DISTINCT entry.key, -1 AS change FROM list_entries entry
          WHERE entry.list = asked_list AND entry.parent = list_parent(asked_owner) AND entry.id = one.id
            AND entry.owner = asked_owner
        UNION ALL
        SELECT DISTINCT found.key, 1 FROM row_at_group_members(asked_list, list_parent(asked_owner), one.id) found
          WHERE found.owner = asked_owner
        OFFSET 0
      ) side
      GROUP BY side.key;
    WHEN 'blacks' THEN
    RETURN QUERY SELECT side.key, sum(side.change)::bigint
      FROM (SELECT DISTINCT ids.id FROM touched_ids(asked_list, list_parent(asked_owner)) ids) one CROSS JOIN LATERAL (
        SELECT DISTINCT entry.key, -1 AS change FROM list_entries entry
          WHERE entry.list = asked_list AND entry.parent = list_parent(asked_owner) AND entry.id = one.id
            AND entry.owner = asked_owner
        UNION ALL
        SELECT DISTINCT found.key, 1 FROM row_at_blacks(asked_list, list_parent(asked_owner), one.id) found
          WHERE found.owner = asked_owner
        OFFSET 0
      ) side
      GROUP BY side.key;
    WHEN 'group_requests' THEN
    RETURN QUERY SELECT side.key, sum(side.change)::bigint
      FROM (SELECT DISTINCT ids.id FROM touched_ids(asked_list, list_parent(asked_owner)) ids) one CROSS JOIN LATERAL (
        SELECT DISTINCT entry.key, -1 AS change FROM list_entries entry
          WHERE entry.list = asked_list AND entry.parent = list_parent(asked_owner) AND entry.id = one.id
            AND entry.owner = asked_owner
        UNION ALL
        SELECT DISTINCT found.key, 1 FROM row_at_group_requests(asked_list, list_parent(asked_owner), one.id) found
          WHERE found.owner = asked_owner
        OFFSET 0
      ) side
      GROUP BY side.key;
  END CASE;
END $$;
COMMENT ON FUNCTION im_admin.judged IS 'What the touched records of a list change: 1 adds a key, -1 removes it, 0 says that its words may have changed.';

CREATE FUNCTION im_admin.packed(asked_list text, asked_owner text) RETURNS TABLE (key text, change bigint)
  LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY SELECT one.key, one.change::bigint FROM im_admin.unpacked_changes one
    WHERE one.list = asked_list AND one.owner = asked_owner;
END $$;
COMMENT ON FUNCTION im_admin.packed IS 'The packed changes of a list.';

CREATE FUNCTION im_admin.waiting(
    asked_list text, asked_owner text, since xid8, unfinished xid8[], touched bigint, is_packed boolean)
  RETURNS TABLE (key text, change bigint) LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT appended.key, appended.change FROM im_admin.pending(asked_list, asked_owner, since, unfinished) appended
  UNION ALL
  SELECT judged.key, judged.change FROM im_admin.judged(asked_list, asked_owner) judged WHERE touched > 0
  UNION ALL
  SELECT packed.key, packed.change FROM im_admin.packed(asked_list, asked_owner) packed WHERE is_packed;
END;
COMMENT ON FUNCTION im_admin.waiting IS 'All changes of a list that are not in its tree yet.';

CREATE FUNCTION im_admin.slice(keys text[], skip bigint, size bigint) RETURNS text[] LANGUAGE sql IMMUTABLE RETURN
  keys[least(skip, cardinality(keys)) + 1 : least(skip, cardinality(keys)) + least(size, cardinality(keys))];
COMMENT ON FUNCTION im_admin.slice IS 'The keys of a page, from `skip` on.';

CREATE FUNCTION im_admin.list_page(
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
    CASE record_of(asked_list)
      WHEN 'users' THEN
      SELECT array_agg(listed.key ORDER BY listed.key COLLATE "C") INTO keys FROM rows_of_users(asked_list, list_parent(asked_owner)) listed
        WHERE listed.owner = asked_owner AND (beginnings IS NULL OR left(listed.key, length(beginnings[1])) = ANY (beginnings));
      WHEN 'group_members' THEN
      SELECT array_agg(listed.key ORDER BY listed.key COLLATE "C") INTO keys FROM rows_of_group_members(asked_list, list_parent(asked_owner)) listed
        WHERE listed.owner = asked_owner AND (beginnings IS NULL OR left(listed.key, length(beginnings[1])) = ANY (beginnings));
      WHEN 'blacks' THEN
      SELECT array_agg(listed.key ORDER BY listed.key COLLATE "C") INTO keys FROM rows_of_blacks(asked_list, list_parent(asked_owner)) listed
        WHERE listed.owner = asked_owner AND (beginnings IS NULL OR left(listed.key, length(beginnings[1])) = ANY (beginnings));
      WHEN 'group_requests' THEN
      SELECT array_agg(listed.key ORDER BY listed.key COLLATE "C") INTO keys FROM rows_of_group_requests(asked_list, list_parent(asked_owner)) listed
        WHERE listed.owner = asked_owner AND (beginnings IS NULL OR left(listed.key, length(beginnings[1])) = ANY (beginnings));
    END CASE;
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

CREATE FUNCTION im_admin.tree_keys(
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

CREATE FUNCTION im_admin.totals_with(entries text[], totals bigint[], stop text, changed text[], changes bigint[]) RETURNS bigint[]
  LANGUAGE sql IMMUTABLE RETURN (
  SELECT array_agg(child.total + coalesce(added.change, 0) ORDER BY child.number)
    FROM unnest(totals) WITH ORDINALITY child (total, number)
      LEFT JOIN (
        SELECT width_bucket(came.key COLLATE "C", entries COLLATE "C") AS number, sum(came.change)::bigint AS change
          FROM unnest(changed, changes) came (key, change)
          WHERE came.key COLLATE "C" >= entries[1] AND (stop IS NULL OR came.key COLLATE "C" < stop) GROUP BY 1
      ) added ON added.number = child.number);
COMMENT ON FUNCTION im_admin.totals_with IS 'The number of keys below each child of a node, with the given changes applied.';

CREATE FUNCTION im_admin.entries_with(entries text[], start text, stop text, changed text[], changes bigint[]) RETURNS text[]
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

CREATE FUNCTION im_admin.tree_rank(
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

CREATE FUNCTION im_admin.merged_page(
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
  CASE record_of(asked_list)
    WHEN 'users' THEN
    WITH kept AS MATERIALIZED (
      SELECT asked.owner, tree.* FROM unnest(owners) asked (owner) CROSS JOIN LATERAL kept_list(asked_list, asked.owner) tree
    ), loose AS MATERIALIZED (
      -- The keys of lists without a tree.
      SELECT listed.key COLLATE "C" AS key FROM kept
          CROSS JOIN LATERAL (SELECT * FROM rows_of_users(asked_list, list_parent(kept.owner)) OFFSET 0) listed
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
    WHEN 'group_members' THEN
    WITH kept AS MATERIALIZED (
      SELECT asked.owner, tree.* FROM unnest(owners) asked (owner) CROSS JOIN LATERAL kept_list(asked_list, asked.owner) tree
    ), loose AS MATERIALIZED (
      -- The keys of lists without a tree.
      SELECT listed.key COLLATE "C" AS key FROM kept
          CROSS JOIN LATERAL (SELECT * FROM rows_of_group_members(asked_list, list_parent(kept.owner)) OFFSET 0) listed
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
    WHEN 'blacks' THEN
    WITH kept AS MATERIALIZED (
      SELECT asked.owner, tree.* FROM unnest(owners) asked (owner) CROSS JOIN LATERAL kept_list(asked_list, asked.owner) tree
    ), loose AS MATERIALIZED (
      -- The keys of lists without a tree.
      SELECT listed.key COLLATE "C" AS key FROM kept
          CROSS JOIN LATERAL (SELECT * FROM rows_of_blacks(asked_list, list_parent(kept.owner)) OFFSET 0) listed
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
    WHEN 'group_requests' THEN
    WITH kept AS MATERIALIZED (
      SELECT asked.owner, tree.* FROM unnest(owners) asked (owner) CROSS JOIN LATERAL kept_list(asked_list, asked.owner) tree
    ), loose AS MATERIALIZED (
      -- The keys of lists without a tree.
      SELECT listed.key COLLATE "C" AS key FROM kept
          CROSS JOIN LATERAL (SELECT * FROM rows_of_group_requests(asked_list, list_parent(kept.owner)) OFFSET 0) listed
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
  END CASE;
  total := page.total;
  keys := page.keys;
  pending := page.pending;
END $$;
COMMENT ON FUNCTION im_admin.merged_page IS 'A page of several lists of one kind, merged in the order of their keys. It reads only the leaves between `low` and `high`, which may hold the page: at most `skip` keys come before `low`, and the whole page comes before `high`.';

------------------------------------------------------------------------------------------------------------------------
-- How a keyword is found
--
-- The words of a leaf are one text, so that a search reads all leaves of a list of 300,000 rows in some 10 milliseconds.
-- It splits only leaves with the keyword into rows. Where words may have changed since, it reads the rows.
------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION im_admin.searched_words(id text, name text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN translate(lower((id || chr(31) || name) COLLATE "C"), chr(10), chr(30));
COMMENT ON FUNCTION im_admin.searched_words IS 'The texts of a row that a keyword search reads, as one line. With this collation, lower() changes only ASCII letters.';

CREATE FUNCTION im_admin.has_keyword(id text, name text, keyword text) RETURNS boolean
  LANGUAGE sql IMMUTABLE RETURN strpos(lower(id COLLATE "C"), keyword) > 0 OR strpos(lower(name COLLATE "C"), keyword) > 0;
COMMENT ON FUNCTION im_admin.has_keyword IS 'Whether a row has a keyword in its ID or its name. The keyword is in small letters.';

CREATE FUNCTION im_admin.most_doubtful() RETURNS integer LANGUAGE sql IMMUTABLE RETURN 10000;
COMMENT ON FUNCTION im_admin.most_doubtful IS 'The most rows that a search reads since their words may have changed. If there are more, it reads all rows of the list.';

CREATE FUNCTION im_admin.found_page(
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
  CASE record_of(asked_list)
    WHEN 'users' THEN
    doubtful := coalesce(doubtful, '{}') || ARRAY(
      SELECT listed.key FROM (SELECT DISTINCT id FROM unnest(renamed) id) doubt
        CROSS JOIN LATERAL (SELECT * FROM row_at_users(asked_list, asked_parent, doubt.id) OFFSET 0) listed
        WHERE listed.owner = asked_owner);
    WHEN 'group_members' THEN
    doubtful := coalesce(doubtful, '{}') || ARRAY(
      SELECT listed.key FROM (SELECT DISTINCT id FROM unnest(renamed) id) doubt
        CROSS JOIN LATERAL (SELECT * FROM row_at_group_members(asked_list, asked_parent, doubt.id) OFFSET 0) listed
        WHERE listed.owner = asked_owner);
    WHEN 'blacks' THEN
    doubtful := coalesce(doubtful, '{}') || ARRAY(
      SELECT listed.key FROM (SELECT DISTINCT id FROM unnest(renamed) id) doubt
        CROSS JOIN LATERAL (SELECT * FROM row_at_blacks(asked_list, asked_parent, doubt.id) OFFSET 0) listed
        WHERE listed.owner = asked_owner);
    WHEN 'group_requests' THEN
    doubtful := coalesce(doubtful, '{}') || ARRAY(
      SELECT listed.key FROM (SELECT DISTINCT id FROM unnest(renamed) id) doubt
        CROSS JOIN LATERAL (SELECT * FROM row_at_group_requests(asked_list, asked_parent, doubt.id) OFFSET 0) listed
        WHERE listed.owner = asked_owner);
  END CASE;
  CASE record_of(asked_list)
    WHEN 'users' THEN
    WITH hits AS MATERIALIZED (
      SELECT entry.key FROM (
          SELECT unnest(node.entries) AS key, unnest(string_to_array(node.words, chr(10))) AS words FROM list_nodes node
            WHERE node.list = asked_list AND node.owner = asked_owner AND node.level = 1 AND strpos(node.words, keyword) > 0
        ) entry
        WHERE strpos(entry.words, keyword) > 0 AND (beginnings IS NULL OR left(entry.key, length(beginnings[1])) = ANY (beginnings))
          AND (doubtful = '{}' OR entry.key <> ALL (doubtful))
      UNION ALL
      SELECT listed.key FROM (SELECT DISTINCT key_id(asked_list, key) AS id FROM unnest(doubtful) key) doubt
        CROSS JOIN LATERAL (SELECT * FROM row_at_users(asked_list, asked_parent, doubt.id) OFFSET 0) listed
        WHERE listed.owner = asked_owner AND has_keyword(listed.id, listed.name, keyword)
          AND (beginnings IS NULL OR left(listed.key, length(beginnings[1])) = ANY (beginnings))
    )
    SELECT (SELECT count(*) FROM hits), ARRAY(SELECT hits.key FROM hits ORDER BY hits.key COLLATE "C" LIMIT size OFFSET skip)
      INTO total, keys;
    WHEN 'group_members' THEN
    WITH hits AS MATERIALIZED (
      SELECT entry.key FROM (
          SELECT unnest(node.entries) AS key, unnest(string_to_array(node.words, chr(10))) AS words FROM list_nodes node
            WHERE node.list = asked_list AND node.owner = asked_owner AND node.level = 1 AND strpos(node.words, keyword) > 0
        ) entry
        WHERE strpos(entry.words, keyword) > 0 AND (beginnings IS NULL OR left(entry.key, length(beginnings[1])) = ANY (beginnings))
          AND (doubtful = '{}' OR entry.key <> ALL (doubtful))
      UNION ALL
      SELECT listed.key FROM (SELECT DISTINCT key_id(asked_list, key) AS id FROM unnest(doubtful) key) doubt
        CROSS JOIN LATERAL (SELECT * FROM row_at_group_members(asked_list, asked_parent, doubt.id) OFFSET 0) listed
        WHERE listed.owner = asked_owner AND has_keyword(listed.id, listed.name, keyword)
          AND (beginnings IS NULL OR left(listed.key, length(beginnings[1])) = ANY (beginnings))
    )
    SELECT (SELECT count(*) FROM hits), ARRAY(SELECT hits.key FROM hits ORDER BY hits.key COLLATE "C" LIMIT size OFFSET skip)
      INTO total, keys;
    WHEN 'blacks' THEN
    WITH hits AS MATERIALIZED (
      SELECT entry.key FROM (
          SELECT unnest(node.entries) AS key, unnest(string_to_array(node.words, chr(10))) AS words FROM list_nodes node
            WHERE node.list = asked_list AND node.owner = asked_owner AND node.level = 1 AND strpos(node.words, keyword) > 0
        ) entry
        WHERE strpos(entry.words, keyword) > 0 AND (beginnings IS NULL OR left(entry.key, length(beginnings[1])) = ANY (beginnings))
          AND (doubtful = '{}' OR entry.key <> ALL (doubtful))
      UNION ALL
      SELECT listed.key FROM (SELECT DISTINCT key_id(asked_list, key) AS id FROM unnest(doubtful) key) doubt
        CROSS JOIN LATERAL (SELECT * FROM row_at_blacks(asked_list, asked_parent, doubt.id) OFFSET 0) listed
        WHERE listed.owner = asked_owner AND has_keyword(listed.id, listed.name, keyword)
          AND (beginnings IS NULL OR left(listed.key, length(beginnings[1])) = ANY (beginnings))
    )
    SELECT (SELECT count(*) FROM hits), ARRAY(SELECT hits.key FROM hits ORDER BY hits.key COLLATE "C" LIMIT size OFFSET skip)
      INTO total, keys;
    WHEN 'group_requests' THEN
    WITH hits AS MATERIALIZED (
      SELECT entry.key FROM (
          SELECT unnest(node.entries) AS key, unnest(string_to_array(node.words, chr(10))) AS words FROM list_nodes node
            WHERE node.list = asked_list AND node.owner = asked_owner AND node.level = 1 AND strpos(node.words, keyword) > 0
        ) entry
        WHERE strpos(entry.words, keyword) > 0 AND (beginnings IS NULL OR left(entry.key, length(beginnings[1])) = ANY (beginnings))
          AND (doubtful = '{}' OR entry.key <> ALL (doubtful))
      UNION ALL
      SELECT listed.key FROM (SELECT DISTINCT key_id(asked_list, key) AS id FROM unnest(doubtful) key) doubt
        CROSS JOIN LATERAL (SELECT * FROM row_at_group_requests(asked_list, asked_parent, doubt.id) OFFSET 0) listed
        WHERE listed.owner = asked_owner AND has_keyword(listed.id, listed.name, keyword)
          AND (beginnings IS NULL OR left(listed.key, length(beginnings[1])) = ANY (beginnings))
    )
    SELECT (SELECT count(*) FROM hits), ARRAY(SELECT hits.key FROM hits ORDER BY hits.key COLLATE "C" LIMIT size OFFSET skip)
      INTO total, keys;
  END CASE;
END $$;
COMMENT ON FUNCTION im_admin.found_page IS 'A page of the rows with a keyword, which is in small letters. `beginnings`: only keys that begin with one of these.';

CREATE FUNCTION im_admin.looked_at_page(
    asked_list text, asked_owner text, beginnings text[], keyword text, skip bigint, size bigint,
    OUT total bigint, OUT keys text[])
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET enable_seqscan = on SET enable_hashjoin = on
  SET enable_bitmapscan = on AS $$
#variable_conflict use_variable
BEGIN
  IF is_careful() THEN PERFORM look_up_each(); END IF;
  CASE record_of(asked_list)
    WHEN 'users' THEN
    WITH hits AS MATERIALIZED (
      SELECT listed.key FROM rows_of_users(asked_list, list_parent(asked_owner)) listed
        WHERE listed.owner = asked_owner AND has_keyword(listed.id, listed.name, keyword)
          AND (beginnings IS NULL OR left(listed.key, length(beginnings[1])) = ANY (beginnings))
    )
    SELECT (SELECT count(*) FROM hits), ARRAY(SELECT hits.key FROM hits ORDER BY hits.key COLLATE "C" LIMIT size OFFSET skip)
      INTO total, keys;
    WHEN 'group_members' THEN
    WITH hits AS MATERIALIZED (
      SELECT listed.key FROM rows_of_group_members(asked_list, list_parent(asked_owner)) listed
        WHERE listed.owner = asked_owner AND has_keyword(listed.id, listed.name, keyword)
          AND (beginnings IS NULL OR left(listed.key, length(beginnings[1])) = ANY (beginnings))
    )
    SELECT (SELECT count(*) FROM hits), ARRAY(SELECT hits.key FROM hits ORDER BY hits.key COLLATE "C" LIMIT size OFFSET skip)
      INTO total, keys;
    WHEN 'blacks' THEN
    WITH hits AS MATERIALIZED (
      SELECT listed.key FROM rows_of_blacks(asked_list, list_parent(asked_owner)) listed
        WHERE listed.owner = asked_owner AND has_keyword(listed.id, listed.name, keyword)
          AND (beginnings IS NULL OR left(listed.key, length(beginnings[1])) = ANY (beginnings))
    )
    SELECT (SELECT count(*) FROM hits), ARRAY(SELECT hits.key FROM hits ORDER BY hits.key COLLATE "C" LIMIT size OFFSET skip)
      INTO total, keys;
    WHEN 'group_requests' THEN
    WITH hits AS MATERIALIZED (
      SELECT listed.key FROM rows_of_group_requests(asked_list, list_parent(asked_owner)) listed
        WHERE listed.owner = asked_owner AND has_keyword(listed.id, listed.name, keyword)
          AND (beginnings IS NULL OR left(listed.key, length(beginnings[1])) = ANY (beginnings))
    )
    SELECT (SELECT count(*) FROM hits), ARRAY(SELECT hits.key FROM hits ORDER BY hits.key COLLATE "C" LIMIT size OFFSET skip)
      INTO total, keys;
  END CASE;
END $$;
COMMENT ON FUNCTION im_admin.looked_at_page IS 'The same page as found_page, from all rows of the list.';

------------------------------------------------------------------------------------------------------------------------
-- The functions that im-admin calls
--
-- `items` is a JSON array as JavaScript writes it. If its items have more than `most_bytes`, it is NULL, `fitting` says how
-- many fit, and the rest is not read; one item always fits. The total is NULL if the group or user does not exist. If row-level
-- security hides rows, the functions fail, since totals and places count all rows. Their settings make the planner use
-- indexes, whatever statistics it has. They do not wait long for a table that a host's migration has locked: waiting calls
-- would take all connections of a pool.
------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION im_admin.group_members_page(
    asked_group text, beginnings text[], keyword text, skip bigint, size bigint, most_bytes bigint DEFAULT 16777216,
    OUT total bigint, OUT items text, OUT fitting bigint, OUT pending bigint)
  LANGUAGE plpgsql STABLE SET search_path = im_admin, pg_temp SET row_security = off
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
    SET enable_mergejoin = off SET join_collapse_limit = 1 SET jit = off SET lock_timeout = '3s' AS $$
#variable_conflict use_variable
DECLARE
  keys text[];
  made text;
    nth bigint;
    parts text[] := '{}';
    bytes bigint := 0;
BEGIN
  PERFORM require_mapped();
  IF NOT EXISTS (SELECT FROM group_at(asked_group)) THEN RETURN; END IF;
  IF keyword <> '' THEN
    SELECT * INTO total, keys, pending FROM found_page('group_members', asked_group, beginnings, keyword, skip, size);
  ELSE
    SELECT * INTO total, keys, pending FROM list_page('group_members', asked_group, beginnings, skip, size);
  END IF;
  IF is_careful() THEN
    FOR made, nth IN
      SELECT (SELECT row_to_json(item.*) FROM (SELECT
        member.group_id AS "groupID",
        member.user_id AS "userID",
        member.role_level AS "roleLevel",
        member.join_time AS "joinTime",
        CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END AS "nickname",
        CASE member.face_url WHEN '' THEN coalesce(profile.face_url, '') ELSE member.face_url END AS "faceURL",
        coalesce(profile.app_manger_level, 0) AS "appMangerLevel",
        member.join_source AS "joinSource",
        member.operator_user_id AS "operatorUserID",
        member.ex AS "ex",
        member.mute_end_time AS "muteEndTime",
        member.inviter_user_id AS "inviterUserID"
      ) item)::text, found.place
        FROM unnest(keys) WITH ORDINALITY found (key, place)
          CROSS JOIN LATERAL (
            SELECT * FROM carefully(NULL::group_members, 'member_at', asked_group, key_id('group_members', found.key)) OFFSET 0
          ) member
          LEFT JOIN LATERAL (SELECT * FROM carefully(NULL::users, 'user_at', member.user_id) OFFSET 0) profile ON true
    LOOP
      bytes := bytes + octet_length(made);
          IF bytes > most_bytes AND nth > 1 THEN
            fitting := nth - 1;
            RETURN;
          END IF;
          parts[nth] := made;
    END LOOP;
  ELSE
    FOR made, nth IN
      SELECT (SELECT row_to_json(item.*) FROM (SELECT
        member.group_id AS "groupID",
        member.user_id AS "userID",
        member.role_level AS "roleLevel",
        member.join_time AS "joinTime",
        CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END AS "nickname",
        CASE member.face_url WHEN '' THEN coalesce(profile.face_url, '') ELSE member.face_url END AS "faceURL",
        coalesce(profile.app_manger_level, 0) AS "appMangerLevel",
        member.join_source AS "joinSource",
        member.operator_user_id AS "operatorUserID",
        member.ex AS "ex",
        member.mute_end_time AS "muteEndTime",
        member.inviter_user_id AS "inviterUserID"
      ) item)::text, found.place
        FROM unnest(keys) WITH ORDINALITY found (key, place)
          CROSS JOIN LATERAL (
            SELECT * FROM member_at(asked_group, key_id('group_members', found.key)) OFFSET 0
          ) member
          LEFT JOIN LATERAL (SELECT * FROM user_at(member.user_id) OFFSET 0) profile ON true
    LOOP
      bytes := bytes + octet_length(made);
          IF bytes > most_bytes AND nth > 1 THEN
            fitting := nth - 1;
            RETURN;
          END IF;
          parts[nth] := made;
    END LOOP;
  END IF;
  items := '[' || array_to_string(parts, ',') || ']';
END $$;
COMMENT ON FUNCTION im_admin.group_members_page IS 'A page of the members of a group: all, those of some levels, or those with a keyword. `beginnings`: how the keys of these levels begin.';

CREATE FUNCTION im_admin.joined_groups_page(
    asked_user text, skip bigint, size bigint, most_bytes bigint DEFAULT 16777216,
    OUT total bigint, OUT items text, OUT fitting bigint, OUT pending bigint)
  LANGUAGE plpgsql STABLE SET search_path = im_admin, pg_temp SET row_security = off
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
    SET enable_mergejoin = off SET join_collapse_limit = 1 SET jit = off SET lock_timeout = '3s' AS $$
#variable_conflict use_variable
DECLARE
  keys text[];
  made text;
    nth bigint;
    parts text[] := '{}';
    bytes bigint := 0;
BEGIN
  PERFORM require_mapped();
  IF NOT EXISTS (SELECT FROM user_at(asked_user)) THEN RETURN; END IF;
  SELECT * INTO total, keys, pending FROM list_page('joined_groups', asked_user, NULL, skip, size);
  FOR made, nth IN
    SELECT group_info(key_id('joined_groups', found.key))::text, found.place
      FROM unnest(keys) WITH ORDINALITY found (key, place)
  LOOP
    bytes := bytes + octet_length(made);
        IF bytes > most_bytes AND nth > 1 THEN
          fitting := nth - 1;
          RETURN;
        END IF;
        parts[nth] := made;
  END LOOP;
  items := '[' || array_to_string(parts, ',') || ']';
END $$;
COMMENT ON FUNCTION im_admin.joined_groups_page IS 'A page of the groups that a user has joined.';

CREATE FUNCTION im_admin.blacks_page(
    asked_user text, skip bigint, size bigint, most_bytes bigint DEFAULT 16777216,
    OUT total bigint, OUT items text, OUT fitting bigint, OUT pending bigint)
  LANGUAGE plpgsql STABLE SET search_path = im_admin, pg_temp SET row_security = off
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
    SET enable_mergejoin = off SET join_collapse_limit = 1 SET jit = off SET lock_timeout = '3s' AS $$
#variable_conflict use_variable
DECLARE
  keys text[];
  made text;
    nth bigint;
    parts text[] := '{}';
    bytes bigint := 0;
BEGIN
  PERFORM require_mapped();
  IF NOT EXISTS (SELECT FROM user_at(asked_user)) THEN RETURN; END IF;
  SELECT * INTO total, keys, pending FROM list_page('blacks', asked_user, NULL, skip, size);
  IF is_careful() THEN
    FOR made, nth IN
      SELECT (SELECT row_to_json(item.*) FROM (SELECT
        black.owner_user_id AS "ownerUserID",
        black.create_time AS "createTime",
        user_info(black.black_user_id) AS "blackUserInfo",
        black.add_source AS "addSource",
        black.operator_user_id AS "operatorUserID",
        black.ex AS "ex"
      ) item)::text, found.place
        FROM unnest(keys) WITH ORDINALITY found (key, place)
          CROSS JOIN LATERAL (
            SELECT * FROM carefully(NULL::blacks, 'black_at', asked_user, key_id('blacks', found.key)) OFFSET 0
          ) black
    LOOP
      bytes := bytes + octet_length(made);
          IF bytes > most_bytes AND nth > 1 THEN
            fitting := nth - 1;
            RETURN;
          END IF;
          parts[nth] := made;
    END LOOP;
  ELSE
    FOR made, nth IN
      SELECT (SELECT row_to_json(item.*) FROM (SELECT
        black.owner_user_id AS "ownerUserID",
        black.create_time AS "createTime",
        user_info(black.black_user_id) AS "blackUserInfo",
        black.add_source AS "addSource",
        black.operator_user_id AS "operatorUserID",
        black.ex AS "ex"
      ) item)::text, found.place
        FROM unnest(keys) WITH ORDINALITY found (key, place)
          CROSS JOIN LATERAL (
            SELECT * FROM black_at(asked_user, key_id('blacks', found.key)) OFFSET 0
          ) black
    LOOP
      bytes := bytes + octet_length(made);
          IF bytes > most_bytes AND nth > 1 THEN
            fitting := nth - 1;
            RETURN;
          END IF;
          parts[nth] := made;
    END LOOP;
  END IF;
  items := '[' || array_to_string(parts, ',') || ']';
END $$;
COMMENT ON FUNCTION im_admin.blacks_page IS 'A page of the blacklist of a user.';

CREATE FUNCTION im_admin.received_group_requests_page(
    asked_user text, asked_groups text[], results integer[], skip bigint, size bigint, most_bytes bigint DEFAULT 16777216,
    OUT total bigint, OUT items text, OUT fitting bigint, OUT pending bigint)
  LANGUAGE plpgsql STABLE SET search_path = im_admin, pg_temp SET row_security = off
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
    SET enable_mergejoin = off SET join_collapse_limit = 1 SET jit = off SET lock_timeout = '3s' AS $$
#variable_conflict use_variable
DECLARE
  managed text[];
  keys text[];
  made text;
    nth bigint;
    parts text[] := '{}';
    bytes bigint := 0;
BEGIN
  PERFORM require_mapped();
  IF NOT EXISTS (SELECT FROM user_at(asked_user)) THEN RETURN; END IF;
  managed := ARRAY(
    SELECT member.group_id FROM memberships_of(asked_user) member
      WHERE member.role_level IN (60, 100) AND (asked_groups IS NULL OR member.group_id = ANY (asked_groups)));
  IF results IS NULL THEN
    SELECT * INTO total, keys, pending FROM merged_page('group_requests', managed, skip, size);
  ELSE
    SELECT * INTO total, keys, pending FROM merged_page('group_requests_by_result', ARRAY(
        SELECT DISTINCT part_of_owner(id, result::text) FROM unnest(managed) id CROSS JOIN unnest(results) result
      ), skip, size);
  END IF;
  IF is_careful() THEN
    FOR made, nth IN
      SELECT (SELECT row_to_json(item.*) FROM (SELECT
        user_info(request.user_id) AS "userInfo",
        group_info(request.group_id) AS "groupInfo",
        request.handle_result AS "handleResult",
        request.req_msg AS "reqMsg",
        request.handle_msg AS "handleMsg",
        request.req_time AS "reqTime",
        request.handle_user_id AS "handleUserID",
        request.handle_time AS "handleTime",
        request.ex AS "ex",
        request.join_source AS "joinSource",
        request.inviter_user_id AS "inviterUserID"
      ) item)::text, found.place
        FROM unnest(keys) WITH ORDINALITY found (key, place)
          CROSS JOIN LATERAL (
            SELECT * FROM carefully(NULL::group_requests, 'request_at', split_part(substr(found.key, 18), chr(1), 1), key_id('group_requests', found.key)) OFFSET 0
          ) request
    LOOP
      bytes := bytes + octet_length(made);
          IF bytes > most_bytes AND nth > 1 THEN
            fitting := nth - 1;
            RETURN;
          END IF;
          parts[nth] := made;
    END LOOP;
  ELSE
    FOR made, nth IN
      SELECT (SELECT row_to_json(item.*) FROM (SELECT
        user_info(request.user_id) AS "userInfo",
        group_info(request.group_id) AS "groupInfo",
        request.handle_result AS "handleResult",
        request.req_msg AS "reqMsg",
        request.handle_msg AS "handleMsg",
        request.req_time AS "reqTime",
        request.handle_user_id AS "handleUserID",
        request.handle_time AS "handleTime",
        request.ex AS "ex",
        request.join_source AS "joinSource",
        request.inviter_user_id AS "inviterUserID"
      ) item)::text, found.place
        FROM unnest(keys) WITH ORDINALITY found (key, place)
          CROSS JOIN LATERAL (
            SELECT * FROM request_at(split_part(substr(found.key, 18), chr(1), 1), key_id('group_requests', found.key)) OFFSET 0
          ) request
    LOOP
      bytes := bytes + octet_length(made);
          IF bytes > most_bytes AND nth > 1 THEN
            fitting := nth - 1;
            RETURN;
          END IF;
          parts[nth] := made;
    END LOOP;
  END IF;
  items := '[' || array_to_string(parts, ',') || ']';
END $$;
COMMENT ON FUNCTION im_admin.received_group_requests_page IS 'A page of the join requests for the groups that a user manages.';

CREATE FUNCTION im_admin.notification_accounts_page(
    beginnings text[], keyword text, skip bigint, size bigint, most_bytes bigint DEFAULT 16777216,
    OUT total bigint, OUT items text, OUT fitting bigint, OUT pending bigint)
  LANGUAGE plpgsql STABLE SET search_path = im_admin, pg_temp SET row_security = off
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
    SET enable_mergejoin = off SET join_collapse_limit = 1 SET jit = off SET lock_timeout = '3s' AS $$
#variable_conflict use_variable
DECLARE
  list text := CASE WHEN beginnings IS NULL THEN 'notification_accounts' ELSE 'notification_accounts_by_level' END;
  keys text[];
  made text;
    nth bigint;
    parts text[] := '{}';
    bytes bigint := 0;
BEGIN
  PERFORM require_mapped();
  IF keyword <> '' THEN
    SELECT * INTO total, keys, pending FROM found_page(list, '', beginnings, keyword, skip, size);
  ELSE
    SELECT * INTO total, keys, pending FROM list_page(list, '', beginnings, skip, size);
  END IF;
  IF is_careful() THEN
    FOR made, nth IN
      SELECT (SELECT row_to_json(item.*) FROM (SELECT
        account.user_id AS "userID",
        account.face_url AS "faceURL",
        account.nickname AS "nickName"
      ) item)::text, found.place
        FROM unnest(keys) WITH ORDINALITY found (key, place)
          CROSS JOIN LATERAL (SELECT * FROM carefully(NULL::users, 'user_at', key_id(list, found.key)) OFFSET 0) account
    LOOP
      bytes := bytes + octet_length(made);
          IF bytes > most_bytes AND nth > 1 THEN
            fitting := nth - 1;
            RETURN;
          END IF;
          parts[nth] := made;
    END LOOP;
  ELSE
    FOR made, nth IN
      SELECT (SELECT row_to_json(item.*) FROM (SELECT
        account.user_id AS "userID",
        account.face_url AS "faceURL",
        account.nickname AS "nickName"
      ) item)::text, found.place
        FROM unnest(keys) WITH ORDINALITY found (key, place)
          CROSS JOIN LATERAL (SELECT * FROM user_at(key_id(list, found.key)) OFFSET 0) account
    LOOP
      bytes := bytes + octet_length(made);
          IF bytes > most_bytes AND nth > 1 THEN
            fitting := nth - 1;
            RETURN;
          END IF;
          parts[nth] := made;
    END LOOP;
  END IF;
  items := '[' || array_to_string(parts, ',') || ']';
END $$;
COMMENT ON FUNCTION im_admin.notification_accounts_page IS 'A page of the notification accounts: all, those of a level, or those with a keyword. `beginnings`: how the keys of the level begin.';

CREATE FUNCTION im_admin.user_info(asked_user text) RETURNS json LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
BEGIN
  IF is_careful() THEN
    RETURN (
      SELECT (SELECT row_to_json(item.*) FROM (SELECT
        one.user_id AS "userID",
        coalesce(profile.nickname, '') AS "nickname",
        coalesce(profile.face_url, '') AS "faceURL",
        coalesce(profile.ex, '') AS "ex"
      ) item)
        FROM (SELECT asked_user AS user_id) one LEFT JOIN LATERAL (SELECT * FROM carefully(NULL::users, 'user_at', asked_user) OFFSET 0) profile ON true);
  ELSE
    RETURN (
      SELECT (SELECT row_to_json(item.*) FROM (SELECT
        one.user_id AS "userID",
        coalesce(profile.nickname, '') AS "nickname",
        coalesce(profile.face_url, '') AS "faceURL",
        coalesce(profile.ex, '') AS "ex"
      ) item)
        FROM (SELECT asked_user AS user_id) one LEFT JOIN LATERAL (SELECT * FROM user_at(asked_user) OFFSET 0) profile ON true);
  END IF;
END $$;
COMMENT ON FUNCTION im_admin.user_info IS 'The nested profile of a user, who may no longer exist.';

CREATE FUNCTION im_admin.group_info(asked_group text) RETURNS json LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  -- The keys of owners begin so. A member with a greater roleLevel comes before them.
  owners text := '1900';
  member_count bigint;
  owner_key text;
  keys text[];
  made text;
    nth bigint;
    parts text[] := '{}';
    bytes bigint := 0;
BEGIN
  BEGIN
    IF (kept_list('group_members', asked_group)).total IS NOT NULL THEN
      SELECT page.total, page.keys INTO member_count, keys FROM list_page('group_members', asked_group, NULL, 0, 1) page;
      IF keys[1] COLLATE "C" < owners THEN
        keys := (list_page('group_members', asked_group, ARRAY[owners], 0, 1)).keys;
      END IF;
      owner_key := keys[1];
    ELSE
      SELECT count(*), min(listed.key COLLATE "C") FILTER (WHERE listed.key COLLATE "C" >= owners) INTO member_count, owner_key
        FROM rows_of_group_members('group_members', asked_group) listed;
    END IF;
  EXCEPTION WHEN OTHERS THEN
    IF NOT is_careful() OR NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
    -- A member cannot be read, and so the number of members cannot, either.
    PERFORM note_unreadable('groups', 'memberCount', ARRAY[asked_group], SQLSTATE);
    member_count := 0;
    owner_key := NULL;
  END;
  IF is_careful() THEN
    RETURN (
      SELECT (SELECT row_to_json(item.*) FROM (SELECT
        one.group_id AS "groupID",
        coalesce(own.group_name, '') AS "groupName",
        coalesce(own.notification, '') AS "notification",
        coalesce(own.introduction, '') AS "introduction",
        coalesce(own.face_url, '') AS "faceURL",
        one.owner_user_id AS "ownerUserID",
        coalesce(own.create_time, 0) AS "createTime",
        member_count AS "memberCount",
        coalesce(own.ex, '') AS "ex",
        coalesce(own.status, 0) AS "status",
        coalesce(own.creator_user_id, '') AS "creatorUserID",
        coalesce(own.group_type, 0) AS "groupType",
        coalesce(own.need_verification, 0) AS "needVerification",
        coalesce(own.look_member_info, 0) AS "lookMemberInfo",
        coalesce(own.apply_member_friend, 0) AS "applyMemberFriend",
        coalesce(own.notification_update_time, 0) AS "notificationUpdateTime",
        coalesce(own.notification_user_id, '') AS "notificationUserID"
      ) item)
        FROM (
          SELECT asked_group AS group_id,
              CASE WHEN starts_with(owner_key, owners) THEN key_id('group_members', owner_key) ELSE '' END AS owner_user_id
        ) one LEFT JOIN LATERAL (SELECT * FROM carefully(NULL::groups, 'group_at', asked_group) OFFSET 0) own ON true);
  ELSE
    RETURN (
      SELECT (SELECT row_to_json(item.*) FROM (SELECT
        one.group_id AS "groupID",
        coalesce(own.group_name, '') AS "groupName",
        coalesce(own.notification, '') AS "notification",
        coalesce(own.introduction, '') AS "introduction",
        coalesce(own.face_url, '') AS "faceURL",
        one.owner_user_id AS "ownerUserID",
        coalesce(own.create_time, 0) AS "createTime",
        member_count AS "memberCount",
        coalesce(own.ex, '') AS "ex",
        coalesce(own.status, 0) AS "status",
        coalesce(own.creator_user_id, '') AS "creatorUserID",
        coalesce(own.group_type, 0) AS "groupType",
        coalesce(own.need_verification, 0) AS "needVerification",
        coalesce(own.look_member_info, 0) AS "lookMemberInfo",
        coalesce(own.apply_member_friend, 0) AS "applyMemberFriend",
        coalesce(own.notification_update_time, 0) AS "notificationUpdateTime",
        coalesce(own.notification_user_id, '') AS "notificationUserID"
      ) item)
        FROM (
          SELECT asked_group AS group_id,
              CASE WHEN starts_with(owner_key, owners) THEN key_id('group_members', owner_key) ELSE '' END AS owner_user_id
        ) one LEFT JOIN LATERAL (SELECT * FROM group_at(asked_group) OFFSET 0) own ON true);
  END IF;
END $$;
COMMENT ON FUNCTION im_admin.group_info IS 'A group, which may no longer exist, with the number of its members and its first owner (roleLevel 100).';

CREATE FUNCTION im_admin.set_conversations(
    asked_owners text[], asked_conversation text, asked_type integer, asked_user text, asked_group text,
    asked_recv_msg_opt integer,
        asked_attached_info text,
        asked_is_pinned boolean,
        asked_is_private_chat boolean,
        asked_ex text,
        asked_burn_duration integer,
        asked_min_seq bigint,
        asked_max_seq bigint,
        asked_group_at_type integer,
        asked_msg_destruct_time bigint,
        asked_is_msg_destruct boolean,
    asked_told text[] DEFAULT NULL, expected jsonb DEFAULT NULL, may_create boolean DEFAULT true,
    OUT outcome text, OUT user_ids text, OUT before text)
  LANGUAGE plpgsql SET search_path = im_admin, pg_temp SET row_security = off
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
    SET enable_mergejoin = off SET join_collapse_limit = 1 SET jit = off AS $$
#variable_conflict use_variable
DECLARE
  concerned text[] := CASE asked_type WHEN 1 THEN asked_owners || asked_user ELSE asked_owners END;
  wrong text[];
  targets text[];
  created text[];
  changed text[];
BEGIN
  PERFORM require_mapped();
  IF asked_type = 3 THEN
    SELECT CASE status WHEN 2 THEN 'groupDismissed' END INTO outcome FROM group_at(asked_group);
    IF NOT FOUND THEN outcome := 'groupNotFound'; END IF;
    IF outcome IS NOT NULL THEN RETURN; END IF;
  END IF;
  wrong := ARRAY(
    SELECT named.id FROM unnest(concerned) WITH ORDINALITY AS named (id, position)
      WHERE NOT EXISTS (SELECT FROM user_at(named.id))
      GROUP BY named.id ORDER BY min(named.position));
  IF cardinality(wrong) > 0 THEN
    outcome := 'usersNotFound';
    user_ids := array_to_json(wrong);
    RETURN;
  END IF;

  IF num_nonnulls(asked_told, expected) = 0 THEN
    IF num_nonnulls(asked_recv_msg_opt, asked_attached_info, asked_is_pinned, asked_is_private_chat, asked_ex, asked_burn_duration, asked_min_seq, asked_max_seq, asked_group_at_type, asked_msg_destruct_time, asked_is_msg_destruct) > 0 THEN
      changed := write_conversations(
        asked_owners, asked_conversation, asked_type, asked_user, asked_group, asked_recv_msg_opt, asked_attached_info, asked_is_pinned, asked_is_private_chat, asked_ex, asked_burn_duration, asked_min_seq, asked_max_seq, asked_group_at_type, asked_msg_destruct_time, asked_is_msg_destruct, false);
    END IF;
  ELSE
    targets := asked_owners;
    IF num_nonnulls(asked_recv_msg_opt, asked_attached_info, asked_is_pinned, asked_is_private_chat, asked_ex, asked_burn_duration, asked_min_seq, asked_max_seq, asked_group_at_type, asked_msg_destruct_time, asked_is_msg_destruct) > 0 THEN
      IF NOT may_create THEN
        targets := ARRAY(
          SELECT owners.id FROM unnest(targets) AS owners (id)
            CROSS JOIN LATERAL (SELECT FROM conversation_at(owners.id, asked_conversation) OFFSET 0) stored);
      END IF;
      -- Nobody changes the rows between this and the write.
      created := write_conversations(
        targets, asked_conversation, asked_type, asked_user, asked_group, asked_recv_msg_opt, asked_attached_info, asked_is_pinned, asked_is_private_chat, asked_ex, asked_burn_duration, asked_min_seq, asked_max_seq, asked_group_at_type, asked_msg_destruct_time, asked_is_msg_destruct, true);
      IF NOT may_create AND created IS NOT NULL THEN
        RAISE 'conversations were deleted meanwhile' USING ERRCODE = 'serialization_failure';
      END IF;
      targets := ARRAY(SELECT owners.id FROM unnest(targets) AS owners (id) WHERE owners.id NOT IN (SELECT unnest(created)));
    ELSE
      -- It fails where there are no conversations.
      PERFORM write_conversations('{}', asked_conversation, asked_type, asked_user, asked_group, asked_recv_msg_opt, asked_attached_info, asked_is_pinned, asked_is_private_chat, asked_ex, asked_burn_duration, asked_min_seq, asked_max_seq, asked_group_at_type, asked_msg_destruct_time, asked_is_msg_destruct, true);
    END IF;
    SELECT json_agg(json_build_array(now.id, (
          SELECT jsonb_object_agg(field.key, field.value) FROM jsonb_each(now.fields) AS field
            WHERE field.key = ANY (asked_told)))),
        coalesce(array_agg(now.id) FILTER (WHERE now.fields @> coalesce(expected, '{}')), '{}')
      INTO before, targets
      FROM (
        SELECT owners.id, jsonb_build_object('recvMsgOpt', stored.recv_msg_opt, 'attachedInfo', stored.attached_info, 'isPinned', stored.is_pinned, 'isPrivateChat', stored.is_private_chat, 'ex', stored.ex, 'burnDuration', stored.burn_duration, 'minSeq', stored.min_seq, 'maxSeq', stored.max_seq, 'groupAtType', stored.group_at_type, 'msgDestructTime', stored.msg_destruct_time, 'isMsgDestruct', stored.is_msg_destruct) AS fields FROM unnest(targets) AS owners (id)
          CROSS JOIN LATERAL (SELECT * FROM conversation_at(owners.id, asked_conversation) OFFSET 0) stored
      ) now;
    IF length(before) > 67108864 THEN RAISE 'what was there before takes more than 67108864 characters: set fewer users at once'; END IF;
    IF num_nonnulls(asked_recv_msg_opt, asked_attached_info, asked_is_pinned, asked_is_private_chat, asked_ex, asked_burn_duration, asked_min_seq, asked_max_seq, asked_group_at_type, asked_msg_destruct_time, asked_is_msg_destruct) > 0 THEN
      changed := created || write_conversations(
        targets, asked_conversation, asked_type, asked_user, asked_group, asked_recv_msg_opt, asked_attached_info, asked_is_pinned, asked_is_private_chat, asked_ex, asked_burn_duration, asked_min_seq, asked_max_seq, asked_group_at_type, asked_msg_destruct_time, asked_is_msg_destruct, false);
    END IF;
  END IF;
  -- Rows that were written do not contradict: look only if there are others.
  IF cardinality(changed) IS DISTINCT FROM cardinality(asked_owners) THEN
    wrong := ARRAY(
      SELECT owners.id FROM unnest(asked_owners) WITH ORDINALITY AS owners (id, position)
        CROSS JOIN LATERAL (SELECT * FROM conversation_at(owners.id, asked_conversation) OFFSET 0) stored
        WHERE (stored.conversation_type, stored.user_id, stored.group_id) IS DISTINCT FROM (asked_type, asked_user, asked_group)
        ORDER BY owners.position);
    -- The error undoes the writes of this block.
    IF cardinality(wrong) > 0 THEN RAISE 'contradicted' USING ERRCODE = 'IM001'; END IF;
  END IF;
  outcome := 'done';
  user_ids := array_to_json(coalesce(changed, '{}'));
EXCEPTION WHEN SQLSTATE 'IM001' THEN
  outcome := 'contradicted';
  user_ids := array_to_json(wrong);
WHEN SQLSTATE 'IM002' THEN
  outcome := 'notKept';
END $$;
COMMENT ON FUNCTION im_admin.set_conversations IS 'Sets a conversation for many users, or for none, and then returns the reason. It writes first, which locks the rows, and checks afterwards: no other call can change them meanwhile. Where it tells what was there before, it creates what is missing, locks the rest, reads, and writes.';

CREATE FUNCTION im_admin.write_conversations(
    asked_owners text[], asked_conversation text, asked_type integer, asked_user text, asked_group text,
    asked_recv_msg_opt integer,
    asked_attached_info text,
    asked_is_pinned boolean,
    asked_is_private_chat boolean,
    asked_ex text,
    asked_burn_duration integer,
    asked_min_seq bigint,
    asked_max_seq bigint,
    asked_group_at_type integer,
    asked_msg_destruct_time bigint,
    asked_is_msg_destruct boolean, only_locks boolean)
  RETURNS text[] LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  changed text[];
BEGIN
  WITH written AS (
    INSERT INTO im_admin.conversations AS stored (owner_user_id, conversation_id, conversation_type, user_id, group_id, recv_msg_opt, attached_info, is_pinned, is_private_chat, ex, burn_duration, min_seq, max_seq, group_at_type, msg_destruct_time, is_msg_destruct)
      SELECT id, asked_conversation, asked_type, asked_user, asked_group,
          coalesce(asked_recv_msg_opt, 0),
          coalesce(asked_attached_info, ''),
          coalesce(asked_is_pinned, false),
          coalesce(asked_is_private_chat, false),
          coalesce(asked_ex, ''),
          coalesce(asked_burn_duration, 0),
          coalesce(asked_min_seq, 0),
          coalesce(asked_max_seq, 0),
          coalesce(asked_group_at_type, 0),
          coalesce(asked_msg_destruct_time, 0),
          coalesce(asked_is_msg_destruct, false)
        FROM unnest(asked_owners) AS owners (id) ORDER BY id COLLATE "C"
      ON CONFLICT (owner_user_id, conversation_id) DO UPDATE
        SET recv_msg_opt = coalesce(asked_recv_msg_opt, stored.recv_msg_opt),
          attached_info = coalesce(asked_attached_info, stored.attached_info),
          is_pinned = coalesce(asked_is_pinned, stored.is_pinned),
          is_private_chat = coalesce(asked_is_private_chat, stored.is_private_chat),
          ex = coalesce(asked_ex, stored.ex),
          burn_duration = coalesce(asked_burn_duration, stored.burn_duration),
          min_seq = coalesce(asked_min_seq, stored.min_seq),
          max_seq = coalesce(asked_max_seq, stored.max_seq),
          group_at_type = coalesce(asked_group_at_type, stored.group_at_type),
          msg_destruct_time = coalesce(asked_msg_destruct_time, stored.msg_destruct_time),
          is_msg_destruct = coalesce(asked_is_msg_destruct, stored.is_msg_destruct)
        WHERE (coalesce(stored.conversation_type, 0), coalesce(stored.user_id::text, ''), coalesce(stored.group_id::text, ''))
            = (asked_type, asked_user, asked_group)
          AND NOT only_locks AND (asked_recv_msg_opt IS DISTINCT FROM stored.recv_msg_opt AND asked_recv_msg_opt IS NOT NULL
            OR asked_attached_info IS DISTINCT FROM stored.attached_info AND asked_attached_info IS NOT NULL
            OR asked_is_pinned IS DISTINCT FROM stored.is_pinned AND asked_is_pinned IS NOT NULL
            OR asked_is_private_chat IS DISTINCT FROM stored.is_private_chat AND asked_is_private_chat IS NOT NULL
            OR asked_ex IS DISTINCT FROM stored.ex AND asked_ex IS NOT NULL
            OR asked_burn_duration IS DISTINCT FROM stored.burn_duration AND asked_burn_duration IS NOT NULL
            OR asked_min_seq IS DISTINCT FROM stored.min_seq AND asked_min_seq IS NOT NULL
            OR asked_max_seq IS DISTINCT FROM stored.max_seq AND asked_max_seq IS NOT NULL
            OR asked_group_at_type IS DISTINCT FROM stored.group_at_type AND asked_group_at_type IS NOT NULL
            OR asked_msg_destruct_time IS DISTINCT FROM stored.msg_destruct_time AND asked_msg_destruct_time IS NOT NULL
            OR asked_is_msg_destruct IS DISTINCT FROM stored.is_msg_destruct AND asked_is_msg_destruct IS NOT NULL)
      RETURNING (stored.owner_user_id::text) COLLATE "C" AS id
  )
  SELECT array_agg(written.id) INTO changed FROM written;
  RETURN changed;
END $$;
COMMENT ON FUNCTION im_admin.write_conversations IS 'Writes conversations, and returns the owners of changed rows. It does not change a row that contradicts. It locks rows in the order of their keys, so that two calls cannot deadlock. With only_locks, it creates what is missing and only locks the rest.';

------------------------------------------------------------------------------------------------------------------------
-- How changes are settled
--
-- One session settles at a time, and waits for nobody. It takes an advisory lock before its statements take snapshots.
-- One transaction deletes changes and writes them into a tree. Changes of transactions that are still running are
-- settled later.
------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION im_admin.settle(most integer DEFAULT 2000) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp SET row_security = off
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
    SET enable_mergejoin = off SET join_collapse_limit = 1 SET jit = off AS $$
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
    LOCK TABLE users, group_members, blacks, group_requests IN ACCESS SHARE MODE NOWAIT;
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

CREATE FUNCTION im_admin.settle_position_here(OUT place im_admin.settle_position) LANGUAGE plpgsql AS $$
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

CREATE FUNCTION im_admin.settle_packed() RETURNS bigint LANGUAGE plpgsql AS $$
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

CREATE FUNCTION im_admin.settle_lists(due_lists text[], due_owners text[], most integer) RETURNS bigint
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

CREATE FUNCTION im_admin.set_aside(asked_list text, asked_owner text) RETURNS bigint LANGUAGE plpgsql AS $$
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

CREATE FUNCTION im_admin.has_aside(asked_list text, asked_owner text) RETURNS boolean LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT EXISTS (
    SELECT FROM im_admin.touched key CROSS JOIN LATERAL im_admin.touched_lists(key.record, key.first, key.second) concerned
      WHERE key.problem IS NOT NULL AND key.record = im_admin.record_of(asked_list) AND concerned.list = asked_list
        AND coalesce(concerned.parent = im_admin.list_parent(asked_owner), true));
END;
COMMENT ON FUNCTION im_admin.has_aside IS 'Whether a row of a list was set aside.';

CREATE FUNCTION im_admin.settle_short(short_lists text[], short_owners text[], most integer) RETURNS bigint
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

CREATE FUNCTION im_admin.settle_names(most integer) RETURNS bigint LANGUAGE plpgsql AS $$
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
      SELECT 'group_members', member.group_id, im_admin.group_members_key(member.role_level, member.join_time, member.user_id), 0
        FROM renamed CROSS JOIN LATERAL (SELECT * FROM memberships_of(renamed.user_id) OFFSET 0) member
        WHERE NOT is_mapped('group_members')
          AND (SELECT true FROM lists kept WHERE kept.list = 'group_members' AND kept.owner = member.group_id)
      UNION ALL
      SELECT 'notification_accounts', account.owner, account.key, 0
        FROM renamed CROSS JOIN LATERAL (SELECT * FROM row_at('notification_accounts', '', renamed.user_id) OFFSET 0) account
        WHERE NOT is_mapped('notification_accounts')
      UNION ALL
      SELECT 'notification_accounts_by_level', account.owner, account.key, 0
        FROM renamed CROSS JOIN LATERAL (SELECT * FROM row_at('notification_accounts_by_level', '', renamed.user_id) OFFSET 0) account
        WHERE NOT is_mapped('notification_accounts_by_level')
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

CREATE FUNCTION im_admin.settle_list(asked_list text, asked_owner text, most integer) RETURNS bigint
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

CREATE FUNCTION im_admin.mark_settled(asked_list text, asked_owner text, seen pg_snapshot) RETURNS void
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

------------------------------------------------------------------------------------------------------------------------
-- How touched records of your own tables are settled
--
-- Which keys a record had in lists is in list_entries, and which it has now is in its row. Looking a record up twice
-- does no harm, so it does not matter in which order transactions wrote, or what they saw of each other.
------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION im_admin.is_mapped(asked_list text) RETURNS boolean LANGUAGE sql STABLE RETURN EXISTS (
  SELECT FROM im_admin.mapped_objects mapped WHERE mapped.record = im_admin.record_of(asked_list));
COMMENT ON FUNCTION im_admin.is_mapped IS 'Whether the rows of a list are in your own tables.';

CREATE FUNCTION im_admin.trees_of(asked_list text, asked_parent text) RETURNS TABLE (owner text)
  LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT kept.owner FROM im_admin.lists kept WHERE kept.list = asked_list AND kept.owner = asked_parent
  UNION ALL
  SELECT kept.owner FROM im_admin.lists kept
    WHERE kept.list = asked_list AND kept.owner > asked_parent || chr(1) AND kept.owner < asked_parent || chr(2);
END;
COMMENT ON FUNCTION im_admin.trees_of IS 'The owners of the lists of one kind with this parent, as far as they have a tree.';

CREATE FUNCTION im_admin.settle_touched(most integer) RETURNS bigint LANGUAGE plpgsql AS $$
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

CREATE FUNCTION im_admin.settle_places(places tid[]) RETURNS bigint LANGUAGE plpgsql AS $$
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

CREATE FUNCTION im_admin.field_unread(asked_record text, asked_first text, asked_second text, state text) RETURNS text
  LANGUAGE sql STABLE RETURN coalesce(
    (SELECT found.field || ' cannot be read (SQLSTATE ' || found.reason || ')'
      FROM im_admin.unreadable(asked_record, asked_first, asked_second) found WHERE found.decides LIMIT 1),
    'cannot be read (SQLSTATE ' || state || ')');
COMMENT ON FUNCTION im_admin.field_unread IS 'Which field of a record cannot be read, without its value.';

CREATE FUNCTION im_admin.look_up_touched(places tid[]) RETURNS void LANGUAGE plpgsql AS $$
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

CREATE FUNCTION im_admin.forget_list(asked_list text, asked_owner text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM drop_list(asked_list, asked_owner);
  INSERT INTO list_changes (list, owner, key, change) VALUES (asked_list, asked_owner, '', 0);
END $$;
COMMENT ON FUNCTION im_admin.forget_list IS 'Deletes the tree of a list, and lets settle() build it again if it is still long.';

CREATE FUNCTION im_admin.leaf_size() RETURNS integer LANGUAGE sql IMMUTABLE RETURN 64;
CREATE FUNCTION im_admin.node_size() RETURNS integer LANGUAGE sql IMMUTABLE RETURN 128;
COMMENT ON FUNCTION im_admin.leaf_size IS 'The most keys of a leaf. So many fit into one page of the database.';
COMMENT ON FUNCTION im_admin.node_size IS 'The most children of any other node. A list with no more rows than that needs no tree.';

CREATE FUNCTION im_admin.piece(place bigint, number bigint, size integer) RETURNS bigint LANGUAGE sql IMMUTABLE RETURN
  CASE WHEN number <= size THEN 0 ELSE (place - 1) * ceil(number / (size * 0.75))::bigint / number END;
COMMENT ON FUNCTION im_admin.piece IS 'The piece that a child is in after a full node is split. Each piece is filled to three quarters, so that it has room for more.';

CREATE FUNCTION im_admin.write_leaves(
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

CREATE FUNCTION im_admin.merged_leaf(
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

CREATE FUNCTION im_admin.write_nodes(asked_list text, asked_owner text, height integer, starts text[], totals bigint[])
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

CREATE FUNCTION im_admin.drop_list(asked_list text, asked_owner text) RETURNS void LANGUAGE sql AS $$
  DELETE FROM im_admin.list_nodes WHERE list = asked_list AND owner = asked_owner;
  DELETE FROM im_admin.list_entries WHERE list = asked_list AND parent = im_admin.list_parent(asked_owner) AND owner = asked_owner;
  DELETE FROM im_admin.lists WHERE list = asked_list AND owner = asked_owner;
$$;
COMMENT ON FUNCTION im_admin.drop_list IS 'Deletes the tree of a list.';

CREATE FUNCTION im_admin.build_list(asked_list text, asked_owner text) RETURNS bigint
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

CREATE FUNCTION im_admin.forget_lists(VARIADIC forgotten text[]) RETURNS void
  LANGUAGE sql SET search_path = im_admin, pg_temp AS $$
  DELETE FROM list_nodes WHERE list = ANY (forgotten);
  DELETE FROM list_entries WHERE list = ANY (forgotten);
  WITH gone AS (DELETE FROM lists WHERE list = ANY (forgotten) RETURNING list, owner)
  INSERT INTO list_changes (list, owner, key, change) SELECT list, owner, '', 0 FROM gone;
$$;
COMMENT ON FUNCTION im_admin.forget_lists IS 'Deletes the trees of some lists, and appends a change with an empty key for each: settle() then builds the tree again if the list is still long.';

CREATE FUNCTION im_admin.rebuild_lists() RETURNS void
  LANGUAGE plpgsql SET search_path = im_admin, pg_temp SET row_security = off AS $$
#variable_conflict use_variable
DECLARE
  own text;
  parent text;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE 'call rebuild_lists() in a READ COMMITTED transaction';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('im-admin settle'), 'lists'::regclass::oid::integer);
  PERFORM require_mapped();
  PERFORM settle_rewritten();
  DELETE FROM touched;
  PERFORM forget_lists(VARIADIC list_names());
  FOREACH own IN ARRAY list_names() LOOP
    BEGIN
      INSERT INTO list_changes (list, owner, key, change)
        SELECT own, listed.owner, '', 0 FROM list_rows listed WHERE listed.list = own AND NOT has_tree_always(own)
          GROUP BY listed.owner HAVING count(*) > node_size()
        UNION ALL SELECT own, '', '', 0 WHERE has_tree_always(own);
    EXCEPTION WHEN OTHERS THEN
      IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
      PERFORM look_up_each();
      FOR parent IN EXECUTE format($query$
        SELECT concerned.parent FROM keys_of_%s(NULL, NULL) key
            CROSS JOIN LATERAL touched_lists(record_of($1), key.first, key.second) concerned
          WHERE concerned.list = $1 GROUP BY concerned.parent HAVING count(*) > node_size() OR has_tree_always($1)
      $query$, record_of(own)) USING own
      LOOP
        BEGIN
          INSERT INTO list_changes (list, owner, key, change)
            SELECT own, listed.owner, '', 0 FROM rows_of(own, parent) listed
              GROUP BY listed.owner HAVING count(*) > node_size() OR has_tree_always(own);
        EXCEPTION WHEN OTHERS THEN
          IF NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
          -- settle() sets the row aside.
          INSERT INTO list_changes (list, owner, key, change) VALUES (own, parent, '', 0);
        END;
      END LOOP;
    END;
  END LOOP;
END $$;
COMMENT ON FUNCTION im_admin.rebuild_lists IS 'Deletes all trees, and lets settle() build them again. Call settle() afterwards.';

SET session_replication_role = replica;
TRUNCATE im_admin.blacks;
INSERT INTO im_admin.blacks SELECT * FROM jsonb_populate_recordset(NULL::im_admin.blacks, '[{"ex": "", "add_source": 0, "create_time": 1, "black_user_id": "ann", "owner_user_id": "bob", "operator_user_id": ""},
{"ex": "", "add_source": 0, "create_time": 5000, "black_user_id": "Zed", "owner_user_id": "ann", "operator_user_id": ""},
{"ex": "", "add_source": 0, "create_time": 5000, "black_user_id": "bob", "owner_user_id": "ann", "operator_user_id": ""},
{"ex": "why", "add_source": 2, "create_time": 1688460626999, "black_user_id": "nameless", "owner_user_id": "ann", "operator_user_id": "admin"}]');
TRUNCATE im_admin.conversations;
INSERT INTO im_admin.conversations SELECT * FROM jsonb_populate_recordset(NULL::im_admin.conversations, '[{"ex": "", "max_seq": 0, "min_seq": 0, "user_id": "ann", "group_id": "", "is_pinned": false, "recv_msg_opt": 0, "attached_info": "", "burn_duration": 0, "group_at_type": 0, "owner_user_id": "bob", "conversation_id": "si_ann_bob", "is_msg_destruct": false, "is_private_chat": false, "conversation_type": 1, "msg_destruct_time": 0},
{"ex": "ex", "max_seq": 9007199254740991, "min_seq": 3, "user_id": "", "group_id": "readers", "is_pinned": true, "recv_msg_opt": 2, "attached_info": "attached", "burn_duration": 30, "group_at_type": 2, "owner_user_id": "ann", "conversation_id": "sg_readers", "is_msg_destruct": true, "is_private_chat": true, "conversation_type": 3, "msg_destruct_time": 604800}]');
TRUNCATE im_admin.followed;
TRUNCATE im_admin.group_members;
INSERT INTO im_admin.group_members SELECT * FROM jsonb_populate_recordset(NULL::im_admin.group_members, '[{"ex": "", "user_id": "Zed", "face_url": "", "group_id": "readers", "nickname": "", "join_time": 7, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "ann", "face_url": "", "group_id": "readers", "nickname": "", "join_time": 7, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "ann", "face_url": "", "group_id": "writers", "nickname": "", "join_time": 3, "role_level": 100, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "boss", "face_url": "", "group_id": "Dismissed", "nickname": "", "join_time": 8, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "boss", "face_url": "", "group_id": "latest", "nickname": "", "join_time": 9999999999999, "role_level": 100, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "boss", "face_url": "", "group_id": "readers", "nickname": "", "join_time": 8, "role_level": 100, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "boss", "face_url": "", "group_id": "writers", "nickname": "", "join_time": 8, "role_level": 60, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "nameless", "face_url": "", "group_id": "readers", "nickname": "", "join_time": 10, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u002", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 1, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u003", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 2, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u004", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 3, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u005", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 4, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u006", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 5, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u007", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 6, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u008", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 7, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u009", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 8, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u010", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 9, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u011", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 10, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u012", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 11, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u013", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 12, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u014", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 13, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u015", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 14, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u016", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 15, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u017", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 16, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u018", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 17, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u019", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 18, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u020", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 19, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u021", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 20, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u022", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 21, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u023", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 22, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u024", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 23, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u025", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 24, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u026", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 25, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u027", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 26, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u028", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 27, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u029", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 28, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u030", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 29, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u031", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 30, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u032", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 31, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u033", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 32, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u034", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 33, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u035", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 34, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u036", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 35, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u037", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 36, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u038", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 37, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u039", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 38, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u040", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 39, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u041", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 40, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u042", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 41, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u043", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 42, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u044", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 43, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u045", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 44, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u046", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 45, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u047", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 46, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u048", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 47, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u049", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 48, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u050", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 49, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u051", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 50, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u052", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 51, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u053", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 52, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u054", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 53, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u055", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 54, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u056", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 55, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u057", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 56, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u058", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 57, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u059", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 58, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u060", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 59, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u061", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 60, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u062", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 61, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u063", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 62, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u064", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 63, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u065", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 64, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u066", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 65, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u067", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 66, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u068", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 67, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u069", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 68, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u070", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 69, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u071", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 70, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u072", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 71, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u073", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 72, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u074", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 73, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u075", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 74, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u076", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 75, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u077", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 76, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u078", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 77, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u079", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 78, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u080", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 79, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u081", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 80, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u082", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 81, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u083", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 82, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u084", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 83, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u085", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 84, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u086", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 85, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u087", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 86, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u088", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 87, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u089", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 88, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u090", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 89, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u091", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 90, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u092", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 91, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u093", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 92, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u094", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 93, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u095", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 94, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u096", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 95, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u097", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 96, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u098", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 97, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u099", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 98, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u100", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 99, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u101", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 100, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u102", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 101, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u103", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 102, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u104", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 103, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u105", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 104, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u106", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 105, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u107", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 106, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u108", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 107, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u109", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 108, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u110", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 109, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u111", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 110, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u112", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 111, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u113", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 112, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u114", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 113, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u115", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 114, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u116", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 115, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u117", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 116, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u118", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 117, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u119", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 118, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u120", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 119, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u121", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 120, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u122", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 121, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u123", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 122, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u124", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 123, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u125", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 124, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u126", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 125, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u127", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 126, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u128", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 127, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u129", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 128, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u130", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 129, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u131", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 130, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u132", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 131, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u133", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 132, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u134", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 133, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u135", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 134, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u136", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 135, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u137", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 136, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u138", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 137, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u139", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 138, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u140", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 139, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u141", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 140, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u142", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 141, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u143", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 142, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u144", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 143, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u145", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 144, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u146", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 145, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u147", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 146, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u148", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 147, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u149", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 148, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "u150", "face_url": "", "group_id": "crowd", "nickname": "", "join_time": 149, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "王芳", "face_url": "", "group_id": "readers", "nickname": "", "join_time": 6, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "～", "face_url": "", "group_id": "readers", "nickname": "", "join_time": 7, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "", "user_id": "😀", "face_url": "", "group_id": "readers", "nickname": "", "join_time": 7, "role_level": 20, "join_source": 0, "mute_end_time": 0, "inviter_user_id": "", "operator_user_id": ""},
{"ex": "bob''s", "user_id": "bob", "face_url": "bob-in-group.jpg", "group_id": "readers", "nickname": "In the group", "join_time": 9, "role_level": 60, "join_source": 3, "mute_end_time": 1687762198048, "inviter_user_id": "ann", "operator_user_id": "boss"}]');
TRUNCATE im_admin.group_requests;
INSERT INTO im_admin.group_requests SELECT * FROM jsonb_populate_recordset(NULL::im_admin.group_requests, '[{"ex": "", "req_msg": "", "user_id": "alone", "group_id": "Dismissed", "req_time": 9, "handle_msg": "", "handle_time": 0, "join_source": 0, "handle_result": 0, "handle_user_id": "", "inviter_user_id": ""},
{"ex": "", "req_msg": "", "user_id": "alone", "group_id": "latest", "req_time": 9, "handle_msg": "", "handle_time": 0, "join_source": 0, "handle_result": 0, "handle_user_id": "", "inviter_user_id": ""},
{"ex": "", "req_msg": "", "user_id": "alone", "group_id": "quiet", "req_time": 9, "handle_msg": "", "handle_time": 0, "join_source": 0, "handle_result": 0, "handle_user_id": "", "inviter_user_id": ""},
{"ex": "", "req_msg": "", "user_id": "alone", "group_id": "readers", "req_time": 3, "handle_msg": "", "handle_time": 0, "join_source": 0, "handle_result": 0, "handle_user_id": "", "inviter_user_id": ""},
{"ex": "", "req_msg": "", "user_id": "alone", "group_id": "writers", "req_time": 3, "handle_msg": "", "handle_time": 0, "join_source": 0, "handle_result": -1, "handle_user_id": "", "inviter_user_id": ""},
{"ex": "", "req_msg": "", "user_id": "nameless", "group_id": "writers", "req_time": 2, "handle_msg": "", "handle_time": 0, "join_source": 0, "handle_result": 0, "handle_user_id": "", "inviter_user_id": ""},
{"ex": "request''s", "req_msg": "你好", "user_id": "Zed", "group_id": "readers", "req_time": 3, "handle_msg": "welcome", "handle_time": 4, "join_source": 2, "handle_result": 1, "handle_user_id": "boss", "inviter_user_id": "ann"}]');
TRUNCATE im_admin.groups;
INSERT INTO im_admin.groups SELECT * FROM jsonb_populate_recordset(NULL::im_admin.groups, '[{"ex": "", "status": 0, "face_url": "", "group_id": "crowd", "group_name": "A crowd", "group_type": 0, "create_time": 0, "introduction": "", "notification": "", "creator_user_id": "", "look_member_info": 0, "need_verification": 0, "apply_member_friend": 0, "notification_user_id": "", "notification_update_time": 0},
{"ex": "", "status": 0, "face_url": "", "group_id": "latest", "group_name": "", "group_type": 0, "create_time": 0, "introduction": "", "notification": "", "creator_user_id": "", "look_member_info": 0, "need_verification": 0, "apply_member_friend": 0, "notification_user_id": "", "notification_update_time": 0},
{"ex": "", "status": 0, "face_url": "", "group_id": "writers", "group_name": "Writers", "group_type": 0, "create_time": 0, "introduction": "", "notification": "", "creator_user_id": "", "look_member_info": 0, "need_verification": 0, "apply_member_friend": 0, "notification_user_id": "", "notification_update_time": 0},
{"ex": "", "status": 2, "face_url": "", "group_id": "Dismissed", "group_name": "", "group_type": 0, "create_time": 0, "introduction": "", "notification": "", "creator_user_id": "", "look_member_info": 0, "need_verification": 0, "apply_member_friend": 0, "notification_user_id": "", "notification_update_time": 0},
{"ex": "", "status": 3, "face_url": "", "group_id": "quiet", "group_name": "", "group_type": 0, "create_time": 0, "introduction": "", "notification": "", "creator_user_id": "", "look_member_info": 0, "need_verification": 0, "apply_member_friend": 0, "notification_user_id": "", "notification_update_time": 0},
{"ex": "readers''", "status": 0, "face_url": "readers.jpg", "group_id": "readers", "group_name": "读书会 Readers", "group_type": 2, "create_time": 1687760000001, "introduction": "We read", "notification": "Saturday", "creator_user_id": "boss", "look_member_info": 2, "need_verification": 1, "apply_member_friend": 3, "notification_user_id": "ann", "notification_update_time": 1687760000002}]');
TRUNCATE im_admin.last_import;
TRUNCATE im_admin.list_changes;
INSERT INTO im_admin.list_changes SELECT * FROM jsonb_populate_recordset(NULL::im_admin.list_changes, '[{"key": "198020000000000000000u001", "list": "group_members", "owner": "crowd", "change": -1, "transaction": "760"},
{"key": "20000000000000000crowd", "list": "joined_groups", "owner": "u001", "change": -1, "transaction": "760"},
{"key": "30000000003late", "list": "notification_accounts_by_level", "owner": "", "change": 1, "transaction": "760"},
{"key": "late", "list": "changed_names", "owner": "", "change": 1, "transaction": "760"},
{"key": "late", "list": "notification_accounts", "owner": "", "change": 1, "transaction": "760"}]');
TRUNCATE im_admin.list_entries;
TRUNCATE im_admin.list_nodes;
INSERT INTO im_admin.list_nodes SELECT * FROM jsonb_populate_recordset(NULL::im_admin.list_nodes, '[{"list": "group_members", "level": 1, "owner": "crowd", "start": "", "words": "u001\u001fmember 001\nu002\u001fmember 002\nu003\u001fmember 003\nu004\u001fmember 004\nu005\u001fmember 005\nu006\u001fmember 006\nu007\u001fmember 007\nu008\u001fmember 008\nu009\u001fmember 009\nu010\u001fmember 010\nu011\u001fmember 011\nu012\u001fmember 012\nu013\u001fmember 013\nu014\u001fmember 014\nu015\u001fmember 015\nu016\u001fmember 016\nu017\u001fmember 017\nu018\u001fmember 018\nu019\u001fmember 019\nu020\u001fmember 020\nu021\u001fmember 021\nu022\u001fmember 022\nu023\u001fmember 023\nu024\u001fmember 024\nu025\u001fmember 025\nu026\u001fmember 026\nu027\u001fmember 027\nu028\u001fmember 028\nu029\u001fmember 029\nu030\u001fmember 030\nu031\u001fmember 031\nu032\u001fmember 032\nu033\u001fmember 033\nu034\u001fmember 034\nu035\u001fmember 035\nu036\u001fmember 036\nu037\u001fmember 037\nu038\u001fmember 038\nu039\u001fmember 039\nu040\u001fmember 040\nu041\u001fmember 041\nu042\u001fmember 042\nu043\u001fmember 043\nu044\u001fmember 044\nu045\u001fmember 045\nu046\u001fmember 046\nu047\u001fmember 047\nu048\u001fmember 048", "totals": null, "entries": ["198020000000000000000u001", "198020000000000000001u002", "198020000000000000002u003", "198020000000000000003u004", "198020000000000000004u005", "198020000000000000005u006", "198020000000000000006u007", "198020000000000000007u008", "198020000000000000008u009", "198020000000000000009u010", "198020000000000000010u011", "198020000000000000011u012", "198020000000000000012u013", "198020000000000000013u014", "198020000000000000014u015", "198020000000000000015u016", "198020000000000000016u017", "198020000000000000017u018", "198020000000000000018u019", "198020000000000000019u020", "198020000000000000020u021", "198020000000000000021u022", "198020000000000000022u023", "198020000000000000023u024", "198020000000000000024u025", "198020000000000000025u026", "198020000000000000026u027", "198020000000000000027u028", "198020000000000000028u029", "198020000000000000029u030", "198020000000000000030u031", "198020000000000000031u032", "198020000000000000032u033", "198020000000000000033u034", "198020000000000000034u035", "198020000000000000035u036", "198020000000000000036u037", "198020000000000000037u038", "198020000000000000038u039", "198020000000000000039u040", "198020000000000000040u041", "198020000000000000041u042", "198020000000000000042u043", "198020000000000000043u044", "198020000000000000044u045", "198020000000000000045u046", "198020000000000000046u047", "198020000000000000047u048"]},
{"list": "group_members", "level": 1, "owner": "crowd", "start": "198020000000000000048u049", "words": "u049\u001fmember 049\nu050\u001fmember 050\nu051\u001fmember 051\nu052\u001fmember 052\nu053\u001fmember 053\nu054\u001fmember 054\nu055\u001fmember 055\nu056\u001fmember 056\nu057\u001fmember 057\nu058\u001fmember 058\nu059\u001fmember 059\nu060\u001fmember 060\nu061\u001fmember 061\nu062\u001fmember 062\nu063\u001fmember 063\nu064\u001fmember 064\nu065\u001fmember 065\nu066\u001fmember 066\nu067\u001fmember 067\nu068\u001fmember 068\nu069\u001fmember 069\nu070\u001fmember 070\nu071\u001fmember 071\nu072\u001fmember 072\nu073\u001fmember 073\nu074\u001fmember 074\nu075\u001fmember 075\nu076\u001fmember 076\nu077\u001fmember 077\nu078\u001fmember 078\nu079\u001fmember 079\nu080\u001fmember 080\nu081\u001fmember 081\nu082\u001fmember 082\nu083\u001fmember 083\nu084\u001fmember 084\nu085\u001fmember 085\nu086\u001fmember 086\nu087\u001fmember 087\nu088\u001fmember 088\nu089\u001fmember 089\nu090\u001fmember 090\nu091\u001fmember 091\nu092\u001fmember 092\nu093\u001fmember 093\nu094\u001fmember 094\nu095\u001fmember 095\nu096\u001fmember 096", "totals": null, "entries": ["198020000000000000048u049", "198020000000000000049u050", "198020000000000000050u051", "198020000000000000051u052", "198020000000000000052u053", "198020000000000000053u054", "198020000000000000054u055", "198020000000000000055u056", "198020000000000000056u057", "198020000000000000057u058", "198020000000000000058u059", "198020000000000000059u060", "198020000000000000060u061", "198020000000000000061u062", "198020000000000000062u063", "198020000000000000063u064", "198020000000000000064u065", "198020000000000000065u066", "198020000000000000066u067", "198020000000000000067u068", "198020000000000000068u069", "198020000000000000069u070", "198020000000000000070u071", "198020000000000000071u072", "198020000000000000072u073", "198020000000000000073u074", "198020000000000000074u075", "198020000000000000075u076", "198020000000000000076u077", "198020000000000000077u078", "198020000000000000078u079", "198020000000000000079u080", "198020000000000000080u081", "198020000000000000081u082", "198020000000000000082u083", "198020000000000000083u084", "198020000000000000084u085", "198020000000000000085u086", "198020000000000000086u087", "198020000000000000087u088", "198020000000000000088u089", "198020000000000000089u090", "198020000000000000090u091", "198020000000000000091u092", "198020000000000000092u093", "198020000000000000093u094", "198020000000000000094u095", "198020000000000000095u096"]},
{"list": "group_members", "level": 1, "owner": "crowd", "start": "198020000000000000096u097", "words": "u097\u001fmember 097\nu098\u001fmember 098\nu099\u001fmember 099\nu100\u001fmember 100\nu101\u001fmember 101\nu102\u001fmember 102\nu103\u001fmember 103\nu104\u001fmember 104\nu105\u001fmember 105\nu106\u001fmember 106\nu107\u001fmember 107\nu108\u001fmember 108\nu109\u001fmember 109\nu110\u001fmember 110\nu111\u001fmember 111\nu112\u001fmember 112\nu113\u001fmember 113\nu114\u001fmember 114\nu115\u001fmember 115\nu116\u001fmember 116\nu117\u001fmember 117\nu118\u001fmember 118\nu119\u001fmember 119\nu120\u001fmember 120\nu121\u001fmember 121\nu122\u001fmember 122\nu123\u001fmember 123\nu124\u001fmember 124\nu125\u001fmember 125\nu126\u001fmember 126\nu127\u001fmember 127\nu128\u001fmember 128\nu129\u001fmember 129\nu130\u001fmember 130\nu131\u001fmember 131\nu132\u001fmember 132\nu133\u001fmember 133\nu134\u001fmember 134\nu135\u001fmember 135\nu136\u001fmember 136\nu137\u001fmember 137\nu138\u001fmember 138\nu139\u001fmember 139\nu140\u001fmember 140\nu141\u001fmember 141\nu142\u001fmember 142\nu143\u001fmember 143\nu144\u001fmember 144", "totals": null, "entries": ["198020000000000000096u097", "198020000000000000097u098", "198020000000000000098u099", "198020000000000000099u100", "198020000000000000100u101", "198020000000000000101u102", "198020000000000000102u103", "198020000000000000103u104", "198020000000000000104u105", "198020000000000000105u106", "198020000000000000106u107", "198020000000000000107u108", "198020000000000000108u109", "198020000000000000109u110", "198020000000000000110u111", "198020000000000000111u112", "198020000000000000112u113", "198020000000000000113u114", "198020000000000000114u115", "198020000000000000115u116", "198020000000000000116u117", "198020000000000000117u118", "198020000000000000118u119", "198020000000000000119u120", "198020000000000000120u121", "198020000000000000121u122", "198020000000000000122u123", "198020000000000000123u124", "198020000000000000124u125", "198020000000000000125u126", "198020000000000000126u127", "198020000000000000127u128", "198020000000000000128u129", "198020000000000000129u130", "198020000000000000130u131", "198020000000000000131u132", "198020000000000000132u133", "198020000000000000133u134", "198020000000000000134u135", "198020000000000000135u136", "198020000000000000136u137", "198020000000000000137u138", "198020000000000000138u139", "198020000000000000139u140", "198020000000000000140u141", "198020000000000000141u142", "198020000000000000142u143", "198020000000000000143u144"]},
{"list": "group_members", "level": 1, "owner": "crowd", "start": "198020000000000000144u145", "words": "u145\u001fmember 145\nu146\u001fmember 146\nu147\u001fmember 147\nu148\u001fmember 148\nu149\u001fmember 149\nu150\u001fmember 150", "totals": null, "entries": ["198020000000000000144u145", "198020000000000000145u146", "198020000000000000146u147", "198020000000000000147u148", "198020000000000000148u149", "198020000000000000149u150"]},
{"list": "group_members", "level": 2, "owner": "crowd", "start": "", "words": null, "totals": [48, 48, 48, 6], "entries": ["", "198020000000000000048u049", "198020000000000000096u097", "198020000000000000144u145"]},
{"list": "notification_accounts", "level": 1, "owner": "", "start": "", "words": "sysalert\u001falerts 50%\nbot\u001fwelcome\nsysnews\u001f系统通知", "totals": null, "entries": ["SysAlert", "bot", "sysNews"]},
{"list": "notification_accounts_by_level", "level": 1, "owner": "", "start": "", "words": "sysalert\u001falerts 50%\nsysnews\u001f系统通知\nbot\u001fwelcome", "totals": null, "entries": ["30000000003SysAlert", "30000000003sysNews", "30000000004bot"]}]');
TRUNCATE im_admin.lists;
INSERT INTO im_admin.lists SELECT * FROM jsonb_populate_recordset(NULL::im_admin.lists, '[{"list": "group_members", "owner": "crowd", "total": 150, "height": 2, "settled_in": "16591", "unfinished": [], "settled_before": "755"},
{"list": "notification_accounts", "owner": "", "total": 3, "height": 1, "settled_in": "16591", "unfinished": [], "settled_before": "755"},
{"list": "notification_accounts_by_level", "owner": "", "total": 3, "height": 1, "settled_in": "16591", "unfinished": [], "settled_before": "755"}]');
TRUNCATE im_admin.mapped_columns;
TRUNCATE im_admin.mapped_files;
TRUNCATE im_admin.mapped_objects;
TRUNCATE im_admin.packed_changes;
TRUNCATE im_admin.schema_version;
INSERT INTO im_admin.schema_version SELECT * FROM jsonb_populate_recordset(NULL::im_admin.schema_version, '[{"version": 1}]');
TRUNCATE im_admin.settle_position;
INSERT INTO im_admin.settle_position SELECT * FROM jsonb_populate_recordset(NULL::im_admin.settle_position, '[{"list": "", "owner": "", "server": "7713285751231161215 16591"}]');
TRUNCATE im_admin.table_map;
TRUNCATE im_admin.touched;
TRUNCATE im_admin.users;
INSERT INTO im_admin.users SELECT * FROM jsonb_populate_recordset(NULL::im_admin.users, '[{"ex": "", "user_id": "SysAlert", "face_url": "", "nickname": "Alerts 50%", "app_manger_level": 3},
{"ex": "", "user_id": "Zed", "face_url": "", "nickname": "Zoë É", "app_manger_level": 0},
{"ex": "", "user_id": "admin", "face_url": "", "nickname": "系统 Administrator", "app_manger_level": 2},
{"ex": "", "user_id": "alone", "face_url": "", "nickname": "Alone", "app_manger_level": 0},
{"ex": "", "user_id": "bob", "face_url": "", "nickname": "Bob", "app_manger_level": 0},
{"ex": "", "user_id": "boss", "face_url": "", "nickname": "Boss", "app_manger_level": 0},
{"ex": "", "user_id": "bot", "face_url": "", "nickname": "Welcome", "app_manger_level": 4},
{"ex": "", "user_id": "late", "face_url": "", "nickname": "Came late", "app_manger_level": 3},
{"ex": "", "user_id": "nameless", "face_url": "", "nickname": "", "app_manger_level": 0},
{"ex": "", "user_id": "sysNews", "face_url": "news.jpg", "nickname": "系统通知", "app_manger_level": 3},
{"ex": "", "user_id": "u001", "face_url": "", "nickname": "Member 001", "app_manger_level": 0},
{"ex": "", "user_id": "u002", "face_url": "", "nickname": "Member 002", "app_manger_level": 0},
{"ex": "", "user_id": "u003", "face_url": "", "nickname": "Member 003", "app_manger_level": 0},
{"ex": "", "user_id": "u004", "face_url": "", "nickname": "Member 004", "app_manger_level": 0},
{"ex": "", "user_id": "u005", "face_url": "", "nickname": "Member 005", "app_manger_level": 0},
{"ex": "", "user_id": "u006", "face_url": "", "nickname": "Member 006", "app_manger_level": 0},
{"ex": "", "user_id": "u007", "face_url": "", "nickname": "Member 007", "app_manger_level": 0},
{"ex": "", "user_id": "u008", "face_url": "", "nickname": "Member 008", "app_manger_level": 0},
{"ex": "", "user_id": "u009", "face_url": "", "nickname": "Member 009", "app_manger_level": 0},
{"ex": "", "user_id": "u010", "face_url": "", "nickname": "Member 010", "app_manger_level": 0},
{"ex": "", "user_id": "u011", "face_url": "", "nickname": "Member 011", "app_manger_level": 0},
{"ex": "", "user_id": "u012", "face_url": "", "nickname": "Member 012", "app_manger_level": 0},
{"ex": "", "user_id": "u013", "face_url": "", "nickname": "Member 013", "app_manger_level": 0},
{"ex": "", "user_id": "u014", "face_url": "", "nickname": "Member 014", "app_manger_level": 0},
{"ex": "", "user_id": "u015", "face_url": "", "nickname": "Member 015", "app_manger_level": 0},
{"ex": "", "user_id": "u016", "face_url": "", "nickname": "Member 016", "app_manger_level": 0},
{"ex": "", "user_id": "u017", "face_url": "", "nickname": "Member 017", "app_manger_level": 0},
{"ex": "", "user_id": "u018", "face_url": "", "nickname": "Member 018", "app_manger_level": 0},
{"ex": "", "user_id": "u019", "face_url": "", "nickname": "Member 019", "app_manger_level": 0},
{"ex": "", "user_id": "u020", "face_url": "", "nickname": "Member 020", "app_manger_level": 0},
{"ex": "", "user_id": "u021", "face_url": "", "nickname": "Member 021", "app_manger_level": 0},
{"ex": "", "user_id": "u022", "face_url": "", "nickname": "Member 022", "app_manger_level": 0},
{"ex": "", "user_id": "u023", "face_url": "", "nickname": "Member 023", "app_manger_level": 0},
{"ex": "", "user_id": "u024", "face_url": "", "nickname": "Member 024", "app_manger_level": 0},
{"ex": "", "user_id": "u025", "face_url": "", "nickname": "Member 025", "app_manger_level": 0},
{"ex": "", "user_id": "u026", "face_url": "", "nickname": "Member 026", "app_manger_level": 0},
{"ex": "", "user_id": "u027", "face_url": "", "nickname": "Member 027", "app_manger_level": 0},
{"ex": "", "user_id": "u028", "face_url": "", "nickname": "Member 028", "app_manger_level": 0},
{"ex": "", "user_id": "u029", "face_url": "", "nickname": "Member 029", "app_manger_level": 0},
{"ex": "", "user_id": "u030", "face_url": "", "nickname": "Member 030", "app_manger_level": 0},
{"ex": "", "user_id": "u031", "face_url": "", "nickname": "Member 031", "app_manger_level": 0},
{"ex": "", "user_id": "u032", "face_url": "", "nickname": "Member 032", "app_manger_level": 0},
{"ex": "", "user_id": "u033", "face_url": "", "nickname": "Member 033", "app_manger_level": 0},
{"ex": "", "user_id": "u034", "face_url": "", "nickname": "Member 034", "app_manger_level": 0},
{"ex": "", "user_id": "u035", "face_url": "", "nickname": "Member 035", "app_manger_level": 0},
{"ex": "", "user_id": "u036", "face_url": "", "nickname": "Member 036", "app_manger_level": 0},
{"ex": "", "user_id": "u037", "face_url": "", "nickname": "Member 037", "app_manger_level": 0},
{"ex": "", "user_id": "u038", "face_url": "", "nickname": "Member 038", "app_manger_level": 0},
{"ex": "", "user_id": "u039", "face_url": "", "nickname": "Member 039", "app_manger_level": 0},
{"ex": "", "user_id": "u040", "face_url": "", "nickname": "Member 040", "app_manger_level": 0},
{"ex": "", "user_id": "u041", "face_url": "", "nickname": "Member 041", "app_manger_level": 0},
{"ex": "", "user_id": "u042", "face_url": "", "nickname": "Member 042", "app_manger_level": 0},
{"ex": "", "user_id": "u043", "face_url": "", "nickname": "Member 043", "app_manger_level": 0},
{"ex": "", "user_id": "u044", "face_url": "", "nickname": "Member 044", "app_manger_level": 0},
{"ex": "", "user_id": "u045", "face_url": "", "nickname": "Member 045", "app_manger_level": 0},
{"ex": "", "user_id": "u046", "face_url": "", "nickname": "Member 046", "app_manger_level": 0},
{"ex": "", "user_id": "u047", "face_url": "", "nickname": "Member 047", "app_manger_level": 0},
{"ex": "", "user_id": "u048", "face_url": "", "nickname": "Member 048", "app_manger_level": 0},
{"ex": "", "user_id": "u049", "face_url": "", "nickname": "Member 049", "app_manger_level": 0},
{"ex": "", "user_id": "u050", "face_url": "", "nickname": "Member 050", "app_manger_level": 0},
{"ex": "", "user_id": "u051", "face_url": "", "nickname": "Member 051", "app_manger_level": 0},
{"ex": "", "user_id": "u052", "face_url": "", "nickname": "Member 052", "app_manger_level": 0},
{"ex": "", "user_id": "u053", "face_url": "", "nickname": "Member 053", "app_manger_level": 0},
{"ex": "", "user_id": "u054", "face_url": "", "nickname": "Member 054", "app_manger_level": 0},
{"ex": "", "user_id": "u055", "face_url": "", "nickname": "Member 055", "app_manger_level": 0},
{"ex": "", "user_id": "u056", "face_url": "", "nickname": "Member 056", "app_manger_level": 0},
{"ex": "", "user_id": "u057", "face_url": "", "nickname": "Member 057", "app_manger_level": 0},
{"ex": "", "user_id": "u058", "face_url": "", "nickname": "Member 058", "app_manger_level": 0},
{"ex": "", "user_id": "u059", "face_url": "", "nickname": "Member 059", "app_manger_level": 0},
{"ex": "", "user_id": "u060", "face_url": "", "nickname": "Member 060", "app_manger_level": 0},
{"ex": "", "user_id": "u061", "face_url": "", "nickname": "Member 061", "app_manger_level": 0},
{"ex": "", "user_id": "u062", "face_url": "", "nickname": "Member 062", "app_manger_level": 0},
{"ex": "", "user_id": "u063", "face_url": "", "nickname": "Member 063", "app_manger_level": 0},
{"ex": "", "user_id": "u064", "face_url": "", "nickname": "Member 064", "app_manger_level": 0},
{"ex": "", "user_id": "u065", "face_url": "", "nickname": "Member 065", "app_manger_level": 0},
{"ex": "", "user_id": "u066", "face_url": "", "nickname": "Member 066", "app_manger_level": 0},
{"ex": "", "user_id": "u067", "face_url": "", "nickname": "Member 067", "app_manger_level": 0},
{"ex": "", "user_id": "u068", "face_url": "", "nickname": "Member 068", "app_manger_level": 0},
{"ex": "", "user_id": "u069", "face_url": "", "nickname": "Member 069", "app_manger_level": 0},
{"ex": "", "user_id": "u070", "face_url": "", "nickname": "Member 070", "app_manger_level": 0},
{"ex": "", "user_id": "u071", "face_url": "", "nickname": "Member 071", "app_manger_level": 0},
{"ex": "", "user_id": "u072", "face_url": "", "nickname": "Member 072", "app_manger_level": 0},
{"ex": "", "user_id": "u073", "face_url": "", "nickname": "Member 073", "app_manger_level": 0},
{"ex": "", "user_id": "u074", "face_url": "", "nickname": "Member 074", "app_manger_level": 0},
{"ex": "", "user_id": "u075", "face_url": "", "nickname": "Member 075", "app_manger_level": 0},
{"ex": "", "user_id": "u076", "face_url": "", "nickname": "Member 076", "app_manger_level": 0},
{"ex": "", "user_id": "u077", "face_url": "", "nickname": "Member 077", "app_manger_level": 0},
{"ex": "", "user_id": "u078", "face_url": "", "nickname": "Member 078", "app_manger_level": 0},
{"ex": "", "user_id": "u079", "face_url": "", "nickname": "Member 079", "app_manger_level": 0},
{"ex": "", "user_id": "u080", "face_url": "", "nickname": "Member 080", "app_manger_level": 0},
{"ex": "", "user_id": "u081", "face_url": "", "nickname": "Member 081", "app_manger_level": 0},
{"ex": "", "user_id": "u082", "face_url": "", "nickname": "Member 082", "app_manger_level": 0},
{"ex": "", "user_id": "u083", "face_url": "", "nickname": "Member 083", "app_manger_level": 0},
{"ex": "", "user_id": "u084", "face_url": "", "nickname": "Member 084", "app_manger_level": 0},
{"ex": "", "user_id": "u085", "face_url": "", "nickname": "Member 085", "app_manger_level": 0},
{"ex": "", "user_id": "u086", "face_url": "", "nickname": "Member 086", "app_manger_level": 0},
{"ex": "", "user_id": "u087", "face_url": "", "nickname": "Member 087", "app_manger_level": 0},
{"ex": "", "user_id": "u088", "face_url": "", "nickname": "Member 088", "app_manger_level": 0},
{"ex": "", "user_id": "u089", "face_url": "", "nickname": "Member 089", "app_manger_level": 0},
{"ex": "", "user_id": "u090", "face_url": "", "nickname": "Member 090", "app_manger_level": 0},
{"ex": "", "user_id": "u091", "face_url": "", "nickname": "Member 091", "app_manger_level": 0},
{"ex": "", "user_id": "u092", "face_url": "", "nickname": "Member 092", "app_manger_level": 0},
{"ex": "", "user_id": "u093", "face_url": "", "nickname": "Member 093", "app_manger_level": 0},
{"ex": "", "user_id": "u094", "face_url": "", "nickname": "Member 094", "app_manger_level": 0},
{"ex": "", "user_id": "u095", "face_url": "", "nickname": "Member 095", "app_manger_level": 0},
{"ex": "", "user_id": "u096", "face_url": "", "nickname": "Member 096", "app_manger_level": 0},
{"ex": "", "user_id": "u097", "face_url": "", "nickname": "Member 097", "app_manger_level": 0},
{"ex": "", "user_id": "u098", "face_url": "", "nickname": "Member 098", "app_manger_level": 0},
{"ex": "", "user_id": "u099", "face_url": "", "nickname": "Member 099", "app_manger_level": 0},
{"ex": "", "user_id": "u100", "face_url": "", "nickname": "Member 100", "app_manger_level": 0},
{"ex": "", "user_id": "u101", "face_url": "", "nickname": "Member 101", "app_manger_level": 0},
{"ex": "", "user_id": "u102", "face_url": "", "nickname": "Member 102", "app_manger_level": 0},
{"ex": "", "user_id": "u103", "face_url": "", "nickname": "Member 103", "app_manger_level": 0},
{"ex": "", "user_id": "u104", "face_url": "", "nickname": "Member 104", "app_manger_level": 0},
{"ex": "", "user_id": "u105", "face_url": "", "nickname": "Member 105", "app_manger_level": 0},
{"ex": "", "user_id": "u106", "face_url": "", "nickname": "Member 106", "app_manger_level": 0},
{"ex": "", "user_id": "u107", "face_url": "", "nickname": "Member 107", "app_manger_level": 0},
{"ex": "", "user_id": "u108", "face_url": "", "nickname": "Member 108", "app_manger_level": 0},
{"ex": "", "user_id": "u109", "face_url": "", "nickname": "Member 109", "app_manger_level": 0},
{"ex": "", "user_id": "u110", "face_url": "", "nickname": "Member 110", "app_manger_level": 0},
{"ex": "", "user_id": "u111", "face_url": "", "nickname": "Member 111", "app_manger_level": 0},
{"ex": "", "user_id": "u112", "face_url": "", "nickname": "Member 112", "app_manger_level": 0},
{"ex": "", "user_id": "u113", "face_url": "", "nickname": "Member 113", "app_manger_level": 0},
{"ex": "", "user_id": "u114", "face_url": "", "nickname": "Member 114", "app_manger_level": 0},
{"ex": "", "user_id": "u115", "face_url": "", "nickname": "Member 115", "app_manger_level": 0},
{"ex": "", "user_id": "u116", "face_url": "", "nickname": "Member 116", "app_manger_level": 0},
{"ex": "", "user_id": "u117", "face_url": "", "nickname": "Member 117", "app_manger_level": 0},
{"ex": "", "user_id": "u118", "face_url": "", "nickname": "Member 118", "app_manger_level": 0},
{"ex": "", "user_id": "u119", "face_url": "", "nickname": "Member 119", "app_manger_level": 0},
{"ex": "", "user_id": "u120", "face_url": "", "nickname": "Member 120", "app_manger_level": 0},
{"ex": "", "user_id": "u121", "face_url": "", "nickname": "Member 121", "app_manger_level": 0},
{"ex": "", "user_id": "u122", "face_url": "", "nickname": "Member 122", "app_manger_level": 0},
{"ex": "", "user_id": "u123", "face_url": "", "nickname": "Member 123", "app_manger_level": 0},
{"ex": "", "user_id": "u124", "face_url": "", "nickname": "Member 124", "app_manger_level": 0},
{"ex": "", "user_id": "u125", "face_url": "", "nickname": "Member 125", "app_manger_level": 0},
{"ex": "", "user_id": "u126", "face_url": "", "nickname": "Member 126", "app_manger_level": 0},
{"ex": "", "user_id": "u127", "face_url": "", "nickname": "Member 127", "app_manger_level": 0},
{"ex": "", "user_id": "u128", "face_url": "", "nickname": "Member 128", "app_manger_level": 0},
{"ex": "", "user_id": "u129", "face_url": "", "nickname": "Member 129", "app_manger_level": 0},
{"ex": "", "user_id": "u130", "face_url": "", "nickname": "Member 130", "app_manger_level": 0},
{"ex": "", "user_id": "u131", "face_url": "", "nickname": "Member 131", "app_manger_level": 0},
{"ex": "", "user_id": "u132", "face_url": "", "nickname": "Member 132", "app_manger_level": 0},
{"ex": "", "user_id": "u133", "face_url": "", "nickname": "Member 133", "app_manger_level": 0},
{"ex": "", "user_id": "u134", "face_url": "", "nickname": "Member 134", "app_manger_level": 0},
{"ex": "", "user_id": "u135", "face_url": "", "nickname": "Member 135", "app_manger_level": 0},
{"ex": "", "user_id": "u136", "face_url": "", "nickname": "Member 136", "app_manger_level": 0},
{"ex": "", "user_id": "u137", "face_url": "", "nickname": "Member 137", "app_manger_level": 0},
{"ex": "", "user_id": "u138", "face_url": "", "nickname": "Member 138", "app_manger_level": 0},
{"ex": "", "user_id": "u139", "face_url": "", "nickname": "Member 139", "app_manger_level": 0},
{"ex": "", "user_id": "u140", "face_url": "", "nickname": "Member 140", "app_manger_level": 0},
{"ex": "", "user_id": "u141", "face_url": "", "nickname": "Member 141", "app_manger_level": 0},
{"ex": "", "user_id": "u142", "face_url": "", "nickname": "Member 142", "app_manger_level": 0},
{"ex": "", "user_id": "u143", "face_url": "", "nickname": "Member 143", "app_manger_level": 0},
{"ex": "", "user_id": "u144", "face_url": "", "nickname": "Member 144", "app_manger_level": 0},
{"ex": "", "user_id": "u145", "face_url": "", "nickname": "Member 145", "app_manger_level": 0},
{"ex": "", "user_id": "u146", "face_url": "", "nickname": "Member 146", "app_manger_level": 0},
{"ex": "", "user_id": "u147", "face_url": "", "nickname": "Member 147", "app_manger_level": 0},
{"ex": "", "user_id": "u148", "face_url": "", "nickname": "Member 148", "app_manger_level": 0},
{"ex": "", "user_id": "u149", "face_url": "", "nickname": "Member 149", "app_manger_level": 0},
{"ex": "", "user_id": "u150", "face_url": "", "nickname": "Member 150", "app_manger_level": 0},
{"ex": "", "user_id": "王芳", "face_url": "", "nickname": "霍去病", "app_manger_level": 0},
{"ex": "", "user_id": "～", "face_url": "", "nickname": "100%_\\*[a].", "app_manger_level": 0},
{"ex": "", "user_id": "😀", "face_url": "", "nickname": "smile 😀!", "app_manger_level": 0},
{"ex": "ann''s", "user_id": "ann", "face_url": "ann.jpg", "nickname": "Ann", "app_manger_level": 1}]');
RESET session_replication_role;