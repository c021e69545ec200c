CREATE TABLE schemaVersion (version INTEGER NOT NULL) STRICT;

CREATE TABLE users (
  userID TEXT NOT NULL CHECK (userID <> '' AND instr(userID, char(0)) = 0),
  nickname TEXT NOT NULL DEFAULT '' CHECK (instr(nickname, char(0)) = 0),
  faceURL TEXT NOT NULL DEFAULT '' CHECK (instr(faceURL, char(0)) = 0),
  ex TEXT NOT NULL DEFAULT '' CHECK (instr(ex, char(0)) = 0),
  appMangerLevel INTEGER NOT NULL DEFAULT 0 CHECK (appMangerLevel BETWEEN -2147483648 AND 2147483647),
  PRIMARY KEY (userID)
) STRICT, WITHOUT ROWID;

CREATE TABLE groups (
  groupID TEXT NOT NULL CHECK (groupID <> '' AND instr(groupID, char(0)) = 0),
  groupName TEXT NOT NULL DEFAULT '' CHECK (instr(groupName, char(0)) = 0),
  notification TEXT NOT NULL DEFAULT '' CHECK (instr(notification, char(0)) = 0),
  introduction TEXT NOT NULL DEFAULT '' CHECK (instr(introduction, char(0)) = 0),
  faceURL TEXT NOT NULL DEFAULT '' CHECK (instr(faceURL, char(0)) = 0),
  createTime INTEGER NOT NULL DEFAULT 0 CHECK (createTime BETWEEN 0 AND 9999999999999999),
  ex TEXT NOT NULL DEFAULT '' CHECK (instr(ex, char(0)) = 0),
  status INTEGER NOT NULL DEFAULT 0,
  creatorUserID TEXT NOT NULL DEFAULT '' CHECK (instr(creatorUserID, char(0)) = 0),
  groupType INTEGER NOT NULL DEFAULT 0,
  needVerification INTEGER NOT NULL DEFAULT 0,
  lookMemberInfo INTEGER NOT NULL DEFAULT 0,
  applyMemberFriend INTEGER NOT NULL DEFAULT 0,
  notificationUpdateTime INTEGER NOT NULL DEFAULT 0 CHECK (notificationUpdateTime BETWEEN 0 AND 9999999999999999),
  notificationUserID TEXT NOT NULL DEFAULT '' CHECK (instr(notificationUserID, char(0)) = 0),
  PRIMARY KEY (groupID)
) STRICT;

CREATE TABLE groupMembers (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
  groupID TEXT NOT NULL CHECK (groupID <> '' AND instr(groupID, char(0)) = 0),
  userID TEXT NOT NULL CHECK (userID <> '' AND instr(userID, char(0)) = 0),
  roleLevel INTEGER NOT NULL DEFAULT 0 CHECK (roleLevel BETWEEN 0 AND 999),
  joinTime INTEGER NOT NULL DEFAULT 0 CHECK (joinTime BETWEEN 0 AND 9999999999999999),
  nickname TEXT NOT NULL DEFAULT '' CHECK (instr(nickname, char(0)) = 0),
  faceURL TEXT NOT NULL DEFAULT '' CHECK (instr(faceURL, char(0)) = 0),
  joinSource INTEGER NOT NULL DEFAULT 0,
  operatorUserID TEXT NOT NULL DEFAULT '' CHECK (instr(operatorUserID, char(0)) = 0),
  ex TEXT NOT NULL DEFAULT '' CHECK (instr(ex, char(0)) = 0),
  muteEndTime INTEGER NOT NULL DEFAULT 0 CHECK (muteEndTime BETWEEN 0 AND 9999999999999999),
  inviterUserID TEXT NOT NULL DEFAULT '' CHECK (instr(inviterUserID, char(0)) = 0),
  UNIQUE (groupID, userID)
) STRICT;

CREATE TABLE blacks (
  ownerUserID TEXT NOT NULL CHECK (ownerUserID <> '' AND instr(ownerUserID, char(0)) = 0),
  blackUserID TEXT NOT NULL CHECK (blackUserID <> '' AND instr(blackUserID, char(0)) = 0),
  createTime INTEGER NOT NULL DEFAULT 0 CHECK (createTime BETWEEN 0 AND 9999999999999999),
  addSource INTEGER NOT NULL DEFAULT 0,
  operatorUserID TEXT NOT NULL DEFAULT '' CHECK (instr(operatorUserID, char(0)) = 0),
  ex TEXT NOT NULL DEFAULT '' CHECK (instr(ex, char(0)) = 0),
  PRIMARY KEY (ownerUserID, blackUserID)
) STRICT, WITHOUT ROWID;

CREATE TABLE groupRequests (
  groupID TEXT NOT NULL CHECK (groupID <> '' AND instr(groupID, char(0)) = 0),
  userID TEXT NOT NULL CHECK (userID <> '' AND instr(userID, char(0)) = 0),
  handleResult INTEGER NOT NULL DEFAULT 0 CHECK (handleResult BETWEEN -2147483648 AND 2147483647),
  reqMsg TEXT NOT NULL DEFAULT '' CHECK (instr(reqMsg, char(0)) = 0),
  handleMsg TEXT NOT NULL DEFAULT '' CHECK (instr(handleMsg, char(0)) = 0),
  reqTime INTEGER NOT NULL DEFAULT 0 CHECK (reqTime BETWEEN 0 AND 9999999999999999),
  handleUserID TEXT NOT NULL DEFAULT '' CHECK (instr(handleUserID, char(0)) = 0),
  handleTime INTEGER NOT NULL DEFAULT 0 CHECK (handleTime BETWEEN 0 AND 9999999999999999),
  ex TEXT NOT NULL DEFAULT '' CHECK (instr(ex, char(0)) = 0),
  joinSource INTEGER NOT NULL DEFAULT 0,
  inviterUserID TEXT NOT NULL DEFAULT '' CHECK (instr(inviterUserID, char(0)) = 0),
  PRIMARY KEY (groupID, userID)
) STRICT, WITHOUT ROWID;

CREATE TABLE conversations (
  ownerUserID TEXT NOT NULL CHECK (ownerUserID <> '' AND instr(ownerUserID, char(0)) = 0),
  conversationID TEXT NOT NULL CHECK (conversationID <> '' AND instr(conversationID, char(0)) = 0),
  conversationType INTEGER NOT NULL DEFAULT 0,
  userID TEXT NOT NULL DEFAULT '' CHECK (instr(userID, char(0)) = 0),
  groupID TEXT NOT NULL DEFAULT '' CHECK (instr(groupID, char(0)) = 0),
  recvMsgOpt INTEGER NOT NULL DEFAULT 0,
  attachedInfo TEXT NOT NULL DEFAULT '' CHECK (instr(attachedInfo, char(0)) = 0),
  isPinned INTEGER NOT NULL DEFAULT 0 CHECK (isPinned IN (0, 1)),
  isPrivateChat INTEGER NOT NULL DEFAULT 0 CHECK (isPrivateChat IN (0, 1)),
  ex TEXT NOT NULL DEFAULT '' CHECK (instr(ex, char(0)) = 0),
  burnDuration INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (ownerUserID, conversationID)
) STRICT;

CREATE TABLE receivedGroupRequests (
  managerUserID TEXT NOT NULL,
  groupID TEXT NOT NULL,
  userID TEXT NOT NULL,
  reqTime INTEGER NOT NULL,
  handleResult INTEGER NOT NULL,
  PRIMARY KEY (groupID, userID, managerUserID)
) STRICT, WITHOUT ROWID;

CREATE VIEW renewRequest AS SELECT CAST(NULL AS TEXT) AS groupID, CAST(NULL AS TEXT) AS userID WHERE false;

CREATE VIEW renewManager AS SELECT CAST(NULL AS TEXT) AS groupID, CAST(NULL AS TEXT) AS userID, CAST(NULL AS INTEGER) AS roleLevel WHERE false;

CREATE INDEX groupMembersManaging ON groupMembers (groupID, userID) WHERE roleLevel IN (60, 100);

CREATE TABLE lists (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  owner TEXT NOT NULL,
  total INTEGER NOT NULL,
  height INTEGER NOT NULL DEFAULT 0,
  hasDocuments INTEGER NOT NULL DEFAULT 0,
  changedKey TEXT NOT NULL DEFAULT '',
  UNIQUE (name, owner)
) STRICT;

CREATE TABLE listNodes (
  list INTEGER NOT NULL,
  level INTEGER NOT NULL,
  start TEXT NOT NULL,
  total INTEGER NOT NULL,
  PRIMARY KEY (list, level, start)
) STRICT, WITHOUT ROWID;

