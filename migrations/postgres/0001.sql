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

CREATE SCHEMA IF NOT EXISTS im_admin;

------------------------------------------------------------------------------------------------------------------------
-- Records
--
-- There are no foreign keys: members, requests and blacklist entries may name a user or a group that does not exist.
-- Times are in milliseconds since 1970. Text is compared byte by byte, in a database of any language. U+0001 separates
-- two IDs in a key, since it is less than any character of an ID.
------------------------------------------------------------------------------------------------------------------------

CREATE TABLE im_admin.users (
  user_id text COLLATE "C" NOT NULL CHECK (user_id <> '' AND strpos(user_id, chr(1)) = 0 AND octet_length(user_id) <= 512),
  nickname text COLLATE "C" NOT NULL DEFAULT '',
  face_url text COLLATE "C" NOT NULL DEFAULT '',
  ex text COLLATE "C" NOT NULL DEFAULT '',
  app_manger_level integer NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id)
);
CREATE INDEX users_accounts ON im_admin.users (app_manger_level, user_id) WHERE app_manger_level >= 3;

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
CREATE INDEX group_members_of_users ON im_admin.group_members (user_id, group_id);

CREATE TABLE im_admin.blacks (
  owner_user_id text COLLATE "C" NOT NULL CHECK (owner_user_id <> '' AND strpos(owner_user_id, chr(1)) = 0 AND octet_length(owner_user_id) <= 512),
  black_user_id text COLLATE "C" NOT NULL CHECK (black_user_id <> '' AND strpos(black_user_id, chr(1)) = 0 AND octet_length(black_user_id) <= 512),
  create_time bigint NOT NULL DEFAULT 0 CHECK (create_time BETWEEN 0 AND 9999999999999999),
  add_source integer NOT NULL DEFAULT 0,
  operator_user_id text COLLATE "C" NOT NULL DEFAULT '',
  ex text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (owner_user_id, black_user_id)
);

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
  PRIMARY KEY (owner_user_id, conversation_id)
);

COMMENT ON TABLE im_admin.users IS 'Users and their profiles. app_manger_level: 1 ordinary, 2 administrator, 3 notification account, 4 robot.';
COMMENT ON TABLE im_admin.groups IS 'Groups. status 2: dismissed.';
COMMENT ON TABLE im_admin.group_members IS 'The members of groups. role_level: 100 owner, 60 administrator, 20 member. A member without a nickname has the nickname of the profile.';
COMMENT ON TABLE im_admin.blacks IS 'The users that a user has blocked.';
COMMENT ON TABLE im_admin.group_requests IS 'Join requests. handle_result: 0 pending, 1 accepted, -1 refused.';
COMMENT ON TABLE im_admin.conversations IS 'The settings of a conversation for each user. conversation_type: 1 single chat, 3 group chat.';

------------------------------------------------------------------------------------------------------------------------
-- Lists and their trees
------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION im_admin.leaf_size() RETURNS integer LANGUAGE sql IMMUTABLE RETURN 64;
CREATE FUNCTION im_admin.node_size() RETURNS integer LANGUAGE sql IMMUTABLE RETURN 128;
COMMENT ON FUNCTION im_admin.leaf_size IS 'The most keys of a leaf. So many fit into one page of the database.';
COMMENT ON FUNCTION im_admin.node_size IS 'The most children of any other node. A list with no more rows than that needs no tree.';

