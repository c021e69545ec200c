CREATE TABLE im_admin_schema_version (version INTEGER NOT NULL) STRICT;

CREATE TABLE im_admin_users (
  user_id TEXT NOT NULL CHECK (user_id <> '' AND instr(user_id, char(0)) = 0),
  nickname TEXT NOT NULL DEFAULT '' CHECK (instr(nickname, char(0)) = 0),
  face_url TEXT NOT NULL DEFAULT '' CHECK (instr(face_url, char(0)) = 0),
  ex TEXT NOT NULL DEFAULT '' CHECK (instr(ex, char(0)) = 0),
  app_manger_level INTEGER NOT NULL DEFAULT 0 CHECK (app_manger_level BETWEEN -2147483648 AND 2147483647),
  PRIMARY KEY (user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE im_admin_groups (
  group_id TEXT NOT NULL CHECK (group_id <> '' AND instr(group_id, char(0)) = 0),
  group_name TEXT NOT NULL DEFAULT '' CHECK (instr(group_name, char(0)) = 0),
  notification TEXT NOT NULL DEFAULT '' CHECK (instr(notification, char(0)) = 0),
  introduction TEXT NOT NULL DEFAULT '' CHECK (instr(introduction, char(0)) = 0),
  face_url TEXT NOT NULL DEFAULT '' CHECK (instr(face_url, char(0)) = 0),
  create_time INTEGER NOT NULL DEFAULT 0 CHECK (create_time BETWEEN 0 AND 9999999999999999),
  ex TEXT NOT NULL DEFAULT '' CHECK (instr(ex, char(0)) = 0),
  status INTEGER NOT NULL DEFAULT 0,
  creator_user_id TEXT NOT NULL DEFAULT '' CHECK (instr(creator_user_id, char(0)) = 0),
  group_type INTEGER NOT NULL DEFAULT 0,
  need_verification INTEGER NOT NULL DEFAULT 0,
  look_member_info INTEGER NOT NULL DEFAULT 0,
  apply_member_friend INTEGER NOT NULL DEFAULT 0,
  notification_update_time INTEGER NOT NULL DEFAULT 0 CHECK (notification_update_time BETWEEN 0 AND 9999999999999999),
  notification_user_id TEXT NOT NULL DEFAULT '' CHECK (instr(notification_user_id, char(0)) = 0),
  PRIMARY KEY (group_id)
) STRICT;

CREATE TABLE im_admin_group_members (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
  group_id TEXT NOT NULL CHECK (group_id <> '' AND instr(group_id, char(0)) = 0),
  user_id TEXT NOT NULL CHECK (user_id <> '' AND instr(user_id, char(0)) = 0),
  role_level INTEGER NOT NULL DEFAULT 0 CHECK (role_level BETWEEN 0 AND 999),
  join_time INTEGER NOT NULL DEFAULT 0 CHECK (join_time BETWEEN 0 AND 9999999999999999),
  nickname TEXT NOT NULL DEFAULT '' CHECK (instr(nickname, char(0)) = 0),
  face_url TEXT NOT NULL DEFAULT '' CHECK (instr(face_url, char(0)) = 0),
  join_source INTEGER NOT NULL DEFAULT 0,
  operator_user_id TEXT NOT NULL DEFAULT '' CHECK (instr(operator_user_id, char(0)) = 0),
  ex TEXT NOT NULL DEFAULT '' CHECK (instr(ex, char(0)) = 0),
  mute_end_time INTEGER NOT NULL DEFAULT 0 CHECK (mute_end_time BETWEEN 0 AND 9999999999999999),
  inviter_user_id TEXT NOT NULL DEFAULT '' CHECK (instr(inviter_user_id, char(0)) = 0),
  UNIQUE (group_id, user_id)
) STRICT;

CREATE TABLE im_admin_blacks (
  owner_user_id TEXT NOT NULL CHECK (owner_user_id <> '' AND instr(owner_user_id, char(0)) = 0),
  black_user_id TEXT NOT NULL CHECK (black_user_id <> '' AND instr(black_user_id, char(0)) = 0),
  create_time INTEGER NOT NULL DEFAULT 0 CHECK (create_time BETWEEN 0 AND 9999999999999999),
  add_source INTEGER NOT NULL DEFAULT 0,
  operator_user_id TEXT NOT NULL DEFAULT '' CHECK (instr(operator_user_id, char(0)) = 0),
  ex TEXT NOT NULL DEFAULT '' CHECK (instr(ex, char(0)) = 0),
  PRIMARY KEY (owner_user_id, black_user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE im_admin_group_requests (
  group_id TEXT NOT NULL CHECK (group_id <> '' AND instr(group_id, char(0)) = 0),
  user_id TEXT NOT NULL CHECK (user_id <> '' AND instr(user_id, char(0)) = 0),
  handle_result INTEGER NOT NULL DEFAULT 0 CHECK (handle_result BETWEEN -2147483648 AND 2147483647),
  req_msg TEXT NOT NULL DEFAULT '' CHECK (instr(req_msg, char(0)) = 0),
  handle_msg TEXT NOT NULL DEFAULT '' CHECK (instr(handle_msg, char(0)) = 0),
  req_time INTEGER NOT NULL DEFAULT 0 CHECK (req_time BETWEEN 0 AND 9999999999999999),
  handle_user_id TEXT NOT NULL DEFAULT '' CHECK (instr(handle_user_id, char(0)) = 0),
  handle_time INTEGER NOT NULL DEFAULT 0 CHECK (handle_time BETWEEN 0 AND 9999999999999999),
  ex TEXT NOT NULL DEFAULT '' CHECK (instr(ex, char(0)) = 0),
  join_source INTEGER NOT NULL DEFAULT 0,
  inviter_user_id TEXT NOT NULL DEFAULT '' CHECK (instr(inviter_user_id, char(0)) = 0),
  PRIMARY KEY (group_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE im_admin_conversations (
  owner_user_id TEXT NOT NULL CHECK (owner_user_id <> '' AND instr(owner_user_id, char(0)) = 0),
  conversation_id TEXT NOT NULL CHECK (conversation_id <> '' AND instr(conversation_id, char(0)) = 0),
  conversation_type INTEGER NOT NULL DEFAULT 0,
  user_id TEXT NOT NULL DEFAULT '' CHECK (instr(user_id, char(0)) = 0),
  group_id TEXT NOT NULL DEFAULT '' CHECK (instr(group_id, char(0)) = 0),
  recv_msg_opt INTEGER NOT NULL DEFAULT 0,
  attached_info TEXT NOT NULL DEFAULT '' CHECK (instr(attached_info, char(0)) = 0),
  is_pinned INTEGER NOT NULL DEFAULT 0 CHECK (is_pinned IN (0, 1)),
  is_private_chat INTEGER NOT NULL DEFAULT 0 CHECK (is_private_chat IN (0, 1)),
  ex TEXT NOT NULL DEFAULT '' CHECK (instr(ex, char(0)) = 0),
  burn_duration INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (owner_user_id, conversation_id)
) STRICT;

CREATE TABLE im_admin_received_group_requests (
  manager_user_id TEXT NOT NULL,
  group_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  req_time INTEGER NOT NULL,
  handle_result INTEGER NOT NULL,
  PRIMARY KEY (group_id, user_id, manager_user_id)
) STRICT, WITHOUT ROWID;

CREATE VIEW im_admin_renew_request AS SELECT CAST(NULL AS TEXT) AS group_id, CAST(NULL AS TEXT) AS user_id WHERE false;

CREATE VIEW im_admin_renew_manager AS SELECT CAST(NULL AS TEXT) AS group_id, CAST(NULL AS TEXT) AS user_id, CAST(NULL AS INTEGER) AS role_level WHERE false;

CREATE INDEX im_admin_group_members_managing ON im_admin_group_members (group_id, user_id) WHERE role_level IN (60, 100);

CREATE TABLE im_admin_lists (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  owner TEXT NOT NULL,
  total INTEGER NOT NULL,
  height INTEGER NOT NULL DEFAULT 0,
  has_documents INTEGER NOT NULL DEFAULT 0,
  changed_key TEXT NOT NULL DEFAULT '',
  UNIQUE (name, owner)
) STRICT;

CREATE TABLE im_admin_list_nodes (
  list INTEGER NOT NULL,
  level INTEGER NOT NULL,
  start TEXT NOT NULL,
  total INTEGER NOT NULL,
  PRIMARY KEY (list, level, start)
) STRICT, WITHOUT ROWID;

CREATE TABLE im_admin_users_before (
  user_id, app_manger_level, is_conflict, written_at, is_replaced INTEGER NOT NULL DEFAULT 0,
  has_happened INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE im_admin_group_members_before (
  id, group_id, user_id, role_level, join_time, is_conflict, written_at, is_replaced INTEGER NOT NULL DEFAULT 0,
  has_happened INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE im_admin_blacks_before (
  owner_user_id, black_user_id, create_time, is_conflict, written_at, is_replaced INTEGER NOT NULL DEFAULT 0,
  has_happened INTEGER NOT NULL DEFAULT 0
);

CREATE VIEW im_admin_group_members_count AS SELECT CAST(NULL AS TEXT) AS owner WHERE false;

CREATE VIEW im_admin_joined_groups_count AS SELECT CAST(NULL AS TEXT) AS owner WHERE false;

CREATE VIEW im_admin_blacks_count AS SELECT CAST(NULL AS TEXT) AS owner WHERE false;

CREATE VIEW im_admin_received_group_requests_count AS SELECT CAST(NULL AS TEXT) AS owner WHERE false;

CREATE VIEW im_admin_received_group_requests_by_result_count AS SELECT CAST(NULL AS TEXT) AS owner WHERE false;

CREATE VIEW im_admin_notification_accounts_count AS SELECT CAST(NULL AS TEXT) AS owner WHERE false;

CREATE VIEW im_admin_notification_accounts_by_level_count AS SELECT CAST(NULL AS TEXT) AS owner WHERE false;

CREATE VIEW im_admin_split_leaf AS SELECT CAST(NULL AS INTEGER) AS list, CAST(NULL AS TEXT) AS start, CAST(NULL AS INTEGER) AS total WHERE false;

CREATE VIEW im_admin_resize_list AS SELECT CAST(NULL AS INTEGER) AS id WHERE false;

CREATE INDEX im_admin_notification_accounts_in_order
  ON im_admin_users (('' || user_id), nickname) WHERE app_manger_level >= 3;

CREATE INDEX im_admin_notification_accounts_by_level_in_order
  ON im_admin_users (((30000000000 + app_manger_level) || user_id)) WHERE app_manger_level >= 3;

CREATE TABLE im_admin_documents (
  list INTEGER NOT NULL,
  key TEXT NOT NULL,
  member INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (list, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE im_admin_document_changes (
  id INTEGER PRIMARY KEY,
  document INTEGER NOT NULL,
  change INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE im_admin_document_trigrams USING fts5 (
  text, content = '', detail = none, columnsize = 0, tokenize = 'trigram'
);

CREATE VIRTUAL TABLE im_admin_document_grams USING fts5 (
  grams, content = '', detail = none, columnsize = 0, tokenize = 'ascii'
);

CREATE VIEW im_admin_renew_document AS SELECT CAST(NULL AS TEXT) AS group_id, CAST(NULL AS TEXT) AS key WHERE false;

CREATE VIEW im_admin_apply_changes AS SELECT CAST(NULL AS INTEGER) AS is_over WHERE false;

CREATE INDEX im_admin_group_members_in_order
  ON im_admin_group_members (group_id, ((2000 - role_level) || (20000000000000000 + join_time) || user_id));

CREATE INDEX im_admin_joined_groups_in_order
  ON im_admin_group_members (user_id, ((20000000000000000 - join_time) || group_id));

CREATE INDEX im_admin_blacks_in_order
  ON im_admin_blacks (owner_user_id, ((20000000000000000 - create_time) || black_user_id));

CREATE INDEX im_admin_received_group_requests_in_order
  ON im_admin_received_group_requests (manager_user_id, ((20000000000000000 - req_time) || group_id || x'00' || user_id));

CREATE INDEX im_admin_received_group_requests_by_result_in_order
  ON im_admin_received_group_requests (manager_user_id, ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id));

CREATE TRIGGER im_admin_documents_insert AFTER INSERT ON im_admin_documents
BEGIN
  INSERT INTO im_admin_document_changes (document, change, text)
    VALUES (NEW.list * 4294967296 + NEW.member, 1, NEW.text);
END;

CREATE TRIGGER im_admin_documents_update AFTER UPDATE OF member, text ON im_admin_documents
BEGIN
  INSERT INTO im_admin_document_changes (document, change, text)
    VALUES (OLD.list * 4294967296 + OLD.member, -1, OLD.text);
  INSERT INTO im_admin_document_changes (document, change, text)
    VALUES (NEW.list * 4294967296 + NEW.member, 1, NEW.text);
END;

CREATE TRIGGER im_admin_documents_delete AFTER DELETE ON im_admin_documents
BEGIN
  INSERT INTO im_admin_document_changes (document, change, text)
    VALUES (OLD.list * 4294967296 + OLD.member, -1, OLD.text);
END;

CREATE TRIGGER im_admin_lists_update AFTER UPDATE OF total ON im_admin_lists
BEGIN
  UPDATE im_admin_list_nodes SET total = total + NEW.total - OLD.total
    WHERE NEW.height >= 1 AND list = NEW.id AND level = 1 AND start = (
      SELECT start FROM im_admin_list_nodes
        WHERE list = NEW.id AND level = 1 AND start <= NEW.changed_key ORDER BY start DESC LIMIT 1);
  UPDATE im_admin_list_nodes SET total = total + NEW.total - OLD.total
    WHERE NEW.height >= 2 AND list = NEW.id AND level = 2 AND start = (
      SELECT start FROM im_admin_list_nodes
        WHERE list = NEW.id AND level = 2 AND start <= NEW.changed_key ORDER BY start DESC LIMIT 1);
  UPDATE im_admin_list_nodes SET total = total + NEW.total - OLD.total
    WHERE NEW.height >= 3 AND list = NEW.id AND level = 3 AND start = (
      SELECT start FROM im_admin_list_nodes
        WHERE list = NEW.id AND level = 3 AND start <= NEW.changed_key ORDER BY start DESC LIMIT 1);
  UPDATE im_admin_list_nodes SET total = total + NEW.total - OLD.total
    WHERE NEW.height >= 4 AND list = NEW.id AND level = 4 AND start = (
      SELECT start FROM im_admin_list_nodes
        WHERE list = NEW.id AND level = 4 AND start <= NEW.changed_key ORDER BY start DESC LIMIT 1);
  INSERT INTO im_admin_resize_list (id) VALUES (NEW.id);
END;

CREATE TRIGGER im_admin_resize_list_insert INSTEAD OF INSERT ON im_admin_resize_list
  WHEN (SELECT total > CASE height WHEN 0 THEN 300 WHEN 1 THEN 3000 WHEN 2 THEN 30000 WHEN 3 THEN 300000 ELSE total END OR total < CASE height WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 32 END FROM im_admin_lists WHERE id = NEW.id)
BEGIN
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT id, height + 1, '', total FROM im_admin_lists WHERE id = NEW.id AND total > CASE height WHEN 0 THEN 300 WHEN 1 THEN 3000 WHEN 2 THEN 30000 WHEN 3 THEN 300000 ELSE total END;
  UPDATE im_admin_list_nodes SET total = total
    WHERE (list, level) IN (SELECT id, height + 1 FROM im_admin_lists WHERE id = NEW.id);
  DELETE FROM im_admin_list_nodes
    WHERE (list, level) IN (SELECT id, height FROM im_admin_lists WHERE id = NEW.id AND total < CASE height WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 32 END);
  DELETE FROM im_admin_lists WHERE id = NEW.id AND height = 0 AND total < CASE height WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 32 END;
  UPDATE im_admin_lists SET height = height + CASE WHEN total > CASE height WHEN 0 THEN 300 WHEN 1 THEN 3000 WHEN 2 THEN 30000 WHEN 3 THEN 300000 ELSE total END THEN 1 ELSE -1 END WHERE id = NEW.id;
END;

CREATE TRIGGER im_admin_group_members_count_insert INSTEAD OF INSERT ON im_admin_group_members_count
  WHEN NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupMembers' AND owner = NEW.owner)
    AND (SELECT true FROM im_admin_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = NEW.owner LIMIT 1 OFFSET 64)
    AND NOT EXISTS (SELECT 1 FROM im_admin_group_members_before before
      LEFT JOIN im_admin_group_members now ON now.group_id = before.group_id AND now.user_id = before.user_id
      WHERE before.written_at = julianday('now') AND (before.has_happened OR now.role_level IS NOT before.role_level OR now.join_time IS NOT before.join_time))
BEGIN
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'groupMembers', NEW.owner, count(*) FROM im_admin_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = NEW.owner;
  UPDATE im_admin_lists SET total = total WHERE name = 'groupMembers' AND owner = NEW.owner;
END;

CREATE TRIGGER im_admin_joined_groups_count_insert INSTEAD OF INSERT ON im_admin_joined_groups_count
  WHEN NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'joinedGroups' AND owner = NEW.owner)
    AND (SELECT true FROM im_admin_group_members INDEXED BY im_admin_joined_groups_in_order WHERE user_id = NEW.owner LIMIT 1 OFFSET 64)
    AND NOT EXISTS (SELECT 1 FROM im_admin_group_members_before before
      LEFT JOIN im_admin_group_members now ON now.group_id = before.group_id AND now.user_id = before.user_id
      WHERE before.written_at = julianday('now') AND (before.has_happened OR now.role_level IS NOT before.role_level OR now.join_time IS NOT before.join_time))
BEGIN
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'joinedGroups', NEW.owner, count(*) FROM im_admin_group_members INDEXED BY im_admin_joined_groups_in_order WHERE user_id = NEW.owner;
  UPDATE im_admin_lists SET total = total WHERE name = 'joinedGroups' AND owner = NEW.owner;
END;

CREATE TRIGGER im_admin_blacks_count_insert INSTEAD OF INSERT ON im_admin_blacks_count
  WHEN NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'blacks' AND owner = NEW.owner)
    AND (SELECT true FROM im_admin_blacks INDEXED BY im_admin_blacks_in_order WHERE owner_user_id = NEW.owner LIMIT 1 OFFSET 64)
    AND NOT EXISTS (SELECT 1 FROM im_admin_blacks_before before
      LEFT JOIN im_admin_blacks now ON now.owner_user_id = before.owner_user_id AND now.black_user_id = before.black_user_id
      WHERE before.written_at = julianday('now') AND (before.has_happened OR now.create_time IS NOT before.create_time))
BEGIN
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'blacks', NEW.owner, count(*) FROM im_admin_blacks INDEXED BY im_admin_blacks_in_order WHERE owner_user_id = NEW.owner;
  UPDATE im_admin_lists SET total = total WHERE name = 'blacks' AND owner = NEW.owner;
END;

CREATE TRIGGER im_admin_received_group_requests_count_insert INSTEAD OF INSERT ON im_admin_received_group_requests_count
  WHEN NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'receivedGroupRequests' AND owner = NEW.owner)
    AND (SELECT true FROM im_admin_received_group_requests INDEXED BY im_admin_received_group_requests_in_order WHERE manager_user_id = NEW.owner LIMIT 1 OFFSET 64)
    AND NOT false
BEGIN
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'receivedGroupRequests', NEW.owner, count(*) FROM im_admin_received_group_requests INDEXED BY im_admin_received_group_requests_in_order WHERE manager_user_id = NEW.owner;
  UPDATE im_admin_lists SET total = total WHERE name = 'receivedGroupRequests' AND owner = NEW.owner;
END;

CREATE TRIGGER im_admin_received_group_requests_by_result_count_insert INSTEAD OF INSERT ON im_admin_received_group_requests_by_result_count
  WHEN NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'receivedGroupRequestsByResult' AND owner = NEW.owner)
    AND (SELECT true FROM im_admin_received_group_requests INDEXED BY im_admin_received_group_requests_by_result_in_order WHERE manager_user_id = NEW.owner LIMIT 1 OFFSET 64)
    AND NOT false
BEGIN
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'receivedGroupRequestsByResult', NEW.owner, count(*) FROM im_admin_received_group_requests INDEXED BY im_admin_received_group_requests_by_result_in_order WHERE manager_user_id = NEW.owner;
  UPDATE im_admin_lists SET total = total WHERE name = 'receivedGroupRequestsByResult' AND owner = NEW.owner;
END;

CREATE TRIGGER im_admin_notification_accounts_count_insert INSTEAD OF INSERT ON im_admin_notification_accounts_count
  WHEN NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'notificationAccounts' AND owner = NEW.owner)
    AND (SELECT true FROM im_admin_users INDEXED BY im_admin_notification_accounts_in_order WHERE app_manger_level >= 3 LIMIT 1 OFFSET 64)
    AND NOT EXISTS (SELECT 1 FROM im_admin_users_before before
      LEFT JOIN im_admin_users now ON now.user_id = before.user_id
      WHERE before.written_at = julianday('now') AND (before.has_happened OR now.app_manger_level IS NOT before.app_manger_level))
BEGIN
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'notificationAccounts', NEW.owner, count(*) FROM im_admin_users INDEXED BY im_admin_notification_accounts_in_order WHERE app_manger_level >= 3;
  UPDATE im_admin_lists SET total = total WHERE name = 'notificationAccounts' AND owner = NEW.owner;
END;

CREATE TRIGGER im_admin_notification_accounts_by_level_count_insert INSTEAD OF INSERT ON im_admin_notification_accounts_by_level_count
  WHEN NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'notificationAccountsByLevel' AND owner = NEW.owner)
    AND (SELECT true FROM im_admin_users INDEXED BY im_admin_notification_accounts_by_level_in_order WHERE app_manger_level >= 3 LIMIT 1 OFFSET 64)
    AND NOT EXISTS (SELECT 1 FROM im_admin_users_before before
      LEFT JOIN im_admin_users now ON now.user_id = before.user_id
      WHERE before.written_at = julianday('now') AND (before.has_happened OR now.app_manger_level IS NOT before.app_manger_level))
BEGIN
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'notificationAccountsByLevel', NEW.owner, count(*) FROM im_admin_users INDEXED BY im_admin_notification_accounts_by_level_in_order WHERE app_manger_level >= 3;
  UPDATE im_admin_lists SET total = total WHERE name = 'notificationAccountsByLevel' AND owner = NEW.owner;
END;

CREATE TRIGGER im_admin_list_nodes_update AFTER UPDATE OF total ON im_admin_list_nodes
  WHEN NEW.total > CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE NEW.total END OR NEW.total < CASE NEW.level WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 0 END
BEGIN
  INSERT INTO im_admin_split_leaf (list, start, total)
    SELECT NEW.list, NEW.start, NEW.total WHERE NEW.level = 1 AND NEW.total > CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE NEW.total END;
  INSERT INTO im_admin_list_nodes (list, level, start, total) SELECT NEW.list, NEW.level, start, following FROM (
    SELECT start, sum(total) OVER (ORDER BY start DESC ROWS UNBOUNDED PRECEDING) AS following FROM im_admin_list_nodes
      WHERE NEW.level > 1 AND NEW.total > CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE NEW.total END AND list = NEW.list AND level = NEW.level - 1
        AND start > NEW.start AND start < coalesce((SELECT start FROM im_admin_list_nodes WHERE list = NEW.list AND level = NEW.level AND start > NEW.start ORDER BY start LIMIT 1), x'')
  ) WHERE following >= NEW.total / 2 ORDER BY start DESC LIMIT 1;
  DELETE FROM im_admin_list_nodes
    WHERE NEW.total < CASE NEW.level WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 0 END AND list = NEW.list AND level = NEW.level AND start IN (NEW.start, (SELECT start FROM im_admin_list_nodes WHERE list = NEW.list AND level = NEW.level AND start > NEW.start ORDER BY start LIMIT 1)) AND start <> ''
      AND NOT EXISTS (SELECT 1 FROM im_admin_list_nodes parent
        WHERE parent.list = im_admin_list_nodes.list AND parent.level = im_admin_list_nodes.level + 1 AND parent.start = im_admin_list_nodes.start)
      AND (start = NEW.start OR NEW.total > 0 OR NEW.start = '' OR EXISTS (SELECT 1 FROM im_admin_list_nodes parent
        WHERE parent.list = NEW.list AND parent.level = NEW.level + 1 AND parent.start = NEW.start))
      AND (total = 0 OR CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE 0 END / 2 >= total + (
        SELECT total FROM im_admin_list_nodes previous
          WHERE previous.list = im_admin_list_nodes.list AND previous.level = im_admin_list_nodes.level
            AND previous.start < im_admin_list_nodes.start ORDER BY start DESC LIMIT 1));
END;

CREATE TRIGGER im_admin_group_members_split INSTEAD OF INSERT ON im_admin_split_leaf
  WHEN (SELECT name FROM im_admin_lists WHERE id = NEW.list) = 'groupMembers'
    AND NOT EXISTS (SELECT 1 FROM im_admin_group_members_before before
      LEFT JOIN im_admin_group_members now ON now.group_id = before.group_id AND now.user_id = before.user_id
      WHERE before.written_at = julianday('now') AND (before.has_happened OR now.role_level IS NOT before.role_level OR now.join_time IS NOT before.join_time))
BEGIN
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, 1, ((2000 - role_level) || (20000000000000000 + join_time) || user_id), NEW.total - 150 FROM im_admin_group_members INDEXED BY im_admin_group_members_in_order
      WHERE group_id = (SELECT owner FROM im_admin_lists WHERE id = NEW.list) AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= NEW.start
      ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id) LIMIT 1 OFFSET 150;
END;

CREATE TRIGGER im_admin_joined_groups_split INSTEAD OF INSERT ON im_admin_split_leaf
  WHEN (SELECT name FROM im_admin_lists WHERE id = NEW.list) = 'joinedGroups'
    AND NOT EXISTS (SELECT 1 FROM im_admin_group_members_before before
      LEFT JOIN im_admin_group_members now ON now.group_id = before.group_id AND now.user_id = before.user_id
      WHERE before.written_at = julianday('now') AND (before.has_happened OR now.role_level IS NOT before.role_level OR now.join_time IS NOT before.join_time))
BEGIN
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, 1, ((20000000000000000 - join_time) || group_id), NEW.total - 150 FROM im_admin_group_members INDEXED BY im_admin_joined_groups_in_order
      WHERE user_id = (SELECT owner FROM im_admin_lists WHERE id = NEW.list) AND ((20000000000000000 - join_time) || group_id) >= NEW.start
      ORDER BY ((20000000000000000 - join_time) || group_id) LIMIT 1 OFFSET 150;
END;

CREATE TRIGGER im_admin_blacks_split INSTEAD OF INSERT ON im_admin_split_leaf
  WHEN (SELECT name FROM im_admin_lists WHERE id = NEW.list) = 'blacks'
    AND NOT EXISTS (SELECT 1 FROM im_admin_blacks_before before
      LEFT JOIN im_admin_blacks now ON now.owner_user_id = before.owner_user_id AND now.black_user_id = before.black_user_id
      WHERE before.written_at = julianday('now') AND (before.has_happened OR now.create_time IS NOT before.create_time))
BEGIN
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, 1, ((20000000000000000 - create_time) || black_user_id), NEW.total - 150 FROM im_admin_blacks INDEXED BY im_admin_blacks_in_order
      WHERE owner_user_id = (SELECT owner FROM im_admin_lists WHERE id = NEW.list) AND ((20000000000000000 - create_time) || black_user_id) >= NEW.start
      ORDER BY ((20000000000000000 - create_time) || black_user_id) LIMIT 1 OFFSET 150;
END;

CREATE TRIGGER im_admin_received_group_requests_split INSTEAD OF INSERT ON im_admin_split_leaf
  WHEN (SELECT name FROM im_admin_lists WHERE id = NEW.list) = 'receivedGroupRequests'
    AND NOT false
BEGIN
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, 1, ((20000000000000000 - req_time) || group_id || x'00' || user_id), NEW.total - 150 FROM im_admin_received_group_requests INDEXED BY im_admin_received_group_requests_in_order
      WHERE manager_user_id = (SELECT owner FROM im_admin_lists WHERE id = NEW.list) AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) >= NEW.start
      ORDER BY ((20000000000000000 - req_time) || group_id || x'00' || user_id) LIMIT 1 OFFSET 150;
END;

CREATE TRIGGER im_admin_received_group_requests_by_result_split INSTEAD OF INSERT ON im_admin_split_leaf
  WHEN (SELECT name FROM im_admin_lists WHERE id = NEW.list) = 'receivedGroupRequestsByResult'
    AND NOT false
BEGIN
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, 1, ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id), NEW.total - 150 FROM im_admin_received_group_requests INDEXED BY im_admin_received_group_requests_by_result_in_order
      WHERE manager_user_id = (SELECT owner FROM im_admin_lists WHERE id = NEW.list) AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) >= NEW.start
      ORDER BY ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) LIMIT 1 OFFSET 150;