CREATE TABLE usersBefore (
  userID, appMangerLevel, isConflict, writtenAt, isReplaced INTEGER NOT NULL DEFAULT 0,
  hasHappened INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE groupMembersBefore (
  id, groupID, userID, roleLevel, joinTime, isConflict, writtenAt, isReplaced INTEGER NOT NULL DEFAULT 0,
  hasHappened INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE blacksBefore (
  ownerUserID, blackUserID, createTime, isConflict, writtenAt, isReplaced INTEGER NOT NULL DEFAULT 0,
  hasHappened INTEGER NOT NULL DEFAULT 0
);

CREATE VIEW groupMembersCount AS SELECT CAST(NULL AS TEXT) AS owner WHERE false;

CREATE VIEW joinedGroupsCount AS SELECT CAST(NULL AS TEXT) AS owner WHERE false;

CREATE VIEW blacksCount AS SELECT CAST(NULL AS TEXT) AS owner WHERE false;

CREATE VIEW receivedGroupRequestsCount AS SELECT CAST(NULL AS TEXT) AS owner WHERE false;

CREATE VIEW receivedGroupRequestsByResultCount AS SELECT CAST(NULL AS TEXT) AS owner WHERE false;

CREATE VIEW notificationAccountsCount AS SELECT CAST(NULL AS TEXT) AS owner WHERE false;

CREATE VIEW notificationAccountsByLevelCount AS SELECT CAST(NULL AS TEXT) AS owner WHERE false;

CREATE VIEW splitLeaf AS SELECT CAST(NULL AS INTEGER) AS list, CAST(NULL AS TEXT) AS start, CAST(NULL AS INTEGER) AS total WHERE false;

CREATE VIEW resizeList AS SELECT CAST(NULL AS INTEGER) AS id WHERE false;

CREATE INDEX notificationAccountsInOrder
  ON users (('' || userID), nickname) WHERE appMangerLevel >= 3;

CREATE INDEX notificationAccountsByLevelInOrder
  ON users (((30000000000 + appMangerLevel) || userID)) WHERE appMangerLevel >= 3;

CREATE TABLE documents (
  list INTEGER NOT NULL,
  key TEXT NOT NULL,
  member INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (list, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE documentChanges (
  id INTEGER PRIMARY KEY,
  document INTEGER NOT NULL,
  change INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE documentTrigrams USING fts5 (
  text, content = '', detail = none, columnsize = 0, tokenize = 'trigram'
);

CREATE VIRTUAL TABLE documentGrams USING fts5 (
  grams, content = '', detail = none, columnsize = 0, tokenize = 'ascii'
);

CREATE VIEW renewDocument AS SELECT CAST(NULL AS TEXT) AS groupID, CAST(NULL AS TEXT) AS key WHERE false;

CREATE VIEW applyChanges AS SELECT CAST(NULL AS INTEGER) AS isOver WHERE false;

CREATE INDEX groupMembersInOrder
  ON groupMembers (groupID, ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID));

CREATE INDEX joinedGroupsInOrder
  ON groupMembers (userID, ((20000000000000000 - joinTime) || groupID));

CREATE INDEX blacksInOrder
  ON blacks (ownerUserID, ((20000000000000000 - createTime) || blackUserID));

CREATE INDEX receivedGroupRequestsInOrder
  ON receivedGroupRequests (managerUserID, ((20000000000000000 - reqTime) || groupID || x'00' || userID));

CREATE INDEX receivedGroupRequestsByResultInOrder
  ON receivedGroupRequests (managerUserID, ((30000000000 + handleResult) || (20000000000000000 - reqTime) || groupID || x'00' || userID));

CREATE TRIGGER documentsInsert AFTER INSERT ON documents
BEGIN
  INSERT INTO documentChanges (document, change, text)
    VALUES (NEW.list * 4294967296 + NEW.member, 1, NEW.text);
END;

CREATE TRIGGER documentsUpdate AFTER UPDATE OF member, text ON documents
BEGIN
  INSERT INTO documentChanges (document, change, text)
    VALUES (OLD.list * 4294967296 + OLD.member, -1, OLD.text);
  INSERT INTO documentChanges (document, change, text)
    VALUES (NEW.list * 4294967296 + NEW.member, 1, NEW.text);
END;

CREATE TRIGGER documentsDelete AFTER DELETE ON documents
BEGIN
  INSERT INTO documentChanges (document, change, text)
    VALUES (OLD.list * 4294967296 + OLD.member, -1, OLD.text);
END;

CREATE TRIGGER listsUpdate AFTER UPDATE OF total ON lists
BEGIN
  UPDATE listNodes SET total = total + NEW.total - OLD.total
    WHERE NEW.height >= 1 AND list = NEW.id AND level = 1 AND start = (
      SELECT start FROM listNodes
        WHERE list = NEW.id AND level = 1 AND start <= NEW.changedKey ORDER BY start DESC LIMIT 1);
  UPDATE listNodes SET total = total + NEW.total - OLD.total
    WHERE NEW.height >= 2 AND list = NEW.id AND level = 2 AND start = (
      SELECT start FROM listNodes
        WHERE list = NEW.id AND level = 2 AND start <= NEW.changedKey ORDER BY start DESC LIMIT 1);
  UPDATE listNodes SET total = total + NEW.total - OLD.total
    WHERE NEW.height >= 3 AND list = NEW.id AND level = 3 AND start = (
      SELECT start FROM listNodes
        WHERE list = NEW.id AND level = 3 AND start <= NEW.changedKey ORDER BY start DESC LIMIT 1);
  UPDATE listNodes SET total = total + NEW.total - OLD.total
    WHERE NEW.height >= 4 AND list = NEW.id AND level = 4 AND start = (
      SELECT start FROM listNodes
        WHERE list = NEW.id AND level = 4 AND start <= NEW.changedKey ORDER BY start DESC LIMIT 1);
  INSERT INTO resizeList (id) VALUES (NEW.id);
END;

CREATE TRIGGER resizeListInsert INSTEAD OF INSERT ON resizeList
  WHEN (SELECT total > CASE height WHEN 0 THEN 300 WHEN 1 THEN 3000 WHEN 2 THEN 30000 WHEN 3 THEN 300000 ELSE total END OR total < CASE height WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 32 END FROM lists WHERE id = NEW.id)
BEGIN
  INSERT INTO listNodes (list, level, start, total)
    SELECT id, height + 1, '', total FROM lists WHERE id = NEW.id AND total > CASE height WHEN 0 THEN 300 WHEN 1 THEN 3000 WHEN 2 THEN 30000 WHEN 3 THEN 300000 ELSE total END;
  UPDATE listNodes SET total = total
    WHERE (list, level) IN (SELECT id, height + 1 FROM lists WHERE id = NEW.id);
  DELETE FROM listNodes
    WHERE (list, level) IN (SELECT id, height FROM lists WHERE id = NEW.id AND total < CASE height WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 32 END);
  DELETE FROM lists WHERE id = NEW.id AND height = 0 AND total < CASE height WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 32 END;
  UPDATE lists SET height = height + CASE WHEN total > CASE height WHEN 0 THEN 300 WHEN 1 THEN 3000 WHEN 2 THEN 30000 WHEN 3 THEN 300000 ELSE total END THEN 1 ELSE -1 END WHERE id = NEW.id;
END;

CREATE TRIGGER groupMembersCountInsert INSTEAD OF INSERT ON groupMembersCount
  WHEN NOT EXISTS (SELECT 1 FROM lists WHERE name = 'groupMembers' AND owner = NEW.owner)
    AND (SELECT true FROM groupMembers INDEXED BY groupMembersInOrder WHERE groupID = NEW.owner LIMIT 1 OFFSET 64)
    AND NOT EXISTS (SELECT 1 FROM groupMembersBefore before
      LEFT JOIN groupMembers now ON now.groupID = before.groupID AND now.userID = before.userID
      WHERE before.writtenAt = julianday('now') AND (before.hasHappened OR now.roleLevel IS NOT before.roleLevel OR now.joinTime IS NOT before.joinTime))
BEGIN
  INSERT INTO lists (name, owner, total)
    SELECT 'groupMembers', NEW.owner, count(*) FROM groupMembers INDEXED BY groupMembersInOrder WHERE groupID = NEW.owner;
  UPDATE lists SET total = total WHERE name = 'groupMembers' AND owner = NEW.owner;
END;

CREATE TRIGGER joinedGroupsCountInsert INSTEAD OF INSERT ON joinedGroupsCount
  WHEN NOT EXISTS (SELECT 1 FROM lists WHERE name = 'joinedGroups' AND owner = NEW.owner)
    AND (SELECT true FROM groupMembers INDEXED BY joinedGroupsInOrder WHERE userID = NEW.owner LIMIT 1 OFFSET 64)
    AND NOT EXISTS (SELECT 1 FROM groupMembersBefore before
      LEFT JOIN groupMembers now ON now.groupID = before.groupID AND now.userID = before.userID
      WHERE before.writtenAt = julianday('now') AND (before.hasHappened OR now.roleLevel IS NOT before.roleLevel OR now.joinTime IS NOT before.joinTime))
BEGIN
  INSERT INTO lists (name, owner, total)
    SELECT 'joinedGroups', NEW.owner, count(*) FROM groupMembers INDEXED BY joinedGroupsInOrder WHERE userID = NEW.owner;
  UPDATE lists SET total = total WHERE name = 'joinedGroups' AND owner = NEW.owner;
END;

CREATE TRIGGER blacksCountInsert INSTEAD OF INSERT ON blacksCount
  WHEN NOT EXISTS (SELECT 1 FROM lists WHERE name = 'blacks' AND owner = NEW.owner)
    AND (SELECT true FROM blacks INDEXED BY blacksInOrder WHERE ownerUserID = NEW.owner LIMIT 1 OFFSET 64)
    AND NOT EXISTS (SELECT 1 FROM blacksBefore before
      LEFT JOIN blacks now ON now.ownerUserID = before.ownerUserID AND now.blackUserID = before.blackUserID
      WHERE before.writtenAt = julianday('now') AND (before.hasHappened OR now.createTime IS NOT before.createTime))
BEGIN
  INSERT INTO lists (name, owner, total)
    SELECT 'blacks', NEW.owner, count(*) FROM blacks INDEXED BY blacksInOrder WHERE ownerUserID = NEW.owner;
  UPDATE lists SET total = total WHERE name = 'blacks' AND owner = NEW.owner;
END;

CREATE TRIGGER receivedGroupRequestsCountInsert INSTEAD OF INSERT ON receivedGroupRequestsCount
  WHEN NOT EXISTS (SELECT 1 FROM lists WHERE name = 'receivedGroupRequests' AND owner = NEW.owner)
    AND (SELECT true FROM receivedGroupRequests INDEXED BY receivedGroupRequestsInOrder WHERE managerUserID = NEW.owner LIMIT 1 OFFSET 64)
    AND NOT false
BEGIN
  INSERT INTO lists (name, owner, total)
    SELECT 'receivedGroupRequests', NEW.owner, count(*) FROM receivedGroupRequests INDEXED BY receivedGroupRequestsInOrder WHERE managerUserID = NEW.owner;
  UPDATE lists SET total = total WHERE name = 'receivedGroupRequests' AND owner = NEW.owner;
END;

CREATE TRIGGER receivedGroupRequestsByResultCountInsert INSTEAD OF INSERT ON receivedGroupRequestsByResultCount
  WHEN NOT EXISTS (SELECT 1 FROM lists WHERE name = 'receivedGroupRequestsByResult' AND owner = NEW.owner)
    AND (SELECT true FROM receivedGroupRequests INDEXED BY receivedGroupRequestsByResultInOrder WHERE managerUserID = NEW.owner LIMIT 1 OFFSET 64)
    AND NOT false
BEGIN
  INSERT INTO lists (name, owner, total)
    SELECT 'receivedGroupRequestsByResult', NEW.owner, count(*) FROM receivedGroupRequests INDEXED BY receivedGroupRequestsByResultInOrder WHERE managerUserID = NEW.owner;
  UPDATE lists SET total = total WHERE name = 'receivedGroupRequestsByResult' AND owner = NEW.owner;
END;

CREATE TRIGGER notificationAccountsCountInsert INSTEAD OF INSERT ON notificationAccountsCount
  WHEN NOT EXISTS (SELECT 1 FROM lists WHERE name = 'notificationAccounts' AND owner = NEW.owner)
    AND (SELECT true FROM users INDEXED BY notificationAccountsInOrder WHERE appMangerLevel >= 3 LIMIT 1 OFFSET 64)
    AND NOT EXISTS (SELECT 1 FROM usersBefore before
      LEFT JOIN users now ON now.userID = before.userID
      WHERE before.writtenAt = julianday('now') AND (before.hasHappened OR now.appMangerLevel IS NOT before.appMangerLevel))
BEGIN
  INSERT INTO lists (name, owner, total)
    SELECT 'notificationAccounts', NEW.owner, count(*) FROM users INDEXED BY notificationAccountsInOrder WHERE appMangerLevel >= 3;
  UPDATE lists SET total = total WHERE name = 'notificationAccounts' AND owner = NEW.owner;
END;

CREATE TRIGGER notificationAccountsByLevelCountInsert INSTEAD OF INSERT ON notificationAccountsByLevelCount
  WHEN NOT EXISTS (SELECT 1 FROM lists WHERE name = 'notificationAccountsByLevel' AND owner = NEW.owner)
    AND (SELECT true FROM users INDEXED BY notificationAccountsByLevelInOrder WHERE appMangerLevel >= 3 LIMIT 1 OFFSET 64)
    AND NOT EXISTS (SELECT 1 FROM usersBefore before
      LEFT JOIN users now ON now.userID = before.userID
      WHERE before.writtenAt = julianday('now') AND (before.hasHappened OR now.appMangerLevel IS NOT before.appMangerLevel))
BEGIN
  INSERT INTO lists (name, owner, total)
    SELECT 'notificationAccountsByLevel', NEW.owner, count(*) FROM users INDEXED BY notificationAccountsByLevelInOrder WHERE appMangerLevel >= 3;
  UPDATE lists SET total = total WHERE name = 'notificationAccountsByLevel' AND owner = NEW.owner;
END;

CREATE TRIGGER listNodesUpdate AFTER UPDATE OF total ON listNodes
  WHEN NEW.total > CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE NEW.total END OR NEW.total < CASE NEW.level WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 0 END
BEGIN
  INSERT INTO splitLeaf (list, start, total)
    SELECT NEW.list, NEW.start, NEW.total WHERE NEW.level = 1 AND NEW.total > CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE NEW.total END;
  INSERT INTO listNodes (list, level, start, total) SELECT NEW.list, NEW.level, start, following FROM (
    SELECT start, sum(total) OVER (ORDER BY start DESC ROWS UNBOUNDED PRECEDING) AS following FROM listNodes
      WHERE NEW.level > 1 AND NEW.total > CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE NEW.total END AND list = NEW.list AND level = NEW.level - 1
        AND start > NEW.start AND start < coalesce((SELECT start FROM listNodes WHERE list = NEW.list AND level = NEW.level AND start > NEW.start ORDER BY start LIMIT 1), x'')
  ) WHERE following >= NEW.total / 2 ORDER BY start DESC LIMIT 1;
  DELETE FROM listNodes
    WHERE NEW.total < CASE NEW.level WHEN 1 THEN 75 WHEN 2 THEN 750 WHEN 3 THEN 7500 WHEN 4 THEN 75000 ELSE 0 END AND list = NEW.list AND level = NEW.level AND start IN (NEW.start, (SELECT start FROM listNodes WHERE list = NEW.list AND level = NEW.level AND start > NEW.start ORDER BY start LIMIT 1)) AND start <> ''
      AND NOT EXISTS (SELECT 1 FROM listNodes parent
        WHERE parent.list = listNodes.list AND parent.level = listNodes.level + 1 AND parent.start = listNodes.start)
      AND (start = NEW.start OR NEW.total > 0 OR NEW.start = '' OR EXISTS (SELECT 1 FROM listNodes parent
        WHERE parent.list = NEW.list AND parent.level = NEW.level + 1 AND parent.start = NEW.start))
      AND (total = 0 OR CASE NEW.level WHEN 1 THEN 300 WHEN 2 THEN 3000 WHEN 3 THEN 30000 WHEN 4 THEN 300000 ELSE 0 END / 2 >= total + (
        SELECT total FROM listNodes previous
          WHERE previous.list = listNodes.list AND previous.level = listNodes.level
            AND previous.start < listNodes.start ORDER BY start DESC LIMIT 1));
END;

CREATE TRIGGER groupMembersSplit INSTEAD OF INSERT ON splitLeaf
  WHEN (SELECT name FROM lists WHERE id = NEW.list) = 'groupMembers'
    AND NOT EXISTS (SELECT 1 FROM groupMembersBefore before
      LEFT JOIN groupMembers now ON now.groupID = before.groupID AND now.userID = before.userID
      WHERE before.writtenAt = julianday('now') AND (before.hasHappened OR now.roleLevel IS NOT before.roleLevel OR now.joinTime IS NOT before.joinTime))
BEGIN
  INSERT INTO listNodes (list, level, start, total)
    SELECT NEW.list, 1, ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID), NEW.total - 150 FROM groupMembers INDEXED BY groupMembersInOrder
      WHERE groupID = (SELECT owner FROM lists WHERE id = NEW.list) AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) >= NEW.start
      ORDER BY ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) LIMIT 1 OFFSET 150;
END;

CREATE TRIGGER joinedGroupsSplit INSTEAD OF INSERT ON splitLeaf
  WHEN (SELECT name FROM lists WHERE id = NEW.list) = 'joinedGroups'
    AND NOT EXISTS (SELECT 1 FROM groupMembersBefore before
      LEFT JOIN groupMembers now ON now.groupID = before.groupID AND now.userID = before.userID
      WHERE before.writtenAt = julianday('now') AND (before.hasHappened OR now.roleLevel IS NOT before.roleLevel OR now.joinTime IS NOT before.joinTime))
BEGIN
  INSERT INTO listNodes (list, level, start, total)
    SELECT NEW.list, 1, ((20000000000000000 - joinTime) || groupID), NEW.total - 150 FROM groupMembers INDEXED BY joinedGroupsInOrder
      WHERE userID = (SELECT owner FROM lists WHERE id = NEW.list) AND ((20000000000000000 - joinTime) || groupID) >= NEW.start
      ORDER BY ((20000000000000000 - joinTime) || groupID) LIMIT 1 OFFSET 150;
END;

CREATE TRIGGER blacksSplit INSTEAD OF INSERT ON splitLeaf
  WHEN (SELECT name FROM lists WHERE id = NEW.list) = 'blacks'
    AND NOT EXISTS (SELECT 1 FROM blacksBefore before
      LEFT JOIN blacks now ON now.ownerUserID = before.ownerUserID AND now.blackUserID = before.blackUserID
      WHERE before.writtenAt = julianday('now') AND (before.hasHappened OR now.createTime IS NOT before.createTime))
BEGIN
  INSERT INTO listNodes (list, level, start, total)
    SELECT NEW.list, 1, ((20000000000000000 - createTime) || blackUserID), NEW.total - 150 FROM blacks INDEXED BY blacksInOrder
      WHERE ownerUserID = (SELECT owner FROM lists WHERE id = NEW.list) AND ((20000000000000000 - createTime) || blackUserID) >= NEW.start
      ORDER BY ((20000000000000000 - createTime) || blackUserID) LIMIT 1 OFFSET 150;
END;

CREATE TRIGGER receivedGroupRequestsSplit INSTEAD OF INSERT ON splitLeaf
  WHEN (SELECT name FROM lists WHERE id = NEW.list) = 'receivedGroupRequests'
    AND NOT false
BEGIN
  INSERT INTO listNodes (list, level, start, total)
    SELECT NEW.list, 1, ((20000000000000000 - reqTime) || groupID || x'00' || userID), NEW.total - 150 FROM receivedGroupRequests INDEXED BY receivedGroupRequestsInOrder
      WHERE managerUserID = (SELECT owner FROM lists WHERE id = NEW.list) AND ((20000000000000000 - reqTime) || groupID || x'00' || userID) >= NEW.start
      ORDER BY ((20000000000000000 - reqTime) || groupID || x'00' || userID) LIMIT 1 OFFSET 150;
END;

CREATE TRIGGER receivedGroupRequestsByResultSplit INSTEAD OF INSERT ON splitLeaf
  WHEN (SELECT name FROM lists WHERE id = NEW.list) = 'receivedGroupRequestsByResult'
    AND NOT false
BEGIN
  INSERT INTO listNodes (list, level, start, total)
    SELECT NEW.list, 1, ((30000000000 + handleResult) || (20000000000000000 - reqTime) || groupID || x'00' || userID), NEW.total - 150 FROM receivedGroupRequests INDEXED BY receivedGroupRequestsByResultInOrder
      WHERE managerUserID = (SELECT owner FROM lists WHERE id = NEW.list) AND ((30000000000 + handleResult) || (20000000000000000 - reqTime) || groupID || x'00' || userID) >= NEW.start
      ORDER BY ((30000000000 + handleResult) || (20000000000000000 - reqTime) || groupID || x'00' || userID) LIMIT 1 OFFSET 150;
END;

CREATE TRIGGER notificationAccountsSplit INSTEAD OF INSERT ON splitLeaf
  WHEN (SELECT name FROM lists WHERE id = NEW.list) = 'notificationAccounts'
    AND NOT EXISTS (SELECT 1 FROM usersBefore before
      LEFT JOIN users now ON now.userID = before.userID
      WHERE before.writtenAt = julianday('now') AND (before.hasHappened OR now.appMangerLevel IS NOT before.appMangerLevel))
BEGIN
  INSERT INTO listNodes (list, level, start, total)
    SELECT NEW.list, 1, ('' || userID), NEW.total - 150 FROM users INDEXED BY notificationAccountsInOrder
      WHERE appMangerLevel >= 3 AND ('' || userID) >= NEW.start
      ORDER BY ('' || userID) LIMIT 1 OFFSET 150;
END;

CREATE TRIGGER notificationAccountsByLevelSplit INSTEAD OF INSERT ON splitLeaf
  WHEN (SELECT name FROM lists WHERE id = NEW.list) = 'notificationAccountsByLevel'
    AND NOT EXISTS (SELECT 1 FROM usersBefore before
      LEFT JOIN users now ON now.userID = before.userID
      WHERE before.writtenAt = julianday('now') AND (before.hasHappened OR now.appMangerLevel IS NOT before.appMangerLevel))
BEGIN
  INSERT INTO listNodes (list, level, start, total)
    SELECT NEW.list, 1, ((30000000000 + appMangerLevel) || userID), NEW.total - 150 FROM users INDEXED BY notificationAccountsByLevelInOrder
      WHERE appMangerLevel >= 3 AND ((30000000000 + appMangerLevel) || userID) >= NEW.start
      ORDER BY ((30000000000 + appMangerLevel) || userID) LIMIT 1 OFFSET 150;
END;

CREATE TRIGGER listNodesInsert AFTER INSERT ON listNodes
  WHEN NEW.start <> ''
BEGIN
  UPDATE listNodes SET total = total - NEW.total
    WHERE list = NEW.list AND level = NEW.level AND start = (SELECT start FROM listNodes WHERE list = NEW.list AND level = NEW.level AND start < NEW.start ORDER BY start DESC LIMIT 1);
END;

CREATE TRIGGER listNodesDelete AFTER DELETE ON listNodes
BEGIN
  UPDATE listNodes SET total = total + OLD.total
    WHERE list = OLD.list AND level = OLD.level AND start = (SELECT start FROM listNodes WHERE list = OLD.list AND level = OLD.level AND start < OLD.start ORDER BY start DESC LIMIT 1);
  DELETE FROM listNodes
    WHERE list = OLD.list AND level < OLD.level AND start = OLD.start AND start <> '' AND total = 0
      AND NOT EXISTS (SELECT 1 FROM listNodes above
        WHERE above.list = OLD.list AND above.start = OLD.start
          AND above.level > listNodes.level AND above.level < OLD.level AND above.total > 0);
END;

CREATE TRIGGER usersReplaced AFTER UPDATE OF isReplaced ON usersBefore
BEGIN
  UPDATE lists SET total = total - 1, changedKey = ('' || OLD.userID)
    WHERE name = 'notificationAccounts' AND owner = '' AND OLD.appMangerLevel >= 3;
  UPDATE lists SET total = total - 1, changedKey = ((30000000000 + OLD.appMangerLevel) || OLD.userID)
    WHERE name = 'notificationAccountsByLevel' AND owner = '' AND OLD.appMangerLevel >= 3;
END;

CREATE TRIGGER usersBeforeInsert BEFORE INSERT ON users
BEGIN
  DELETE FROM usersBefore
    WHERE writtenAt <> julianday('now') OR NOT hasHappened
      AND rowid < (SELECT max(rowid) FROM usersBefore) - 50
      AND CASE WHEN usersBefore.appMangerLevel IS NULL
        THEN NOT EXISTS (SELECT 1 FROM users stored
          WHERE stored.userID = usersBefore.userID) ELSE EXISTS (SELECT 1 FROM users stored
            WHERE (stored.userID, stored.appMangerLevel) = (usersBefore.userID, usersBefore.appMangerLevel)) END;
  INSERT INTO usersBefore (userID, appMangerLevel, isConflict, writtenAt)
    SELECT NEW.userID, stored.appMangerLevel,
        stored.userID IS NOT NULL AND NOT EXISTS (SELECT 1 FROM usersBefore before
          WHERE isConflict AND writtenAt = julianday('now') AND (before.userID, before.appMangerLevel) = (stored.userID, stored.appMangerLevel)), julianday('now')
      FROM (SELECT 1) LEFT JOIN users stored
        ON stored.userID = NEW.userID;
END;

CREATE TRIGGER usersBeforeUpdate BEFORE UPDATE OF userID, appMangerLevel ON users
  WHEN OLD.userID IS NOT NEW.userID OR OLD.appMangerLevel IS NOT NEW.appMangerLevel
BEGIN
  DELETE FROM usersBefore
    WHERE writtenAt <> julianday('now') OR NOT hasHappened
      AND rowid < (SELECT max(rowid) FROM usersBefore) - 50
      AND CASE WHEN usersBefore.appMangerLevel IS NULL
        THEN NOT EXISTS (SELECT 1 FROM users stored
          WHERE stored.userID = usersBefore.userID) ELSE EXISTS (SELECT 1 FROM users stored
            WHERE (stored.userID, stored.appMangerLevel) = (usersBefore.userID, usersBefore.appMangerLevel)) END;
  UPDATE usersBefore SET hasHappened = 1
    WHERE writtenAt = julianday('now') AND userID = OLD.userID AND (appMangerLevel IS NOT OLD.appMangerLevel);
  INSERT INTO usersBefore (userID, appMangerLevel, isConflict, writtenAt)
    SELECT userID, appMangerLevel, 2, julianday('now') FROM users stored
      WHERE userID = NEW.userID AND NOT userID = OLD.userID AND NOT EXISTS (SELECT 1 FROM usersBefore before
        WHERE isConflict AND writtenAt = julianday('now') AND (before.userID, before.appMangerLevel) = (stored.userID, stored.appMangerLevel));
  INSERT INTO usersBefore (userID, appMangerLevel, isConflict, writtenAt)
    VALUES (OLD.userID, OLD.appMangerLevel, 0, julianday('now'));
END;

CREATE TRIGGER usersBeforeDelete BEFORE DELETE ON users
BEGIN
  DELETE FROM usersBefore
    WHERE writtenAt <> julianday('now') OR NOT hasHappened
      AND rowid < (SELECT max(rowid) FROM usersBefore) - 50
      AND CASE WHEN usersBefore.appMangerLevel IS NULL
        THEN NOT EXISTS (SELECT 1 FROM users stored
          WHERE stored.userID = usersBefore.userID) ELSE EXISTS (SELECT 1 FROM users stored
            WHERE (stored.userID, stored.appMangerLevel) = (usersBefore.userID, usersBefore.appMangerLevel)) END;
  UPDATE usersBefore SET hasHappened = 1
    WHERE writtenAt = julianday('now') AND userID = OLD.userID AND (appMangerLevel IS NOT OLD.appMangerLevel);
  INSERT INTO usersBefore (userID, appMangerLevel, isConflict, writtenAt)
    VALUES (OLD.userID, OLD.appMangerLevel, 0, julianday('now'));
END;

CREATE TRIGGER usersAfterInsert AFTER INSERT ON users
BEGIN
  UPDATE usersBefore SET isReplaced = 1, isConflict = 0
    WHERE isConflict AND writtenAt = julianday('now') AND userID = NEW.userID;
  DELETE FROM usersBefore WHERE rowid = (SELECT max(rowid) FROM usersBefore WHERE userID = NEW.userID);
  DELETE FROM usersBefore WHERE isReplaced;
  UPDATE lists SET total = total + 1, changedKey = ('' || NEW.userID)
    WHERE name = 'notificationAccounts' AND owner = '' AND NEW.appMangerLevel >= 3;
  UPDATE lists SET total = total + 1, changedKey = ((30000000000 + NEW.appMangerLevel) || NEW.userID)
    WHERE name = 'notificationAccountsByLevel' AND owner = '' AND NEW.appMangerLevel >= 3;
  INSERT INTO notificationAccountsCount (owner) VALUES ('');
  INSERT INTO notificationAccountsByLevelCount (owner) VALUES ('');
END;

CREATE TRIGGER usersAfterUpdate AFTER UPDATE OF userID, appMangerLevel ON users
  WHEN OLD.userID IS NOT NEW.userID OR OLD.appMangerLevel IS NOT NEW.appMangerLevel
BEGIN
  UPDATE usersBefore SET appMangerLevel = NEW.appMangerLevel
    WHERE writtenAt = julianday('now') AND userID = NEW.userID AND NOT userID = OLD.userID
      AND usersBefore.appMangerLevel IS NULL AND NOT hasHappened
      AND NOT EXISTS (SELECT 1 FROM usersBefore WHERE isConflict AND writtenAt = julianday('now') AND userID = NEW.userID);
  UPDATE usersBefore SET isReplaced = 1, isConflict = 0
    WHERE isConflict AND writtenAt = julianday('now') AND userID = NEW.userID AND NOT userID = OLD.userID;
  UPDATE lists SET total = total - 1, changedKey = ('' || OLD.userID)
    WHERE name = 'notificationAccounts' AND owner = '' AND OLD.appMangerLevel >= 3;
  UPDATE lists SET total = total - 1, changedKey = ((30000000000 + OLD.appMangerLevel) || OLD.userID)
    WHERE name = 'notificationAccountsByLevel' AND owner = '' AND OLD.appMangerLevel >= 3;
  DELETE FROM usersBefore WHERE rowid = (SELECT max(rowid) FROM usersBefore WHERE userID = OLD.userID);
  DELETE FROM usersBefore WHERE isReplaced;
  UPDATE usersBefore SET userID = NEW.userID, appMangerLevel = NEW.appMangerLevel WHERE isConflict AND (userID, appMangerLevel) = (OLD.userID, OLD.appMangerLevel);
  UPDATE lists SET total = total + 1, changedKey = ('' || NEW.userID)
    WHERE name = 'notificationAccounts' AND owner = '' AND NEW.appMangerLevel >= 3;
  UPDATE lists SET total = total + 1, changedKey = ((30000000000 + NEW.appMangerLevel) || NEW.userID)
    WHERE name = 'notificationAccountsByLevel' AND owner = '' AND NEW.appMangerLevel >= 3;
  INSERT INTO notificationAccountsCount (owner) VALUES ('');
  INSERT INTO notificationAccountsByLevelCount (owner) VALUES ('');
  INSERT INTO notificationAccountsCount (owner) VALUES ('');
  INSERT INTO notificationAccountsByLevelCount (owner) VALUES ('');
END;

CREATE TRIGGER usersAfterDelete AFTER DELETE ON users
BEGIN
  UPDATE lists SET total = total - 1, changedKey = ('' || OLD.userID)
    WHERE name = 'notificationAccounts' AND owner = '' AND OLD.appMangerLevel >= 3;
  UPDATE lists SET total = total - 1, changedKey = ((30000000000 + OLD.appMangerLevel) || OLD.userID)
    WHERE name = 'notificationAccountsByLevel' AND owner = '' AND OLD.appMangerLevel >= 3;
  DELETE FROM usersBefore WHERE rowid = (SELECT max(rowid) FROM usersBefore WHERE userID = OLD.userID);
  DELETE FROM usersBefore WHERE isConflict = 2 AND isConflict AND (userID, appMangerLevel) = (OLD.userID, OLD.appMangerLevel);
  UPDATE usersBefore SET appMangerLevel = NULL, isConflict = 0 WHERE isConflict AND (userID, appMangerLevel) = (OLD.userID, OLD.appMangerLevel);
  INSERT INTO notificationAccountsCount (owner) VALUES ('');
  INSERT INTO notificationAccountsByLevelCount (owner) VALUES ('');
END;

CREATE TRIGGER groupMembersReplaced AFTER UPDATE OF isReplaced ON groupMembersBefore
BEGIN
  UPDATE lists SET total = total - 1, changedKey = ((2000 - OLD.roleLevel) || (20000000000000000 + OLD.joinTime) || OLD.userID)
    WHERE name = 'groupMembers' AND owner = OLD.groupID;
  UPDATE lists SET total = total - 1, changedKey = ((20000000000000000 - OLD.joinTime) || OLD.groupID)
    WHERE name = 'joinedGroups' AND owner = OLD.userID;
  INSERT INTO renewManager (groupID, userID, roleLevel) VALUES (OLD.groupID, OLD.userID, OLD.roleLevel);
  INSERT INTO renewDocument (groupID, key) VALUES (OLD.groupID, ((2000 - OLD.roleLevel) || (20000000000000000 + OLD.joinTime) || OLD.userID));
END;

CREATE TRIGGER groupMembersBeforeInsert BEFORE INSERT ON groupMembers
BEGIN
  DELETE FROM groupMembersBefore
    WHERE writtenAt <> julianday('now') OR NOT hasHappened
      AND rowid < (SELECT max(rowid) FROM groupMembersBefore) - 50
      AND CASE WHEN groupMembersBefore.roleLevel IS NULL
        THEN NOT EXISTS (SELECT 1 FROM groupMembers stored
          WHERE (stored.groupID, stored.userID) = (groupMembersBefore.groupID, groupMembersBefore.userID)) ELSE EXISTS (SELECT 1 FROM groupMembers stored
            WHERE (stored.groupID, stored.userID, stored.roleLevel, stored.joinTime) = (groupMembersBefore.groupID, groupMembersBefore.userID, groupMembersBefore.roleLevel, groupMembersBefore.joinTime)) END;
  INSERT INTO groupMembersBefore (id, groupID, userID, roleLevel, joinTime, isConflict, writtenAt)
    SELECT id, groupID, userID, roleLevel, joinTime, 2, julianday('now') FROM groupMembers stored
      WHERE id = NEW.id AND NOT (groupID, userID) = (NEW.groupID, NEW.userID) AND NOT EXISTS (SELECT 1 FROM groupMembersBefore before
        WHERE isConflict AND writtenAt = julianday('now') AND (before.id, before.groupID, before.userID, before.roleLevel, before.joinTime) = (stored.id, stored.groupID, stored.userID, stored.roleLevel, stored.joinTime));
  INSERT INTO groupMembersBefore (id, groupID, userID, roleLevel, joinTime, isConflict, writtenAt)
    SELECT stored.id, NEW.groupID, NEW.userID, stored.roleLevel, stored.joinTime,
        stored.groupID IS NOT NULL AND NOT EXISTS (SELECT 1 FROM groupMembersBefore before
          WHERE isConflict AND writtenAt = julianday('now') AND (before.id, before.groupID, before.userID, before.roleLevel, before.joinTime) = (stored.id, stored.groupID, stored.userID, stored.roleLevel, stored.joinTime)), julianday('now')
      FROM (SELECT 1) LEFT JOIN groupMembers stored
        ON stored.groupID = NEW.groupID AND stored.userID = NEW.userID;
END;

CREATE TRIGGER groupMembersBeforeUpdate BEFORE UPDATE OF id, groupID, userID, roleLevel, joinTime ON groupMembers
  WHEN OLD.id IS NOT NEW.id OR OLD.groupID IS NOT NEW.groupID OR OLD.userID IS NOT NEW.userID OR OLD.roleLevel IS NOT NEW.roleLevel OR OLD.joinTime IS NOT NEW.joinTime
BEGIN
  DELETE FROM groupMembersBefore
    WHERE writtenAt <> julianday('now') OR NOT hasHappened
      AND rowid < (SELECT max(rowid) FROM groupMembersBefore) - 50
      AND CASE WHEN groupMembersBefore.roleLevel IS NULL
        THEN NOT EXISTS (SELECT 1 FROM groupMembers stored
          WHERE (stored.groupID, stored.userID) = (groupMembersBefore.groupID, groupMembersBefore.userID)) ELSE EXISTS (SELECT 1 FROM groupMembers stored
            WHERE (stored.groupID, stored.userID, stored.roleLevel, stored.joinTime) = (groupMembersBefore.groupID, groupMembersBefore.userID, groupMembersBefore.roleLevel, groupMembersBefore.joinTime)) END;
  UPDATE groupMembersBefore SET hasHappened = 1
    WHERE writtenAt = julianday('now') AND (groupID, userID) = (OLD.groupID, OLD.userID) AND (id IS NOT OLD.id OR roleLevel IS NOT OLD.roleLevel OR joinTime IS NOT OLD.joinTime);
  INSERT INTO groupMembersBefore (id, groupID, userID, roleLevel, joinTime, isConflict, writtenAt)
    SELECT id, groupID, userID, roleLevel, joinTime, 2, julianday('now') FROM groupMembers stored
      WHERE ((groupID, userID) = (NEW.groupID, NEW.userID) OR id = NEW.id) AND NOT (groupID, userID) = (OLD.groupID, OLD.userID) AND NOT EXISTS (SELECT 1 FROM groupMembersBefore before
        WHERE isConflict AND writtenAt = julianday('now') AND (before.id, before.groupID, before.userID, before.roleLevel, before.joinTime) = (stored.id, stored.groupID, stored.userID, stored.roleLevel, stored.joinTime));
  INSERT INTO groupMembersBefore (id, groupID, userID, roleLevel, joinTime, isConflict, writtenAt)
    VALUES (OLD.id, OLD.groupID, OLD.userID, OLD.roleLevel, OLD.joinTime, 0, julianday('now'));
END;

CREATE TRIGGER groupMembersBeforeDelete BEFORE DELETE ON groupMembers
BEGIN
  DELETE FROM groupMembersBefore
    WHERE writtenAt <> julianday('now') OR NOT hasHappened
      AND rowid < (SELECT max(rowid) FROM groupMembersBefore) - 50
      AND CASE WHEN groupMembersBefore.roleLevel IS NULL
        THEN NOT EXISTS (SELECT 1 FROM groupMembers stored
          WHERE (stored.groupID, stored.userID) = (groupMembersBefore.groupID, groupMembersBefore.userID)) ELSE EXISTS (SELECT 1 FROM groupMembers stored
            WHERE (stored.groupID, stored.userID, stored.roleLevel, stored.joinTime) = (groupMembersBefore.groupID, groupMembersBefore.userID, groupMembersBefore.roleLevel, groupMembersBefore.joinTime)) END;
  UPDATE groupMembersBefore SET hasHappened = 1
    WHERE writtenAt = julianday('now') AND (groupID, userID) = (OLD.groupID, OLD.userID) AND (id IS NOT OLD.id OR roleLevel IS NOT OLD.roleLevel OR joinTime IS NOT OLD.joinTime);
  INSERT INTO groupMembersBefore (id, groupID, userID, roleLevel, joinTime, isConflict, writtenAt)
    VALUES (OLD.id, OLD.groupID, OLD.userID, OLD.roleLevel, OLD.joinTime, 0, julianday('now'));
END;

CREATE TRIGGER groupMembersAfterInsert AFTER INSERT ON groupMembers
BEGIN
  UPDATE groupMembersBefore SET isReplaced = 1, isConflict = 0
    WHERE isConflict AND writtenAt = julianday('now') AND ((groupID, userID) = (NEW.groupID, NEW.userID) OR id = NEW.id);
  DELETE FROM groupMembersBefore WHERE rowid = (SELECT max(rowid) FROM groupMembersBefore WHERE (groupID, userID) = (NEW.groupID, NEW.userID));
  DELETE FROM groupMembersBefore WHERE isReplaced;
  UPDATE lists SET total = total + 1, changedKey = ((2000 - NEW.roleLevel) || (20000000000000000 + NEW.joinTime) || NEW.userID)
    WHERE name = 'groupMembers' AND owner = NEW.groupID;
  UPDATE lists SET total = total + 1, changedKey = ((20000000000000000 - NEW.joinTime) || NEW.groupID)
    WHERE name = 'joinedGroups' AND owner = NEW.userID;
  INSERT INTO renewManager (groupID, userID, roleLevel) VALUES (NEW.groupID, NEW.userID, NEW.roleLevel);
  INSERT INTO renewDocument (groupID, key) VALUES (NEW.groupID, ((2000 - NEW.roleLevel) || (20000000000000000 + NEW.joinTime) || NEW.userID));
  INSERT INTO groupMembersCount (owner) VALUES (NEW.groupID);
  INSERT INTO joinedGroupsCount (owner) VALUES (NEW.userID);
  INSERT INTO applyChanges (isOver) VALUES (1);
END;

CREATE TRIGGER groupMembersAfterUpdate AFTER UPDATE OF id, groupID, userID, roleLevel, joinTime ON groupMembers
  WHEN OLD.id IS NOT NEW.id OR OLD.groupID IS NOT NEW.groupID OR OLD.userID IS NOT NEW.userID OR OLD.roleLevel IS NOT NEW.roleLevel OR OLD.joinTime IS NOT NEW.joinTime
BEGIN
  UPDATE groupMembersBefore SET id = NEW.id, roleLevel = NEW.roleLevel, joinTime = NEW.joinTime
    WHERE writtenAt = julianday('now') AND (groupID, userID) = (NEW.groupID, NEW.userID) AND NOT (groupID, userID) = (OLD.groupID, OLD.userID)
      AND groupMembersBefore.roleLevel IS NULL AND NOT hasHappened
      AND NOT EXISTS (SELECT 1 FROM groupMembersBefore WHERE isConflict AND writtenAt = julianday('now') AND (groupID, userID) = (NEW.groupID, NEW.userID));
  UPDATE groupMembersBefore SET isReplaced = 1, isConflict = 0
    WHERE isConflict AND writtenAt = julianday('now') AND ((groupID, userID) = (NEW.groupID, NEW.userID) OR id = NEW.id) AND NOT (groupID, userID) = (OLD.groupID, OLD.userID);
  UPDATE lists SET total = total - 1, changedKey = ((2000 - OLD.roleLevel) || (20000000000000000 + OLD.joinTime) || OLD.userID)
    WHERE name = 'groupMembers' AND owner = OLD.groupID;
  UPDATE lists SET total = total - 1, changedKey = ((20000000000000000 - OLD.joinTime) || OLD.groupID)
    WHERE name = 'joinedGroups' AND owner = OLD.userID;
  INSERT INTO renewManager (groupID, userID, roleLevel) VALUES (OLD.groupID, OLD.userID, OLD.roleLevel);
  INSERT INTO renewDocument (groupID, key) VALUES (OLD.groupID, ((2000 - OLD.roleLevel) || (20000000000000000 + OLD.joinTime) || OLD.userID));
  DELETE FROM groupMembersBefore WHERE rowid = (SELECT max(rowid) FROM groupMembersBefore WHERE (groupID, userID) = (OLD.groupID, OLD.userID));
  DELETE FROM groupMembersBefore WHERE isReplaced;
  UPDATE groupMembersBefore SET id = NEW.id, groupID = NEW.groupID, userID = NEW.userID, roleLevel = NEW.roleLevel, joinTime = NEW.joinTime WHERE isConflict AND (id, groupID, userID, roleLevel, joinTime) = (OLD.id, OLD.groupID, OLD.userID, OLD.roleLevel, OLD.joinTime);
  UPDATE lists SET total = total + 1, changedKey = ((2000 - NEW.roleLevel) || (20000000000000000 + NEW.joinTime) || NEW.userID)
    WHERE name = 'groupMembers' AND owner = NEW.groupID;
  UPDATE lists SET total = total + 1, changedKey = ((20000000000000000 - NEW.joinTime) || NEW.groupID)
    WHERE name = 'joinedGroups' AND owner = NEW.userID;
  INSERT INTO renewManager (groupID, userID, roleLevel) VALUES (NEW.groupID, NEW.userID, NEW.roleLevel);
  INSERT INTO renewDocument (groupID, key) VALUES (NEW.groupID, ((2000 - NEW.roleLevel) || (20000000000000000 + NEW.joinTime) || NEW.userID));
  INSERT INTO groupMembersCount (owner) VALUES (OLD.groupID);
  INSERT INTO joinedGroupsCount (owner) VALUES (OLD.userID);
  INSERT INTO groupMembersCount (owner) VALUES (NEW.groupID);
  INSERT INTO joinedGroupsCount (owner) VALUES (NEW.userID);
  INSERT INTO applyChanges (isOver) VALUES (1);
END;

CREATE TRIGGER groupMembersAfterDelete AFTER DELETE ON groupMembers
BEGIN
  UPDATE lists SET total = total - 1, changedKey = ((2000 - OLD.roleLevel) || (20000000000000000 + OLD.joinTime) || OLD.userID)
    WHERE name = 'groupMembers' AND owner = OLD.groupID;
  UPDATE lists SET total = total - 1, changedKey = ((20000000000000000 - OLD.joinTime) || OLD.groupID)
    WHERE name = 'joinedGroups' AND owner = OLD.userID;
  INSERT INTO renewManager (groupID, userID, roleLevel) VALUES (OLD.groupID, OLD.userID, OLD.roleLevel);
  INSERT INTO renewDocument (groupID, key) VALUES (OLD.groupID, ((2000 - OLD.roleLevel) || (20000000000000000 + OLD.joinTime) || OLD.userID));
  DELETE FROM groupMembersBefore WHERE rowid = (SELECT max(rowid) FROM groupMembersBefore WHERE (groupID, userID) = (OLD.groupID, OLD.userID));
  DELETE FROM groupMembersBefore WHERE isConflict = 2 AND isConflict AND (id, groupID, userID, roleLevel, joinTime) = (OLD.id, OLD.groupID, OLD.userID, OLD.roleLevel, OLD.joinTime);
  UPDATE groupMembersBefore SET id = NULL, roleLevel = NULL, joinTime = NULL, isConflict = 0 WHERE isConflict AND (id, groupID, userID, roleLevel, joinTime) = (OLD.id, OLD.groupID, OLD.userID, OLD.roleLevel, OLD.joinTime);
  INSERT INTO groupMembersCount (owner) VALUES (OLD.groupID);
  INSERT INTO joinedGroupsCount (owner) VALUES (OLD.userID);
  INSERT INTO applyChanges (isOver) VALUES (1);
END;

CREATE TRIGGER blacksReplaced AFTER UPDATE OF isReplaced ON blacksBefore
BEGIN
  UPDATE lists SET total = total - 1, changedKey = ((20000000000000000 - OLD.createTime) || OLD.blackUserID)
    WHERE name = 'blacks' AND owner = OLD.ownerUserID;
END;

CREATE TRIGGER blacksBeforeInsert BEFORE INSERT ON blacks
BEGIN
  DELETE FROM blacksBefore
    WHERE writtenAt <> julianday('now') OR NOT hasHappened
      AND rowid < (SELECT max(rowid) FROM blacksBefore) - 50
      AND CASE WHEN blacksBefore.createTime IS NULL
        THEN NOT EXISTS (SELECT 1 FROM blacks stored
          WHERE (stored.ownerUserID, stored.blackUserID) = (blacksBefore.ownerUserID, blacksBefore.blackUserID)) ELSE EXISTS (SELECT 1 FROM blacks stored
            WHERE (stored.ownerUserID, stored.blackUserID, stored.createTime) = (blacksBefore.ownerUserID, blacksBefore.blackUserID, blacksBefore.createTime)) END;
  INSERT INTO blacksBefore (ownerUserID, blackUserID, createTime, isConflict, writtenAt)
    SELECT NEW.ownerUserID, NEW.blackUserID, stored.createTime,
        stored.ownerUserID IS NOT NULL AND NOT EXISTS (SELECT 1 FROM blacksBefore before
          WHERE isConflict AND writtenAt = julianday('now') AND (before.ownerUserID, before.blackUserID, before.createTime) = (stored.ownerUserID, stored.blackUserID, stored.createTime)), julianday('now')
      FROM (SELECT 1) LEFT JOIN blacks stored
        ON stored.ownerUserID = NEW.ownerUserID AND stored.blackUserID = NEW.blackUserID;
END;

CREATE TRIGGER blacksBeforeUpdate BEFORE UPDATE OF ownerUserID, blackUserID, createTime ON blacks
  WHEN OLD.ownerUserID IS NOT NEW.ownerUserID OR OLD.blackUserID IS NOT NEW.blackUserID OR OLD.createTime IS NOT NEW.createTime
BEGIN
  DELETE FROM blacksBefore
    WHERE writtenAt <> julianday('now') OR NOT hasHappened
      AND rowid < (SELECT max(rowid) FROM blacksBefore) - 50
      AND CASE WHEN blacksBefore.createTime IS NULL
        THEN NOT EXISTS (SELECT 1 FROM blacks stored
          WHERE (stored.ownerUserID, stored.blackUserID) = (blacksBefore.ownerUserID, blacksBefore.blackUserID)) ELSE EXISTS (SELECT 1 FROM blacks stored
            WHERE (stored.ownerUserID, stored.blackUserID, stored.createTime) = (blacksBefore.ownerUserID, blacksBefore.blackUserID, blacksBefore.createTime)) END;
  UPDATE blacksBefore SET hasHappened = 1
    WHERE writtenAt = julianday('now') AND (ownerUserID, blackUserID) = (OLD.ownerUserID, OLD.blackUserID) AND (createTime IS NOT OLD.createTime);
  INSERT INTO blacksBefore (ownerUserID, blackUserID, createTime, isConflict, writtenAt)
    SELECT ownerUserID, blackUserID, createTime, 2, julianday('now') FROM blacks stored
      WHERE (ownerUserID, blackUserID) = (NEW.ownerUserID, NEW.blackUserID) AND NOT (ownerUserID, blackUserID) = (OLD.ownerUserID, OLD.blackUserID) AND NOT EXISTS (SELECT 1 FROM blacksBefore before
        WHERE isConflict AND writtenAt = julianday('now') AND (before.ownerUserID, before.blackUserID, before.createTime) = (stored.ownerUserID, stored.blackUserID, stored.createTime));
  INSERT INTO blacksBefore (ownerUserID, blackUserID, createTime, isConflict, writtenAt)
    VALUES (OLD.ownerUserID, OLD.blackUserID, OLD.createTime, 0, julianday('now'));
END;

CREATE TRIGGER blacksBeforeDelete BEFORE DELETE ON blacks
BEGIN
  DELETE FROM blacksBefore
    WHERE writtenAt <> julianday('now') OR NOT hasHappened
      AND rowid < (SELECT max(rowid) FROM blacksBefore) - 50
      AND CASE WHEN blacksBefore.createTime IS NULL
        THEN NOT EXISTS (SELECT 1 FROM blacks stored
          WHERE (stored.ownerUserID, stored.blackUserID) = (blacksBefore.ownerUserID, blacksBefore.blackUserID)) ELSE EXISTS (SELECT 1 FROM blacks stored
            WHERE (stored.ownerUserID, stored.blackUserID, stored.createTime) = (blacksBefore.ownerUserID, blacksBefore.blackUserID, blacksBefore.createTime)) END;
  UPDATE blacksBefore SET hasHappened = 1
    WHERE writtenAt = julianday('now') AND (ownerUserID, blackUserID) = (OLD.ownerUserID, OLD.blackUserID) AND (createTime IS NOT OLD.createTime);
  INSERT INTO blacksBefore (ownerUserID, blackUserID, createTime, isConflict, writtenAt)
    VALUES (OLD.ownerUserID, OLD.blackUserID, OLD.createTime, 0, julianday('now'));
END;

CREATE TRIGGER blacksAfterInsert AFTER INSERT ON blacks
BEGIN
  UPDATE blacksBefore SET isReplaced = 1, isConflict = 0
    WHERE isConflict AND writtenAt = julianday('now') AND (ownerUserID, blackUserID) = (NEW.ownerUserID, NEW.blackUserID);
  DELETE FROM blacksBefore WHERE rowid = (SELECT max(rowid) FROM blacksBefore WHERE (ownerUserID, blackUserID) = (NEW.ownerUserID, NEW.blackUserID));
  DELETE FROM blacksBefore WHERE isReplaced;
  UPDATE lists SET total = total + 1, changedKey = ((20000000000000000 - NEW.createTime) || NEW.blackUserID)
    WHERE name = 'blacks' AND owner = NEW.ownerUserID;
  INSERT INTO blacksCount (owner) VALUES (NEW.ownerUserID);
END;

CREATE TRIGGER blacksAfterUpdate AFTER UPDATE OF ownerUserID, blackUserID, createTime ON blacks
  WHEN OLD.ownerUserID IS NOT NEW.ownerUserID OR OLD.blackUserID IS NOT NEW.blackUserID OR OLD.createTime IS NOT NEW.createTime
BEGIN
  UPDATE blacksBefore SET createTime = NEW.createTime
    WHERE writtenAt = julianday('now') AND (ownerUserID, blackUserID) = (NEW.ownerUserID, NEW.blackUserID) AND NOT (ownerUserID, blackUserID) = (OLD.ownerUserID, OLD.blackUserID)
      AND blacksBefore.createTime IS NULL AND NOT hasHappened
      AND NOT EXISTS (SELECT 1 FROM blacksBefore WHERE isConflict AND writtenAt = julianday('now') AND (ownerUserID, blackUserID) = (NEW.ownerUserID, NEW.blackUserID));
  UPDATE blacksBefore SET isReplaced = 1, isConflict = 0
    WHERE isConflict AND writtenAt = julianday('now') AND (ownerUserID, blackUserID) = (NEW.ownerUserID, NEW.blackUserID) AND NOT (ownerUserID, blackUserID) = (OLD.ownerUserID, OLD.blackUserID);
  UPDATE lists SET total = total - 1, changedKey = ((20000000000000000 - OLD.createTime) || OLD.blackUserID)
    WHERE name = 'blacks' AND owner = OLD.ownerUserID;
  DELETE FROM blacksBefore WHERE rowid = (SELECT max(rowid) FROM blacksBefore WHERE (ownerUserID, blackUserID) = (OLD.ownerUserID, OLD.blackUserID));
  DELETE FROM blacksBefore WHERE isReplaced;
  UPDATE blacksBefore SET ownerUserID = NEW.ownerUserID, blackUserID = NEW.blackUserID, createTime = NEW.createTime WHERE isConflict AND (ownerUserID, blackUserID, createTime) = (OLD.ownerUserID, OLD.blackUserID, OLD.createTime);
  UPDATE lists SET total = total + 1, changedKey = ((20000000000000000 - NEW.createTime) || NEW.blackUserID)
    WHERE name = 'blacks' AND owner = NEW.ownerUserID;
  INSERT INTO blacksCount (owner) VALUES (OLD.ownerUserID);
  INSERT INTO blacksCount (owner) VALUES (NEW.ownerUserID);
END;

CREATE TRIGGER blacksAfterDelete AFTER DELETE ON blacks
BEGIN
  UPDATE lists SET total = total - 1, changedKey = ((20000000000000000 - OLD.createTime) || OLD.blackUserID)
    WHERE name = 'blacks' AND owner = OLD.ownerUserID;
  DELETE FROM blacksBefore WHERE rowid = (SELECT max(rowid) FROM blacksBefore WHERE (ownerUserID, blackUserID) = (OLD.ownerUserID, OLD.blackUserID));
  DELETE FROM blacksBefore WHERE isConflict = 2 AND isConflict AND (ownerUserID, blackUserID, createTime) = (OLD.ownerUserID, OLD.blackUserID, OLD.createTime);
  UPDATE blacksBefore SET createTime = NULL, isConflict = 0 WHERE isConflict AND (ownerUserID, blackUserID, createTime) = (OLD.ownerUserID, OLD.blackUserID, OLD.createTime);
  INSERT INTO blacksCount (owner) VALUES (OLD.ownerUserID);
END;

CREATE TRIGGER renewRequestInsert INSTEAD OF INSERT ON renewRequest
BEGIN
  DELETE FROM receivedGroupRequests
    WHERE groupID = NEW.groupID AND userID = NEW.userID AND NOT EXISTS (
      SELECT 1 FROM groupRequests request
        JOIN groupMembers manager ON manager.groupID = request.groupID AND manager.roleLevel IN (60, 100)
        WHERE request.groupID = NEW.groupID AND request.userID = NEW.userID
          AND manager.userID = receivedGroupRequests.managerUserID
          AND request.reqTime = receivedGroupRequests.reqTime
          AND request.handleResult = receivedGroupRequests.handleResult);
  INSERT INTO receivedGroupRequests (managerUserID, groupID, userID, reqTime, handleResult)
    SELECT manager.userID AS managerUserID, request.groupID, request.userID, request.reqTime, request.handleResult
      FROM groupRequests request CROSS JOIN groupMembers manager INDEXED BY groupMembersManaging
        ON manager.groupID = request.groupID AND manager.roleLevel IN (60, 100)
    WHERE request.groupID = NEW.groupID AND request.userID = NEW.userID
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER renewManagerInsert INSTEAD OF INSERT ON renewManager
  WHEN NEW.roleLevel IN (60, 100)
BEGIN
  DELETE FROM receivedGroupRequests
    WHERE groupID = NEW.groupID AND managerUserID = NEW.userID AND NOT EXISTS (
      SELECT 1 FROM groupMembers
        WHERE groupID = NEW.groupID AND userID = NEW.userID AND roleLevel IN (60, 100));
  INSERT INTO receivedGroupRequests (managerUserID, groupID, userID, reqTime, handleResult)
    SELECT manager.userID AS managerUserID, request.groupID, request.userID, request.reqTime, request.handleResult
      FROM groupRequests request CROSS JOIN groupMembers manager INDEXED BY groupMembersManaging
        ON manager.groupID = request.groupID AND manager.roleLevel IN (60, 100)
    WHERE request.groupID = NEW.groupID AND manager.userID = NEW.userID
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER groupRequestsAfterInsert AFTER INSERT ON groupRequests
BEGIN
  INSERT INTO renewRequest (groupID, userID) VALUES (NEW.groupID, NEW.userID);
END;

CREATE TRIGGER groupRequestsAfterUpdate AFTER UPDATE OF groupID, userID, reqTime, handleResult ON groupRequests
BEGIN
  INSERT INTO renewRequest (groupID, userID) VALUES (OLD.groupID, OLD.userID);
  INSERT INTO renewRequest (groupID, userID) VALUES (NEW.groupID, NEW.userID);
END;

CREATE TRIGGER groupRequestsAfterDelete AFTER DELETE ON groupRequests
BEGIN
  INSERT INTO renewRequest (groupID, userID) VALUES (OLD.groupID, OLD.userID);
END;

CREATE TRIGGER receivedGroupRequestsAfterInsert AFTER INSERT ON receivedGroupRequests
BEGIN
  UPDATE lists SET total = total + 1, changedKey = ((20000000000000000 - NEW.reqTime) || NEW.groupID || x'00' || NEW.userID)
    WHERE name = 'receivedGroupRequests' AND owner = NEW.managerUserID;
  INSERT INTO receivedGroupRequestsCount (owner) VALUES (NEW.managerUserID);
  UPDATE lists SET total = total + 1, changedKey = ((30000000000 + NEW.handleResult) || (20000000000000000 - NEW.reqTime) || NEW.groupID || x'00' || NEW.userID)
    WHERE name = 'receivedGroupRequestsByResult' AND owner = NEW.managerUserID;
  INSERT INTO receivedGroupRequestsByResultCount (owner) VALUES (NEW.managerUserID);
END;

CREATE TRIGGER receivedGroupRequestsAfterDelete AFTER DELETE ON receivedGroupRequests
BEGIN
  UPDATE lists SET total = total - 1, changedKey = ((20000000000000000 - OLD.reqTime) || OLD.groupID || x'00' || OLD.userID)
    WHERE name = 'receivedGroupRequests' AND owner = OLD.managerUserID;
  UPDATE lists SET total = total - 1, changedKey = ((30000000000 + OLD.handleResult) || (20000000000000000 - OLD.reqTime) || OLD.groupID || x'00' || OLD.userID)
    WHERE name = 'receivedGroupRequestsByResult' AND owner = OLD.managerUserID;
END;

CREATE TRIGGER applyChangesInsert INSTEAD OF INSERT ON applyChanges
  WHEN EXISTS (SELECT 1 FROM documentChanges WHERE id >= 100)
    AND NOT EXISTS (SELECT 1 FROM groupMembersBefore before
      LEFT JOIN groupMembers now ON now.groupID = before.groupID AND now.userID = before.userID
      WHERE before.writtenAt = julianday('now') AND (before.hasHappened OR now.roleLevel IS NOT before.roleLevel OR now.joinTime IS NOT before.joinTime))
BEGIN
  INSERT INTO documentTrigrams (rowid, text)
    SELECT document, text FROM documentChanges WHERE change > 0 ORDER BY document;
  INSERT INTO documentGrams (documentGrams, rowid, grams)
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
      SELECT document, text, sum(change) AS change FROM documentChanges
        WHERE length(text) <> length(CAST(text AS BLOB)) GROUP BY document, text HAVING sum(change) <> 0
        ORDER BY document, sum(change)
    );
  DELETE FROM documentChanges;
