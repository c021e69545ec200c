-- Schema version 1 of im-admin in SQLite, for `wrangler d1 migrations apply` too. `npm run migration` makes it.

-- The version of the schema, in the only row.
CREATE TABLE im_admin_schema_version (version INTEGER NOT NULL);

-- The users. Any program may write the tables of records, which are this one and the next five.
CREATE TABLE im_admin_users (
  user_id TEXT NOT NULL CHECK (user_id <> '' AND typeof(user_id) = 'text' AND instr(user_id, char(0)) = 0),
  nickname TEXT NOT NULL DEFAULT '' CHECK (typeof(nickname) = 'text' AND instr(nickname, char(0)) = 0),
  face_url TEXT NOT NULL DEFAULT '' CHECK (typeof(face_url) = 'text' AND instr(face_url, char(0)) = 0),
  ex TEXT NOT NULL DEFAULT '' CHECK (typeof(ex) = 'text' AND instr(ex, char(0)) = 0),
  app_manger_level INTEGER NOT NULL DEFAULT 0 CHECK (typeof(app_manger_level) = 'integer' AND app_manger_level BETWEEN -2147483648 AND 2147483647),
  PRIMARY KEY (user_id)
) WITHOUT ROWID;

-- The groups.
CREATE TABLE im_admin_groups (
  group_id TEXT NOT NULL CHECK (group_id <> '' AND typeof(group_id) = 'text' AND instr(group_id, char(0)) = 0),
  group_name TEXT NOT NULL DEFAULT '' CHECK (typeof(group_name) = 'text' AND instr(group_name, char(0)) = 0),
  notification TEXT NOT NULL DEFAULT '' CHECK (typeof(notification) = 'text' AND instr(notification, char(0)) = 0),
  introduction TEXT NOT NULL DEFAULT '' CHECK (typeof(introduction) = 'text' AND instr(introduction, char(0)) = 0),
  face_url TEXT NOT NULL DEFAULT '' CHECK (typeof(face_url) = 'text' AND instr(face_url, char(0)) = 0),
  create_time INTEGER NOT NULL DEFAULT 0 CHECK (typeof(create_time) = 'integer' AND create_time BETWEEN 0 AND 9999999999999999),
  ex TEXT NOT NULL DEFAULT '' CHECK (typeof(ex) = 'text' AND instr(ex, char(0)) = 0),
  status INTEGER NOT NULL DEFAULT 0 CHECK (typeof(status) = 'integer'),
  creator_user_id TEXT NOT NULL DEFAULT '' CHECK (typeof(creator_user_id) = 'text' AND instr(creator_user_id, char(0)) = 0),
  group_type INTEGER NOT NULL DEFAULT 0 CHECK (typeof(group_type) = 'integer'),
  need_verification INTEGER NOT NULL DEFAULT 0 CHECK (typeof(need_verification) = 'integer'),
  look_member_info INTEGER NOT NULL DEFAULT 0 CHECK (typeof(look_member_info) = 'integer'),
  apply_member_friend INTEGER NOT NULL DEFAULT 0 CHECK (typeof(apply_member_friend) = 'integer'),
  notification_update_time INTEGER NOT NULL DEFAULT 0 CHECK (typeof(notification_update_time) = 'integer' AND notification_update_time BETWEEN 0 AND 9999999999999999),
  notification_user_id TEXT NOT NULL DEFAULT '' CHECK (typeof(notification_user_id) = 'text' AND instr(notification_user_id, char(0)) = 0),
  PRIMARY KEY (group_id)
);