END;

CREATE TRIGGER im_admin_notification_accounts_split INSTEAD OF INSERT ON im_admin_split_leaf
  WHEN (SELECT name FROM im_admin_lists WHERE id = NEW.list) = 'notificationAccounts'
    AND NOT EXISTS (SELECT 1 FROM im_admin_users_before before
      LEFT JOIN im_admin_users now ON now.user_id = before.user_id
      WHERE before.written_at = julianday('now') AND (before.has_happened OR now.app_manger_level IS NOT before.app_manger_level))
BEGIN
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, 1, ('' || user_id), NEW.total - 150 FROM im_admin_users INDEXED BY im_admin_notification_accounts_in_order
      WHERE app_manger_level >= 3 AND ('' || user_id) >= NEW.start
      ORDER BY ('' || user_id) LIMIT 1 OFFSET 150;
END;

CREATE TRIGGER im_admin_notification_accounts_by_level_split INSTEAD OF INSERT ON im_admin_split_leaf
  WHEN (SELECT name FROM im_admin_lists WHERE id = NEW.list) = 'notificationAccountsByLevel'
    AND NOT EXISTS (SELECT 1 FROM im_admin_users_before before
      LEFT JOIN im_admin_users now ON now.user_id = before.user_id
      WHERE before.written_at = julianday('now') AND (before.has_happened OR now.app_manger_level IS NOT before.app_manger_level))
