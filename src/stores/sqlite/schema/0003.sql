DROP INDEX im_admin_managers_in_order;

DROP TRIGGER im_admin_lists_update;

DROP TRIGGER im_admin_list_nodes_update;

DROP TRIGGER im_admin_group_members_listed;

DROP TRIGGER im_admin_group_members_moved;

DROP TRIGGER im_admin_received_group_requests_listed;

DROP TRIGGER im_admin_received_group_requests_moved;

DROP TRIGGER im_admin_received_group_requests_unlisted;

DROP TRIGGER im_admin_group_requests_inserted;

DROP TRIGGER im_admin_group_requests_updated;

DROP TRIGGER im_admin_group_requests_deleted;

CREATE TABLE im_admin_listed_group_requests (
  group_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  req_time INTEGER NOT NULL,
  handle_result INTEGER NOT NULL,
  PRIMARY KEY (group_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX im_admin_managed_groups_in_order
  ON im_admin_listed_group_members (user_id, group_id) WHERE role_level IN (60, 100);

INSERT INTO im_admin_listed_group_requests (group_id, user_id, req_time, handle_result)
  SELECT * FROM (SELECT source.group_id, source.user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
    WHERE true) WHERE true ORDER BY group_id, user_id
  ON CONFLICT (group_id, user_id) DO UPDATE
    SET req_time = excluded.req_time, handle_result = excluded.handle_result
    WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;

CREATE INDEX im_admin_group_requests_in_order
  ON im_admin_listed_group_requests (group_id, ((20000000000000000 - req_time) || group_id || x'00' || user_id));

CREATE INDEX im_admin_group_requests_by_result_in_order
  ON im_admin_listed_group_requests (group_id, ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id));

DELETE FROM im_admin_list_nodes WHERE list IN (SELECT id FROM im_admin_lists WHERE name IN ('groupRequests', 'groupRequestsByResult'));

UPDATE im_admin_lists SET total = 0, height = 0 WHERE name IN ('groupRequests', 'groupRequestsByResult');

INSERT INTO im_admin_lists (name, owner, total)
  SELECT 'groupRequests', group_id, count(*) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_in_order
    GROUP BY group_id HAVING count(*) > 300
  ON CONFLICT (name, owner) DO UPDATE SET total = excluded.total;

INSERT INTO im_admin_lists (name, owner, total)
  SELECT 'groupRequestsByResult', group_id, count(*) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_by_result_in_order
    GROUP BY group_id HAVING count(*) > 300
  ON CONFLICT (name, owner) DO UPDATE SET total = excluded.total;

UPDATE im_admin_lists SET height = (CASE WHEN total <= 300 THEN 0 WHEN total <= 3000 THEN 1 WHEN total <= 30000 THEN 2 WHEN total <= 300000 THEN 3 ELSE 4 END) WHERE name IN ('groupRequests', 'groupRequestsByResult');

INSERT INTO im_admin_list_nodes (list, level, start, total)
  WITH RECURSIVE leaves (list, list_owner, list_total, position, start) AS (
    SELECT id, owner, total, 0, '' FROM im_admin_lists WHERE name = 'groupRequests' AND height > 0
    UNION ALL
    SELECT list, list_owner, list_total, position + 225, (
      SELECT ((20000000000000000 - req_time) || group_id || x'00' || user_id) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_in_order
        WHERE group_id = list_owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) >= leaves.start
        ORDER BY ((20000000000000000 - req_time) || group_id || x'00' || user_id) LIMIT 1 OFFSET 225)
    FROM leaves WHERE position + 225 < list_total
  ) SELECT list, 1, start, min(225, list_total - position) FROM leaves;

INSERT INTO im_admin_list_nodes (list, level, start, total)
  WITH RECURSIVE leaves (list, list_owner, list_total, position, start) AS (
    SELECT id, owner, total, 0, '' FROM im_admin_lists WHERE name = 'groupRequestsByResult' AND height > 0
    UNION ALL
    SELECT list, list_owner, list_total, position + 225, (
      SELECT ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_by_result_in_order
        WHERE group_id = list_owner AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) >= leaves.start
        ORDER BY ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) LIMIT 1 OFFSET 225)
    FROM leaves WHERE position + 225 < list_total
  ) SELECT list, 1, start, min(225, list_total - position) FROM leaves;

