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
  PRIMARY KEY (group_id, user_id)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE im_admin_table_map (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  map TEXT NOT NULL
) STRICT;

CREATE TABLE im_admin_listed_users (
  user_id TEXT NOT NULL,
  app_manger_level INTEGER NOT NULL,
  nickname TEXT NOT NULL,
  PRIMARY KEY (user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE im_admin_listed_group_members (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
  group_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  role_level INTEGER NOT NULL,
  join_time INTEGER NOT NULL,
  UNIQUE (group_id, user_id)
) STRICT;

CREATE TABLE im_admin_listed_blacks (
  owner_user_id TEXT NOT NULL,
  black_user_id TEXT NOT NULL,
  create_time INTEGER NOT NULL,
  PRIMARY KEY (owner_user_id, black_user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE im_admin_listed_received_group_requests (
  group_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  manager_user_id TEXT NOT NULL,
  req_time INTEGER NOT NULL,
  handle_result INTEGER NOT NULL,
  PRIMARY KEY (group_id, user_id, manager_user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX im_admin_managers_in_order
  ON im_admin_listed_group_members (group_id, user_id) WHERE role_level IN (60, 100);

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

CREATE INDEX im_admin_group_members_in_order
  ON im_admin_listed_group_members (group_id, ((2000 - role_level) || (20000000000000000 + join_time) || user_id), user_id);

CREATE INDEX im_admin_joined_groups_in_order
  ON im_admin_listed_group_members (user_id, ((20000000000000000 - join_time) || group_id));

CREATE INDEX im_admin_blacks_in_order
  ON im_admin_listed_blacks (owner_user_id, ((20000000000000000 - create_time) || black_user_id));

CREATE INDEX im_admin_received_group_requests_in_order
  ON im_admin_listed_received_group_requests (manager_user_id, ((20000000000000000 - req_time) || group_id || x'00' || user_id));

CREATE INDEX im_admin_received_group_requests_by_result_in_order
  ON im_admin_listed_received_group_requests (manager_user_id, ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id));

CREATE INDEX im_admin_notification_accounts_in_order
  ON im_admin_listed_users (('' || user_id), nickname);

CREATE INDEX im_admin_notification_accounts_by_level_in_order
  ON im_admin_listed_users (((30000000000 + app_manger_level) || user_id));

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

CREATE VIEW im_admin_apply_changes AS SELECT CAST(NULL AS INTEGER) AS is_over WHERE false;

CREATE TABLE im_admin_replaced (
  record TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (record, key)
) STRICT, WITHOUT ROWID;

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
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.id, NEW.height + 1, '', NEW.total WHERE NEW.total > (CASE NEW.height WHEN 0 THEN 300 WHEN 1 THEN 3000 WHEN 2 THEN 30000 WHEN 3 THEN 300000 ELSE NEW.total END);
  UPDATE im_admin_list_nodes SET total = total
    WHERE NEW.total > (CASE NEW.height WHEN 0 THEN 300 WHEN 1 THEN 3000 WHEN 2 THEN 30000 WHEN 3 THEN 300000 ELSE NEW.total END) AND list = NEW.id AND level = NEW.height + 1;
  DELETE FROM im_admin_list_nodes WHERE NEW.total < (CASE NEW.height WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 32 END) AND list = NEW.id AND level = NEW.height;
  DELETE FROM im_admin_lists WHERE NEW.total < (CASE NEW.height WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 32 END) AND id = NEW.id AND NEW.height = 0;
  UPDATE im_admin_lists SET height = NEW.height + (CASE WHEN NEW.total > (CASE NEW.height WHEN 0 THEN 300 WHEN 1 THEN 3000 WHEN 2 THEN 30000 WHEN 3 THEN 300000 ELSE NEW.total END) THEN 1 ELSE -1 END)
    WHERE (NEW.total > (CASE NEW.height WHEN 0 THEN 300 WHEN 1 THEN 3000 WHEN 2 THEN 30000 WHEN 3 THEN 300000 ELSE NEW.total END) OR NEW.total < (CASE NEW.height WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 32 END)) AND id = NEW.id;
END;

CREATE TRIGGER im_admin_list_nodes_update AFTER UPDATE OF total ON im_admin_list_nodes
  WHEN NEW.total > (CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE NEW.total END) OR NEW.total < (CASE NEW.level WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 0 END) AND NEW.total >= 0
BEGIN
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, NEW.level, (CASE WHEN is_new THEN start ELSE NEW.start END),
        (CASE WHEN is_new THEN following ELSE NEW.total - following END)
      FROM (
        SELECT ((2000 - role_level) || (20000000000000000 + join_time) || user_id) AS start, NEW.total - 150 AS following
          FROM im_admin_lists CROSS JOIN im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
            ON group_id = im_admin_lists.owner AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= NEW.start
          WHERE im_admin_lists.id = NEW.list AND im_admin_lists.name = 'groupMembers'
          ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id) LIMIT 1 OFFSET 150
      ) CROSS JOIN (SELECT true AS is_new UNION ALL SELECT false)
      WHERE NEW.total > (CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE NEW.total END) AND NEW.level = 1
    ON CONFLICT (list, level, start) DO UPDATE SET total = excluded.total;
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, NEW.level, (CASE WHEN is_new THEN start ELSE NEW.start END),
        (CASE WHEN is_new THEN following ELSE NEW.total - following END)
      FROM (
        SELECT ((20000000000000000 - join_time) || group_id) AS start, NEW.total - 150 AS following
          FROM im_admin_lists CROSS JOIN im_admin_listed_group_members INDEXED BY im_admin_joined_groups_in_order
            ON user_id = im_admin_lists.owner AND ((20000000000000000 - join_time) || group_id) >= NEW.start
          WHERE im_admin_lists.id = NEW.list AND im_admin_lists.name = 'joinedGroups'
          ORDER BY ((20000000000000000 - join_time) || group_id) LIMIT 1 OFFSET 150
      ) CROSS JOIN (SELECT true AS is_new UNION ALL SELECT false)
      WHERE NEW.total > (CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE NEW.total END) AND NEW.level = 1
    ON CONFLICT (list, level, start) DO UPDATE SET total = excluded.total;
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, NEW.level, (CASE WHEN is_new THEN start ELSE NEW.start END),
        (CASE WHEN is_new THEN following ELSE NEW.total - following END)
      FROM (
        SELECT ((20000000000000000 - create_time) || black_user_id) AS start, NEW.total - 150 AS following
          FROM im_admin_lists CROSS JOIN im_admin_listed_blacks INDEXED BY im_admin_blacks_in_order
            ON owner_user_id = im_admin_lists.owner AND ((20000000000000000 - create_time) || black_user_id) >= NEW.start
          WHERE im_admin_lists.id = NEW.list AND im_admin_lists.name = 'blacks'
          ORDER BY ((20000000000000000 - create_time) || black_user_id) LIMIT 1 OFFSET 150
      ) CROSS JOIN (SELECT true AS is_new UNION ALL SELECT false)
      WHERE NEW.total > (CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE NEW.total END) AND NEW.level = 1
    ON CONFLICT (list, level, start) DO UPDATE SET total = excluded.total;
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, NEW.level, (CASE WHEN is_new THEN start ELSE NEW.start END),
        (CASE WHEN is_new THEN following ELSE NEW.total - following END)
      FROM (
        SELECT ((20000000000000000 - req_time) || group_id || x'00' || user_id) AS start, NEW.total - 150 AS following
          FROM im_admin_lists CROSS JOIN im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_in_order
            ON manager_user_id = im_admin_lists.owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) >= NEW.start
          WHERE im_admin_lists.id = NEW.list AND im_admin_lists.name = 'receivedGroupRequests'
          ORDER BY ((20000000000000000 - req_time) || group_id || x'00' || user_id) LIMIT 1 OFFSET 150
      ) CROSS JOIN (SELECT true AS is_new UNION ALL SELECT false)
      WHERE NEW.total > (CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE NEW.total END) AND NEW.level = 1
    ON CONFLICT (list, level, start) DO UPDATE SET total = excluded.total;
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, NEW.level, (CASE WHEN is_new THEN start ELSE NEW.start END),
        (CASE WHEN is_new THEN following ELSE NEW.total - following END)
      FROM (
        SELECT ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) AS start, NEW.total - 150 AS following
          FROM im_admin_lists CROSS JOIN im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_by_result_in_order
            ON manager_user_id = im_admin_lists.owner AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) >= NEW.start
          WHERE im_admin_lists.id = NEW.list AND im_admin_lists.name = 'receivedGroupRequestsByResult'
          ORDER BY ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) LIMIT 1 OFFSET 150
      ) CROSS JOIN (SELECT true AS is_new UNION ALL SELECT false)
      WHERE NEW.total > (CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE NEW.total END) AND NEW.level = 1
    ON CONFLICT (list, level, start) DO UPDATE SET total = excluded.total;
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, NEW.level, (CASE WHEN is_new THEN start ELSE NEW.start END),
        (CASE WHEN is_new THEN following ELSE NEW.total - following END)
      FROM (
        SELECT ('' || user_id) AS start, NEW.total - 150 AS following
          FROM im_admin_lists CROSS JOIN im_admin_listed_users INDEXED BY im_admin_notification_accounts_in_order
            ON true AND ('' || user_id) >= NEW.start
          WHERE im_admin_lists.id = NEW.list AND im_admin_lists.name = 'notificationAccounts'
          ORDER BY ('' || user_id) LIMIT 1 OFFSET 150
      ) CROSS JOIN (SELECT true AS is_new UNION ALL SELECT false)
      WHERE NEW.total > (CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE NEW.total END) AND NEW.level = 1
    ON CONFLICT (list, level, start) DO UPDATE SET total = excluded.total;
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, NEW.level, (CASE WHEN is_new THEN start ELSE NEW.start END),
        (CASE WHEN is_new THEN following ELSE NEW.total - following END)
      FROM (
        SELECT ((30000000000 + app_manger_level) || user_id) AS start, NEW.total - 150 AS following
          FROM im_admin_lists CROSS JOIN im_admin_listed_users INDEXED BY im_admin_notification_accounts_by_level_in_order
            ON true AND ((30000000000 + app_manger_level) || user_id) >= NEW.start
          WHERE im_admin_lists.id = NEW.list AND im_admin_lists.name = 'notificationAccountsByLevel'
          ORDER BY ((30000000000 + app_manger_level) || user_id) LIMIT 1 OFFSET 150
      ) CROSS JOIN (SELECT true AS is_new UNION ALL SELECT false)
      WHERE NEW.total > (CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE NEW.total END) AND NEW.level = 1
    ON CONFLICT (list, level, start) DO UPDATE SET total = excluded.total;
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, NEW.level, (CASE WHEN is_new THEN start ELSE NEW.start END),
        (CASE WHEN is_new THEN following ELSE NEW.total - following END)
      FROM (
        SELECT start, following FROM (
          SELECT start, sum(total) OVER (ORDER BY start DESC ROWS UNBOUNDED PRECEDING) AS following FROM im_admin_list_nodes
            WHERE list = NEW.list AND level = NEW.level - 1
              AND start > NEW.start AND start < coalesce((SELECT start FROM im_admin_list_nodes WHERE list = NEW.list AND level = NEW.level AND start > NEW.start ORDER BY start LIMIT 1), x'')
        ) WHERE following >= NEW.total / 2 ORDER BY start DESC LIMIT 1
      ) CROSS JOIN (SELECT true AS is_new UNION ALL SELECT false)
      WHERE NEW.total > (CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE NEW.total END) AND NEW.level > 1
    ON CONFLICT (list, level, start) DO UPDATE SET total = excluded.total;
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, NEW.level, (CASE WHEN is_gone THEN gone ELSE kept END), (CASE WHEN is_gone THEN -1 ELSE total END)
      FROM (
        SELECT gone.start AS gone, kept.start AS kept, gone.total + kept.total AS total
          FROM im_admin_list_nodes gone CROSS JOIN im_admin_list_nodes kept
            ON kept.list = NEW.list AND kept.level = NEW.level AND kept.start = (
              SELECT start FROM im_admin_list_nodes
                WHERE list = NEW.list AND level = NEW.level AND start < gone.start ORDER BY start DESC LIMIT 1)
          WHERE NEW.total < (CASE NEW.level WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 0 END) AND gone.list = NEW.list AND gone.level = NEW.level
            AND gone.start IN (NEW.start, (SELECT start FROM im_admin_list_nodes WHERE list = NEW.list AND level = NEW.level AND start > NEW.start ORDER BY start LIMIT 1)) AND gone.start <> '' AND NOT EXISTS (SELECT 1 FROM im_admin_list_nodes parent
              WHERE parent.list = NEW.list AND parent.level = NEW.level + 1 AND parent.start = gone.start)
            AND gone.total >= 0 AND kept.total >= 0 AND (gone.total = 0 OR gone.total + kept.total <= (CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE 0 END) / 2)
          ORDER BY gone.start LIMIT 1
      ) CROSS JOIN (SELECT true AS is_gone UNION ALL SELECT false)
      WHERE true
    ON CONFLICT (list, level, start) DO UPDATE SET total = excluded.total;
  DELETE FROM im_admin_list_nodes
    WHERE NEW.total < (CASE NEW.level WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 0 END) AND list = NEW.list AND level < NEW.level AND total = 0
      AND start IN (SELECT start FROM im_admin_list_nodes WHERE list = NEW.list AND level = NEW.level AND start IN (NEW.start, (SELECT start FROM im_admin_list_nodes WHERE list = NEW.list AND level = NEW.level AND start > NEW.start ORDER BY start LIMIT 1)) AND total < 0)
      AND NOT EXISTS (SELECT 1 FROM im_admin_list_nodes above
        WHERE above.list = NEW.list AND above.start = im_admin_list_nodes.start
          AND above.level > im_admin_list_nodes.level AND above.level < NEW.level AND above.total > 0);
  DELETE FROM im_admin_list_nodes WHERE NEW.total < (CASE NEW.level WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 0 END) AND list = NEW.list AND level = NEW.level AND start IN (NEW.start, (SELECT start FROM im_admin_list_nodes WHERE list = NEW.list AND level = NEW.level AND start > NEW.start ORDER BY start LIMIT 1)) AND total < 0;