BEGIN
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, 1, ((30000000000 + app_manger_level) || user_id), NEW.total - 150 FROM im_admin_users INDEXED BY im_admin_notification_accounts_by_level_in_order
      WHERE app_manger_level >= 3 AND ((30000000000 + app_manger_level) || user_id) >= NEW.start
      ORDER BY ((30000000000 + app_manger_level) || user_id) LIMIT 1 OFFSET 150;
END;

CREATE TRIGGER im_admin_list_nodes_insert AFTER INSERT ON im_admin_list_nodes
  WHEN NEW.start <> ''
BEGIN
  UPDATE im_admin_list_nodes SET total = total - NEW.total
    WHERE list = NEW.list AND level = NEW.level AND start = (SELECT start FROM im_admin_list_nodes WHERE list = NEW.list AND level = NEW.level AND start < NEW.start ORDER BY start DESC LIMIT 1);
END;

CREATE TRIGGER im_admin_list_nodes_delete AFTER DELETE ON im_admin_list_nodes
BEGIN
  UPDATE im_admin_list_nodes SET total = total + OLD.total
    WHERE list = OLD.list AND level = OLD.level AND start = (SELECT start FROM im_admin_list_nodes WHERE list = OLD.list AND level = OLD.level AND start < OLD.start ORDER BY start DESC LIMIT 1);
  DELETE FROM im_admin_list_nodes
    WHERE list = OLD.list AND level < OLD.level AND start = OLD.start AND start <> '' AND total = 0
      AND NOT EXISTS (SELECT 1 FROM im_admin_list_nodes above
        WHERE above.list = OLD.list AND above.start = OLD.start
          AND above.level > im_admin_list_nodes.level AND above.level < OLD.level AND above.total > 0);