INSERT INTO im_admin_list_nodes (list, level, start, total)
  SELECT list, 2, min(start), sum(total) FROM (
    SELECT list, start, node.total,
      (row_number() OVER (PARTITION BY list ORDER BY start) - 1) / 10 AS parent
    FROM im_admin_lists CROSS JOIN im_admin_list_nodes node ON node.list = im_admin_lists.id AND node.level = 1
    WHERE im_admin_lists.height >= 2 AND name IN ('groupRequests', 'groupRequestsByResult')
  ) GROUP BY list, parent;

INSERT INTO im_admin_list_nodes (list, level, start, total)
  SELECT list, 3, min(start), sum(total) FROM (
    SELECT list, start, node.total,
      (row_number() OVER (PARTITION BY list ORDER BY start) - 1) / 10 AS parent
    FROM im_admin_lists CROSS JOIN im_admin_list_nodes node ON node.list = im_admin_lists.id AND node.level = 2
    WHERE im_admin_lists.height >= 3 AND name IN ('groupRequests', 'groupRequestsByResult')
  ) GROUP BY list, parent;

INSERT INTO im_admin_list_nodes (list, level, start, total)
  SELECT list, 4, min(start), sum(total) FROM (
    SELECT list, start, node.total,
      (row_number() OVER (PARTITION BY list ORDER BY start) - 1) / 10 AS parent
    FROM im_admin_lists CROSS JOIN im_admin_list_nodes node ON node.list = im_admin_lists.id AND node.level = 3
    WHERE im_admin_lists.height >= 4 AND name IN ('groupRequests', 'groupRequestsByResult')
  ) GROUP BY list, parent;

DELETE FROM im_admin_lists WHERE name IN ('groupRequests', 'groupRequestsByResult') AND total = 0;

DROP INDEX im_admin_received_group_requests_in_order;

DROP INDEX im_admin_received_group_requests_by_result_in_order;

DELETE FROM im_admin_listed_received_group_requests WHERE (group_id, user_id, manager_user_id) NOT IN (SELECT group_id, user_id, manager_user_id FROM (SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_listed_group_members manager INDEXED BY im_admin_group_members_in_order
  CROSS JOIN im_admin_group_requests source ON source.group_id = manager.group_id
  WHERE true AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) >= '1900'
    AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) < '1941' AND manager.role_level IN (60, 100)
    AND NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupRequests' AND owner = manager.group_id)));

INSERT INTO im_admin_listed_received_group_requests (group_id, user_id, manager_user_id, req_time, handle_result)
  SELECT * FROM (SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_listed_group_members manager INDEXED BY im_admin_group_members_in_order
    CROSS JOIN im_admin_group_requests source ON source.group_id = manager.group_id
    WHERE true AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) >= '1900'
      AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) < '1941' AND manager.role_level IN (60, 100)
      AND NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupRequests' AND owner = manager.group_id)) WHERE true ORDER BY group_id, user_id, manager_user_id
  ON CONFLICT (group_id, user_id, manager_user_id) DO UPDATE
    SET req_time = excluded.req_time, handle_result = excluded.handle_result
    WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;

CREATE INDEX im_admin_received_group_requests_in_order
  ON im_admin_listed_received_group_requests (manager_user_id, ((20000000000000000 - req_time) || group_id || x'00' || user_id));

CREATE INDEX im_admin_received_group_requests_by_result_in_order
  ON im_admin_listed_received_group_requests (manager_user_id, ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id));

DELETE FROM im_admin_list_nodes WHERE list IN (SELECT id FROM im_admin_lists WHERE name IN ('receivedGroupRequests', 'receivedGroupRequestsByResult'));

UPDATE im_admin_lists SET total = 0, height = 0 WHERE name IN ('receivedGroupRequests', 'receivedGroupRequestsByResult');

INSERT INTO im_admin_lists (name, owner, total)
  SELECT 'receivedGroupRequests', manager_user_id, count(*) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_in_order
    GROUP BY manager_user_id HAVING count(*) > 64
  ON CONFLICT (name, owner) DO UPDATE SET total = excluded.total;

INSERT INTO im_admin_lists (name, owner, total)
  SELECT 'receivedGroupRequestsByResult', manager_user_id, count(*) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_by_result_in_order
    GROUP BY manager_user_id HAVING count(*) > 64
  ON CONFLICT (name, owner) DO UPDATE SET total = excluded.total;