END;

CREATE TRIGGER im_admin_users_listed AFTER INSERT ON im_admin_listed_users
BEGIN
  UPDATE im_admin_lists SET total = total + 1, changed_key = ('' || NEW.user_id)
    WHERE name = 'notificationAccounts' AND owner = '';
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'notificationAccounts', '', (SELECT count(*) FROM im_admin_listed_users INDEXED BY im_admin_notification_accounts_in_order WHERE true)
      WHERE NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'notificationAccounts' AND owner = '')
        AND (SELECT true FROM im_admin_listed_users INDEXED BY im_admin_notification_accounts_in_order WHERE true LIMIT 1 OFFSET 64);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((30000000000 + NEW.app_manger_level) || NEW.user_id)
    WHERE name = 'notificationAccountsByLevel' AND owner = '';
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'notificationAccountsByLevel', '', (SELECT count(*) FROM im_admin_listed_users INDEXED BY im_admin_notification_accounts_by_level_in_order WHERE true)
      WHERE NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'notificationAccountsByLevel' AND owner = '')
        AND (SELECT true FROM im_admin_listed_users INDEXED BY im_admin_notification_accounts_by_level_in_order WHERE true LIMIT 1 OFFSET 64);
END;

CREATE TRIGGER im_admin_users_moved AFTER UPDATE OF app_manger_level, nickname ON im_admin_listed_users
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ('' || OLD.user_id)
    WHERE name = 'notificationAccounts' AND owner = '' AND ('' || OLD.user_id) <> ('' || NEW.user_id);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ('' || NEW.user_id)
    WHERE name = 'notificationAccounts' AND owner = '' AND ('' || OLD.user_id) <> ('' || NEW.user_id);
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((30000000000 + OLD.app_manger_level) || OLD.user_id)
    WHERE name = 'notificationAccountsByLevel' AND owner = '' AND ((30000000000 + OLD.app_manger_level) || OLD.user_id) <> ((30000000000 + NEW.app_manger_level) || NEW.user_id);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((30000000000 + NEW.app_manger_level) || NEW.user_id)
    WHERE name = 'notificationAccountsByLevel' AND owner = '' AND ((30000000000 + OLD.app_manger_level) || OLD.user_id) <> ((30000000000 + NEW.app_manger_level) || NEW.user_id);