-- Who is in which group.
CREATE TABLE im_admin_group_members (
  group_id TEXT NOT NULL CHECK (group_id <> '' AND typeof(group_id) = 'text' AND instr(group_id, char(0)) = 0),
  user_id TEXT NOT NULL CHECK (user_id <> '' AND typeof(user_id) = 'text' AND instr(user_id, char(0)) = 0),
  role_level INTEGER NOT NULL DEFAULT 0 CHECK (typeof(role_level) = 'integer' AND role_level BETWEEN 0 AND 999),
  join_time INTEGER NOT NULL DEFAULT 0 CHECK (typeof(join_time) = 'integer' AND join_time BETWEEN 0 AND 9999999999999999),
  nickname TEXT NOT NULL DEFAULT '' CHECK (typeof(nickname) = 'text' AND instr(nickname, char(0)) = 0),
  face_url TEXT NOT NULL DEFAULT '' CHECK (typeof(face_url) = 'text' AND instr(face_url, char(0)) = 0),
  join_source INTEGER NOT NULL DEFAULT 0 CHECK (typeof(join_source) = 'integer'),
  operator_user_id TEXT NOT NULL DEFAULT '' CHECK (typeof(operator_user_id) = 'text' AND instr(operator_user_id, char(0)) = 0),
  ex TEXT NOT NULL DEFAULT '' CHECK (typeof(ex) = 'text' AND instr(ex, char(0)) = 0),
  mute_end_time INTEGER NOT NULL DEFAULT 0 CHECK (typeof(mute_end_time) = 'integer' AND mute_end_time BETWEEN 0 AND 9999999999999999),
  inviter_user_id TEXT NOT NULL DEFAULT '' CHECK (typeof(inviter_user_id) = 'text' AND instr(inviter_user_id, char(0)) = 0),
  PRIMARY KEY (group_id, user_id)
) WITHOUT ROWID;

-- Whom a user has blocked.
CREATE TABLE im_admin_blacks (
  owner_user_id TEXT NOT NULL CHECK (owner_user_id <> '' AND typeof(owner_user_id) = 'text' AND instr(owner_user_id, char(0)) = 0),
  black_user_id TEXT NOT NULL CHECK (black_user_id <> '' AND typeof(black_user_id) = 'text' AND instr(black_user_id, char(0)) = 0),
  create_time INTEGER NOT NULL DEFAULT 0 CHECK (typeof(create_time) = 'integer' AND create_time BETWEEN 0 AND 9999999999999999),
  add_source INTEGER NOT NULL DEFAULT 0 CHECK (typeof(add_source) = 'integer'),
  operator_user_id TEXT NOT NULL DEFAULT '' CHECK (typeof(operator_user_id) = 'text' AND instr(operator_user_id, char(0)) = 0),
  ex TEXT NOT NULL DEFAULT '' CHECK (typeof(ex) = 'text' AND instr(ex, char(0)) = 0),
  PRIMARY KEY (owner_user_id, black_user_id)
) WITHOUT ROWID;

-- Who has asked to join a group.
CREATE TABLE im_admin_group_requests (
  group_id TEXT NOT NULL CHECK (group_id <> '' AND typeof(group_id) = 'text' AND instr(group_id, char(0)) = 0),
  user_id TEXT NOT NULL CHECK (user_id <> '' AND typeof(user_id) = 'text' AND instr(user_id, char(0)) = 0),
  handle_result INTEGER NOT NULL DEFAULT 0 CHECK (typeof(handle_result) = 'integer' AND handle_result BETWEEN -2147483648 AND 2147483647),
  req_msg TEXT NOT NULL DEFAULT '' CHECK (typeof(req_msg) = 'text' AND instr(req_msg, char(0)) = 0),
  handle_msg TEXT NOT NULL DEFAULT '' CHECK (typeof(handle_msg) = 'text' AND instr(handle_msg, char(0)) = 0),
  req_time INTEGER NOT NULL DEFAULT 0 CHECK (typeof(req_time) = 'integer' AND req_time BETWEEN 0 AND 9999999999999999),
  handle_user_id TEXT NOT NULL DEFAULT '' CHECK (typeof(handle_user_id) = 'text' AND instr(handle_user_id, char(0)) = 0),
  handle_time INTEGER NOT NULL DEFAULT 0 CHECK (typeof(handle_time) = 'integer' AND handle_time BETWEEN 0 AND 9999999999999999),
  ex TEXT NOT NULL DEFAULT '' CHECK (typeof(ex) = 'text' AND instr(ex, char(0)) = 0),
  join_source INTEGER NOT NULL DEFAULT 0 CHECK (typeof(join_source) = 'integer'),
  inviter_user_id TEXT NOT NULL DEFAULT '' CHECK (typeof(inviter_user_id) = 'text' AND instr(inviter_user_id, char(0)) = 0),
  PRIMARY KEY (group_id, user_id)
) WITHOUT ROWID;