UPDATE im_admin_lists SET height = (CASE WHEN total <= 300 THEN 0 WHEN total <= 3000 THEN 1 WHEN total <= 30000 THEN 2 WHEN total <= 300000 THEN 3 ELSE 4 END) WHERE name IN ('receivedGroupRequests', 'receivedGroupRequestsByResult');

INSERT INTO im_admin_list_nodes (list, level, start, total)
  WITH RECURSIVE leaves (list, list_owner, list_total, position, start) AS (
    SELECT id, owner, total, 0, '' FROM im_admin_lists WHERE name = 'receivedGroupRequests' AND height > 0
    UNION ALL
    SELECT list, list_owner, list_total, position + 225, (
      SELECT ((20000000000000000 - req_time) || group_id || x'00' || user_id) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_in_order
        WHERE manager_user_id = list_owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) >= leaves.start
        ORDER BY ((20000000000000000 - req_time) || group_id || x'00' || user_id) LIMIT 1 OFFSET 225)
    FROM leaves WHERE position + 225 < list_total
  ) SELECT list, 1, start, min(225, list_total - position) FROM leaves;

INSERT INTO im_admin_list_nodes (list, level, start, total)
  WITH RECURSIVE leaves (list, list_owner, list_total, position, start) AS (
    SELECT id, owner, total, 0, '' FROM im_admin_lists WHERE name = 'receivedGroupRequestsByResult' AND height > 0
    UNION ALL
    SELECT list, list_owner, list_total, position + 225, (
      SELECT ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_by_result_in_order
        WHERE manager_user_id = list_owner AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) >= leaves.start
        ORDER BY ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) LIMIT 1 OFFSET 225)
    FROM leaves WHERE position + 225 < list_total
  ) SELECT list, 1, start, min(225, list_total - position) FROM leaves;

INSERT INTO im_admin_list_nodes (list, level, start, total)
  SELECT list, 2, min(start), sum(total) FROM (
    SELECT list, start, node.total,
      (row_number() OVER (PARTITION BY list ORDER BY start) - 1) / 10 AS parent
    FROM im_admin_lists CROSS JOIN im_admin_list_nodes node ON node.list = im_admin_lists.id AND node.level = 1
    WHERE im_admin_lists.height >= 2 AND name IN ('receivedGroupRequests', 'receivedGroupRequestsByResult')
  ) GROUP BY list, parent;

INSERT INTO im_admin_list_nodes (list, level, start, total)
  SELECT list, 3, min(start), sum(total) FROM (
    SELECT list, start, node.total,
      (row_number() OVER (PARTITION BY list ORDER BY start) - 1) / 10 AS parent
    FROM im_admin_lists CROSS JOIN im_admin_list_nodes node ON node.list = im_admin_lists.id AND node.level = 2
    WHERE im_admin_lists.height >= 3 AND name IN ('receivedGroupRequests', 'receivedGroupRequestsByResult')
  ) GROUP BY list, parent;

INSERT INTO im_admin_list_nodes (list, level, start, total)
  SELECT list, 4, min(start), sum(total) FROM (
    SELECT list, start, node.total,
      (row_number() OVER (PARTITION BY list ORDER BY start) - 1) / 10 AS parent
    FROM im_admin_lists CROSS JOIN im_admin_list_nodes node ON node.list = im_admin_lists.id AND node.level = 3
    WHERE im_admin_lists.height >= 4 AND name IN ('receivedGroupRequests', 'receivedGroupRequestsByResult')
  ) GROUP BY list, parent;