END;

CREATE TRIGGER im_admin_users_unlisted AFTER DELETE ON im_admin_listed_users
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ('' || OLD.user_id)
    WHERE name = 'notificationAccounts' AND owner = '';
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((30000000000 + OLD.app_manger_level) || OLD.user_id)
    WHERE name = 'notificationAccountsByLevel' AND owner = '';
END;

CREATE TRIGGER im_admin_group_members_listed AFTER INSERT ON im_admin_listed_group_members
BEGIN
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((2000 - NEW.role_level) || (20000000000000000 + NEW.join_time) || NEW.user_id)
    WHERE name = 'groupMembers' AND owner = NEW.group_id;
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'groupMembers', NEW.group_id, (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = NEW.group_id)
      WHERE NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupMembers' AND owner = NEW.group_id)
        AND (SELECT true FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = NEW.group_id LIMIT 1 OFFSET 64);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((20000000000000000 - NEW.join_time) || NEW.group_id)
    WHERE name = 'joinedGroups' AND owner = NEW.user_id;
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'joinedGroups', NEW.user_id, (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_joined_groups_in_order WHERE user_id = NEW.user_id)
      WHERE NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'joinedGroups' AND owner = NEW.user_id)
        AND (SELECT true FROM im_admin_listed_group_members INDEXED BY im_admin_joined_groups_in_order WHERE user_id = NEW.user_id LIMIT 1 OFFSET 64);
  INSERT INTO im_admin_listed_received_group_requests (group_id, user_id, manager_user_id, req_time, handle_result)
    SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
      CROSS JOIN im_admin_listed_group_members manager INDEXED BY im_admin_managers_in_order
        ON manager.group_id = source.group_id AND manager.role_level IN (60, 100)
      WHERE NEW.role_level IN (60, 100) AND source.group_id = NEW.group_id AND manager.user_id = NEW.user_id
    ON CONFLICT (group_id, user_id, manager_user_id) DO UPDATE
      SET req_time = excluded.req_time, handle_result = excluded.handle_result
      WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;
END;

CREATE TRIGGER im_admin_group_members_moved AFTER UPDATE OF role_level, join_time ON im_admin_listed_group_members
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((2000 - OLD.role_level) || (20000000000000000 + OLD.join_time) || OLD.user_id)
    WHERE name = 'groupMembers' AND owner = OLD.group_id AND ((2000 - OLD.role_level) || (20000000000000000 + OLD.join_time) || OLD.user_id) <> ((2000 - NEW.role_level) || (20000000000000000 + NEW.join_time) || NEW.user_id);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((2000 - NEW.role_level) || (20000000000000000 + NEW.join_time) || NEW.user_id)
    WHERE name = 'groupMembers' AND owner = NEW.group_id AND ((2000 - OLD.role_level) || (20000000000000000 + OLD.join_time) || OLD.user_id) <> ((2000 - NEW.role_level) || (20000000000000000 + NEW.join_time) || NEW.user_id);
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((20000000000000000 - OLD.join_time) || OLD.group_id)
    WHERE name = 'joinedGroups' AND owner = OLD.user_id AND ((20000000000000000 - OLD.join_time) || OLD.group_id) <> ((20000000000000000 - NEW.join_time) || NEW.group_id);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((20000000000000000 - NEW.join_time) || NEW.group_id)
    WHERE name = 'joinedGroups' AND owner = NEW.user_id AND ((20000000000000000 - OLD.join_time) || OLD.group_id) <> ((20000000000000000 - NEW.join_time) || NEW.group_id);
  DELETE FROM im_admin_documents
    WHERE ((2000 - OLD.role_level) || (20000000000000000 + OLD.join_time) || OLD.user_id) <> ((2000 - NEW.role_level) || (20000000000000000 + NEW.join_time) || NEW.user_id) AND key = ((2000 - OLD.role_level) || (20000000000000000 + OLD.join_time) || OLD.user_id)
      AND list = (SELECT id FROM im_admin_lists WHERE name = 'groupMembers' AND owner = OLD.group_id);
  DELETE FROM im_admin_listed_received_group_requests
    WHERE OLD.role_level IN (60, 100) AND NOT NEW.role_level IN (60, 100) AND group_id = OLD.group_id AND manager_user_id = OLD.user_id;
  INSERT INTO im_admin_listed_received_group_requests (group_id, user_id, manager_user_id, req_time, handle_result)
    SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
      CROSS JOIN im_admin_listed_group_members manager INDEXED BY im_admin_managers_in_order
        ON manager.group_id = source.group_id AND manager.role_level IN (60, 100)
      WHERE NEW.role_level IN (60, 100) AND source.group_id = NEW.group_id AND manager.user_id = NEW.user_id
    ON CONFLICT (group_id, user_id, manager_user_id) DO UPDATE
      SET req_time = excluded.req_time, handle_result = excluded.handle_result
      WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;