END;

CREATE TRIGGER im_admin_users_replaced AFTER UPDATE OF is_replaced ON im_admin_users_before
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ('' || OLD.user_id)
    WHERE name = 'notificationAccounts' AND owner = '' AND OLD.app_manger_level >= 3;
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((30000000000 + OLD.app_manger_level) || OLD.user_id)
    WHERE name = 'notificationAccountsByLevel' AND owner = '' AND OLD.app_manger_level >= 3;
END;

CREATE TRIGGER im_admin_users_before_insert BEFORE INSERT ON im_admin_users
BEGIN
  DELETE FROM im_admin_users_before
    WHERE written_at <> julianday('now') OR NOT has_happened
      AND rowid < (SELECT max(rowid) FROM im_admin_users_before) - 50
      AND CASE WHEN im_admin_users_before.app_manger_level IS NULL
        THEN NOT EXISTS (SELECT 1 FROM im_admin_users stored
          WHERE stored.user_id = im_admin_users_before.user_id) ELSE EXISTS (SELECT 1 FROM im_admin_users stored
            WHERE (stored.user_id, stored.app_manger_level) = (im_admin_users_before.user_id, im_admin_users_before.app_manger_level)) END;
  INSERT INTO im_admin_users_before (user_id, app_manger_level, is_conflict, written_at)
    SELECT NEW.user_id, stored.app_manger_level,
        stored.user_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM im_admin_users_before before
          WHERE is_conflict AND written_at = julianday('now') AND (before.user_id, before.app_manger_level) = (stored.user_id, stored.app_manger_level)), julianday('now')
      FROM (SELECT 1) LEFT JOIN im_admin_users stored
        ON stored.user_id = NEW.user_id;
END;

CREATE TRIGGER im_admin_users_before_update BEFORE UPDATE OF user_id, app_manger_level ON im_admin_users
  WHEN OLD.user_id IS NOT NEW.user_id OR OLD.app_manger_level IS NOT NEW.app_manger_level
BEGIN
  DELETE FROM im_admin_users_before
    WHERE written_at <> julianday('now') OR NOT has_happened
      AND rowid < (SELECT max(rowid) FROM im_admin_users_before) - 50
      AND CASE WHEN im_admin_users_before.app_manger_level IS NULL
        THEN NOT EXISTS (SELECT 1 FROM im_admin_users stored
          WHERE stored.user_id = im_admin_users_before.user_id) ELSE EXISTS (SELECT 1 FROM im_admin_users stored
            WHERE (stored.user_id, stored.app_manger_level) = (im_admin_users_before.user_id, im_admin_users_before.app_manger_level)) END;
  UPDATE im_admin_users_before SET has_happened = 1
    WHERE written_at = julianday('now') AND user_id = OLD.user_id AND (app_manger_level IS NOT OLD.app_manger_level);
  INSERT INTO im_admin_users_before (user_id, app_manger_level, is_conflict, written_at)
    SELECT user_id, app_manger_level, 2, julianday('now') FROM im_admin_users stored
      WHERE user_id = NEW.user_id AND NOT user_id = OLD.user_id AND NOT EXISTS (SELECT 1 FROM im_admin_users_before before
        WHERE is_conflict AND written_at = julianday('now') AND (before.user_id, before.app_manger_level) = (stored.user_id, stored.app_manger_level));
  INSERT INTO im_admin_users_before (user_id, app_manger_level, is_conflict, written_at)
    VALUES (OLD.user_id, OLD.app_manger_level, 0, julianday('now'));
END;

CREATE TRIGGER im_admin_users_before_delete BEFORE DELETE ON im_admin_users
BEGIN
  DELETE FROM im_admin_users_before
    WHERE written_at <> julianday('now') OR NOT has_happened
      AND rowid < (SELECT max(rowid) FROM im_admin_users_before) - 50
      AND CASE WHEN im_admin_users_before.app_manger_level IS NULL
        THEN NOT EXISTS (SELECT 1 FROM im_admin_users stored
          WHERE stored.user_id = im_admin_users_before.user_id) ELSE EXISTS (SELECT 1 FROM im_admin_users stored
            WHERE (stored.user_id, stored.app_manger_level) = (im_admin_users_before.user_id, im_admin_users_before.app_manger_level)) END;
  UPDATE im_admin_users_before SET has_happened = 1
    WHERE written_at = julianday('now') AND user_id = OLD.user_id AND (app_manger_level IS NOT OLD.app_manger_level);
  INSERT INTO im_admin_users_before (user_id, app_manger_level, is_conflict, written_at)
    VALUES (OLD.user_id, OLD.app_manger_level, 0, julianday('now'));
END;

CREATE TRIGGER im_admin_users_after_insert AFTER INSERT ON im_admin_users
BEGIN
  UPDATE im_admin_users_before SET is_replaced = 1, is_conflict = 0
    WHERE is_conflict AND written_at = julianday('now') AND user_id = NEW.user_id;
  DELETE FROM im_admin_users_before WHERE rowid = (SELECT max(rowid) FROM im_admin_users_before WHERE user_id = NEW.user_id);
  DELETE FROM im_admin_users_before WHERE is_replaced;
  UPDATE im_admin_lists SET total = total + 1, changed_key = ('' || NEW.user_id)
    WHERE name = 'notificationAccounts' AND owner = '' AND NEW.app_manger_level >= 3;
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((30000000000 + NEW.app_manger_level) || NEW.user_id)
    WHERE name = 'notificationAccountsByLevel' AND owner = '' AND NEW.app_manger_level >= 3;
  INSERT INTO im_admin_notification_accounts_count (owner) VALUES ('');
  INSERT INTO im_admin_notification_accounts_by_level_count (owner) VALUES ('');
END;