DELETE FROM im_admin_lists WHERE name IN ('receivedGroupRequests', 'receivedGroupRequestsByResult') AND total = 0;

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
  DELETE FROM im_admin_list_nodes WHERE NEW.total < (CASE NEW.height WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE (CASE WHEN NEW.owner = '' OR NEW.name IN ('groupRequests','groupRequestsByResult') THEN 0 ELSE 32 END) END) AND list = NEW.id AND level = NEW.height;
  DELETE FROM im_admin_lists WHERE NEW.total < (CASE NEW.height WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE (CASE WHEN NEW.owner = '' OR NEW.name IN ('groupRequests','groupRequestsByResult') THEN 0 ELSE 32 END) END) AND id = NEW.id AND NEW.height = 0;
  UPDATE im_admin_lists SET height = NEW.height + (CASE WHEN NEW.total > (CASE NEW.height WHEN 0 THEN 300 WHEN 1 THEN 3000 WHEN 2 THEN 30000 WHEN 3 THEN 300000 ELSE NEW.total END) THEN 1 ELSE -1 END)
    WHERE (NEW.total > (CASE NEW.height WHEN 0 THEN 300 WHEN 1 THEN 3000 WHEN 2 THEN 30000 WHEN 3 THEN 300000 ELSE NEW.total END) OR NEW.total < (CASE NEW.height WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE (CASE WHEN NEW.owner = '' OR NEW.name IN ('groupRequests','groupRequestsByResult') THEN 0 ELSE 32 END) END)) AND id = NEW.id;
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
          FROM im_admin_lists CROSS JOIN im_admin_listed_group_requests INDEXED BY im_admin_group_requests_in_order
            ON group_id = im_admin_lists.owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) >= NEW.start
          WHERE im_admin_lists.id = NEW.list AND im_admin_lists.name = 'groupRequests'
          ORDER BY ((20000000000000000 - req_time) || group_id || x'00' || user_id) LIMIT 1 OFFSET 150
      ) CROSS JOIN (SELECT true AS is_new UNION ALL SELECT false)
      WHERE NEW.total > (CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE NEW.total END) AND NEW.level = 1
    ON CONFLICT (list, level, start) DO UPDATE SET total = excluded.total;
  INSERT INTO im_admin_list_nodes (list, level, start, total)
    SELECT NEW.list, NEW.level, (CASE WHEN is_new THEN start ELSE NEW.start END),
        (CASE WHEN is_new THEN following ELSE NEW.total - following END)
      FROM (
        SELECT ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) AS start, NEW.total - 150 AS following
          FROM im_admin_lists CROSS JOIN im_admin_listed_group_requests INDEXED BY im_admin_group_requests_by_result_in_order
            ON group_id = im_admin_lists.owner AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) >= NEW.start
          WHERE im_admin_lists.id = NEW.list AND im_admin_lists.name = 'groupRequestsByResult'
          ORDER BY ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) LIMIT 1 OFFSET 150
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
    SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_listed_group_members manager INDEXED BY im_admin_group_members_in_order
      CROSS JOIN im_admin_group_requests source ON source.group_id = manager.group_id
      WHERE NEW.role_level IN (60, 100) AND manager.user_id = NEW.user_id AND manager.group_id = NEW.group_id AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) >= '1900'
        AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) < '1941' AND manager.role_level IN (60, 100)
        AND NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupRequests' AND owner = manager.group_id)
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
    SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_listed_group_members manager INDEXED BY im_admin_group_members_in_order
      CROSS JOIN im_admin_group_requests source ON source.group_id = manager.group_id
      WHERE NEW.role_level IN (60, 100) AND manager.user_id = NEW.user_id AND manager.group_id = NEW.group_id AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) >= '1900'
        AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) < '1941' AND manager.role_level IN (60, 100)
        AND NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupRequests' AND owner = manager.group_id)
    ON CONFLICT (group_id, user_id, manager_user_id) DO UPDATE
      SET req_time = excluded.req_time, handle_result = excluded.handle_result
      WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;
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