-- What a user has set for a conversation.
CREATE TABLE im_admin_conversations (
  owner_user_id TEXT NOT NULL CHECK (owner_user_id <> '' AND typeof(owner_user_id) = 'text' AND instr(owner_user_id, char(0)) = 0),
  conversation_id TEXT NOT NULL CHECK (conversation_id <> '' AND typeof(conversation_id) = 'text' AND instr(conversation_id, char(0)) = 0),
  conversation_type INTEGER NOT NULL DEFAULT 0 CHECK (typeof(conversation_type) = 'integer'),
  user_id TEXT NOT NULL DEFAULT '' CHECK (typeof(user_id) = 'text' AND instr(user_id, char(0)) = 0),
  group_id TEXT NOT NULL DEFAULT '' CHECK (typeof(group_id) = 'text' AND instr(group_id, char(0)) = 0),
  recv_msg_opt INTEGER NOT NULL DEFAULT 0 CHECK (typeof(recv_msg_opt) = 'integer'),
  attached_info TEXT NOT NULL DEFAULT '' CHECK (typeof(attached_info) = 'text' AND instr(attached_info, char(0)) = 0),
  is_pinned INTEGER NOT NULL DEFAULT 0 CHECK (is_pinned IN (0, 1)),
  is_private_chat INTEGER NOT NULL DEFAULT 0 CHECK (is_private_chat IN (0, 1)),
  ex TEXT NOT NULL DEFAULT '' CHECK (typeof(ex) = 'text' AND instr(ex, char(0)) = 0),
  burn_duration INTEGER NOT NULL DEFAULT 0 CHECK (typeof(burn_duration) = 'integer'),
  min_seq INTEGER NOT NULL DEFAULT 0 CHECK (typeof(min_seq) = 'integer'),
  max_seq INTEGER NOT NULL DEFAULT 0 CHECK (typeof(max_seq) = 'integer'),
  group_at_type INTEGER NOT NULL DEFAULT 0 CHECK (typeof(group_at_type) = 'integer'),
  msg_destruct_time INTEGER NOT NULL DEFAULT 0 CHECK (typeof(msg_destruct_time) = 'integer'),
  is_msg_destruct INTEGER NOT NULL DEFAULT 0 CHECK (is_msg_destruct IN (0, 1)),
  PRIMARY KEY (owner_user_id, conversation_id)
);

-- The map of tables of a host, as JSON, if the host keeps records there.
CREATE TABLE im_admin_table_map (
  id INTEGER PRIMARY KEY,
  map TEXT NOT NULL
);

-- The SELECT that is read in place of a table of records, if there is a map.
CREATE TABLE im_admin_sources (
  record TEXT PRIMARY KEY,
  source TEXT NOT NULL,
  careful TEXT NOT NULL,
  keys TEXT NOT NULL,
  target TEXT
) WITHOUT ROWID;

-- Up to when the records have what another server has.
CREATE TABLE im_admin_last_import (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  time INTEGER,
  token TEXT
);

-- The key of the record that each document of the other server has become.
CREATE TABLE im_admin_followed (
  record TEXT NOT NULL,
  id TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (record, id),
  UNIQUE (record, key, id)
) WITHOUT ROWID;