CREATE TRIGGER im_admin_users_after_update AFTER UPDATE OF user_id, app_manger_level ON im_admin_users
  WHEN OLD.user_id IS NOT NEW.user_id OR OLD.app_manger_level IS NOT NEW.app_manger_level
BEGIN
  UPDATE im_admin_users_before SET app_manger_level = NEW.app_manger_level
    WHERE written_at = julianday('now') AND user_id = NEW.user_id AND NOT user_id = OLD.user_id
      AND im_admin_users_before.app_manger_level IS NULL AND NOT has_happened
      AND NOT EXISTS (SELECT 1 FROM im_admin_users_before WHERE is_conflict AND written_at = julianday('now') AND user_id = NEW.user_id);
  UPDATE im_admin_users_before SET is_replaced = 1, is_conflict = 0
    WHERE is_conflict AND written_at = julianday('now') AND user_id = NEW.user_id AND NOT user_id = OLD.user_id;
  UPDATE im_admin_lists SET total = total - 1, changed_key = ('' || OLD.user_id)
    WHERE name = 'notificationAccounts' AND owner = '' AND OLD.app_manger_level >= 3;
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((30000000000 + OLD.app_manger_level) || OLD.user_id)
    WHERE name = 'notificationAccountsByLevel' AND owner = '' AND OLD.app_manger_level >= 3;
  DELETE FROM im_admin_users_before WHERE rowid = (SELECT max(rowid) FROM im_admin_users_before WHERE user_id = OLD.user_id);
  DELETE FROM im_admin_users_before WHERE is_replaced;
  UPDATE im_admin_users_before SET user_id = NEW.user_id, app_manger_level = NEW.app_manger_level WHERE is_conflict AND (user_id, app_manger_level) = (OLD.user_id, OLD.app_manger_level);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ('' || NEW.user_id)
    WHERE name = 'notificationAccounts' AND owner = '' AND NEW.app_manger_level >= 3;
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((30000000000 + NEW.app_manger_level) || NEW.user_id)
    WHERE name = 'notificationAccountsByLevel' AND owner = '' AND NEW.app_manger_level >= 3;
  INSERT INTO im_admin_notification_accounts_count (owner) VALUES ('');
  INSERT INTO im_admin_notification_accounts_by_level_count (owner) VALUES ('');
  INSERT INTO im_admin_notification_accounts_count (owner) VALUES ('');
  INSERT INTO im_admin_notification_accounts_by_level_count (owner) VALUES ('');
END;

CREATE TRIGGER im_admin_users_after_delete AFTER DELETE ON im_admin_users
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ('' || OLD.user_id)
    WHERE name = 'notificationAccounts' AND owner = '' AND OLD.app_manger_level >= 3;
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((30000000000 + OLD.app_manger_level) || OLD.user_id)
    WHERE name = 'notificationAccountsByLevel' AND owner = '' AND OLD.app_manger_level >= 3;
  DELETE FROM im_admin_users_before WHERE rowid = (SELECT max(rowid) FROM im_admin_users_before WHERE user_id = OLD.user_id);
  DELETE FROM im_admin_users_before WHERE is_conflict = 2 AND is_conflict AND (user_id, app_manger_level) = (OLD.user_id, OLD.app_manger_level);
  UPDATE im_admin_users_before SET app_manger_level = NULL, is_conflict = 0 WHERE is_conflict AND (user_id, app_manger_level) = (OLD.user_id, OLD.app_manger_level);
  INSERT INTO im_admin_notification_accounts_count (owner) VALUES ('');
  INSERT INTO im_admin_notification_accounts_by_level_count (owner) VALUES ('');
END;

CREATE TRIGGER im_admin_group_members_replaced AFTER UPDATE OF is_replaced ON im_admin_group_members_before
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((2000 - OLD.role_level) || (20000000000000000 + OLD.join_time) || OLD.user_id)
    WHERE name = 'groupMembers' AND owner = OLD.group_id;
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((20000000000000000 - OLD.join_time) || OLD.group_id)
    WHERE name = 'joinedGroups' AND owner = OLD.user_id;
  INSERT INTO im_admin_renew_manager (group_id, user_id, role_level) VALUES (OLD.group_id, OLD.user_id, OLD.role_level);
  INSERT INTO im_admin_renew_document (group_id, key) VALUES (OLD.group_id, ((2000 - OLD.role_level) || (20000000000000000 + OLD.join_time) || OLD.user_id));
END;

CREATE TRIGGER im_admin_group_members_before_insert BEFORE INSERT ON im_admin_group_members
BEGIN
  DELETE FROM im_admin_group_members_before
    WHERE written_at <> julianday('now') OR NOT has_happened
      AND rowid < (SELECT max(rowid) FROM im_admin_group_members_before) - 50
      AND CASE WHEN im_admin_group_members_before.role_level IS NULL
        THEN NOT EXISTS (SELECT 1 FROM im_admin_group_members stored
          WHERE (stored.group_id, stored.user_id) = (im_admin_group_members_before.group_id, im_admin_group_members_before.user_id)) ELSE EXISTS (SELECT 1 FROM im_admin_group_members stored
            WHERE (stored.group_id, stored.user_id, stored.role_level, stored.join_time) = (im_admin_group_members_before.group_id, im_admin_group_members_before.user_id, im_admin_group_members_before.role_level, im_admin_group_members_before.join_time)) END;
  INSERT INTO im_admin_group_members_before (id, group_id, user_id, role_level, join_time, is_conflict, written_at)
    SELECT id, group_id, user_id, role_level, join_time, 2, julianday('now') FROM im_admin_group_members stored
      WHERE id = NEW.id AND NOT (group_id, user_id) = (NEW.group_id, NEW.user_id) AND NOT EXISTS (SELECT 1 FROM im_admin_group_members_before before
        WHERE is_conflict AND written_at = julianday('now') AND (before.id, before.group_id, before.user_id, before.role_level, before.join_time) = (stored.id, stored.group_id, stored.user_id, stored.role_level, stored.join_time));
  INSERT INTO im_admin_group_members_before (id, group_id, user_id, role_level, join_time, is_conflict, written_at)
    SELECT stored.id, NEW.group_id, NEW.user_id, stored.role_level, stored.join_time,
        stored.group_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM im_admin_group_members_before before
          WHERE is_conflict AND written_at = julianday('now') AND (before.id, before.group_id, before.user_id, before.role_level, before.join_time) = (stored.id, stored.group_id, stored.user_id, stored.role_level, stored.join_time)), julianday('now')
      FROM (SELECT 1) LEFT JOIN im_admin_group_members stored
        ON stored.group_id = NEW.group_id AND stored.user_id = NEW.user_id;
END;

CREATE TRIGGER im_admin_group_members_before_update BEFORE UPDATE OF id, group_id, user_id, role_level, join_time ON im_admin_group_members
  WHEN OLD.id IS NOT NEW.id OR OLD.group_id IS NOT NEW.group_id OR OLD.user_id IS NOT NEW.user_id OR OLD.role_level IS NOT NEW.role_level OR OLD.join_time IS NOT NEW.join_time
BEGIN
  DELETE FROM im_admin_group_members_before
    WHERE written_at <> julianday('now') OR NOT has_happened
      AND rowid < (SELECT max(rowid) FROM im_admin_group_members_before) - 50
      AND CASE WHEN im_admin_group_members_before.role_level IS NULL
        THEN NOT EXISTS (SELECT 1 FROM im_admin_group_members stored
          WHERE (stored.group_id, stored.user_id) = (im_admin_group_members_before.group_id, im_admin_group_members_before.user_id)) ELSE EXISTS (SELECT 1 FROM im_admin_group_members stored
            WHERE (stored.group_id, stored.user_id, stored.role_level, stored.join_time) = (im_admin_group_members_before.group_id, im_admin_group_members_before.user_id, im_admin_group_members_before.role_level, im_admin_group_members_before.join_time)) END;
  UPDATE im_admin_group_members_before SET has_happened = 1
    WHERE written_at = julianday('now') AND (group_id, user_id) = (OLD.group_id, OLD.user_id) AND (id IS NOT OLD.id OR role_level IS NOT OLD.role_level OR join_time IS NOT OLD.join_time);
  INSERT INTO im_admin_group_members_before (id, group_id, user_id, role_level, join_time, is_conflict, written_at)
    SELECT id, group_id, user_id, role_level, join_time, 2, julianday('now') FROM im_admin_group_members stored
      WHERE ((group_id, user_id) = (NEW.group_id, NEW.user_id) OR id = NEW.id) AND NOT (group_id, user_id) = (OLD.group_id, OLD.user_id) AND NOT EXISTS (SELECT 1 FROM im_admin_group_members_before before
        WHERE is_conflict AND written_at = julianday('now') AND (before.id, before.group_id, before.user_id, before.role_level, before.join_time) = (stored.id, stored.group_id, stored.user_id, stored.role_level, stored.join_time));
  INSERT INTO im_admin_group_members_before (id, group_id, user_id, role_level, join_time, is_conflict, written_at)
    VALUES (OLD.id, OLD.group_id, OLD.user_id, OLD.role_level, OLD.join_time, 0, julianday('now'));
END;