END;

CREATE TRIGGER im_admin_group_members_unlisted AFTER DELETE ON im_admin_listed_group_members
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((2000 - OLD.role_level) || (20000000000000000 + OLD.join_time) || OLD.user_id)
    WHERE name = 'groupMembers' AND owner = OLD.group_id;
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((20000000000000000 - OLD.join_time) || OLD.group_id)
    WHERE name = 'joinedGroups' AND owner = OLD.user_id;
  DELETE FROM im_admin_documents
    WHERE true AND key = ((2000 - OLD.role_level) || (20000000000000000 + OLD.join_time) || OLD.user_id)
      AND list = (SELECT id FROM im_admin_lists WHERE name = 'groupMembers' AND owner = OLD.group_id);
  DELETE FROM im_admin_listed_received_group_requests
    WHERE OLD.role_level IN (60, 100) AND true AND group_id = OLD.group_id AND manager_user_id = OLD.user_id;
END;

CREATE TRIGGER im_admin_blacks_listed AFTER INSERT ON im_admin_listed_blacks
BEGIN
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((20000000000000000 - NEW.create_time) || NEW.black_user_id)
    WHERE name = 'blacks' AND owner = NEW.owner_user_id;
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'blacks', NEW.owner_user_id, (SELECT count(*) FROM im_admin_listed_blacks INDEXED BY im_admin_blacks_in_order WHERE owner_user_id = NEW.owner_user_id)
      WHERE NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'blacks' AND owner = NEW.owner_user_id)
        AND (SELECT true FROM im_admin_listed_blacks INDEXED BY im_admin_blacks_in_order WHERE owner_user_id = NEW.owner_user_id LIMIT 1 OFFSET 64);
END;

CREATE TRIGGER im_admin_blacks_moved AFTER UPDATE OF create_time ON im_admin_listed_blacks
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((20000000000000000 - OLD.create_time) || OLD.black_user_id)
    WHERE name = 'blacks' AND owner = OLD.owner_user_id AND ((20000000000000000 - OLD.create_time) || OLD.black_user_id) <> ((20000000000000000 - NEW.create_time) || NEW.black_user_id);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((20000000000000000 - NEW.create_time) || NEW.black_user_id)
    WHERE name = 'blacks' AND owner = NEW.owner_user_id AND ((20000000000000000 - OLD.create_time) || OLD.black_user_id) <> ((20000000000000000 - NEW.create_time) || NEW.black_user_id);
END;

CREATE TRIGGER im_admin_blacks_unlisted AFTER DELETE ON im_admin_listed_blacks
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((20000000000000000 - OLD.create_time) || OLD.black_user_id)
    WHERE name = 'blacks' AND owner = OLD.owner_user_id;
END;

CREATE TRIGGER im_admin_received_group_requests_listed AFTER INSERT ON im_admin_listed_received_group_requests
BEGIN
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id)
    WHERE name = 'receivedGroupRequests' AND owner = NEW.manager_user_id;
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'receivedGroupRequests', NEW.manager_user_id, (SELECT count(*) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_in_order WHERE manager_user_id = NEW.manager_user_id)
      WHERE NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'receivedGroupRequests' AND owner = NEW.manager_user_id)
        AND (SELECT true FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_in_order WHERE manager_user_id = NEW.manager_user_id LIMIT 1 OFFSET 64);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((30000000000 + NEW.handle_result) || (20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id)
    WHERE name = 'receivedGroupRequestsByResult' AND owner = NEW.manager_user_id;
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'receivedGroupRequestsByResult', NEW.manager_user_id, (SELECT count(*) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_by_result_in_order WHERE manager_user_id = NEW.manager_user_id)
      WHERE NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'receivedGroupRequestsByResult' AND owner = NEW.manager_user_id)
        AND (SELECT true FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_by_result_in_order WHERE manager_user_id = NEW.manager_user_id LIMIT 1 OFFSET 64);
END;

