ALTER TABLE im_admin_conversations ADD COLUMN min_seq INTEGER NOT NULL DEFAULT 0;

ALTER TABLE im_admin_conversations ADD COLUMN max_seq INTEGER NOT NULL DEFAULT 0;

ALTER TABLE im_admin_conversations ADD COLUMN group_at_type INTEGER NOT NULL DEFAULT 0;

ALTER TABLE im_admin_conversations ADD COLUMN msg_destruct_time INTEGER NOT NULL DEFAULT 0;

ALTER TABLE im_admin_conversations ADD COLUMN is_msg_destruct INTEGER NOT NULL DEFAULT 0 CHECK (is_msg_destruct IN (0, 1));

CREATE TABLE im_admin_last_import (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  time INTEGER NOT NULL
) STRICT;

DROP TRIGGER im_admin_lists_update;

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
  DELETE FROM im_admin_list_nodes WHERE NEW.total < (CASE NEW.height WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE (CASE NEW.owner WHEN '' THEN 0 ELSE 32 END) END) AND list = NEW.id AND level = NEW.height;
  DELETE FROM im_admin_lists WHERE NEW.total < (CASE NEW.height WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE (CASE NEW.owner WHEN '' THEN 0 ELSE 32 END) END) AND id = NEW.id AND NEW.height = 0;
  UPDATE im_admin_lists SET height = NEW.height + (CASE WHEN NEW.total > (CASE NEW.height WHEN 0 THEN 300 WHEN 1 THEN 3000 WHEN 2 THEN 30000 WHEN 3 THEN 300000 ELSE NEW.total END) THEN 1 ELSE -1 END)
    WHERE (NEW.total > (CASE NEW.height WHEN 0 THEN 300 WHEN 1 THEN 3000 WHEN 2 THEN 30000 WHEN 3 THEN 300000 ELSE NEW.total END) OR NEW.total < (CASE NEW.height WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE (CASE NEW.owner WHEN '' THEN 0 ELSE 32 END) END)) AND id = NEW.id;
END;

DROP TRIGGER im_admin_users_listed;

CREATE TRIGGER im_admin_users_listed AFTER INSERT ON im_admin_listed_users
BEGIN
  UPDATE im_admin_lists SET total = total + 1, changed_key = ('' || NEW.user_id)
    WHERE name = 'notificationAccounts' AND owner = '';
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'notificationAccounts', '', (SELECT count(*) FROM im_admin_listed_users INDEXED BY im_admin_notification_accounts_in_order WHERE true)
      WHERE NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'notificationAccounts' AND owner = '')
        AND (SELECT true FROM im_admin_listed_users INDEXED BY im_admin_notification_accounts_in_order WHERE true LIMIT 1 OFFSET 0);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((30000000000 + NEW.app_manger_level) || NEW.user_id)
    WHERE name = 'notificationAccountsByLevel' AND owner = '';
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'notificationAccountsByLevel', '', (SELECT count(*) FROM im_admin_listed_users INDEXED BY im_admin_notification_accounts_by_level_in_order WHERE true)
      WHERE NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'notificationAccountsByLevel' AND owner = '')
        AND (SELECT true FROM im_admin_listed_users INDEXED BY im_admin_notification_accounts_by_level_in_order WHERE true LIMIT 1 OFFSET 0);
END;

INSERT INTO im_admin_lists (name, owner, total)
  SELECT 'notificationAccounts', '', count(*) FROM im_admin_listed_users HAVING count(*) > 0
  ON CONFLICT (name, owner) DO NOTHING;

INSERT INTO im_admin_lists (name, owner, total)
  SELECT 'notificationAccountsByLevel', '', count(*) FROM im_admin_listed_users HAVING count(*) > 0
  ON CONFLICT (name, owner) DO NOTHING;