CREATE TRIGGER im_admin_group_requests_inserted AFTER INSERT ON im_admin_group_requests
BEGIN
  DELETE FROM im_admin_listed_group_requests
    WHERE im_admin_listed_group_requests.group_id = NEW.group_id AND im_admin_listed_group_requests.user_id = NEW.user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.group_id, source.user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
          WHERE source.group_id = NEW.group_id AND source.user_id = NEW.user_id
      ) now WHERE now.group_id = im_admin_listed_group_requests.group_id AND now.user_id = im_admin_listed_group_requests.user_id);
  INSERT INTO im_admin_listed_group_requests (group_id, user_id, req_time, handle_result)
    SELECT source.group_id, source.user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
      WHERE source.group_id = NEW.group_id AND source.user_id = NEW.user_id AND true
    ON CONFLICT (group_id, user_id) DO UPDATE
      SET req_time = excluded.req_time, handle_result = excluded.handle_result
      WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;
  DELETE FROM im_admin_listed_received_group_requests
    WHERE im_admin_listed_received_group_requests.group_id = NEW.group_id AND im_admin_listed_received_group_requests.user_id = NEW.user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_listed_group_members manager INDEXED BY im_admin_group_members_in_order
          CROSS JOIN im_admin_group_requests source ON source.group_id = manager.group_id
          WHERE source.group_id = NEW.group_id AND source.user_id = NEW.user_id AND manager.group_id = NEW.group_id AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) >= '1900'
            AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) < '1941' AND manager.role_level IN (60, 100)
            AND NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupRequests' AND owner = manager.group_id)
      ) now WHERE now.group_id = im_admin_listed_received_group_requests.group_id AND now.user_id = im_admin_listed_received_group_requests.user_id AND now.manager_user_id = im_admin_listed_received_group_requests.manager_user_id);
  INSERT INTO im_admin_listed_received_group_requests (group_id, user_id, manager_user_id, req_time, handle_result)
    SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_listed_group_members manager INDEXED BY im_admin_group_members_in_order
      CROSS JOIN im_admin_group_requests source ON source.group_id = manager.group_id
      WHERE source.group_id = NEW.group_id AND source.user_id = NEW.user_id AND true AND manager.group_id = NEW.group_id AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) >= '1900'
        AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) < '1941' AND manager.role_level IN (60, 100)
        AND NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupRequests' AND owner = manager.group_id)
    ON CONFLICT (group_id, user_id, manager_user_id) DO UPDATE
      SET req_time = excluded.req_time, handle_result = excluded.handle_result
      WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;
END;