CREATE TRIGGER im_admin_received_group_requests_moved AFTER UPDATE OF req_time, handle_result ON im_admin_listed_received_group_requests
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id)
    WHERE name = 'receivedGroupRequests' AND owner = OLD.manager_user_id AND ((20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id) <> ((20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id)
    WHERE name = 'receivedGroupRequests' AND owner = NEW.manager_user_id AND ((20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id) <> ((20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id);
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((30000000000 + OLD.handle_result) || (20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id)
    WHERE name = 'receivedGroupRequestsByResult' AND owner = OLD.manager_user_id AND ((30000000000 + OLD.handle_result) || (20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id) <> ((30000000000 + NEW.handle_result) || (20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((30000000000 + NEW.handle_result) || (20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id)
    WHERE name = 'receivedGroupRequestsByResult' AND owner = NEW.manager_user_id AND ((30000000000 + OLD.handle_result) || (20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id) <> ((30000000000 + NEW.handle_result) || (20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id);
END;

CREATE TRIGGER im_admin_received_group_requests_unlisted AFTER DELETE ON im_admin_listed_received_group_requests
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id)
    WHERE name = 'receivedGroupRequests' AND owner = OLD.manager_user_id;
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((30000000000 + OLD.handle_result) || (20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id)
    WHERE name = 'receivedGroupRequestsByResult' AND owner = OLD.manager_user_id;
END;

CREATE TRIGGER im_admin_users_inserted AFTER INSERT ON im_admin_users
BEGIN
  DELETE FROM im_admin_listed_users
    WHERE im_admin_listed_users.user_id = NEW.user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.user_id, source.app_manger_level, source.nickname FROM im_admin_users source
          WHERE source.user_id = NEW.user_id AND source.app_manger_level >= 3
      ) now WHERE now.user_id = im_admin_listed_users.user_id);
  INSERT INTO im_admin_listed_users (user_id, app_manger_level, nickname)
    SELECT source.user_id, source.app_manger_level, source.nickname FROM im_admin_users source
      WHERE source.user_id = NEW.user_id AND true AND source.app_manger_level >= 3
    ON CONFLICT (user_id) DO UPDATE
      SET app_manger_level = excluded.app_manger_level, nickname = excluded.nickname
      WHERE app_manger_level <> excluded.app_manger_level OR nickname <> excluded.nickname;
  INSERT INTO im_admin_documents (list, key, member, text)
    SELECT im_admin_lists.id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id), member.id, member.user_id || x'0a' || (CASE record.nickname
      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
      ELSE record.nickname END)
      FROM im_admin_listed_group_members member INDEXED BY im_admin_joined_groups_in_order CROSS JOIN im_admin_lists ON member.group_id = im_admin_lists.owner
        CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
      WHERE im_admin_lists.name = 'groupMembers' AND im_admin_lists.has_documents AND true AND member.user_id = NEW.user_id
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
END;

CREATE TRIGGER im_admin_users_updated AFTER UPDATE OF user_id, app_manger_level, nickname ON im_admin_users
BEGIN
  DELETE FROM im_admin_listed_users
    WHERE im_admin_listed_users.user_id = OLD.user_id AND (OLD.user_id) IS NOT (NEW.user_id) AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.user_id, source.app_manger_level, source.nickname FROM im_admin_users source
          WHERE source.user_id = OLD.user_id AND source.app_manger_level >= 3
      ) now WHERE now.user_id = im_admin_listed_users.user_id);
  INSERT INTO im_admin_listed_users (user_id, app_manger_level, nickname)
    SELECT source.user_id, source.app_manger_level, source.nickname FROM im_admin_users source
      WHERE source.user_id = OLD.user_id AND (OLD.user_id) IS NOT (NEW.user_id) AND source.app_manger_level >= 3
    ON CONFLICT (user_id) DO UPDATE
      SET app_manger_level = excluded.app_manger_level, nickname = excluded.nickname
      WHERE app_manger_level <> excluded.app_manger_level OR nickname <> excluded.nickname;
  INSERT INTO im_admin_documents (list, key, member, text)
    SELECT im_admin_lists.id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id), member.id, member.user_id || x'0a' || (CASE record.nickname
      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
      ELSE record.nickname END)
      FROM im_admin_listed_group_members member INDEXED BY im_admin_joined_groups_in_order CROSS JOIN im_admin_lists ON member.group_id = im_admin_lists.owner
        CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
      WHERE im_admin_lists.name = 'groupMembers' AND im_admin_lists.has_documents AND (OLD.user_id) IS NOT (NEW.user_id) AND member.user_id = OLD.user_id
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
  DELETE FROM im_admin_listed_users
    WHERE im_admin_listed_users.user_id = NEW.user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.user_id, source.app_manger_level, source.nickname FROM im_admin_users source
          WHERE source.user_id = NEW.user_id AND source.app_manger_level >= 3
      ) now WHERE now.user_id = im_admin_listed_users.user_id);
  INSERT INTO im_admin_listed_users (user_id, app_manger_level, nickname)
    SELECT source.user_id, source.app_manger_level, source.nickname FROM im_admin_users source
      WHERE source.user_id = NEW.user_id AND true AND source.app_manger_level >= 3
    ON CONFLICT (user_id) DO UPDATE
      SET app_manger_level = excluded.app_manger_level, nickname = excluded.nickname
      WHERE app_manger_level <> excluded.app_manger_level OR nickname <> excluded.nickname;
  INSERT INTO im_admin_documents (list, key, member, text)
    SELECT im_admin_lists.id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id), member.id, member.user_id || x'0a' || (CASE record.nickname
      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
      ELSE record.nickname END)
      FROM im_admin_listed_group_members member INDEXED BY im_admin_joined_groups_in_order CROSS JOIN im_admin_lists ON member.group_id = im_admin_lists.owner
        CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
      WHERE im_admin_lists.name = 'groupMembers' AND im_admin_lists.has_documents AND true AND member.user_id = NEW.user_id
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
END;

CREATE TRIGGER im_admin_users_deleted AFTER DELETE ON im_admin_users
BEGIN
  DELETE FROM im_admin_listed_users
    WHERE im_admin_listed_users.user_id = OLD.user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.user_id, source.app_manger_level, source.nickname FROM im_admin_users source
          WHERE source.user_id = OLD.user_id AND source.app_manger_level >= 3
      ) now WHERE now.user_id = im_admin_listed_users.user_id);
  INSERT INTO im_admin_listed_users (user_id, app_manger_level, nickname)
    SELECT source.user_id, source.app_manger_level, source.nickname FROM im_admin_users source
      WHERE source.user_id = OLD.user_id AND true AND source.app_manger_level >= 3
    ON CONFLICT (user_id) DO UPDATE
      SET app_manger_level = excluded.app_manger_level, nickname = excluded.nickname
      WHERE app_manger_level <> excluded.app_manger_level OR nickname <> excluded.nickname;
  INSERT INTO im_admin_documents (list, key, member, text)
    SELECT im_admin_lists.id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id), member.id, member.user_id || x'0a' || (CASE record.nickname
      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
      ELSE record.nickname END)
      FROM im_admin_listed_group_members member INDEXED BY im_admin_joined_groups_in_order CROSS JOIN im_admin_lists ON member.group_id = im_admin_lists.owner
        CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
      WHERE im_admin_lists.name = 'groupMembers' AND im_admin_lists.has_documents AND true AND member.user_id = OLD.user_id
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
END;