END;

CREATE TRIGGER listsDocuments AFTER UPDATE OF total ON lists
  WHEN NEW.name = 'groupMembers' AND CASE WHEN NEW.hasDocuments
    THEN NEW.total < 1000 ELSE NEW.total > 2000 END
BEGIN
  UPDATE lists SET hasDocuments = NOT NEW.hasDocuments WHERE id = NEW.id;
  INSERT INTO documents (list, key, member, text)
    SELECT lists.id, ((2000 - member.roleLevel) || (20000000000000000 + member.joinTime) || member.userID), member.id, member.userID || x'0a' || CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END
      FROM lists CROSS JOIN groupMembers member INDEXED BY groupMembersInOrder ON member.groupID = lists.owner
        LEFT JOIN users profile ON profile.userID = member.userID
      WHERE lists.name = 'groupMembers' AND lists.id = NEW.id AND NOT NEW.hasDocuments
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
  DELETE FROM documents WHERE list = NEW.id AND NEW.hasDocuments;
END;

CREATE TRIGGER renewDocumentInsert INSTEAD OF INSERT ON renewDocument
  WHEN (SELECT hasDocuments FROM lists WHERE name = 'groupMembers' AND owner = NEW.groupID)
BEGIN
  DELETE FROM documents
    WHERE list = (SELECT id FROM lists WHERE name = 'groupMembers' AND owner = NEW.groupID) AND key = NEW.key
      AND NOT EXISTS (
        SELECT 1 FROM groupMembers member INDEXED BY groupMembersInOrder
          WHERE member.groupID = NEW.groupID AND ((2000 - member.roleLevel) || (20000000000000000 + member.joinTime) || member.userID) = NEW.key);
  INSERT INTO documents (list, key, member, text)
    SELECT lists.id, ((2000 - member.roleLevel) || (20000000000000000 + member.joinTime) || member.userID), member.id, member.userID || x'0a' || CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END
      FROM lists CROSS JOIN groupMembers member INDEXED BY groupMembersInOrder ON member.groupID = lists.owner
        LEFT JOIN users profile ON profile.userID = member.userID
      WHERE lists.name = 'groupMembers' AND lists.owner = NEW.groupID AND ((2000 - member.roleLevel) || (20000000000000000 + member.joinTime) || member.userID) = NEW.key
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
END;