-- The keys of records that were written since the lists were settled. Triggers note them.
CREATE TABLE im_admin_changed (
  kind TEXT NOT NULL,
  first TEXT NOT NULL,
  second TEXT NOT NULL,
  PRIMARY KEY (kind, first, second)
) WITHOUT ROWID;

-- What could not be read of a host's rows when they were last settled.
CREATE TABLE im_admin_unreadable (
  record TEXT NOT NULL,
  first TEXT NOT NULL,
  second TEXT NOT NULL,
  field TEXT NOT NULL,
  decides INTEGER NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (record, first, second, field)
) WITHOUT ROWID;

-- The users in lists. Only im-admin writes this table and all that follow.
CREATE TABLE im_admin_listed_users (
  user_id TEXT NOT NULL,
  app_manger_level INTEGER NOT NULL,
  nickname TEXT NOT NULL,
  PRIMARY KEY (user_id)
) WITHOUT ROWID;

CREATE INDEX im_admin_notification_accounts_in_order
  ON im_admin_listed_users (('' || user_id));

CREATE INDEX im_admin_notification_accounts_by_level_in_order
  ON im_admin_listed_users (((30000000000 + app_manger_level) || user_id), app_manger_level);

-- The members in lists.
CREATE TABLE im_admin_listed_group_members (
  group_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  role_level INTEGER NOT NULL,
  join_time INTEGER NOT NULL,
  nickname TEXT NOT NULL,
  PRIMARY KEY (group_id, user_id)
) WITHOUT ROWID;

CREATE INDEX im_admin_group_members_in_order
  ON im_admin_listed_group_members (group_id, ((2000 - role_level) || (20000000000000000 + join_time) || user_id), role_level, join_time);

CREATE INDEX im_admin_joined_groups_in_order
  ON im_admin_listed_group_members (user_id, ((20000000000000000 - join_time) || group_id), join_time);

CREATE INDEX im_admin_managed_groups_in_order
  ON im_admin_listed_group_members (user_id, group_id) WHERE role_level IN (60, 100);

-- The entries in blacklists.
CREATE TABLE im_admin_listed_blacks (
  owner_user_id TEXT NOT NULL,
  black_user_id TEXT NOT NULL,
  create_time INTEGER NOT NULL,
  PRIMARY KEY (owner_user_id, black_user_id)
) WITHOUT ROWID;

CREATE INDEX im_admin_blacks_in_order
  ON im_admin_listed_blacks (owner_user_id, ((20000000000000000 - create_time) || black_user_id), create_time);

-- The join requests in lists.
CREATE TABLE im_admin_listed_group_requests (
  group_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  handle_result INTEGER NOT NULL,
  req_time INTEGER NOT NULL,
  PRIMARY KEY (group_id, user_id)
) WITHOUT ROWID;

CREATE INDEX im_admin_group_requests_in_order
  ON im_admin_listed_group_requests (group_id, ((20000000000000000 - req_time) || group_id || x'00' || user_id), req_time);

CREATE INDEX im_admin_group_requests_by_result_in_order
  ON im_admin_listed_group_requests ((group_id || x'00' || handle_result), ((20000000000000000 - req_time) || group_id || x'00' || user_id), req_time, handle_result);

-- The totals of lists. Short lists have none.
CREATE TABLE im_admin_lists (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  owner TEXT NOT NULL,
  total INTEGER NOT NULL,
  height INTEGER NOT NULL DEFAULT 0,
  is_unfit INTEGER NOT NULL DEFAULT 0,
  UNIQUE (name, owner)
);

CREATE INDEX im_admin_lists_unfit
  ON im_admin_lists (id) WHERE is_unfit;

-- How many rows each part of a list has.
CREATE TABLE im_admin_list_nodes (
  list INTEGER NOT NULL,
  level INTEGER NOT NULL,
  start TEXT NOT NULL,
  total INTEGER NOT NULL,
  is_unfit INTEGER NOT NULL DEFAULT 0,
  is_collapsed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (list, level, start)
) WITHOUT ROWID;