-- The numbers in a key have a fixed number of digits, so that they sort as texts. Where the greatest number comes
-- first, the key has the difference to a larger one.
CREATE FUNCTION im_admin.member_key(role_level integer, join_time bigint, user_id text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN (2000 - role_level)::text || (20000000000000000 + join_time)::text || user_id;
COMMENT ON FUNCTION im_admin.member_key IS 'The key of a member: the greatest role_level comes first, then the earliest join_time.';

CREATE FUNCTION im_admin.newest_first_key("time" bigint, id text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN (20000000000000000 - "time")::text || id;
COMMENT ON FUNCTION im_admin.newest_first_key IS 'The key in a list that begins with the newest row.';

CREATE FUNCTION im_admin.request_key(req_time bigint, group_id text, user_id text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN (20000000000000000 - req_time)::text || group_id || chr(1) || user_id;
COMMENT ON FUNCTION im_admin.request_key IS 'The key of a join request: the newest comes first.';

CREATE FUNCTION im_admin.level_key(app_manger_level integer, user_id text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN (30000000000 + app_manger_level)::text || user_id;
COMMENT ON FUNCTION im_admin.level_key IS 'The key of an account in the list that is ordered by level.';

CREATE FUNCTION im_admin.requests_of(group_id text, handle_result integer) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN group_id || coalesce(chr(1) || handle_result::text, '');
COMMENT ON FUNCTION im_admin.requests_of IS 'The owner of the list of the requests of a group with one result.';

CREATE FUNCTION im_admin.key_id(list integer, key text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN CASE list
    WHEN 1 THEN substr(key, 22) WHEN 4 THEN split_part(key, chr(1), 2) WHEN 5 THEN key WHEN 6 THEN substr(key, 12)
    ELSE substr(key, 18) END;
COMMENT ON FUNCTION im_admin.key_id IS 'The ID at the end of a key.';

CREATE FUNCTION im_admin.searched_words(id text, name text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN translate(lower((id || chr(31) || name) COLLATE "C"), chr(10), chr(30));
COMMENT ON FUNCTION im_admin.searched_words IS 'The texts of a row that a keyword search reads, as one line. With this collation, lower() changes only ASCII letters.';

CREATE FUNCTION im_admin.has_keyword(id text, name text, keyword text) RETURNS boolean
  LANGUAGE sql IMMUTABLE RETURN strpos(lower(id COLLATE "C"), keyword) > 0 OR strpos(lower(name COLLATE "C"), keyword) > 0;
COMMENT ON FUNCTION im_admin.has_keyword IS 'Whether a row has a keyword in its ID or its name. The keyword is in small letters.';

CREATE TABLE im_admin.lists (
  list smallint NOT NULL,
  owner text COLLATE "C" NOT NULL,
  total bigint NOT NULL,
  height integer NOT NULL,
  settled_before xid8 NOT NULL,
  unfinished xid8[] NOT NULL,
  settled_in oid NOT NULL,
  PRIMARY KEY (list, owner)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE im_admin.list_nodes (
  list smallint NOT NULL,
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
  list smallint NOT NULL,
  owner text COLLATE "C" NOT NULL,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  key text COLLATE "C" NOT NULL,
  change smallint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX list_changes_of_lists ON im_admin.list_changes (list, owner, transaction);

CREATE TABLE im_admin.list_doubts (list smallint NOT NULL, owner text COLLATE "C" NOT NULL, problem text);
CREATE INDEX list_doubts_of_lists ON im_admin.list_doubts (list, owner);

-- Where the next settle() continues.
CREATE TABLE im_admin.settle_position (list smallint NOT NULL, owner text COLLATE "C" NOT NULL, server text NOT NULL);
INSERT INTO im_admin.settle_position VALUES (-1, '', '');

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

CREATE TABLE im_admin.schema_version (version integer NOT NULL);
INSERT INTO im_admin.schema_version VALUES (1);

-- A host may publish all tables. Rows of a published table without a key could not be deleted.
ALTER TABLE im_admin.list_changes REPLICA IDENTITY FULL;
ALTER TABLE im_admin.list_doubts REPLICA IDENTITY FULL;
ALTER TABLE im_admin.settle_position REPLICA IDENTITY FULL;
ALTER TABLE im_admin.table_map REPLICA IDENTITY FULL;
ALTER TABLE im_admin.mapped_objects REPLICA IDENTITY FULL;
ALTER TABLE im_admin.schema_version REPLICA IDENTITY FULL;

COMMENT ON TABLE im_admin.lists IS 'Lists that have a tree. list: see list_rows. The tree has the changes of all transactions before settled_before, but not of those in unfinished. That holds only where list_changes has the oid settled_in: a restored dump has other transaction numbers.';
COMMENT ON TABLE im_admin.list_nodes IS 'The nodes of trees. A node of level 1 has keys, and the words of each key in one line, which a keyword search reads. A node of a higher level has the starts of its children and the number of keys below each.';
COMMENT ON TABLE im_admin.list_changes IS 'Changes that settle() has not settled yet: 1 adds a key, -1 removes it, 0 says that its words may have changed. List 0 has the user IDs of profiles whose nicknames have changed; change has no meaning there. An empty key tells settle() to look at the list.';
COMMENT ON TABLE im_admin.list_doubts IS 'Doubtful lists: they are read from their rows until settle() has built their trees again. Owner U+0001 stands for all lists of that kind. problem: the error that kept a trigger from appending changes. Such a row stays until the error is mended and the lists are built again.';
COMMENT ON TABLE im_admin.settle_position IS 'The list after which the next settle() continues, and the server of the last one.';
COMMENT ON SEQUENCE im_admin.settle_attempts IS 'How often settle() has begun at the place in settle_position.';
COMMENT ON TABLE im_admin.table_map IS 'The map of your own tables as JSON, and the roles whose tables it may read beside those of the schema''s owner. It is empty if all records are in tables of this schema.';
COMMENT ON TABLE im_admin.mapped_objects IS 'All that the map reads for each kind of records: tables and views with their relkind, and functions, operators and types that are not the server''s own.';
COMMENT ON TABLE im_admin.schema_version IS 'The version of this schema.';

------------------------------------------------------------------------------------------------------------------------
-- How records are looked up
--
-- Only these views and functions, and those of the next part, know where records are: `im-admin tables` writes them
-- again for tables of your own. `parent` is the group or user of a list. Keywords are searched in the ID and in `name`.
------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION im_admin.user_at(asked_user_id text) RETURNS SETOF im_admin.users
  LANGUAGE sql STABLE AS $$
  SELECT stored.* FROM im_admin.users stored
    WHERE stored.user_id = user_at.asked_user_id
$$;
COMMENT ON FUNCTION im_admin.user_at IS 'The user with an ID.';

CREATE FUNCTION im_admin.group_at(asked_group_id text) RETURNS SETOF im_admin.groups
  LANGUAGE sql STABLE AS $$
  SELECT stored.* FROM im_admin.groups stored
    WHERE stored.group_id = group_at.asked_group_id
$$;
COMMENT ON FUNCTION im_admin.group_at IS 'The group with an ID.';

CREATE FUNCTION im_admin.member_at(asked_group_id text, asked_user_id text) RETURNS SETOF im_admin.group_members
  LANGUAGE sql STABLE AS $$
  SELECT stored.* FROM im_admin.group_members stored
    WHERE stored.group_id = member_at.asked_group_id AND stored.user_id = member_at.asked_user_id
$$;
COMMENT ON FUNCTION im_admin.member_at IS 'A member of a group.';

CREATE FUNCTION im_admin.memberships_of(asked_user_id text) RETURNS SETOF im_admin.group_members
  LANGUAGE sql STABLE AS $$
  SELECT stored.* FROM im_admin.group_members stored
    WHERE stored.user_id = memberships_of.asked_user_id
$$;
COMMENT ON FUNCTION im_admin.memberships_of IS 'The memberships of a user.';

CREATE FUNCTION im_admin.black_at(asked_owner_user_id text, asked_black_user_id text) RETURNS SETOF im_admin.blacks
  LANGUAGE sql STABLE AS $$
  SELECT stored.* FROM im_admin.blacks stored
    WHERE stored.owner_user_id = black_at.asked_owner_user_id AND stored.black_user_id = black_at.asked_black_user_id
$$;
COMMENT ON FUNCTION im_admin.black_at IS 'An entry of a blacklist.';

CREATE FUNCTION im_admin.request_at(asked_group_id text, asked_user_id text) RETURNS SETOF im_admin.group_requests
  LANGUAGE sql STABLE AS $$
  SELECT stored.* FROM im_admin.group_requests stored
    WHERE stored.group_id = request_at.asked_group_id AND stored.user_id = request_at.asked_user_id
$$;
COMMENT ON FUNCTION im_admin.request_at IS 'A join request.';

CREATE FUNCTION im_admin.conversation_at(asked_owner_user_id text, asked_conversation_id text) RETURNS SETOF im_admin.conversations
  LANGUAGE sql STABLE AS $$
  SELECT stored.* FROM im_admin.conversations stored
    WHERE stored.owner_user_id = conversation_at.asked_owner_user_id AND stored.conversation_id = conversation_at.asked_conversation_id
$$;
COMMENT ON FUNCTION im_admin.conversation_at IS 'A conversation of a user.';

CREATE FUNCTION im_admin.conversations_of(asked_owner_user_id text) RETURNS SETOF im_admin.conversations
  LANGUAGE sql STABLE AS $$
  SELECT stored.* FROM im_admin.conversations stored
    WHERE stored.owner_user_id = conversations_of.asked_owner_user_id
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
      LEFT JOIN im_admin.users profile ON profile.user_id = listed.user_id
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
      LEFT JOIN im_admin.users profile ON profile.user_id = listed.user_id
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
    WHERE row_at.asked_list = 5 AND listed.user_id = row_at.asked_id AND listed.app_manger_level >= 3
  UNION ALL
  SELECT '' AS owner, listed.user_id AS id,
      im_admin.level_key(listed.app_manger_level, listed.user_id) AS key,
      listed.nickname AS name
    FROM im_admin.users listed
    WHERE row_at.asked_list = 6 AND listed.user_id = row_at.asked_id AND listed.app_manger_level >= 3;
END;
COMMENT ON FUNCTION im_admin.row_at IS 'The rows of an ID in the lists of one kind that have this parent.';

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

CREATE FUNCTION im_admin.note_mapped_objects() RETURNS void
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

------------------------------------------------------------------------------------------------------------------------
-- Writes append changes
--
-- Each function runs once for each statement, with the rights of the schema's owner. Nobody else may attach it to a
-- table.
------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION im_admin.group_members_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 1, written.group_id, im_admin.member_key(written.role_level, written.join_time, written.user_id), 1 FROM new_rows written
      UNION ALL
      SELECT 2, written.user_id, im_admin.newest_first_key(written.join_time, written.group_id), 1 FROM new_rows written;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 1, written.group_id, im_admin.member_key(written.role_level, written.join_time, written.user_id), -1 FROM old_rows written
      UNION ALL
      SELECT 2, written.user_id, im_admin.newest_first_key(written.join_time, written.group_id), -1 FROM old_rows written;
  ELSE
    INSERT INTO list_changes (list, owner, key, change)
      SELECT entry.list, entry.owner, entry.key, sum(entry.change) FROM (
          SELECT 1, written.group_id, im_admin.member_key(written.role_level, written.join_time, written.user_id), written.nickname, -1 FROM old_rows written
          UNION ALL
          SELECT 2, written.user_id, im_admin.newest_first_key(written.join_time, written.group_id), '', -1 FROM old_rows written
          UNION ALL
          SELECT 1, written.group_id, im_admin.member_key(written.role_level, written.join_time, written.user_id), written.nickname, 1 FROM new_rows written
          UNION ALL
          SELECT 2, written.user_id, im_admin.newest_first_key(written.join_time, written.group_id), '', 1 FROM new_rows written
        ) entry (list, owner, key, word, change)
        GROUP BY entry.list, entry.owner, entry.key
        HAVING sum(entry.change) <> 0 OR min(entry.word) <> max(entry.word);
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION im_admin.group_members_written IS 'Appends the changes of a statement that has written members.';
REVOKE EXECUTE ON FUNCTION im_admin.group_members_written FROM PUBLIC;

CREATE FUNCTION im_admin.blacks_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 3, written.owner_user_id, im_admin.newest_first_key(written.create_time, written.black_user_id), 1 FROM new_rows written;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 3, written.owner_user_id, im_admin.newest_first_key(written.create_time, written.black_user_id), -1 FROM old_rows written;
  ELSE
    INSERT INTO list_changes (list, owner, key, change)
      SELECT entry.list, entry.owner, entry.key, sum(entry.change) FROM (
          SELECT 3, written.owner_user_id, im_admin.newest_first_key(written.create_time, written.black_user_id), '', -1 FROM old_rows written
          UNION ALL
          SELECT 3, written.owner_user_id, im_admin.newest_first_key(written.create_time, written.black_user_id), '', 1 FROM new_rows written
        ) entry (list, owner, key, word, change)
        GROUP BY entry.list, entry.owner, entry.key
        HAVING sum(entry.change) <> 0 OR min(entry.word) <> max(entry.word);
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION im_admin.blacks_written IS 'Appends the changes of a statement that has written blacklists.';
REVOKE EXECUTE ON FUNCTION im_admin.blacks_written FROM PUBLIC;

CREATE FUNCTION im_admin.group_requests_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 4, written.group_id, im_admin.request_key(written.req_time, written.group_id, written.user_id), 1 FROM new_rows written
      UNION ALL
      SELECT 4, im_admin.requests_of(written.group_id, written.handle_result), im_admin.request_key(written.req_time, written.group_id, written.user_id), 1 FROM new_rows written;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 4, written.group_id, im_admin.request_key(written.req_time, written.group_id, written.user_id), -1 FROM old_rows written
      UNION ALL
      SELECT 4, im_admin.requests_of(written.group_id, written.handle_result), im_admin.request_key(written.req_time, written.group_id, written.user_id), -1 FROM old_rows written;
  ELSE
    INSERT INTO list_changes (list, owner, key, change)
      SELECT entry.list, entry.owner, entry.key, sum(entry.change) FROM (
          SELECT 4, written.group_id, im_admin.request_key(written.req_time, written.group_id, written.user_id), '', -1 FROM old_rows written
          UNION ALL
          SELECT 4, im_admin.requests_of(written.group_id, written.handle_result), im_admin.request_key(written.req_time, written.group_id, written.user_id), '', -1 FROM old_rows written
          UNION ALL
          SELECT 4, written.group_id, im_admin.request_key(written.req_time, written.group_id, written.user_id), '', 1 FROM new_rows written
          UNION ALL
          SELECT 4, im_admin.requests_of(written.group_id, written.handle_result), im_admin.request_key(written.req_time, written.group_id, written.user_id), '', 1 FROM new_rows written
        ) entry (list, owner, key, word, change)
        GROUP BY entry.list, entry.owner, entry.key
        HAVING sum(entry.change) <> 0 OR min(entry.word) <> max(entry.word);
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION im_admin.group_requests_written IS 'Appends the changes of a statement that has written join requests.';
REVOKE EXECUTE ON FUNCTION im_admin.group_requests_written FROM PUBLIC;

CREATE FUNCTION im_admin.users_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 0, '', written.user_id, 1 FROM new_rows written WHERE written.nickname <> ''
      UNION ALL
      SELECT 5, '', written.user_id, 1 FROM new_rows written WHERE written.app_manger_level >= 3
      UNION ALL
      SELECT 6, '', im_admin.level_key(written.app_manger_level, written.user_id), 1 FROM new_rows written WHERE written.app_manger_level >= 3;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 0, '', written.user_id, -1 FROM old_rows written WHERE written.nickname <> ''
      UNION ALL
      SELECT 5, '', written.user_id, -1 FROM old_rows written WHERE written.app_manger_level >= 3
      UNION ALL
      SELECT 6, '', im_admin.level_key(written.app_manger_level, written.user_id), -1 FROM old_rows written WHERE written.app_manger_level >= 3;
  ELSE
    INSERT INTO list_changes (list, owner, key, change)
      SELECT entry.list, entry.owner, entry.key, sum(entry.change) FROM (
          SELECT 0, '', written.user_id, written.nickname, -1 FROM old_rows written WHERE written.nickname <> ''
          UNION ALL
          SELECT 5, '', written.user_id, '', -1 FROM old_rows written WHERE written.app_manger_level >= 3
          UNION ALL
          SELECT 6, '', im_admin.level_key(written.app_manger_level, written.user_id), '', -1 FROM old_rows written WHERE written.app_manger_level >= 3
          UNION ALL
          SELECT 0, '', written.user_id, written.nickname, 1 FROM new_rows written WHERE written.nickname <> ''
          UNION ALL
          SELECT 5, '', written.user_id, '', 1 FROM new_rows written WHERE written.app_manger_level >= 3
          UNION ALL
          SELECT 6, '', im_admin.level_key(written.app_manger_level, written.user_id), '', 1 FROM new_rows written WHERE written.app_manger_level >= 3
        ) entry (list, owner, key, word, change)
        GROUP BY entry.list, entry.owner, entry.key
        HAVING sum(entry.change) <> 0 OR min(entry.word) <> max(entry.word);
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION im_admin.users_written IS 'Appends the changes of a statement that has written users: of accounts, and of nicknames.';
REVOKE EXECUTE ON FUNCTION im_admin.users_written FROM PUBLIC;

CREATE FUNCTION im_admin.forget_lists(VARIADIC forgotten integer[]) RETURNS void
  LANGUAGE sql SET search_path = im_admin, pg_temp AS $$
  DELETE FROM list_nodes WHERE list = ANY (forgotten);
  WITH gone AS (DELETE FROM lists WHERE list = ANY (forgotten) RETURNING list, owner)
  INSERT INTO list_changes (list, owner, key, change) SELECT list, owner, '', 0 FROM gone;
$$;
COMMENT ON FUNCTION im_admin.forget_lists IS 'Deletes the trees of some lists, and appends a change with an empty key for each: settle() then builds the tree again if the list is still long.';

CREATE FUNCTION im_admin.rebuild_lists() RETURNS void
  LANGUAGE plpgsql SET search_path = im_admin, pg_temp SET row_security = off AS $$
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE 'call rebuild_lists() in a READ COMMITTED transaction';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('im-admin settle'), 'lists'::regclass::oid::integer);
  PERFORM require_mapped();
  DELETE FROM list_doubts;
  PERFORM forget_lists(1, 2, 3, 4, 5, 6);
  INSERT INTO list_changes (list, owner, key, change)
    SELECT listed.list, listed.owner, '', 0 FROM list_rows listed WHERE NOT has_tree_always(listed.list)
      GROUP BY listed.list, listed.owner HAVING count(*) > node_size()
    UNION ALL SELECT 5, '', '', 0
    UNION ALL SELECT 6, '', '', 0;
END $$;
COMMENT ON FUNCTION im_admin.rebuild_lists IS 'Deletes all trees, and lets settle() build them again. Call settle() afterwards.';

CREATE FUNCTION im_admin.truncated() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp AS $$
BEGIN
  INSERT INTO list_doubts (list, owner) SELECT number::smallint, chr(1) FROM unnest(TG_ARGV) number;
  INSERT INTO list_changes (list, owner, key, change) SELECT number::smallint, chr(1), '', 0 FROM unnest(TG_ARGV) number;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION im_admin.truncated IS 'Makes the lists of an emptied table doubtful, so that nobody reads their trees.';

REVOKE EXECUTE ON FUNCTION im_admin.truncated FROM PUBLIC;

CREATE TRIGGER zz_im_admin_group_members_insert AFTER INSERT ON im_admin.group_members REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.group_members_written();
CREATE TRIGGER zz_im_admin_group_members_delete AFTER DELETE ON im_admin.group_members REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.group_members_written();
CREATE TRIGGER zz_im_admin_group_members_update AFTER UPDATE ON im_admin.group_members REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.group_members_written();
CREATE TRIGGER zz_im_admin_group_members_truncate AFTER TRUNCATE ON im_admin.group_members
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.truncated(1, 2);

CREATE TRIGGER zz_im_admin_blacks_insert AFTER INSERT ON im_admin.blacks REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.blacks_written();
CREATE TRIGGER zz_im_admin_blacks_delete AFTER DELETE ON im_admin.blacks REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.blacks_written();
CREATE TRIGGER zz_im_admin_blacks_update AFTER UPDATE ON im_admin.blacks REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.blacks_written();
CREATE TRIGGER zz_im_admin_blacks_truncate AFTER TRUNCATE ON im_admin.blacks
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.truncated(3);

CREATE TRIGGER zz_im_admin_group_requests_insert AFTER INSERT ON im_admin.group_requests REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.group_requests_written();
CREATE TRIGGER zz_im_admin_group_requests_delete AFTER DELETE ON im_admin.group_requests REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.group_requests_written();
CREATE TRIGGER zz_im_admin_group_requests_update AFTER UPDATE ON im_admin.group_requests REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.group_requests_written();
CREATE TRIGGER zz_im_admin_group_requests_truncate AFTER TRUNCATE ON im_admin.group_requests
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.truncated(4);

CREATE TRIGGER zz_im_admin_users_insert AFTER INSERT ON im_admin.users REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.users_written();
CREATE TRIGGER zz_im_admin_users_delete AFTER DELETE ON im_admin.users REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.users_written();
CREATE TRIGGER zz_im_admin_users_update AFTER UPDATE ON im_admin.users REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.users_written();
-- Keywords find members by the nicknames of their profiles.
CREATE TRIGGER zz_im_admin_users_truncate AFTER TRUNCATE ON im_admin.users
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.truncated(1, 5, 6);

------------------------------------------------------------------------------------------------------------------------
-- How lists are read
--
-- Each answer comes from one snapshot, which the calling statement has taken. A list without a tree is read from its
-- rows: it is short, or settle() has not built its tree yet.
------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION im_admin.kept_list(
    asked_list integer, asked_owner text, OUT total bigint, OUT height integer, OUT since xid8, OUT unfinished xid8[])
  LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  is_here boolean;
BEGIN
  SELECT kept.total, kept.height, kept.settled_before, kept.unfinished,
      kept.settled_in = 'list_changes'::regclass AND kept.settled_before <= pg_snapshot_xmax(pg_current_snapshot())
    INTO total, height, since, unfinished, is_here
    FROM lists kept WHERE kept.list = asked_list AND kept.owner = asked_owner AND NOT EXISTS (
      SELECT FROM list_doubts doubt WHERE doubt.list = asked_list AND doubt.owner IN (asked_owner, chr(1)));
  IF NOT is_here THEN
    since := '0';
    unfinished := '{}';
  END IF;
END $$;
COMMENT ON FUNCTION im_admin.kept_list IS 'A list with a tree that is not doubtful. If another server has settled it, all its changes are read, since transaction numbers differ between servers.';

CREATE FUNCTION im_admin.pending(asked_list integer, asked_owner text, since xid8, unfinished xid8[])
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

CREATE FUNCTION im_admin.list_parent(list integer, owner text) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN CASE list WHEN 4 THEN split_part(owner, chr(1), 1) WHEN 5 THEN '' ELSE owner END;
COMMENT ON FUNCTION im_admin.list_parent IS 'The group or user of a list.';

CREATE FUNCTION im_admin.slice(keys text[], skip bigint, size bigint) RETURNS text[] LANGUAGE sql IMMUTABLE RETURN
  keys[least(skip, cardinality(keys)) + 1 : least(skip, cardinality(keys)) + least(size, cardinality(keys))];
COMMENT ON FUNCTION im_admin.slice IS 'The keys of a page, from `skip` on.';

CREATE FUNCTION im_admin.list_page(
    asked_list integer, asked_owner text, numbers text[], skip bigint, size bigint,
    OUT total bigint, OUT keys text[], OUT pending bigint)
  LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  kept record := kept_list(asked_list, asked_owner);
  changed text[] COLLATE "C";
  changes bigint[];
  change bigint;
  number text;
  first bigint;
  length bigint;
BEGIN
  IF kept.total IS NULL THEN
    SELECT array_agg(listed.key ORDER BY listed.key COLLATE "C") INTO keys FROM rows_of(asked_list, list_parent(asked_list, asked_owner)) listed
      WHERE listed.owner = asked_owner AND (numbers IS NULL OR left(listed.key, length(numbers[1])) = ANY (numbers));
    total := coalesce(cardinality(keys), 0);
    keys := slice(coalesce(keys, '{}'), skip, size);
    pending := CASE WHEN total > node_size() THEN total ELSE 0 END;
    RETURN;
  END IF;

  SELECT array_agg(appended.key), array_agg(appended.change), coalesce(sum(appended.change), 0), count(*)
    INTO changed, changes, change, pending
    FROM pending(asked_list, asked_owner, kept.since, kept.unfinished) appended;
  IF numbers IS NULL THEN
    total := kept.total + change;
    keys := tree_keys(asked_list, asked_owner, kept.height, changed, changes, skip, least(size, total - skip));
    RETURN;
  END IF;
  total := 0;
  keys := '{}';
  FOREACH number IN ARRAY numbers LOOP
    first := tree_rank(asked_list, asked_owner, kept.height, changed, changes, number);
    length := tree_rank(asked_list, asked_owner, kept.height, changed, changes, (number::bigint + 1)::text) - first;
    keys := keys || tree_keys(
      asked_list, asked_owner, kept.height, changed, changes, first + greatest(skip - total, 0),
      least(length - greatest(skip - total, 0), size - cardinality(keys)));
    total := total + length;
  END LOOP;
END $$;
COMMENT ON FUNCTION im_admin.list_page IS 'The keys of a page, the total, and how many changes were read. `numbers`: only keys that begin with one of these; all have the same length and are in order.';

CREATE FUNCTION im_admin.tree_keys(
    asked_list integer, asked_owner text, height integer, changed text[], changes bigint[], skip bigint, size bigint)
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
    asked_list integer, asked_owner text, height integer, changed text[], changes bigint[], bound text)
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
    asked_list integer, owners text[], skip bigint, size bigint, OUT total bigint, OUT keys text[], OUT pending bigint)
  LANGUAGE plpgsql STABLE SET enable_hashjoin = on AS $$
#variable_conflict use_variable
DECLARE
  page record;
BEGIN
  IF cardinality(owners) = 1 THEN
    SELECT * INTO total, keys, pending FROM list_page(asked_list, owners[1], NULL, skip, size);
    RETURN;
  END IF;
  WITH kept AS MATERIALIZED (
    SELECT asked.owner, tree.* FROM unnest(owners) asked (owner) CROSS JOIN LATERAL kept_list(asked_list, asked.owner) tree
  ), loose AS MATERIALIZED (
    SELECT listed.key COLLATE "C" AS key FROM kept
        CROSS JOIN LATERAL (SELECT * FROM rows_of(asked_list, list_parent(asked_list, kept.owner)) OFFSET 0) listed
      WHERE kept.total IS NULL AND listed.owner = kept.owner
  ), changed AS MATERIALIZED (
    SELECT kept.owner, leaf.start, net.* FROM kept CROSS JOIN LATERAL (
        SELECT appended.key COLLATE "C" AS key, sum(appended.change)::bigint AS change, count(*) AS number
          FROM pending(asked_list, kept.owner, kept.since, kept.unfinished) appended GROUP BY 1
      ) net CROSS JOIN LATERAL (
        SELECT node.start FROM list_nodes node
          WHERE node.list = asked_list AND node.owner = kept.owner AND node.level = 1 AND node.start <= net.key
          ORDER BY node.start DESC LIMIT 1
      ) leaf
      WHERE kept.total IS NOT NULL
  ), leaves AS MATERIALIZED (
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

CREATE FUNCTION im_admin.most_doubtful() RETURNS integer LANGUAGE sql IMMUTABLE RETURN 10000;
COMMENT ON FUNCTION im_admin.most_doubtful IS 'The most rows that a search reads since their words may have changed. If there are more, it reads all rows of the list.';

CREATE FUNCTION im_admin.found_page(
    asked_list integer, asked_owner text, numbers text[], keyword text, skip bigint, size bigint,
    OUT total bigint, OUT keys text[], OUT pending bigint)
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_variable
DECLARE
  kept record := kept_list(asked_list, asked_owner);
  asked_parent text := list_parent(asked_list, asked_owner);
  doubtful text[] COLLATE "C" := '{}';
  renamed text[] := '{}';
BEGIN
  pending := 0;
  IF kept.total IS NOT NULL THEN
    SELECT array_agg(DISTINCT appended.key), count(*) INTO doubtful, pending
      FROM (SELECT * FROM pending(asked_list, asked_owner, kept.since, kept.unfinished) LIMIT most_doubtful()) appended;
    renamed := ARRAY(SELECT doubt.key FROM list_changes doubt WHERE doubt.list = 0 AND doubt.owner = '' LIMIT most_doubtful());
    pending := pending + cardinality(renamed);
  END IF;
  -- In words, other characters stand for these three.
  IF kept.total IS NULL OR pending >= most_doubtful() OR keyword <> translate(keyword, chr(10) || chr(30) || chr(31), '') THEN
    SELECT * INTO total, keys FROM looked_at_page(asked_list, asked_owner, numbers, keyword, skip, size);
    RETURN;
  END IF;
  doubtful := coalesce(doubtful, '{}') || ARRAY(
    SELECT listed.key FROM (SELECT DISTINCT id FROM unnest(renamed) id) doubt
      CROSS JOIN LATERAL (SELECT * FROM row_at(asked_list, asked_parent, doubt.id) OFFSET 0) listed
      WHERE listed.owner = asked_owner);
  WITH hits AS MATERIALIZED (
    SELECT entry.key FROM (
        SELECT unnest(node.entries) AS key, unnest(string_to_array(node.words, chr(10))) AS words FROM list_nodes node
          WHERE node.list = asked_list AND node.owner = asked_owner AND node.level = 1 AND strpos(node.words, keyword) > 0
      ) entry
      WHERE strpos(entry.words, keyword) > 0 AND (numbers IS NULL OR left(entry.key, length(numbers[1])) = ANY (numbers))
        AND (doubtful = '{}' OR entry.key <> ALL (doubtful))
    UNION ALL
    SELECT listed.key FROM (SELECT DISTINCT key_id(asked_list, key) AS id FROM unnest(doubtful) key) doubt
      CROSS JOIN LATERAL (SELECT * FROM row_at(asked_list, asked_parent, doubt.id) OFFSET 0) listed
      WHERE listed.owner = asked_owner AND has_keyword(listed.id, listed.name, keyword)
        AND (numbers IS NULL OR left(listed.key, length(numbers[1])) = ANY (numbers))
  )
  SELECT (SELECT count(*) FROM hits), ARRAY(SELECT hits.key FROM hits ORDER BY hits.key COLLATE "C" LIMIT size OFFSET skip)
    INTO total, keys;
END $$;
COMMENT ON FUNCTION im_admin.found_page IS 'A page of the rows with a keyword, which is in small letters. `numbers`: only keys that begin with one of these.';

CREATE FUNCTION im_admin.looked_at_page(
    asked_list integer, asked_owner text, numbers text[], keyword text, skip bigint, size bigint,
    OUT total bigint, OUT keys text[])
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET enable_seqscan = on SET enable_hashjoin = on
  SET enable_bitmapscan = on AS $$
#variable_conflict use_variable
BEGIN
  WITH hits AS MATERIALIZED (
    SELECT listed.key FROM rows_of(asked_list, list_parent(asked_list, asked_owner)) listed
      WHERE listed.owner = asked_owner AND has_keyword(listed.id, listed.name, keyword)
        AND (numbers IS NULL OR left(listed.key, length(numbers[1])) = ANY (numbers))
  )
  SELECT (SELECT count(*) FROM hits), ARRAY(SELECT hits.key FROM hits ORDER BY hits.key COLLATE "C" LIMIT size OFFSET skip)
    INTO total, keys;
END $$;
COMMENT ON FUNCTION im_admin.looked_at_page IS 'The same page as found_page, from all rows of the list.';

------------------------------------------------------------------------------------------------------------------------
-- The functions that im-admin calls
--
-- `items` is a JSON array as JavaScript writes it. The total is NULL if the group or user does not exist. If row-level
-- security hides rows, the functions fail, since totals and places count all rows. Their settings make the planner use
-- indexes, whatever statistics it has.
------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION im_admin.group_members_page(
    asked_group text, levels integer[], keyword text, skip bigint, size bigint,
    OUT total bigint, OUT items text, OUT pending bigint)
  LANGUAGE plpgsql STABLE SET search_path = im_admin, pg_temp SET row_security = off
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET join_collapse_limit = 1 SET jit = off AS $$
#variable_conflict use_variable
DECLARE
  numbers text[] := CASE WHEN levels IS NOT NULL THEN ARRAY(
    SELECT DISTINCT (2000 - level)::text COLLATE "C" FROM unnest(levels) level WHERE level BETWEEN 0 AND 999 ORDER BY 1) END;
  keys text[];
BEGIN
  PERFORM require_mapped();
  IF NOT EXISTS (SELECT FROM group_at(asked_group)) THEN RETURN; END IF;
  IF keyword <> '' THEN
    SELECT * INTO total, keys, pending FROM found_page(1, asked_group, numbers, keyword, skip, size);
  ELSE
    SELECT * INTO total, keys, pending FROM list_page(1, asked_group, numbers, skip, size);
  END IF;
  items := (
    SELECT '[' || coalesce(string_agg((
        SELECT row_to_json(item.*) FROM (
          SELECT member.group_id AS "groupID", member.user_id AS "userID", member.role_level AS "roleLevel",
            member.join_time AS "joinTime",
            CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END AS "nickname",
            CASE member.face_url WHEN '' THEN coalesce(profile.face_url, '') ELSE member.face_url END AS "faceURL",
            coalesce(profile.app_manger_level, 0) AS "appMangerLevel", member.join_source AS "joinSource",
            member.operator_user_id AS "operatorUserID", member.ex AS "ex", member.mute_end_time AS "muteEndTime",
            member.inviter_user_id AS "inviterUserID"
        ) item)::text, ',' ORDER BY found.place), '') || ']'
      FROM unnest(keys) WITH ORDINALITY found (key, place)
        CROSS JOIN LATERAL (
          SELECT * FROM member_at(asked_group, key_id(1, found.key)) OFFSET 0
        ) member
        LEFT JOIN LATERAL (SELECT * FROM user_at(member.user_id) OFFSET 0) profile ON true);
END $$;
COMMENT ON FUNCTION im_admin.group_members_page IS 'A page of the members of a group: all, those of some levels, or those with a keyword.';

CREATE FUNCTION im_admin.joined_groups_page(
    asked_user text, skip bigint, size bigint, OUT total bigint, OUT items text, OUT pending bigint)
  LANGUAGE plpgsql STABLE SET search_path = im_admin, pg_temp SET row_security = off
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET join_collapse_limit = 1 SET jit = off AS $$
#variable_conflict use_variable
DECLARE
  keys text[];
BEGIN
  PERFORM require_mapped();
  IF NOT EXISTS (SELECT FROM user_at(asked_user)) THEN RETURN; END IF;
  SELECT * INTO total, keys, pending FROM list_page(2, asked_user, NULL, skip, size);
  items := (
    SELECT '[' || coalesce(string_agg(group_info(key_id(2, found.key))::text, ',' ORDER BY found.place), '') || ']'
      FROM unnest(keys) WITH ORDINALITY found (key, place));
END $$;
COMMENT ON FUNCTION im_admin.joined_groups_page IS 'A page of the groups that a user has joined.';

CREATE FUNCTION im_admin.blacks_page(
    asked_user text, skip bigint, size bigint, OUT total bigint, OUT items text, OUT pending bigint)
  LANGUAGE plpgsql STABLE SET search_path = im_admin, pg_temp SET row_security = off
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET join_collapse_limit = 1 SET jit = off AS $$
#variable_conflict use_variable
DECLARE
  keys text[];
BEGIN
  PERFORM require_mapped();
  IF NOT EXISTS (SELECT FROM user_at(asked_user)) THEN RETURN; END IF;
  SELECT * INTO total, keys, pending FROM list_page(3, asked_user, NULL, skip, size);
  items := (
    SELECT '[' || coalesce(string_agg((
        SELECT row_to_json(item.*) FROM (
          SELECT black.owner_user_id AS "ownerUserID", black.create_time AS "createTime",
            user_info(black.black_user_id) AS "blackUserInfo", black.add_source AS "addSource",
            black.operator_user_id AS "operatorUserID", black.ex AS "ex"
        ) item)::text, ',' ORDER BY found.place), '') || ']'
      FROM unnest(keys) WITH ORDINALITY found (key, place)
        CROSS JOIN LATERAL (
          SELECT * FROM black_at(asked_user, key_id(3, found.key)) OFFSET 0
        ) black);
END $$;
COMMENT ON FUNCTION im_admin.blacks_page IS 'A page of the blacklist of a user.';

CREATE FUNCTION im_admin.received_group_requests_page(
    asked_user text, asked_groups text[], results integer[], skip bigint, size bigint,
    OUT total bigint, OUT items text, OUT pending bigint)
  LANGUAGE plpgsql STABLE SET search_path = im_admin, pg_temp SET row_security = off
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET join_collapse_limit = 1 SET jit = off AS $$
#variable_conflict use_variable
DECLARE
  keys text[];
BEGIN
  PERFORM require_mapped();
  IF NOT EXISTS (SELECT FROM user_at(asked_user)) THEN RETURN; END IF;
  SELECT * INTO total, keys, pending FROM merged_page(4, ARRAY(
      SELECT requests_of(managed.group_id, narrowed.result)
        FROM memberships_of(asked_user) managed CROSS JOIN (SELECT DISTINCT result FROM unnest(coalesce(results, ARRAY[NULL::integer])) result) narrowed
        WHERE managed.role_level IN (60, 100)
          AND (asked_groups IS NULL OR managed.group_id = ANY (asked_groups))
    ), skip, size);
  items := (
    SELECT '[' || coalesce(string_agg((
        SELECT row_to_json(item.*) FROM (
          SELECT user_info(request.user_id) AS "userInfo", group_info(request.group_id) AS "groupInfo",
            request.handle_result AS "handleResult", request.req_msg AS "reqMsg", request.handle_msg AS "handleMsg",
            request.req_time AS "reqTime", request.handle_user_id AS "handleUserID", request.handle_time AS "handleTime",
            request.ex AS "ex", request.join_source AS "joinSource", request.inviter_user_id AS "inviterUserID"
        ) item)::text, ',' ORDER BY found.place), '') || ']'
      FROM unnest(keys) WITH ORDINALITY found (key, place)
        CROSS JOIN LATERAL (
          SELECT * FROM request_at(substr(split_part(found.key, chr(1), 1), 18), key_id(4, found.key)) OFFSET 0
        ) request);
END $$;
COMMENT ON FUNCTION im_admin.received_group_requests_page IS 'A page of the join requests for the groups that a user manages.';

CREATE FUNCTION im_admin.notification_accounts_page(
    level integer, keyword text, skip bigint, size bigint, OUT total bigint, OUT items text, OUT pending bigint)
  LANGUAGE plpgsql STABLE SET search_path = im_admin, pg_temp SET row_security = off
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET join_collapse_limit = 1 SET jit = off AS $$
#variable_conflict use_variable
DECLARE
  list integer := CASE WHEN level IS NULL THEN 5 ELSE 6 END;
  numbers text[] := CASE WHEN level IS NOT NULL THEN ARRAY[level_key(level, '')] END;
  keys text[];
BEGIN
  PERFORM require_mapped();
  IF keyword <> '' THEN
    SELECT * INTO total, keys, pending FROM found_page(list, '', numbers, keyword, skip, size);
  ELSE
    SELECT * INTO total, keys, pending FROM list_page(list, '', numbers, skip, size);
  END IF;
  items := (
    SELECT '[' || coalesce(string_agg((
        SELECT row_to_json(item.*) FROM (
          SELECT account.user_id AS "userID", account.face_url AS "faceURL", account.nickname AS "nickName"
        ) item)::text, ',' ORDER BY found.place), '') || ']'
      FROM unnest(keys) WITH ORDINALITY found (key, place)
        CROSS JOIN LATERAL (SELECT * FROM user_at(key_id(list, found.key)) OFFSET 0) account);
END $$;
COMMENT ON FUNCTION im_admin.notification_accounts_page IS 'A page of the notification accounts: all, those of a level, or those with a keyword.';

CREATE FUNCTION im_admin.user_info(asked_user text) RETURNS json LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
BEGIN
  RETURN (
    SELECT row_to_json(item.*) FROM (
      SELECT asked_user AS "userID", coalesce(profile.nickname, '') AS "nickname", coalesce(profile.face_url, '') AS "faceURL",
          coalesce(profile.ex, '') AS "ex"
        FROM (SELECT) one LEFT JOIN LATERAL (SELECT * FROM user_at(asked_user) OFFSET 0) profile ON true
    ) item);
END $$;
COMMENT ON FUNCTION im_admin.user_info IS 'The nested profile of a user, who may no longer exist.';

CREATE FUNCTION im_admin.group_info(asked_group text) RETURNS json LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  member_count bigint;
  owner_key text;
  keys text[];
BEGIN
  IF (kept_list(1, asked_group)).total IS NOT NULL THEN
    SELECT page.total, page.keys INTO member_count, keys FROM list_page(1, asked_group, NULL, 0, 1) page;
    -- A member with a greater roleLevel comes before the owners.
    IF keys[1] COLLATE "C" < '1900' THEN
      keys := (list_page(1, asked_group, '{1900}', 0, 1)).keys;
    END IF;
    owner_key := keys[1];
  ELSE
    SELECT count(*), min(listed.key COLLATE "C") FILTER (WHERE listed.key COLLATE "C" >= '1900') INTO member_count, owner_key
      FROM rows_of(1, asked_group) listed;
  END IF;
  RETURN (
    SELECT row_to_json(item.*) FROM (
      SELECT asked_group AS "groupID", coalesce(own.group_name, '') AS "groupName",
          coalesce(own.notification, '') AS "notification", coalesce(own.introduction, '') AS "introduction",
          coalesce(own.face_url, '') AS "faceURL",
          CASE WHEN left(owner_key, 4) = '1900' THEN key_id(1, owner_key) ELSE '' END AS "ownerUserID",
          coalesce(own.create_time, 0) AS "createTime", member_count AS "memberCount", coalesce(own.ex, '') AS "ex",
          coalesce(own.status, 0) AS "status", coalesce(own.creator_user_id, '') AS "creatorUserID",
          coalesce(own.group_type, 0) AS "groupType", coalesce(own.need_verification, 0) AS "needVerification",
          coalesce(own.look_member_info, 0) AS "lookMemberInfo", coalesce(own.apply_member_friend, 0) AS "applyMemberFriend",
          coalesce(own.notification_update_time, 0) AS "notificationUpdateTime",
          coalesce(own.notification_user_id, '') AS "notificationUserID"
        FROM (SELECT) one LEFT JOIN LATERAL (SELECT * FROM group_at(asked_group) OFFSET 0) own ON true
    ) item);
END $$;
COMMENT ON FUNCTION im_admin.group_info IS 'A group, which may no longer exist, with the number of its members and its first owner (roleLevel 100).';

CREATE FUNCTION im_admin.set_conversations(
    asked_owners text[], asked_conversation text, asked_type integer, asked_user text, asked_group text,
    asked_recv_msg_opt integer, asked_attached_info text, asked_is_pinned boolean, asked_is_private_chat boolean,
    asked_ex text, asked_burn_duration integer, OUT outcome text, OUT user_ids text)
  LANGUAGE plpgsql SET search_path = im_admin, pg_temp SET row_security = off SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET join_collapse_limit = 1 SET jit = off AS $$
#variable_conflict use_variable
DECLARE
  concerned text[] := CASE asked_type WHEN 1 THEN asked_owners || asked_user ELSE asked_owners END;
  wrong text[];
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

  IF num_nonnulls(
      asked_recv_msg_opt, asked_attached_info, asked_is_pinned, asked_is_private_chat, asked_ex, asked_burn_duration) > 0
  THEN
    changed := write_conversations(
      asked_owners, asked_conversation, asked_type, asked_user, asked_group, asked_recv_msg_opt, asked_attached_info,
      asked_is_pinned, asked_is_private_chat, asked_ex, asked_burn_duration);
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
END $$;
COMMENT ON FUNCTION im_admin.set_conversations IS 'Sets a conversation for many users, or for none, and then returns the reason. It writes first, which locks the rows, and checks afterwards: no other call can change them meanwhile.';

CREATE FUNCTION im_admin.write_conversations(
    asked_owners text[], asked_conversation text, asked_type integer, asked_user text, asked_group text,
    asked_recv_msg_opt integer, asked_attached_info text, asked_is_pinned boolean, asked_is_private_chat boolean,
    asked_ex text, asked_burn_duration integer)
  RETURNS text[] LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  changed text[];
BEGIN
  WITH written AS (
    INSERT INTO conversations AS stored (owner_user_id, conversation_id, conversation_type, user_id, group_id,
        recv_msg_opt, attached_info, is_pinned, is_private_chat, ex, burn_duration)
      SELECT id, asked_conversation, asked_type, asked_user, asked_group, coalesce(asked_recv_msg_opt, 0),
          coalesce(asked_attached_info, ''), coalesce(asked_is_pinned, false), coalesce(asked_is_private_chat, false),
          coalesce(asked_ex, ''), coalesce(asked_burn_duration, 0)
        FROM unnest(asked_owners) AS owners (id) ORDER BY id COLLATE "C"
      ON CONFLICT (owner_user_id, conversation_id) DO UPDATE
        SET (recv_msg_opt, attached_info, is_pinned, is_private_chat, ex, burn_duration) = ROW (
          coalesce(asked_recv_msg_opt, stored.recv_msg_opt), coalesce(asked_attached_info, stored.attached_info),
          coalesce(asked_is_pinned, stored.is_pinned), coalesce(asked_is_private_chat, stored.is_private_chat),
          coalesce(asked_ex, stored.ex), coalesce(asked_burn_duration, stored.burn_duration))
        WHERE (stored.conversation_type, stored.user_id, stored.group_id) = (asked_type, asked_user, asked_group)
          AND (
            stored.recv_msg_opt, stored.attached_info, stored.is_pinned, stored.is_private_chat, stored.ex, stored.burn_duration
          ) IS DISTINCT FROM (
            coalesce(asked_recv_msg_opt, stored.recv_msg_opt), coalesce(asked_attached_info, stored.attached_info),
            coalesce(asked_is_pinned, stored.is_pinned), coalesce(asked_is_private_chat, stored.is_private_chat),
            coalesce(asked_ex, stored.ex), coalesce(asked_burn_duration, stored.burn_duration))
      RETURNING owner_user_id
  )
  SELECT array_agg(owner_user_id) INTO changed FROM written;
  RETURN changed;
END $$;
COMMENT ON FUNCTION im_admin.write_conversations IS 'Writes the conversations, and returns the owners of changed rows. It does not change a row that contradicts. It locks rows in the order of their keys, so that two calls cannot deadlock.';

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
  short_lists smallint[] := '{}';
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
  PERFORM require_mapped();
  place := settle_position_here();
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
    ELSIF due.owner = chr(1) THEN
      settled := settled + settle_emptied(due.list);
    ELSIF due.list = 0 THEN
      -- Settle all profiles first: then a list is built only once if most of its words have changed.
      settled := settle_profiles(most);
      IF settled >= most THEN
        PERFORM setval('settle_attempts', 1, false);
        RETURN settled;
      END IF;
    ELSIF due.is_kept THEN
      settled := settled + settle_list(due.list, due.owner, most);
    ELSE
      short_lists := short_lists || due.list;
      short_owners := short_owners || due.owner;
    END IF;
    -- The lists take turns: the rest of a long list waits until all others have had theirs.
    place.list := due.list;
    place.owner := due.owner;
  END LOOP;
  IF short_lists <> '{}' THEN settled := settled + settle_short(short_lists, short_owners); END IF;
  PERFORM setval('settle_attempts', 1, false);
  IF settled = 0 THEN
    IF place.list = -1 THEN RETURN 0; END IF;
    place.list := -1;
    place.owner := '';
  END IF;
  UPDATE settle_position SET list = place.list, owner = place.owner;
  RETURN greatest(settled, 1);
END $$;
COMMENT ON FUNCTION im_admin.settle IS 'Settles some thousand changes, and returns how many. 0: none are left. NULL: another session settles, or has locked a table.';

CREATE FUNCTION im_admin.settle_position_here(OUT place im_admin.settle_position) LANGUAGE plpgsql AS $$
DECLARE
  here text := (SELECT system_identifier FROM pg_control_system());
BEGIN
  SELECT * INTO place FROM settle_position LIMIT 1;
  IF place.server IS DISTINCT FROM here THEN
    UPDATE lists SET settled_before = '0', unfinished = '{}', settled_in = 'list_changes'::regclass;
    UPDATE settle_position SET server = here;
  END IF;
END $$;
COMMENT ON FUNCTION im_admin.settle_position_here IS 'Where settle() continues. On another server, for example after a dump was restored, it makes lists forget their transaction numbers.';

CREATE FUNCTION im_admin.settle_emptied(emptied integer) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM list_changes WHERE list = emptied AND owner = chr(1);
  DELETE FROM list_doubts WHERE list = emptied AND owner = chr(1) AND problem IS NULL;
  PERFORM forget_lists(emptied);
  RETURN 1;
END $$;
COMMENT ON FUNCTION im_admin.settle_emptied IS 'Settles the lists of an emptied table. Those that are long again get a new tree.';

CREATE FUNCTION im_admin.settle_short(short_lists smallint[], short_owners text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  long record;
  settled bigint;
BEGIN
  FOR long IN
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
    )
    SELECT grown.list, grown.owner, (SELECT count(*) FROM gone) AS number FROM grown
      WHERE has_tree_always(grown.list) OR (
        SELECT count(*) FROM (
          SELECT FROM rows_of(grown.list, list_parent(grown.list, grown.owner)) listed
            WHERE listed.owner = grown.owner LIMIT node_size() + 1
        ) first_rows) > node_size()
    UNION ALL SELECT NULL, NULL, count(*) FROM gone
  LOOP
    settled := long.number;
    IF long.list IS NOT NULL THEN PERFORM build_list(long.list, long.owner); END IF;
  END LOOP;
  RETURN settled;
END $$;
COMMENT ON FUNCTION im_admin.settle_short IS 'Settles lists without a tree: deletes their changes, which nobody reads, and builds trees for lists that have grown long.';

CREATE FUNCTION im_admin.settle_profiles(most integer) RETURNS bigint LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  settled bigint;
  user_ids text[];
BEGIN
  IF NOT EXISTS (SELECT FROM lists kept WHERE is_searched(kept.list)) THEN
    DELETE FROM list_changes doubt WHERE doubt.list = 0;
    GET DIAGNOSTICS settled = ROW_COUNT;
    RETURN settled;
  END IF;
  WITH gone AS (
    DELETE FROM list_changes WHERE ctid = ANY (ARRAY(
        SELECT doubt.ctid FROM list_changes doubt WHERE doubt.list = 0 AND doubt.owner = '' LIMIT most))
      RETURNING key
  ), renamed AS (
    SELECT DISTINCT gone.key AS user_id FROM gone
  ), doubtful AS (
    INSERT INTO list_changes (list, owner, key, change)
      SELECT 1, member.group_id, member_key(member.role_level, member.join_time, member.user_id), 0
        FROM renamed CROSS JOIN LATERAL (SELECT * FROM memberships_of(renamed.user_id) OFFSET 0) member
        WHERE (SELECT true FROM lists kept WHERE kept.list = 1 AND kept.owner = member.group_id)
      UNION ALL
      SELECT account.list, '', account.key, 0
        FROM renamed CROSS JOIN LATERAL (SELECT * FROM user_at(renamed.user_id) OFFSET 0) profile
          CROSS JOIN LATERAL (VALUES
            (5, profile.user_id), (6, level_key(profile.app_manger_level, profile.user_id))
          ) account (list, key)
        WHERE profile.app_manger_level >= 3
  )
  SELECT count(*) INTO settled FROM gone;
  RETURN settled;
END $$;
COMMENT ON FUNCTION im_admin.settle_profiles IS 'Settles changed nicknames: appends a change for each member and account whose words may have changed.';

CREATE FUNCTION im_admin.settle_list(asked_list integer, asked_owner text, most integer) RETURNS bigint
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
  -- The list is doubtful.
  IF kept.total IS NULL THEN RETURN build_list(asked_list, asked_owner); END IF;
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
          WHERE stop IS NULL OR appended.key < stop))
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
    DELETE FROM list_nodes WHERE list = asked_list AND owner = asked_owner;
    DELETE FROM lists WHERE list = asked_list AND owner = asked_owner;
  ELSIF -1 = ANY (changes) AND (
      SELECT count(*) FROM list_nodes leaf WHERE leaf.list = asked_list AND leaf.owner = asked_owner AND leaf.level = 1
    ) > 8 + 4 * kept.total / leaf_size()
  THEN
    -- Leaves are never merged, so many of them are almost empty by now.
    RETURN number + build_list(asked_list, asked_owner);
  END IF;
  RETURN number;
END $$;
COMMENT ON FUNCTION im_admin.settle_list IS 'Settles a list that has a tree.';

CREATE FUNCTION im_admin.mark_settled(asked_list integer, asked_owner text, seen pg_snapshot) RETURNS void
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

CREATE FUNCTION im_admin.piece(place bigint, number bigint, size integer) RETURNS bigint LANGUAGE sql IMMUTABLE RETURN
  CASE WHEN number <= size THEN 0 ELSE (place - 1) * ceil(number / (size * 0.75))::bigint / number END;
COMMENT ON FUNCTION im_admin.piece IS 'The piece that a child is in after a full node is split. Each piece is filled to three quarters, so that it has room for more.';

CREATE FUNCTION im_admin.write_leaves(
    asked_list integer, asked_owner text, keys text[], changes bigint[], OUT starts text[], OUT totals bigint[])
  LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  asked_parent text := list_parent(asked_list, asked_owner);
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
  -- With more keys than this, changing one after the other takes longer.
  IF cardinality(keys) > leaf_size() THEN
    SELECT array_agg(merged.key ORDER BY merged.key), array_agg(merged.words ORDER BY merged.key) FILTER (WHERE words IS NOT NULL)
      INTO merged_leaf.entries, merged_leaf.words FROM (
        SELECT found.key COLLATE "C" AS key, coalesce(max(found.words) FILTER (WHERE found.is_new), max(found.words), '') AS words FROM (
            SELECT entry.key, entry.words, 1 AS change, false AS is_new FROM unnest(entries, words) entry (key, words)
            UNION ALL SELECT new.key, new.words, new.change, true FROM unnest(keys, new_words, changes) new (key, words, change)
          ) found GROUP BY found.key COLLATE "C" HAVING sum(found.change) > 0
      ) merged;
    entries := coalesce(entries, '{}');
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
      IF words IS NOT NULL THEN words := words[: place] || coalesce(new_words[number], '') || words[place + 1 :]; END IF;
    END IF;
  END LOOP;
END $$;
COMMENT ON FUNCTION im_admin.merged_leaf IS 'A leaf with some changes applied. For few changes, a loop is faster than SQL over rows.';

CREATE FUNCTION im_admin.is_searched(list integer) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN list IN (1, 5, 6);
COMMENT ON FUNCTION im_admin.is_searched IS 'Whether a list can be searched for keywords.';

CREATE FUNCTION im_admin.has_tree_always(list integer) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN list IN (5, 6);
COMMENT ON FUNCTION im_admin.has_tree_always IS 'Whether a list has a tree even if it is short: your own table of users may have no index that finds accounts.';

CREATE FUNCTION im_admin.write_nodes(asked_list integer, asked_owner text, height integer, starts text[], totals bigint[])
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

CREATE FUNCTION im_admin.build_list(asked_list integer, asked_owner text) RETURNS bigint
  LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan SET enable_seqscan = on SET enable_bitmapscan = on
  SET enable_hashjoin = on SET enable_mergejoin = on SET work_mem = '64MB' AS $$
#variable_conflict use_variable
DECLARE
  settled bigint;
  seen pg_snapshot;
  starts text[];
  totals bigint[];
BEGIN
  DELETE FROM list_nodes WHERE list = asked_list AND owner = asked_owner;
  DELETE FROM lists WHERE list = asked_list AND owner = asked_owner;
  -- One statement reads rows and deletes changes, in one snapshot.
  WITH gone AS (
    DELETE FROM list_changes WHERE list = asked_list AND owner = asked_owner RETURNING 1
  ), sure AS (
    DELETE FROM list_doubts WHERE list = asked_list AND owner = asked_owner
  ), placed AS (
    SELECT listed.key COLLATE "C" AS key, CASE WHEN is_searched(asked_list) THEN searched_words(listed.id, listed.name) END AS words,
        (row_number() OVER (ORDER BY listed.key COLLATE "C") - 1) / ceil(leaf_size() * 0.75)::integer AS piece
      FROM rows_of(asked_list, list_parent(asked_list, asked_owner)) listed WHERE listed.owner = asked_owner
  ), written AS (
    INSERT INTO list_nodes AS node (list, owner, level, start, entries, words)
      SELECT asked_list, asked_owner, 1, CASE piece WHEN 0 THEN '' ELSE min(key) END, array_agg(key ORDER BY key),
          string_agg(words, chr(10) ORDER BY key)
        FROM placed GROUP BY piece
      -- A tree has at least one leaf, which may be empty.
      UNION ALL SELECT asked_list, asked_owner, 1, '', '{}', ''
        WHERE has_tree_always(asked_list) AND NOT EXISTS (SELECT FROM placed)
      RETURNING node.start, cardinality(node.entries) AS total
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