CREATE TRIGGER im_admin_group_requests_updated AFTER UPDATE OF group_id, user_id, req_time, handle_result ON im_admin_group_requests
BEGIN
  DELETE FROM im_admin_listed_group_requests
    WHERE im_admin_listed_group_requests.group_id = OLD.group_id AND im_admin_listed_group_requests.user_id = OLD.user_id AND (OLD.group_id, OLD.user_id) IS NOT (NEW.group_id, NEW.user_id) AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.group_id, source.user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
          WHERE source.group_id = OLD.group_id AND source.user_id = OLD.user_id
      ) now WHERE now.group_id = im_admin_listed_group_requests.group_id AND now.user_id = im_admin_listed_group_requests.user_id);
  INSERT INTO im_admin_listed_group_requests (group_id, user_id, req_time, handle_result)
    SELECT source.group_id, source.user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
      WHERE source.group_id = OLD.group_id AND source.user_id = OLD.user_id AND (OLD.group_id, OLD.user_id) IS NOT (NEW.group_id, NEW.user_id)
    ON CONFLICT (group_id, user_id) DO UPDATE
      SET req_time = excluded.req_time, handle_result = excluded.handle_result
      WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;
  DELETE FROM im_admin_listed_received_group_requests
    WHERE im_admin_listed_received_group_requests.group_id = OLD.group_id AND im_admin_listed_received_group_requests.user_id = OLD.user_id AND (OLD.group_id, OLD.user_id) IS NOT (NEW.group_id, NEW.user_id) AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_listed_group_members manager INDEXED BY im_admin_group_members_in_order
          CROSS JOIN im_admin_group_requests source ON source.group_id = manager.group_id
          WHERE source.group_id = OLD.group_id AND source.user_id = OLD.user_id AND manager.group_id = OLD.group_id AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) >= '1900'
            AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) < '1941' AND manager.role_level IN (60, 100)
            AND NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupRequests' AND owner = manager.group_id)
      ) now WHERE now.group_id = im_admin_listed_received_group_requests.group_id AND now.user_id = im_admin_listed_received_group_requests.user_id AND now.manager_user_id = im_admin_listed_received_group_requests.manager_user_id);
  INSERT INTO im_admin_listed_received_group_requests (group_id, user_id, manager_user_id, req_time, handle_result)
    SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_listed_group_members manager INDEXED BY im_admin_group_members_in_order
      CROSS JOIN im_admin_group_requests source ON source.group_id = manager.group_id
      WHERE source.group_id = OLD.group_id AND source.user_id = OLD.user_id AND (OLD.group_id, OLD.user_id) IS NOT (NEW.group_id, NEW.user_id) AND manager.group_id = OLD.group_id AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) >= '1900'
        AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) < '1941' AND manager.role_level IN (60, 100)
        AND NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupRequests' AND owner = manager.group_id)
    ON CONFLICT (group_id, user_id, manager_user_id) DO UPDATE
      SET req_time = excluded.req_time, handle_result = excluded.handle_result
      WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;
  DELETE FROM im_admin_listed_group_requests
    WHERE im_admin_listed_group_requests.group_id = NEW.group_id AND im_admin_listed_group_requests.user_id = NEW.user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.group_id, source.user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
          WHERE source.group_id = NEW.group_id AND source.user_id = NEW.user_id
      ) now WHERE now.group_id = im_admin_listed_group_requests.group_id AND now.user_id = im_admin_listed_group_requests.user_id);
  INSERT INTO im_admin_listed_group_requests (group_id, user_id, req_time, handle_result)
    SELECT source.group_id, source.user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
      WHERE source.group_id = NEW.group_id AND source.user_id = NEW.user_id AND true
    ON CONFLICT (group_id, user_id) DO UPDATE
      SET req_time = excluded.req_time, handle_result = excluded.handle_result
      WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;
  DELETE FROM im_admin_listed_received_group_requests
    WHERE im_admin_listed_received_group_requests.group_id = NEW.group_id AND im_admin_listed_received_group_requests.user_id = NEW.user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_listed_group_members manager INDEXED BY im_admin_group_members_in_order
          CROSS JOIN im_admin_group_requests source ON source.group_id = manager.group_id
          WHERE source.group_id = NEW.group_id AND source.user_id = NEW.user_id AND manager.group_id = NEW.group_id AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) >= '1900'
            AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) < '1941' AND manager.role_level IN (60, 100)
            AND NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupRequests' AND owner = manager.group_id)
      ) now WHERE now.group_id = im_admin_listed_received_group_requests.group_id AND now.user_id = im_admin_listed_received_group_requests.user_id AND now.manager_user_id = im_admin_listed_received_group_requests.manager_user_id);
  INSERT INTO im_admin_listed_received_group_requests (group_id, user_id, manager_user_id, req_time, handle_result)
    SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_listed_group_members manager INDEXED BY im_admin_group_members_in_order
      CROSS JOIN im_admin_group_requests source ON source.group_id = manager.group_id
      WHERE source.group_id = NEW.group_id AND source.user_id = NEW.user_id AND true AND manager.group_id = NEW.group_id AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) >= '1900'
        AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) < '1941' AND manager.role_level IN (60, 100)
        AND NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupRequests' AND owner = manager.group_id)
    ON CONFLICT (group_id, user_id, manager_user_id) DO UPDATE
      SET req_time = excluded.req_time, handle_result = excluded.handle_result
      WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;
END;

CREATE TRIGGER im_admin_group_requests_deleted AFTER DELETE ON im_admin_group_requests
BEGIN
  DELETE FROM im_admin_listed_group_requests
    WHERE im_admin_listed_group_requests.group_id = OLD.group_id AND im_admin_listed_group_requests.user_id = OLD.user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.group_id, source.user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
          WHERE source.group_id = OLD.group_id AND source.user_id = OLD.user_id
      ) now WHERE now.group_id = im_admin_listed_group_requests.group_id AND now.user_id = im_admin_listed_group_requests.user_id);
  INSERT INTO im_admin_listed_group_requests (group_id, user_id, req_time, handle_result)
    SELECT source.group_id, source.user_id, source.req_time, source.handle_result FROM im_admin_group_requests source
      WHERE source.group_id = OLD.group_id AND source.user_id = OLD.user_id AND true
    ON CONFLICT (group_id, user_id) DO UPDATE
      SET req_time = excluded.req_time, handle_result = excluded.handle_result
      WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;
  DELETE FROM im_admin_listed_received_group_requests
    WHERE im_admin_listed_received_group_requests.group_id = OLD.group_id AND im_admin_listed_received_group_requests.user_id = OLD.user_id AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_listed_group_members manager INDEXED BY im_admin_group_members_in_order
          CROSS JOIN im_admin_group_requests source ON source.group_id = manager.group_id
          WHERE source.group_id = OLD.group_id AND source.user_id = OLD.user_id AND manager.group_id = OLD.group_id AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) >= '1900'
            AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) < '1941' AND manager.role_level IN (60, 100)
            AND NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupRequests' AND owner = manager.group_id)
      ) now WHERE now.group_id = im_admin_listed_received_group_requests.group_id AND now.user_id = im_admin_listed_received_group_requests.user_id AND now.manager_user_id = im_admin_listed_received_group_requests.manager_user_id);
  INSERT INTO im_admin_listed_received_group_requests (group_id, user_id, manager_user_id, req_time, handle_result)
    SELECT source.group_id, source.user_id, manager.user_id AS manager_user_id, source.req_time, source.handle_result FROM im_admin_listed_group_members manager INDEXED BY im_admin_group_members_in_order
      CROSS JOIN im_admin_group_requests source ON source.group_id = manager.group_id
      WHERE source.group_id = OLD.group_id AND source.user_id = OLD.user_id AND true AND manager.group_id = OLD.group_id AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) >= '1900'
        AND ((2000 - manager.role_level) || (20000000000000000 + manager.join_time) || manager.user_id) < '1941' AND manager.role_level IN (60, 100)
        AND NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupRequests' AND owner = manager.group_id)
    ON CONFLICT (group_id, user_id, manager_user_id) DO UPDATE
      SET req_time = excluded.req_time, handle_result = excluded.handle_result
      WHERE req_time <> excluded.req_time OR handle_result <> excluded.handle_result;