CREATE INDEX im_admin_list_nodes_unfit
  ON im_admin_list_nodes (level) WHERE is_unfit;

-- The words of each part of a list that is searched.
CREATE TABLE im_admin_list_words (
  list INTEGER NOT NULL,
  start TEXT NOT NULL,
  is_stale INTEGER NOT NULL DEFAULT 0,
  words TEXT NOT NULL,
  UNIQUE (list, start)
);

CREATE INDEX im_admin_list_words_stale
  ON im_admin_list_words (list) WHERE is_stale;

CREATE TRIGGER im_admin_users_inserted AFTER INSERT ON im_admin_users
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('users', coalesce(NEW.user_id, ''), '')
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_users_moved AFTER UPDATE OF user_id ON im_admin_users
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('users', coalesce(OLD.user_id, ''), ''), ('users', coalesce(NEW.user_id, ''), '')
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_users_updated AFTER UPDATE OF app_manger_level, nickname ON im_admin_users
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('users', coalesce(NEW.user_id, ''), '')
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_users_deleted AFTER DELETE ON im_admin_users
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('users', coalesce(OLD.user_id, ''), '')
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_group_members_inserted AFTER INSERT ON im_admin_group_members
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('groupMembers', coalesce(NEW.group_id, ''), coalesce(NEW.user_id, ''))
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_group_members_moved AFTER UPDATE OF group_id, user_id ON im_admin_group_members
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('groupMembers', coalesce(OLD.group_id, ''), coalesce(OLD.user_id, '')), ('groupMembers', coalesce(NEW.group_id, ''), coalesce(NEW.user_id, ''))
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_group_members_updated AFTER UPDATE OF role_level, join_time, nickname ON im_admin_group_members
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('groupMembers', coalesce(NEW.group_id, ''), coalesce(NEW.user_id, ''))
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_group_members_deleted AFTER DELETE ON im_admin_group_members
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('groupMembers', coalesce(OLD.group_id, ''), coalesce(OLD.user_id, ''))
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_blacks_inserted AFTER INSERT ON im_admin_blacks
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('blacks', coalesce(NEW.owner_user_id, ''), coalesce(NEW.black_user_id, ''))
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_blacks_moved AFTER UPDATE OF owner_user_id, black_user_id ON im_admin_blacks
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('blacks', coalesce(OLD.owner_user_id, ''), coalesce(OLD.black_user_id, '')), ('blacks', coalesce(NEW.owner_user_id, ''), coalesce(NEW.black_user_id, ''))
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_blacks_updated AFTER UPDATE OF create_time ON im_admin_blacks
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('blacks', coalesce(NEW.owner_user_id, ''), coalesce(NEW.black_user_id, ''))
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_blacks_deleted AFTER DELETE ON im_admin_blacks
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('blacks', coalesce(OLD.owner_user_id, ''), coalesce(OLD.black_user_id, ''))
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_group_requests_inserted AFTER INSERT ON im_admin_group_requests
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('groupRequests', coalesce(NEW.group_id, ''), coalesce(NEW.user_id, ''))
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_group_requests_moved AFTER UPDATE OF group_id, user_id ON im_admin_group_requests
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('groupRequests', coalesce(OLD.group_id, ''), coalesce(OLD.user_id, '')), ('groupRequests', coalesce(NEW.group_id, ''), coalesce(NEW.user_id, ''))
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_group_requests_updated AFTER UPDATE OF handle_result, req_time ON im_admin_group_requests
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('groupRequests', coalesce(NEW.group_id, ''), coalesce(NEW.user_id, ''))
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_group_requests_deleted AFTER DELETE ON im_admin_group_requests
BEGIN
  INSERT INTO im_admin_changed (kind, first, second)
    VALUES ('groupRequests', coalesce(OLD.group_id, ''), coalesce(OLD.user_id, ''))
    ON CONFLICT DO NOTHING;
END;

INSERT INTO im_admin_schema_version (version) VALUES (1);