CREATE TRIGGER groupMembersNickname AFTER UPDATE OF nickname ON groupMembers
  WHEN OLD.nickname IS NOT NEW.nickname
BEGIN
  INSERT INTO renewDocument (groupID, key) VALUES (NEW.groupID, ((2000 - NEW.roleLevel) || (20000000000000000 + NEW.joinTime) || NEW.userID));
  INSERT INTO applyChanges (isOver) VALUES (1);
END;

CREATE TRIGGER usersNicknameInsert AFTER INSERT ON users
BEGIN
  INSERT INTO renewDocument (groupID, key)
    SELECT member.groupID, ((2000 - member.roleLevel) || (20000000000000000 + member.joinTime) || member.userID) FROM groupMembers member
      CROSS JOIN lists ON lists.name = 'groupMembers' AND lists.owner = member.groupID AND lists.hasDocuments
      WHERE member.userID = NEW.userID;
  INSERT INTO applyChanges (isOver) VALUES (1);
END;

CREATE TRIGGER usersNicknameDelete AFTER DELETE ON users
BEGIN
  INSERT INTO renewDocument (groupID, key)
    SELECT member.groupID, ((2000 - member.roleLevel) || (20000000000000000 + member.joinTime) || member.userID) FROM groupMembers member
      CROSS JOIN lists ON lists.name = 'groupMembers' AND lists.owner = member.groupID AND lists.hasDocuments
      WHERE member.userID = OLD.userID;
  INSERT INTO applyChanges (isOver) VALUES (1);
END;

CREATE TRIGGER usersNicknameUpdate AFTER UPDATE OF userID, nickname ON users
  WHEN OLD.userID IS NOT NEW.userID OR OLD.nickname IS NOT NEW.nickname
BEGIN
  INSERT INTO renewDocument (groupID, key)
    SELECT member.groupID, ((2000 - member.roleLevel) || (20000000000000000 + member.joinTime) || member.userID) FROM groupMembers member
      CROSS JOIN lists ON lists.name = 'groupMembers' AND lists.owner = member.groupID AND lists.hasDocuments
      WHERE member.userID = OLD.userID;
  INSERT INTO renewDocument (groupID, key)
    SELECT member.groupID, ((2000 - member.roleLevel) || (20000000000000000 + member.joinTime) || member.userID) FROM groupMembers member
      CROSS JOIN lists ON lists.name = 'groupMembers' AND lists.owner = member.groupID AND lists.hasDocuments
      WHERE member.userID = NEW.userID;
  INSERT INTO applyChanges (isOver) VALUES (1);
END;