END;

CREATE TRIGGER im_admin_group_requests_listed AFTER INSERT ON im_admin_listed_group_requests
BEGIN
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id)
    WHERE name = 'groupRequests' AND owner = NEW.group_id;
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'groupRequests', NEW.group_id, (SELECT count(*) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_in_order WHERE group_id = NEW.group_id)
      WHERE NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupRequests' AND owner = NEW.group_id)
        AND (SELECT true FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_in_order WHERE group_id = NEW.group_id LIMIT 1 OFFSET 300);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((30000000000 + NEW.handle_result) || (20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id)
    WHERE name = 'groupRequestsByResult' AND owner = NEW.group_id;
  INSERT INTO im_admin_lists (name, owner, total)
    SELECT 'groupRequestsByResult', NEW.group_id, (SELECT count(*) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_by_result_in_order WHERE group_id = NEW.group_id)
      WHERE NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupRequestsByResult' AND owner = NEW.group_id)
        AND (SELECT true FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_by_result_in_order WHERE group_id = NEW.group_id LIMIT 1 OFFSET 300);
  DELETE FROM im_admin_listed_received_group_requests
    WHERE group_id = NEW.group_id AND EXISTS (SELECT 1 FROM im_admin_lists WHERE name = 'groupRequests' AND owner = NEW.group_id);
END;

CREATE TRIGGER im_admin_group_requests_moved AFTER UPDATE OF req_time, handle_result ON im_admin_listed_group_requests
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id)
    WHERE name = 'groupRequests' AND owner = OLD.group_id AND ((20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id) <> ((20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id)
    WHERE name = 'groupRequests' AND owner = NEW.group_id AND ((20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id) <> ((20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id);
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((30000000000 + OLD.handle_result) || (20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id)
    WHERE name = 'groupRequestsByResult' AND owner = OLD.group_id AND ((30000000000 + OLD.handle_result) || (20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id) <> ((30000000000 + NEW.handle_result) || (20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id);
  UPDATE im_admin_lists SET total = total + 1, changed_key = ((30000000000 + NEW.handle_result) || (20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id)
    WHERE name = 'groupRequestsByResult' AND owner = NEW.group_id AND ((30000000000 + OLD.handle_result) || (20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id) <> ((30000000000 + NEW.handle_result) || (20000000000000000 - NEW.req_time) || NEW.group_id || x'00' || NEW.user_id);
END;

CREATE TRIGGER im_admin_group_requests_unlisted AFTER DELETE ON im_admin_listed_group_requests
BEGIN
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id)
    WHERE name = 'groupRequests' AND owner = OLD.group_id;
  UPDATE im_admin_lists SET total = total - 1, changed_key = ((30000000000 + OLD.handle_result) || (20000000000000000 - OLD.req_time) || OLD.group_id || x'00' || OLD.user_id)
    WHERE name = 'groupRequestsByResult' AND owner = OLD.group_id;
END;