CREATE TRIGGER im_admin_group_members_before_delete BEFORE DELETE ON im_admin_group_members
BEGIN
  DELETE FROM im_admin_group_members_before
    WHERE written_at <> julianday('now') OR NOT has_happened
      AND rowid < (SELECT max(rowid) FROM im_admin_group_members_before) - 50
      AND CASE WHEN im_admin_group_members_before.role_level IS NULL
        THEN NOT EXISTS (SELECT 1 FROM im_admin_group_members stored
          WHERE (stored.group_id, stored.user_id) = (im_admin_group_members_before.group_id, im_admin_group_members_before.user_id)) ELSE EXISTS (SELECT 1 FROM im_admin_group_members stored
            WHERE (stored.group_id, stored.user_id, stored.role_level, stored.join_time) = (im_admin_group_members_before.group_id, im_admin_group_members_before.user_id, im_admin_group_members_before.role_level, im_admin_group_members_before.join_time)) END;
  UPDATE im_admin_group_members_before SET has_happened = 1
    WHERE written_at = julianday('now') AND (group_id, user_id) = (OLD.group_id, OLD.user_id) AND (id IS NOT OLD.id OR role_level IS NOT OLD.role_level OR join_time IS NOT OLD.join_time);
  INSERT INTO im_admin_group_members_before (id, group_id, user_id, role_level, join_time, is_conflict, written_at)
    VALUES (OLD.id, OLD.group_id, OLD.user_id, OLD.role_level, OLD.join_time, 0, julianday('now'));
END;

CREATE TRIGGER im_admin_group_members_after_insert AFTER INSERT ON im_admin_group_members
BEGIN
  UPDATE im_admin_group_members_before SET is_replaced = 1, is_conflict = 0
    WHERE is_conflict AND written_at = julianday('now') AND ((group_id, user_id) = (NEW.group_id, NEW.user_id) OR id = NEW.id);
  DELETE FROM im_admin_group_members_before WHERE rowid = (SELECT max(rowid) FROM im_admin_group_members_before WHERE (group_id, user_id) = (NEW.group_id, NEW.user_id));
  DELETE FROM im_admin_group_members_before WHERE is_replaced;
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((2000 - NEW.role_level) || (20000000000000000 + NEW.join_time) || NEW.user_id)
    WHERE name = 'groupMembers' AND owner = NEW.group_id;
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((20000000000000000 - NEW.join_time) || NEW.group_id)
    WHERE name = 'joinedGroups' AND owner = NEW.user_id;
  INSERT INTO im_admin_renew_manager (group_id, user_id, role_level) VALUES (NEW.group_id, NEW.user_id, NEW.role_level);
  INSERT INTO im_admin_renew_document (group_id, key) VALUES (NEW.group_id, ((2000 - NEW.role_level) || (20000000000000000 + NEW.join_time) || NEW.user_id));
  INSERT INTO im_admin_group_members_count (owner) VALUES (NEW.group_id);
  INSERT INTO im_admin_joined_groups_count (owner) VALUES (NEW.user_id);
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
END;

CREATE TRIGGER im_admin_group_members_after_update AFTER UPDATE OF id, group_id, user_id, role_level, join_time ON im_admin_group_members
  WHEN OLD.id IS NOT NEW.id OR OLD.group_id IS NOT NEW.group_id OR OLD.user_id IS NOT NEW.user_id OR OLD.role_level IS NOT NEW.role_level OR OLD.join_time IS NOT NEW.join_time
BEGIN
  UPDATE im_admin_group_members_before SET id = NEW.id, role_level = NEW.role_level, join_time = NEW.join_time
    WHERE written_at = julianday('now') AND (group_id, user_id) = (NEW.group_id, NEW.user_id) AND NOT (group_id, user_id) = (OLD.group_id, OLD.user_id)
      AND im_admin_group_members_before.role_level IS NULL AND NOT has_happened
      AND NOT EXISTS (SELECT 1 FROM im_admin_group_members_before WHERE is_conflict AND written_at = julianday('now') AND (group_id, user_id) = (NEW.group_id, NEW.user_id));
  UPDATE im_admin_group_members_before SET is_replaced = 1, is_conflict = 0
    WHERE is_conflict AND written_at = julianday('now') AND ((group_id, user_id) = (NEW.group_id, NEW.user_id) OR id = NEW.id) AND NOT (group_id, user_id) = (OLD.group_id, OLD.user_id);
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((2000 - OLD.role_level) || (20000000000000000 + OLD.join_time) || OLD.user_id)
    WHERE name = 'groupMembers' AND owner = OLD.group_id;
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((20000000000000000 - OLD.join_time) || OLD.group_id)
    WHERE name = 'joinedGroups' AND owner = OLD.user_id;
  INSERT INTO im_admin_renew_manager (group_id, user_id, role_level) VALUES (OLD.group_id, OLD.user_id, OLD.role_level);
  INSERT INTO im_admin_renew_document (group_id, key) VALUES (OLD.group_id, ((2000 - OLD.role_level) || (20000000000000000 + OLD.join_time) || OLD.user_id));
  DELETE FROM im_admin_group_members_before WHERE rowid = (SELECT max(rowid) FROM im_admin_group_members_before WHERE (group_id, user_id) = (OLD.group_id, OLD.user_id));
  DELETE FROM im_admin_group_members_before WHERE is_replaced;
  UPDATE im_admin_group_members_before SET id = NEW.id, group_id = NEW.group_id, user_id = NEW.user_id, role_level = NEW.role_level, join_time = NEW.join_time WHERE is_conflict AND (id, group_id, user_id, role_level, join_time) = (OLD.id, OLD.group_id, OLD.user_id, OLD.role_level, OLD.join_time);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((2000 - NEW.role_level) || (20000000000000000 + NEW.join_time) || NEW.user_id)
    WHERE name = 'groupMembers' AND owner = NEW.group_id;
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((20000000000000000 - NEW.join_time) || NEW.group_id)
    WHERE name = 'joinedGroups' AND owner = NEW.user_id;
  INSERT INTO im_admin_renew_manager (group_id, user_id, role_level) VALUES (NEW.group_id, NEW.user_id, NEW.role_level);
  INSERT INTO im_admin_renew_document (group_id, key) VALUES (NEW.group_id, ((2000 - NEW.role_level) || (20000000000000000 + NEW.join_time) || NEW.user_id));
  INSERT INTO im_admin_group_members_count (owner) VALUES (OLD.group_id);
  INSERT INTO im_admin_joined_groups_count (owner) VALUES (OLD.user_id);
  INSERT INTO im_admin_group_members_count (owner) VALUES (NEW.group_id);
  INSERT INTO im_admin_joined_groups_count (owner) VALUES (NEW.user_id);
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
END;

CREATE TRIGGER im_admin_group_members_after_delete AFTER DELETE ON im_admin_group_members
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((2000 - OLD.role_level) || (20000000000000000 + OLD.join_time) || OLD.user_id)
    WHERE name = 'groupMembers' AND owner = OLD.group_id;
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((20000000000000000 - OLD.join_time) || OLD.group_id)
    WHERE name = 'joinedGroups' AND owner = OLD.user_id;
  INSERT INTO im_admin_renew_manager (group_id, user_id, role_level) VALUES (OLD.group_id, OLD.user_id, OLD.role_level);
  INSERT INTO im_admin_renew_document (group_id, key) VALUES (OLD.group_id, ((2000 - OLD.role_level) || (20000000000000000 + OLD.join_time) || OLD.user_id));
  DELETE FROM im_admin_group_members_before WHERE rowid = (SELECT max(rowid) FROM im_admin_group_members_before WHERE (group_id, user_id) = (OLD.group_id, OLD.user_id));
  DELETE FROM im_admin_group_members_before WHERE is_conflict = 2 AND is_conflict AND (id, group_id, user_id, role_level, join_time) = (OLD.id, OLD.group_id, OLD.user_id, OLD.role_level, OLD.join_time);
  UPDATE im_admin_group_members_before SET id = NULL, role_level = NULL, join_time = NULL, is_conflict = 0 WHERE is_conflict AND (id, group_id, user_id, role_level, join_time) = (OLD.id, OLD.group_id, OLD.user_id, OLD.role_level, OLD.join_time);
  INSERT INTO im_admin_group_members_count (owner) VALUES (OLD.group_id);
  INSERT INTO im_admin_joined_groups_count (owner) VALUES (OLD.user_id);
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
END;

CREATE TRIGGER im_admin_blacks_replaced AFTER UPDATE OF is_replaced ON im_admin_blacks_before
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((20000000000000000 - OLD.create_time) || OLD.black_user_id)
    WHERE name = 'blacks' AND owner = OLD.owner_user_id;
END;

CREATE TRIGGER im_admin_blacks_before_insert BEFORE INSERT ON im_admin_blacks
BEGIN
  DELETE FROM im_admin_blacks_before
    WHERE written_at <> julianday('now') OR NOT has_happened
      AND rowid < (SELECT max(rowid) FROM im_admin_blacks_before) - 50
      AND CASE WHEN im_admin_blacks_before.create_time IS NULL
        THEN NOT EXISTS (SELECT 1 FROM im_admin_blacks stored
          WHERE (stored.owner_user_id, stored.black_user_id) = (im_admin_blacks_before.owner_user_id, im_admin_blacks_before.black_user_id)) ELSE EXISTS (SELECT 1 FROM im_admin_blacks stored
            WHERE (stored.owner_user_id, stored.black_user_id, stored.create_time) = (im_admin_blacks_before.owner_user_id, im_admin_blacks_before.black_user_id, im_admin_blacks_before.create_time)) END;
  INSERT INTO im_admin_blacks_before (owner_user_id, black_user_id, create_time, is_conflict, written_at)
    SELECT NEW.owner_user_id, NEW.black_user_id, stored.create_time,
        stored.owner_user_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM im_admin_blacks_before before
          WHERE is_conflict AND written_at = julianday('now') AND (before.owner_user_id, before.black_user_id, before.create_time) = (stored.owner_user_id, stored.black_user_id, stored.create_time)), julianday('now')
      FROM (SELECT 1) LEFT JOIN im_admin_blacks stored
        ON stored.owner_user_id = NEW.owner_user_id AND stored.black_user_id = NEW.black_user_id;