CREATE TRIGGER im_admin_group_members_inserted AFTER INSERT ON im_admin_group_members
BEGIN
  DELETE FROM im_admin_listed_group_members
    WHERE im_admin_listed_group_members.group_id = NEW.group_id AND im_admin_listed_group_members.user_id = NEW.user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.group_id, source.user_id, source.role_level, source.join_time FROM im_admin_group_members source
          WHERE source.group_id = NEW.group_id AND source.user_id = NEW.user_id
      ) now WHERE now.group_id = im_admin_listed_group_members.group_id AND now.user_id = im_admin_listed_group_members.user_id);
  INSERT INTO im_admin_listed_group_members (group_id, user_id, role_level, join_time)
    SELECT source.group_id, source.user_id, source.role_level, source.join_time FROM im_admin_group_members source
      WHERE source.group_id = NEW.group_id AND source.user_id = NEW.user_id AND true
    ON CONFLICT (group_id, user_id) DO UPDATE
      SET role_level = excluded.role_level, join_time = excluded.join_time
      WHERE role_level <> excluded.role_level OR join_time <> excluded.join_time;
  INSERT INTO im_admin_documents (list, key, member, text)
    SELECT im_admin_lists.id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id), member.id, member.user_id || x'0a' || (CASE record.nickname
      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
      ELSE record.nickname END)
      FROM im_admin_lists CROSS JOIN im_admin_listed_group_members member ON member.group_id = im_admin_lists.owner
        CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
      WHERE im_admin_lists.name = 'groupMembers' AND im_admin_lists.has_documents AND true AND im_admin_lists.owner = NEW.group_id AND member.group_id = NEW.group_id AND member.user_id = NEW.user_id
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
END;

CREATE TRIGGER im_admin_group_members_updated AFTER UPDATE OF group_id, user_id, role_level, join_time, nickname ON im_admin_group_members
BEGIN
  DELETE FROM im_admin_listed_group_members
    WHERE im_admin_listed_group_members.group_id = OLD.group_id AND im_admin_listed_group_members.user_id = OLD.user_id AND (OLD.group_id, OLD.user_id) IS NOT (NEW.group_id, NEW.user_id) AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.group_id, source.user_id, source.role_level, source.join_time FROM im_admin_group_members source
          WHERE source.group_id = OLD.group_id AND source.user_id = OLD.user_id
      ) now WHERE now.group_id = im_admin_listed_group_members.group_id AND now.user_id = im_admin_listed_group_members.user_id);
  INSERT INTO im_admin_listed_group_members (group_id, user_id, role_level, join_time)
    SELECT source.group_id, source.user_id, source.role_level, source.join_time FROM im_admin_group_members source
      WHERE source.group_id = OLD.group_id AND source.user_id = OLD.user_id AND (OLD.group_id, OLD.user_id) IS NOT (NEW.group_id, NEW.user_id)
    ON CONFLICT (group_id, user_id) DO UPDATE
      SET role_level = excluded.role_level, join_time = excluded.join_time
      WHERE role_level <> excluded.role_level OR join_time <> excluded.join_time;
  INSERT INTO im_admin_documents (list, key, member, text)
    SELECT im_admin_lists.id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id), member.id, member.user_id || x'0a' || (CASE record.nickname
      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
      ELSE record.nickname END)
      FROM im_admin_lists CROSS JOIN im_admin_listed_group_members member ON member.group_id = im_admin_lists.owner
        CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
      WHERE im_admin_lists.name = 'groupMembers' AND im_admin_lists.has_documents AND (OLD.group_id, OLD.user_id) IS NOT (NEW.group_id, NEW.user_id) AND im_admin_lists.owner = OLD.group_id AND member.group_id = OLD.group_id AND member.user_id = OLD.user_id
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
  DELETE FROM im_admin_listed_group_members
    WHERE im_admin_listed_group_members.group_id = NEW.group_id AND im_admin_listed_group_members.user_id = NEW.user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.group_id, source.user_id, source.role_level, source.join_time FROM im_admin_group_members source
          WHERE source.group_id = NEW.group_id AND source.user_id = NEW.user_id
      ) now WHERE now.group_id = im_admin_listed_group_members.group_id AND now.user_id = im_admin_listed_group_members.user_id);
  INSERT INTO im_admin_listed_group_members (group_id, user_id, role_level, join_time)
    SELECT source.group_id, source.user_id, source.role_level, source.join_time FROM im_admin_group_members source
      WHERE source.group_id = NEW.group_id AND source.user_id = NEW.user_id AND true
    ON CONFLICT (group_id, user_id) DO UPDATE
      SET role_level = excluded.role_level, join_time = excluded.join_time
      WHERE role_level <> excluded.role_level OR join_time <> excluded.join_time;
  INSERT INTO im_admin_documents (list, key, member, text)
    SELECT im_admin_lists.id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id), member.id, member.user_id || x'0a' || (CASE record.nickname
      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
      ELSE record.nickname END)
      FROM im_admin_lists CROSS JOIN im_admin_listed_group_members member ON member.group_id = im_admin_lists.owner
        CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
      WHERE im_admin_lists.name = 'groupMembers' AND im_admin_lists.has_documents AND true AND im_admin_lists.owner = NEW.group_id AND member.group_id = NEW.group_id AND member.user_id = NEW.user_id
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
END;

CREATE TRIGGER im_admin_group_members_deleted AFTER DELETE ON im_admin_group_members
BEGIN
  DELETE FROM im_admin_listed_group_members
    WHERE im_admin_listed_group_members.group_id = OLD.group_id AND im_admin_listed_group_members.user_id = OLD.user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.group_id, source.user_id, source.role_level, source.join_time FROM im_admin_group_members source
          WHERE source.group_id = OLD.group_id AND source.user_id = OLD.user_id
      ) now WHERE now.group_id = im_admin_listed_group_members.group_id AND now.user_id = im_admin_listed_group_members.user_id);
  INSERT INTO im_admin_listed_group_members (group_id, user_id, role_level, join_time)
    SELECT source.group_id, source.user_id, source.role_level, source.join_time FROM im_admin_group_members source
      WHERE source.group_id = OLD.group_id AND source.user_id = OLD.user_id AND true
    ON CONFLICT (group_id, user_id) DO UPDATE
      SET role_level = excluded.role_level, join_time = excluded.join_time
      WHERE role_level <> excluded.role_level OR join_time <> excluded.join_time;
  INSERT INTO im_admin_documents (list, key, member, text)
    SELECT im_admin_lists.id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id), member.id, member.user_id || x'0a' || (CASE record.nickname
      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
      ELSE record.nickname END)
      FROM im_admin_lists CROSS JOIN im_admin_listed_group_members member ON member.group_id = im_admin_lists.owner
        CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
      WHERE im_admin_lists.name = 'groupMembers' AND im_admin_lists.has_documents AND true AND im_admin_lists.owner = OLD.group_id AND member.group_id = OLD.group_id AND member.user_id = OLD.user_id
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
END;