END;

CREATE TRIGGER im_admin_blacks_before_update BEFORE UPDATE OF owner_user_id, black_user_id, create_time ON im_admin_blacks
  WHEN OLD.owner_user_id IS NOT NEW.owner_user_id OR OLD.black_user_id IS NOT NEW.black_user_id OR OLD.create_time IS NOT NEW.create_time
BEGIN
  DELETE FROM im_admin_blacks_before
    WHERE written_at <> julianday('now') OR NOT has_happened
      AND rowid < (SELECT max(rowid) FROM im_admin_blacks_before) - 50
      AND CASE WHEN im_admin_blacks_before.create_time IS NULL
        THEN NOT EXISTS (SELECT 1 FROM im_admin_blacks stored
          WHERE (stored.owner_user_id, stored.black_user_id) = (im_admin_blacks_before.owner_user_id, im_admin_blacks_before.black_user_id)) ELSE EXISTS (SELECT 1 FROM im_admin_blacks stored
            WHERE (stored.owner_user_id, stored.black_user_id, stored.create_time) = (im_admin_blacks_before.owner_user_id, im_admin_blacks_before.black_user_id, im_admin_blacks_before.create_time)) END;
  UPDATE im_admin_blacks_before SET has_happened = 1
    WHERE written_at = julianday('now') AND (owner_user_id, black_user_id) = (OLD.owner_user_id, OLD.black_user_id) AND (create_time IS NOT OLD.create_time);
  INSERT INTO im_admin_blacks_before (owner_user_id, black_user_id, create_time, is_conflict, written_at)
    SELECT owner_user_id, black_user_id, create_time, 2, julianday('now') FROM im_admin_blacks stored
      WHERE (owner_user_id, black_user_id) = (NEW.owner_user_id, NEW.black_user_id) AND NOT (owner_user_id, black_user_id) = (OLD.owner_user_id, OLD.black_user_id) AND NOT EXISTS (SELECT 1 FROM im_admin_blacks_before before
        WHERE is_conflict AND written_at = julianday('now') AND (before.owner_user_id, before.black_user_id, before.create_time) = (stored.owner_user_id, stored.black_user_id, stored.create_time));
  INSERT INTO im_admin_blacks_before (owner_user_id, black_user_id, create_time, is_conflict, written_at)
    VALUES (OLD.owner_user_id, OLD.black_user_id, OLD.create_time, 0, julianday('now'));
END;

CREATE TRIGGER im_admin_blacks_before_delete BEFORE DELETE ON im_admin_blacks
BEGIN
  DELETE FROM im_admin_blacks_before
    WHERE written_at <> julianday('now') OR NOT has_happened
      AND rowid < (SELECT max(rowid) FROM im_admin_blacks_before) - 50
      AND CASE WHEN im_admin_blacks_before.create_time IS NULL
        THEN NOT EXISTS (SELECT 1 FROM im_admin_blacks stored
          WHERE (stored.owner_user_id, stored.black_user_id) = (im_admin_blacks_before.owner_user_id, im_admin_blacks_before.black_user_id)) ELSE EXISTS (SELECT 1 FROM im_admin_blacks stored
            WHERE (stored.owner_user_id, stored.black_user_id, stored.create_time) = (im_admin_blacks_before.owner_user_id, im_admin_blacks_before.black_user_id, im_admin_blacks_before.create_time)) END;
  UPDATE im_admin_blacks_before SET has_happened = 1
    WHERE written_at = julianday('now') AND (owner_user_id, black_user_id) = (OLD.owner_user_id, OLD.black_user_id) AND (create_time IS NOT OLD.create_time);
  INSERT INTO im_admin_blacks_before (owner_user_id, black_user_id, create_time, is_conflict, written_at)
    VALUES (OLD.owner_user_id, OLD.black_user_id, OLD.create_time, 0, julianday('now'));
END;

CREATE TRIGGER im_admin_blacks_after_insert AFTER INSERT ON im_admin_blacks
BEGIN
  UPDATE im_admin_blacks_before SET is_replaced = 1, is_conflict = 0
    WHERE is_conflict AND written_at = julianday('now') AND (owner_user_id, black_user_id) = (NEW.owner_user_id, NEW.black_user_id);
  DELETE FROM im_admin_blacks_before WHERE rowid = (SELECT max(rowid) FROM im_admin_blacks_before WHERE (owner_user_id, black_user_id) = (NEW.owner_user_id, NEW.black_user_id));
  DELETE FROM im_admin_blacks_before WHERE is_replaced;
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((20000000000000000 - NEW.create_time) || NEW.black_user_id)
    WHERE name = 'blacks' AND owner = NEW.owner_user_id;
  INSERT INTO im_admin_blacks_count (owner) VALUES (NEW.owner_user_id);
END;

CREATE TRIGGER im_admin_blacks_after_update AFTER UPDATE OF owner_user_id, black_user_id, create_time ON im_admin_blacks
  WHEN OLD.owner_user_id IS NOT NEW.owner_user_id OR OLD.black_user_id IS NOT NEW.black_user_id OR OLD.create_time IS NOT NEW.create_time
BEGIN
  UPDATE im_admin_blacks_before SET create_time = NEW.create_time
    WHERE written_at = julianday('now') AND (owner_user_id, black_user_id) = (NEW.owner_user_id, NEW.black_user_id) AND NOT (owner_user_id, black_user_id) = (OLD.owner_user_id, OLD.black_user_id)
      AND im_admin_blacks_before.create_time IS NULL AND NOT has_happened
      AND NOT EXISTS (SELECT 1 FROM im_admin_blacks_before WHERE is_conflict AND written_at = julianday('now') AND (owner_user_id, black_user_id) = (NEW.owner_user_id, NEW.black_user_id));
  UPDATE im_admin_blacks_before SET is_replaced = 1, is_conflict = 0
    WHERE is_conflict AND written_at = julianday('now') AND (owner_user_id, black_user_id) = (NEW.owner_user_id, NEW.black_user_id) AND NOT (owner_user_id, black_user_id) = (OLD.owner_user_id, OLD.black_user_id);
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((20000000000000000 - OLD.create_time) || OLD.black_user_id)
    WHERE name = 'blacks' AND owner = OLD.owner_user_id;
  DELETE FROM im_admin_blacks_before WHERE rowid = (SELECT max(rowid) FROM im_admin_blacks_before WHERE (owner_user_id, black_user_id) = (OLD.owner_user_id, OLD.black_user_id));
  DELETE FROM im_admin_blacks_before WHERE is_replaced;
  UPDATE im_admin_blacks_before SET owner_user_id = NEW.owner_user_id, black_user_id = NEW.black_user_id, create_time = NEW.create_time WHERE is_conflict AND (owner_user_id, black_user_id, create_time) = (OLD.owner_user_id, OLD.black_user_id, OLD.create_time);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((20000000000000000 - NEW.create_time) || NEW.black_user_id)
    WHERE name = 'blacks' AND owner = NEW.owner_user_id;
  INSERT INTO im_admin_blacks_count (owner) VALUES (OLD.owner_user_id);
  INSERT INTO im_admin_blacks_count (owner) VALUES (NEW.owner_user_id);
END;

CREATE TRIGGER im_admin_blacks_after_delete AFTER DELETE ON im_admin_blacks
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((20000000000000000 - OLD.create_time) || OLD.black_user_id)
    WHERE name = 'blacks' AND owner = OLD.owner_user_id;
  DELETE FROM im_admin_blacks_before WHERE rowid = (SELECT max(rowid) FROM im_admin_blacks_before WHERE (owner_user_id, black_user_id) = (OLD.owner_user_id, OLD.black_user_id));
  DELETE FROM im_admin_blacks_before WHERE is_conflict = 2 AND is_conflict AND (owner_user_id, black_user_id, create_time) = (OLD.owner_user_id, OLD.black_user_id, OLD.create_time);
  UPDATE im_admin_blacks_before SET create_time = NULL, is_conflict = 0 WHERE is_conflict AND (owner_user_id, black_user_id, create_time) = (OLD.owner_user_id, OLD.black_user_id, OLD.create_time);
  INSERT INTO im_admin_blacks_count (owner) VALUES (OLD.owner_user_id);
END;

CREATE TRIGGER im_admin_renew_request_insert INSTEAD OF INSERT ON im_admin_renew_request
BEGIN
  DELETE FROM im_admin_received_group_requests
    WHERE group_id = NEW.group_id AND user_id = NEW.user_id AND NOT EXISTS (
      SELECT 1 FROM im_admin_group_requests request
        JOIN im_admin_group_members manager ON manager.group_id = request.group_id AND manager.role_level IN (60, 100)
        WHERE request.group_id = NEW.group_id AND request.user_id = NEW.user_id
          AND manager.user_id = im_admin_received_group_requests.manager_user_id
          AND request.req_time = im_admin_received_group_requests.req_time
          AND request.handle_result = im_admin_received_group_requests.handle_result);
  INSERT INTO im_admin_received_group_requests (manager_user_id, group_id, user_id, req_time, handle_result)
    SELECT manager.user_id AS manager_user_id, request.group_id, request.user_id, request.req_time, request.handle_result
      FROM im_admin_group_requests request CROSS JOIN im_admin_group_members manager INDEXED BY im_admin_group_members_managing
        ON manager.group_id = request.group_id AND manager.role_level IN (60, 100)
    WHERE request.group_id = NEW.group_id AND request.user_id = NEW.user_id
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_renew_manager_insert INSTEAD OF INSERT ON im_admin_renew_manager
  WHEN NEW.role_level IN (60, 100)
BEGIN
  DELETE FROM im_admin_received_group_requests
    WHERE group_id = NEW.group_id AND manager_user_id = NEW.user_id AND NOT EXISTS (
      SELECT 1 FROM im_admin_group_members
        WHERE group_id = NEW.group_id AND user_id = NEW.user_id AND role_level IN (60, 100));
  INSERT INTO im_admin_received_group_requests (manager_user_id, group_id, user_id, req_time, handle_result)
    SELECT manager.user_id AS manager_user_id, request.group_id, request.user_id, request.req_time, request.handle_result
      FROM im_admin_group_requests request CROSS JOIN im_admin_group_members manager INDEXED BY im_admin_group_members_managing
        ON manager.group_id = request.group_id AND manager.role_level IN (60, 100)
    WHERE request.group_id = NEW.group_id AND manager.user_id = NEW.user_id
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER im_admin_group_requests_after_insert AFTER INSERT ON im_admin_group_requests
BEGIN
  INSERT INTO im_admin_renew_request (group_id, user_id) VALUES (NEW.group_id, NEW.user_id);
END;

CREATE TRIGGER im_admin_group_requests_after_update AFTER UPDATE OF group_id, user_id, req_time, handle_result ON im_admin_group_requests
BEGIN
  INSERT INTO im_admin_renew_request (group_id, user_id) VALUES (OLD.group_id, OLD.user_id);
  INSERT INTO im_admin_renew_request (group_id, user_id) VALUES (NEW.group_id, NEW.user_id);
END;

CREATE TRIGGER im_admin_group_requests_after_delete AFTER DELETE ON im_admin_group_requests
BEGIN
  INSERT INTO im_admin_renew_request (group_id, user_id) VALUES (OLD.group_id, OLD.user_id);
END;

CREATE TRIGGER im_admin_received_group_requests_after_insert AFTER INSERT ON im_admin_received_group_requests
BEGIN
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id)
    WHERE name = 'receivedGroupRequests' AND owner = NEW.manager_user_id;
  INSERT INTO im_admin_received_group_requests_count (owner) VALUES (NEW.manager_user_id);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((30000000000 + NEW.handle_result) || (20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id)
    WHERE name = 'receivedGroupRequestsByResult' AND owner = NEW.manager_user_id;
  INSERT INTO im_admin_received_group_requests_by_result_count (owner) VALUES (NEW.manager_user_id);
END;

CREATE TRIGGER im_admin_received_group_requests_after_delete AFTER DELETE ON im_admin_received_group_requests
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id)
    WHERE name = 'receivedGroupRequests' AND owner = OLD.manager_user_id;
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((30000000000 + OLD.handle_result) || (20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id)
    WHERE name = 'receivedGroupRequestsByResult' AND owner = OLD.manager_user_id;
END;

CREATE TRIGGER im_admin_apply_changes_insert INSTEAD OF INSERT ON im_admin_apply_changes
  WHEN EXISTS (SELECT 1 FROM im_admin_document_changes WHERE id >= 100)
    AND NOT EXISTS (SELECT 1 FROM im_admin_group_members_before before
      LEFT JOIN im_admin_group_members now ON now.group_id = before.group_id AND now.user_id = before.user_id
      WHERE before.written_at = julianday('now') AND (before.has_happened OR now.role_level IS NOT before.role_level OR now.join_time IS NOT before.join_time))
BEGIN
  INSERT INTO im_admin_document_trigrams (rowid, text)
    SELECT document, text FROM im_admin_document_changes WHERE change > 0 ORDER BY document;
  INSERT INTO im_admin_document_grams (im_admin_document_grams, rowid, grams)
    SELECT CASE WHEN change < 0 THEN 'delete' END, document, coalesce((
      WITH RECURSIVE chunks (chunk, rest) AS (
        SELECT '', trim(text, '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_- ')
        UNION ALL
        SELECT substr(rest, 1, 65), substr(rest, 65)
          FROM chunks WHERE rest <> ''
      ), pairs (pair, rest) AS (
        SELECT substr(chunk, 1, 2), substr(chunk, 2) FROM chunks
        UNION ALL
        SELECT substr(rest, 1, 2), substr(rest, 2) FROM pairs WHERE rest <> ''
      )
      SELECT group_concat(CASE WHEN unicode(substr(pair, 2)) > 127
          THEN substr(pair, 1, 1) || ' ' || pair ELSE substr(pair, 1, 1) END, ' ')
        FROM pairs WHERE unicode(pair) > 127
    ), '') FROM (
      SELECT document, text, sum(change) AS change FROM im_admin_document_changes
        WHERE length(text) <> length(CAST(text AS BLOB)) GROUP BY document, text HAVING sum(change) <> 0
        ORDER BY document, sum(change)
    );
  DELETE FROM im_admin_document_changes;
END;

CREATE TRIGGER im_admin_lists_documents AFTER UPDATE OF total ON im_admin_lists
  WHEN NEW.name = 'groupMembers' AND CASE WHEN NEW.has_documents
    THEN NEW.total < 1000 ELSE NEW.total > 2000 END
BEGIN
  UPDATE im_admin_lists SET has_documents = NOT NEW.has_documents WHERE id = NEW.id;
  INSERT INTO im_admin_documents (list, key, member, text)
    SELECT im_admin_lists.id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id), member.id, member.user_id || x'0a' || CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END
      FROM im_admin_lists CROSS JOIN im_admin_group_members member INDEXED BY im_admin_group_members_in_order ON member.group_id = im_admin_lists.owner
        LEFT JOIN im_admin_users profile ON profile.user_id = member.user_id
      WHERE im_admin_lists.name = 'groupMembers' AND im_admin_lists.id = NEW.id AND NOT NEW.has_documents
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
  DELETE FROM im_admin_documents WHERE list = NEW.id AND NEW.has_documents;
END;

CREATE TRIGGER im_admin_renew_document_insert INSTEAD OF INSERT ON im_admin_renew_document
  WHEN (SELECT has_documents FROM im_admin_lists WHERE name = 'groupMembers' AND owner = NEW.group_id)
BEGIN
  DELETE FROM im_admin_documents
    WHERE list = (SELECT id FROM im_admin_lists WHERE name = 'groupMembers' AND owner = NEW.group_id) AND key = NEW.key
      AND NOT EXISTS (
        SELECT 1 FROM im_admin_group_members member INDEXED BY im_admin_group_members_in_order
          WHERE member.group_id = NEW.group_id AND ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id) = NEW.key);
  INSERT INTO im_admin_documents (list, key, member, text)
    SELECT im_admin_lists.id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id), member.id, member.user_id || x'0a' || CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END
      FROM im_admin_lists CROSS JOIN im_admin_group_members member INDEXED BY im_admin_group_members_in_order ON member.group_id = im_admin_lists.owner
        LEFT JOIN im_admin_users profile ON profile.user_id = member.user_id
      WHERE im_admin_lists.name = 'groupMembers' AND im_admin_lists.owner = NEW.group_id AND ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id) = NEW.key
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
END;

CREATE TRIGGER im_admin_group_members_nickname AFTER UPDATE OF nickname ON im_admin_group_members
  WHEN OLD.nickname IS NOT NEW.nickname
BEGIN
  INSERT INTO im_admin_renew_document (group_id, key) VALUES (NEW.group_id, ((2000 - NEW.role_level) || (20000000000000000 + NEW.join_time) || NEW.user_id));
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
END;

CREATE TRIGGER im_admin_users_nickname_insert AFTER INSERT ON im_admin_users
BEGIN
  INSERT INTO im_admin_renew_document (group_id, key)
    SELECT member.group_id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id) FROM im_admin_group_members member
      CROSS JOIN im_admin_lists ON im_admin_lists.name = 'groupMembers' AND im_admin_lists.owner = member.group_id AND im_admin_lists.has_documents
      WHERE member.user_id = NEW.user_id;
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
END;

CREATE TRIGGER im_admin_users_nickname_delete AFTER DELETE ON im_admin_users
BEGIN
  INSERT INTO im_admin_renew_document (group_id, key)
    SELECT member.group_id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id) FROM im_admin_group_members member
      CROSS JOIN im_admin_lists ON im_admin_lists.name = 'groupMembers' AND im_admin_lists.owner = member.group_id AND im_admin_lists.has_documents
      WHERE member.user_id = OLD.user_id;
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
END;

CREATE TRIGGER im_admin_users_nickname_update AFTER UPDATE OF user_id, nickname ON im_admin_users
  WHEN OLD.user_id IS NOT NEW.user_id OR OLD.nickname IS NOT NEW.nickname
BEGIN
  INSERT INTO im_admin_renew_document (group_id, key)
    SELECT member.group_id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id) FROM im_admin_group_members member
      CROSS JOIN im_admin_lists ON im_admin_lists.name = 'groupMembers' AND im_admin_lists.owner = member.group_id AND im_admin_lists.has_documents
      WHERE member.user_id = OLD.user_id;
  INSERT INTO im_admin_renew_document (group_id, key)
    SELECT member.group_id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id) FROM im_admin_group_members member
      CROSS JOIN im_admin_lists ON im_admin_lists.name = 'groupMembers' AND im_admin_lists.owner = member.group_id AND im_admin_lists.has_documents
      WHERE member.user_id = NEW.user_id;
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
END;