CREATE TRIGGER im_admin_blacks_inserted AFTER INSERT ON im_admin_blacks
BEGIN
  DELETE FROM im_admin_listed_blacks
    WHERE im_admin_listed_blacks.owner_user_id = NEW.owner_user_id AND im_admin_listed_blacks.black_user_id = NEW.black_user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.owner_user_id, source.black_user_id, source.create_time FROM im_admin_blacks source
          WHERE source.owner_user_id = NEW.owner_user_id AND source.black_user_id = NEW.black_user_id
      ) now WHERE now.owner_user_id = im_admin_listed_blacks.owner_user_id AND now.black_user_id = im_admin_listed_blacks.black_user_id);
  INSERT INTO im_admin_listed_blacks (owner_user_id, black_user_id, create_time)
    SELECT source.owner_user_id, source.black_user_id, source.create_time FROM im_admin_blacks source
      WHERE source.owner_user_id = NEW.owner_user_id AND source.black_user_id = NEW.black_user_id AND true
    ON CONFLICT (owner_user_id, black_user_id) DO UPDATE
      SET create_time = excluded.create_time
      WHERE create_time <> excluded.create_time;
END;

CREATE TRIGGER im_admin_blacks_updated AFTER UPDATE OF owner_user_id, black_user_id, create_time ON im_admin_blacks
BEGIN
  DELETE FROM im_admin_listed_blacks
    WHERE im_admin_listed_blacks.owner_user_id = OLD.owner_user_id AND im_admin_listed_blacks.black_user_id = OLD.black_user_id AND (OLD.owner_user_id, OLD.black_user_id) IS NOT (NEW.owner_user_id, NEW.black_user_id) AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.owner_user_id, source.black_user_id, source.create_time FROM im_admin_blacks source
          WHERE source.owner_user_id = OLD.owner_user_id AND source.black_user_id = OLD.black_user_id
      ) now WHERE now.owner_user_id = im_admin_listed_blacks.owner_user_id AND now.black_user_id = im_admin_listed_blacks.black_user_id);
  INSERT INTO im_admin_listed_blacks (owner_user_id, black_user_id, create_time)
    SELECT source.owner_user_id, source.black_user_id, source.create_time FROM im_admin_blacks source
      WHERE source.owner_user_id = OLD.owner_user_id AND source.black_user_id = OLD.black_user_id AND (OLD.owner_user_id, OLD.black_user_id) IS NOT (NEW.owner_user_id, NEW.black_user_id)
    ON CONFLICT (owner_user_id, black_user_id) DO UPDATE
      SET create_time = excluded.create_time
      WHERE create_time <> excluded.create_time;
  DELETE FROM im_admin_listed_blacks
    WHERE im_admin_listed_blacks.owner_user_id = NEW.owner_user_id AND im_admin_listed_blacks.black_user_id = NEW.black_user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.owner_user_id, source.black_user_id, source.create_time FROM im_admin_blacks source
          WHERE source.owner_user_id = NEW.owner_user_id AND source.black_user_id = NEW.black_user_id
      ) now WHERE now.owner_user_id = im_admin_listed_blacks.owner_user_id AND now.black_user_id = im_admin_listed_blacks.black_user_id);
  INSERT INTO im_admin_listed_blacks (owner_user_id, black_user_id, create_time)
    SELECT source.owner_user_id, source.black_user_id, source.create_time FROM im_admin_blacks source
      WHERE source.owner_user_id = NEW.owner_user_id AND source.black_user_id = NEW.black_user_id AND true
    ON CONFLICT (owner_user_id, black_user_id) DO UPDATE
      SET create_time = excluded.create_time
      WHERE create_time <> excluded.create_time;
END;

CREATE TRIGGER im_admin_blacks_deleted AFTER DELETE ON im_admin_blacks
BEGIN
  DELETE FROM im_admin_listed_blacks
    WHERE im_admin_listed_blacks.owner_user_id = OLD.owner_user_id AND im_admin_listed_blacks.black_user_id = OLD.black_user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.owner_user_id, source.black_user_id, source.create_time FROM im_admin_blacks source
          WHERE source.owner_user_id = OLD.owner_user_id AND source.black_user_id = OLD.black_user_id
      ) now WHERE now.owner_user_id = im_admin_listed_blacks.owner_user_id AND now.black_user_id = im_admin_listed_blacks.black_user_id);
  INSERT INTO im_admin_listed_blacks (owner_user_id, black_user_id, create_time)
    SELECT source.owner_user_id, source.black_user_id, source.create_time FROM im_admin_blacks source
      WHERE source.owner_user_id = OLD.owner_user_id AND source.black_user_id = OLD.black_user_id AND true
    ON CONFLICT (owner_user_id, black_user_id) DO UPDATE
      SET create_time = excluded.create_time
      WHERE create_time <> excluded.create_time;
END;

CREATE TRIGGER im_admin_group_requests_inserted AFTER INSERT ON im_admin_group_requests
BEGIN
  DELETE FROM im_admin_listed_received_group_requests
    WHERE im_admin_listed_received_group_requests.group_id = NEW.group_id AND im_admin_listed_received_group_requests.user_id = NEW.user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
          CROSS JOIN im_admin_listed_group_members manager INDEXED BY im_admin_managers_in_order
            ON manager.group_id = source.group_id AND manager.role_level IN (60, 100)
          WHERE source.group_id = NEW.group_id AND source.user_id = NEW.user_id
      ) now WHERE now.group_id = im_admin_listed_received_group_requests.group_id AND now.user_id = im_admin_listed_received_group_requests.user_id AND now.manager_user_id = im_admin_listed_received_group_requests.manager_user_id);
  INSERT INTO im_admin_listed_received_group_requests (group_id, user_id, manager_user_id, req_time, handle_result)
    SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
      CROSS JOIN im_admin_listed_group_members manager INDEXED BY im_admin_managers_in_order
        ON manager.group_id = source.group_id AND manager.role_level IN (60, 100)
      WHERE source.group_id = NEW.group_id AND source.user_id = NEW.user_id AND true
    ON CONFLICT (group_id, user_id, manager_user_id) DO UPDATE
      SET req_time = excluded.req_time, handle_result = excluded.handle_result
      WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;
END;

CREATE TRIGGER im_admin_group_requests_updated AFTER UPDATE OF group_id, user_id, req_time, handle_result ON im_admin_group_requests
BEGIN
  DELETE FROM im_admin_listed_received_group_requests
    WHERE im_admin_listed_received_group_requests.group_id = OLD.group_id AND im_admin_listed_received_group_requests.user_id = OLD.user_id AND (OLD.group_id, OLD.user_id) IS NOT (NEW.group_id, NEW.user_id) AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
          CROSS JOIN im_admin_listed_group_members manager INDEXED BY im_admin_managers_in_order
            ON manager.group_id = source.group_id AND manager.role_level IN (60, 100)
          WHERE source.group_id = OLD.group_id AND source.user_id = OLD.user_id
      ) now WHERE now.group_id = im_admin_listed_received_group_requests.group_id AND now.user_id = im_admin_listed_received_group_requests.user_id AND now.manager_user_id = im_admin_listed_received_group_requests.manager_user_id);
  INSERT INTO im_admin_listed_received_group_requests (group_id, user_id, manager_user_id, req_time, handle_result)
    SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
      CROSS JOIN im_admin_listed_group_members manager INDEXED BY im_admin_managers_in_order
        ON manager.group_id = source.group_id AND manager.role_level IN (60, 100)
      WHERE source.group_id = OLD.group_id AND source.user_id = OLD.user_id AND (OLD.group_id, OLD.user_id) IS NOT (NEW.group_id, NEW.user_id)
    ON CONFLICT (group_id, user_id, manager_user_id) DO UPDATE
      SET req_time = excluded.req_time, handle_result = excluded.handle_result
      WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;
  DELETE FROM im_admin_listed_received_group_requests
    WHERE im_admin_listed_received_group_requests.group_id = NEW.group_id AND im_admin_listed_received_group_requests.user_id = NEW.user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
          CROSS JOIN im_admin_listed_group_members manager INDEXED BY im_admin_managers_in_order
            ON manager.group_id = source.group_id AND manager.role_level IN (60, 100)
          WHERE source.group_id = NEW.group_id AND source.user_id = NEW.user_id
      ) now WHERE now.group_id = im_admin_listed_received_group_requests.group_id AND now.user_id = im_admin_listed_received_group_requests.user_id AND now.manager_user_id = im_admin_listed_received_group_requests.manager_user_id);
  INSERT INTO im_admin_listed_received_group_requests (group_id, user_id, manager_user_id, req_time, handle_result)
    SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
      CROSS JOIN im_admin_listed_group_members manager INDEXED BY im_admin_managers_in_order
        ON manager.group_id = source.group_id AND manager.role_level IN (60, 100)
      WHERE source.group_id = NEW.group_id AND source.user_id = NEW.user_id AND true
    ON CONFLICT (group_id, user_id, manager_user_id) DO UPDATE
      SET req_time = excluded.req_time, handle_result = excluded.handle_result
      WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;
END;

CREATE TRIGGER im_admin_group_requests_deleted AFTER DELETE ON im_admin_group_requests
BEGIN
  DELETE FROM im_admin_listed_received_group_requests
    WHERE im_admin_listed_received_group_requests.group_id = OLD.group_id AND im_admin_listed_received_group_requests.user_id = OLD.user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
          CROSS JOIN im_admin_listed_group_members manager INDEXED BY im_admin_managers_in_order
            ON manager.group_id = source.group_id AND manager.role_level IN (60, 100)
          WHERE source.group_id = OLD.group_id AND source.user_id = OLD.user_id
      ) now WHERE now.group_id = im_admin_listed_received_group_requests.group_id AND now.user_id = im_admin_listed_received_group_requests.user_id AND now.manager_user_id = im_admin_listed_received_group_requests.manager_user_id);
  INSERT INTO im_admin_listed_received_group_requests (group_id, user_id, manager_user_id, req_time, handle_result)
    SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
      CROSS JOIN im_admin_listed_group_members manager INDEXED BY im_admin_managers_in_order
        ON manager.group_id = source.group_id AND manager.role_level IN (60, 100)
      WHERE source.group_id = OLD.group_id AND source.user_id = OLD.user_id AND true
    ON CONFLICT (group_id, user_id, manager_user_id) DO UPDATE
      SET req_time = excluded.req_time, handle_result = excluded.handle_result
      WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;
END;

CREATE TRIGGER im_admin_apply_changes_insert INSTEAD OF INSERT ON im_admin_apply_changes
  WHEN EXISTS (SELECT 1 FROM im_admin_document_changes WHERE id >= 100)
BEGIN
  INSERT INTO im_admin_document_trigrams (rowid, text)
    SELECT document, text FROM im_admin_document_changes WHERE change > 0 ORDER BY document;
  INSERT INTO im_admin_document_grams (im_admin_document_grams, rowid, grams)
    SELECT (CASE WHEN change < 0 THEN 'delete' END), document, coalesce((
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

CREATE TRIGGER im_admin_table_map_inserted BEFORE INSERT ON im_admin_table_map
BEGIN
  SELECT RAISE(ABORT, 'tables are mapped already: take that back first')
    WHERE EXISTS (SELECT 1 FROM im_admin_table_map);
  SELECT RAISE(ABORT, 'im_admin_users has records, which would be lost: remove them, or leave them out of the map')
    WHERE NEW.map ->> 'users' IS NOT NULL AND EXISTS (SELECT 1 FROM im_admin_users);
  SELECT RAISE(ABORT, 'im_admin_groups has records, which would be lost: remove them, or leave them out of the map')
    WHERE NEW.map ->> 'groups' IS NOT NULL AND EXISTS (SELECT 1 FROM im_admin_groups);
  SELECT RAISE(ABORT, 'im_admin_group_members has records, which would be lost: remove them, or leave them out of the map')
    WHERE NEW.map ->> 'groupMembers' IS NOT NULL AND EXISTS (SELECT 1 FROM im_admin_group_members);
  SELECT RAISE(ABORT, 'im_admin_blacks has records, which would be lost: remove them, or leave them out of the map')
    WHERE NEW.map ->> 'blacks' IS NOT NULL AND EXISTS (SELECT 1 FROM im_admin_blacks);
  SELECT RAISE(ABORT, 'im_admin_group_requests has records, which would be lost: remove them, or leave them out of the map')
    WHERE NEW.map ->> 'groupRequests' IS NOT NULL AND EXISTS (SELECT 1 FROM im_admin_group_requests);
  SELECT RAISE(ABORT, 'im_admin_conversations has records, which would be lost: remove them, or leave them out of the map')
    WHERE NEW.map ->> 'conversations' IS NOT NULL AND EXISTS (SELECT 1 FROM im_admin_conversations);
END;

CREATE TRIGGER im_admin_lists_documents AFTER UPDATE OF total ON im_admin_lists
  WHEN NEW.name = 'groupMembers' AND (CASE WHEN NEW.has_documents
    THEN NEW.total < 1000 ELSE NEW.total > 2000 END)
BEGIN
  UPDATE im_admin_lists SET has_documents = NOT NEW.has_documents WHERE id = NEW.id;
  INSERT INTO im_admin_documents (list, key, member, text)
    SELECT im_admin_lists.id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id), member.id, member.user_id || x'0a' || (CASE record.nickname
      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
      ELSE record.nickname END)
      FROM im_admin_lists CROSS JOIN im_admin_listed_group_members member INDEXED BY im_admin_group_members_in_order ON member.group_id = im_admin_lists.owner
        CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
      WHERE im_admin_lists.name = 'groupMembers' AND im_admin_lists.id = NEW.id AND NOT NEW.has_documents
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
  DELETE FROM im_admin_documents WHERE list = NEW.id AND NEW.has_documents;
END;

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
