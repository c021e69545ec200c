-- Schema version 2 of im-admin, for `wrangler d1 migrations apply`.

DELETE FROM schemaVersion;

DROP TRIGGER usersReplacedUncount;

DROP TRIGGER usersBeforeInsert;

DROP TRIGGER usersBeforeUpdate;

DROP TRIGGER usersAfterInsert;

DROP TRIGGER usersAfterDelete;

DROP TRIGGER usersAfterUpdate;

DROP TRIGGER groupMembersReplacedUncount;

DROP TRIGGER groupMembersBeforeInsert;

DROP TRIGGER groupMembersBeforeUpdate;

DROP TRIGGER groupMembersAfterInsert;

DROP TRIGGER groupMembersAfterDelete;

DROP TRIGGER groupMembersAfterUpdate;

DROP TRIGGER blacksReplacedUncount;

DROP TRIGGER blacksBeforeInsert;

DROP TRIGGER blacksBeforeUpdate;

DROP TRIGGER blacksAfterInsert;

DROP TRIGGER blacksAfterDelete;

DROP TRIGGER blacksAfterUpdate;

DROP TRIGGER groupRequestsReplacedUncount;

DROP TRIGGER groupRequestsBeforeInsert;

DROP TRIGGER groupRequestsBeforeUpdate;

DROP TRIGGER groupRequestsAfterInsert;

DROP TRIGGER groupRequestsAfterDelete;

DROP TRIGGER groupRequestsAfterUpdate;

DROP INDEX usersNotification;

DROP INDEX groupMembersOfGroup;

DROP INDEX groupMembersOfUser;

DROP INDEX groupMembersManaging;

DROP INDEX blacksOfUser;

DROP INDEX groupRequestsOfGroup;

DROP TABLE listTotals;

DROP TABLE usersReplaced;

DROP TABLE groupMembersReplaced;

DROP TABLE blacksReplaced;

DROP TABLE groupRequestsReplaced;

ALTER TABLE users RENAME TO usersVersion1;

ALTER TABLE groupMembers RENAME TO groupMembersVersion1;

ALTER TABLE blacks RENAME TO blacksVersion1;

ALTER TABLE groupRequests RENAME TO groupRequestsVersion1;

CREATE TABLE users ( userID TEXT NOT NULL PRIMARY KEY CHECK (userID <> ''), nickname TEXT NOT NULL DEFAULT '', faceURL TEXT NOT NULL DEFAULT '', ex TEXT NOT NULL DEFAULT '', appMangerLevel INTEGER NOT NULL DEFAULT 0 ) STRICT, WITHOUT ROWID;

CREATE TABLE groupMembers ( id INTEGER PRIMARY KEY CHECK (id > 0), groupID TEXT NOT NULL CHECK (groupID <> ''), userID TEXT NOT NULL CHECK (userID <> ''), roleLevel INTEGER NOT NULL DEFAULT 0 CHECK (roleLevel BETWEEN 0 AND 999), joinTime INTEGER NOT NULL DEFAULT 0 CHECK (joinTime BETWEEN 0 AND 9999999999999999), nickname TEXT NOT NULL DEFAULT '', faceURL TEXT NOT NULL DEFAULT '', joinSource INTEGER NOT NULL DEFAULT 0, operatorUserID TEXT NOT NULL DEFAULT '', ex TEXT NOT NULL DEFAULT '', muteEndTime INTEGER NOT NULL DEFAULT 0 CHECK (muteEndTime BETWEEN 0 AND 9999999999999999), inviterUserID TEXT NOT NULL DEFAULT '', UNIQUE (groupID, userID) ) STRICT;

CREATE INDEX groupMembersManaging ON groupMembers (groupID, userID) WHERE roleLevel IN (60, 100);

CREATE TABLE blacks ( id INTEGER PRIMARY KEY CHECK (id > 0), ownerUserID TEXT NOT NULL CHECK (ownerUserID <> ''), blackUserID TEXT NOT NULL CHECK (blackUserID <> ''), createTime INTEGER NOT NULL DEFAULT 0 CHECK (createTime BETWEEN 0 AND 9999999999999999), addSource INTEGER NOT NULL DEFAULT 0, operatorUserID TEXT NOT NULL DEFAULT '', ex TEXT NOT NULL DEFAULT '', UNIQUE (ownerUserID, blackUserID) ) STRICT;

CREATE TABLE groupRequests ( id INTEGER PRIMARY KEY CHECK (id > 0), groupID TEXT NOT NULL CHECK (groupID <> ''), userID TEXT NOT NULL CHECK (userID <> ''), handleResult INTEGER NOT NULL DEFAULT 0, reqMsg TEXT NOT NULL DEFAULT '', handleMsg TEXT NOT NULL DEFAULT '', reqTime INTEGER NOT NULL DEFAULT 0 CHECK (reqTime BETWEEN 0 AND 9999999999999999), handleUserID TEXT NOT NULL DEFAULT '', handleTime INTEGER NOT NULL DEFAULT 0 CHECK (handleTime BETWEEN 0 AND 9999999999999999), ex TEXT NOT NULL DEFAULT '', joinSource INTEGER NOT NULL DEFAULT 0, inviterUserID TEXT NOT NULL DEFAULT '', UNIQUE (groupID, userID) ) STRICT;

INSERT INTO users (userID, nickname, faceURL, ex, appMangerLevel) SELECT userID, nickname, faceURL, ex, appMangerLevel FROM usersVersion1 ORDER BY userID;

DROP TABLE usersVersion1;

INSERT INTO groupMembers (groupID, userID, roleLevel, joinTime, nickname, faceURL, joinSource, operatorUserID, ex, muteEndTime, inviterUserID) SELECT groupID, userID, roleLevel, joinTime, nickname, faceURL, joinSource, operatorUserID, ex, muteEndTime, inviterUserID FROM groupMembersVersion1 ORDER BY groupID, joinTime;

DROP TABLE groupMembersVersion1;

INSERT INTO blacks (ownerUserID, blackUserID, createTime, addSource, operatorUserID, ex) SELECT ownerUserID, blackUserID, createTime, addSource, operatorUserID, ex FROM blacksVersion1 ORDER BY ownerUserID, createTime;

DROP TABLE blacksVersion1;

INSERT INTO groupRequests (groupID, userID, handleResult, reqMsg, handleMsg, reqTime, handleUserID, handleTime, ex, joinSource, inviterUserID) SELECT groupID, userID, handleResult, reqMsg, handleMsg, reqTime, handleUserID, handleTime, ex, joinSource, inviterUserID FROM groupRequestsVersion1 ORDER BY groupID, reqTime;

DROP TABLE groupRequestsVersion1;

CREATE TABLE lists ( id INTEGER PRIMARY KEY, name TEXT NOT NULL, owner TEXT NOT NULL, total INTEGER NOT NULL DEFAULT 0, height INTEGER NOT NULL DEFAULT 0, searched INTEGER NOT NULL DEFAULT 0, UNIQUE (name, owner) ) STRICT;

CREATE INDEX listsHigh ON lists (height) WHERE height > 0;

CREATE TABLE listEntries ( list INTEGER NOT NULL, key TEXT NOT NULL, item ANY NOT NULL, PRIMARY KEY (list, key) ) STRICT, WITHOUT ROWID;

CREATE TABLE listNodes ( list INTEGER NOT NULL, level INTEGER NOT NULL, start TEXT NOT NULL, total INTEGER NOT NULL, PRIMARY KEY (list, level, start) ) STRICT, WITHOUT ROWID;

CREATE TABLE listDocuments ( id INTEGER PRIMARY KEY, list INTEGER NOT NULL, key TEXT NOT NULL, userID TEXT NOT NULL, nickname TEXT NOT NULL, UNIQUE (list, key) ) STRICT;

CREATE INDEX listDocumentsWithNUL ON listDocuments (list) WHERE instr(userID || nickname, char(0)) > 0;

CREATE VIEW listTexts (list, key, userID, nickname) AS SELECT entry.list, entry.key, lower(member.userID), lower(iif(member.nickname = '', coalesce(profile.nickname, ''), member.nickname)) FROM listEntries entry CROSS JOIN groupMembers member ON member.id = entry.item LEFT JOIN users profile ON profile.userID = member.userID WHERE (SELECT name FROM lists WHERE id = entry.list) = 'groupMembers' UNION ALL SELECT entry.list, entry.key, lower(account.userID), lower(account.nickname) FROM listEntries entry CROSS JOIN users account ON account.userID = entry.item WHERE (SELECT name FROM lists WHERE id = entry.list) = 'notificationAccounts';

CREATE VIEW listGramTexts (id, grams) AS SELECT id, (SELECT group_concat(pair, ' ') FROM (SELECT hex(substr(listDocuments.userID, position, 1)) || 'l' || listDocuments.list || ' ' || hex(substr(listDocuments.userID, position, 2)) || 'l' || listDocuments.list AS pair FROM (WITH RECURSIVE positions (position) AS ( SELECT 1 UNION ALL SELECT position + 1 FROM positions WHERE position < length(listDocuments.userID) ) SELECT position FROM positions) UNION ALL SELECT hex(substr(listDocuments.nickname, position, 1)) || 'l' || listDocuments.list || ' ' || hex(substr(listDocuments.nickname, position, 2)) || 'l' || listDocuments.list AS pair FROM (WITH RECURSIVE positions (position) AS ( SELECT 1 UNION ALL SELECT position + 1 FROM positions WHERE position < length(listDocuments.nickname) ) SELECT position FROM positions))) FROM listDocuments;

CREATE VIRTUAL TABLE listTrigrams USING fts5 ( userID, nickname, content = 'listDocuments', content_rowid = 'id', tokenize = 'trigram case_sensitive 1' );

CREATE VIRTUAL TABLE listGrams USING fts5 ( grams, content = 'listGramTexts', content_rowid = 'id', tokenize = 'ascii', detail = none );

CREATE TABLE usersReplaced (userID, appMangerLevel, gone);

CREATE TABLE groupMembersReplaced (groupID, userID, roleLevel, joinTime, id, gone);

CREATE TABLE blacksReplaced (ownerUserID, blackUserID, createTime, id, gone);

CREATE TABLE groupRequestsReplaced (groupID, userID, reqTime, id, handleResult, gone);

DELETE FROM listEntries;

DELETE FROM listNodes;

DELETE FROM listDocuments;

DELETE FROM lists WHERE name IN ('groupMembers', 'joinedGroups', 'blacks', 'receivedGroupRequests', 'receivedGroupRequestsByResult', 'notificationAccounts', 'notificationAccountsByLevel');

DELETE FROM usersReplaced;

DELETE FROM groupMembersReplaced;

DELETE FROM blacksReplaced;

DELETE FROM groupRequestsReplaced;

INSERT INTO lists (name, owner, total) SELECT 'groupMembers', member.groupID AS owner, count(*) FROM groupMembers member WHERE true GROUP BY owner ORDER BY owner;

INSERT INTO listEntries (list, key, item) SELECT lists.id, key, item FROM (SELECT member.groupID AS owner, printf('%03d', 999 - member.roleLevel) || printf('%016d', member.joinTime) || member.userID AS key, member.id AS item FROM groupMembers member WHERE true) entry CROSS JOIN lists ON lists.name = 'groupMembers' AND lists.owner = entry.owner ORDER BY 1, 2;

INSERT INTO lists (name, owner, total) SELECT 'joinedGroups', member.userID AS owner, count(*) FROM groupMembers member WHERE true GROUP BY owner ORDER BY owner;

INSERT INTO listEntries (list, key, item) SELECT lists.id, key, item FROM (SELECT member.userID AS owner, printf('%016d', 9999999999999999 - member.joinTime) || member.groupID AS key, member.id AS item FROM groupMembers member WHERE true) entry CROSS JOIN lists ON lists.name = 'joinedGroups' AND lists.owner = entry.owner ORDER BY 1, 2;

INSERT INTO lists (name, owner, total) SELECT 'blacks', black.ownerUserID AS owner, count(*) FROM blacks black WHERE true GROUP BY owner ORDER BY owner;

INSERT INTO listEntries (list, key, item) SELECT lists.id, key, item FROM (SELECT black.ownerUserID AS owner, printf('%016d', 9999999999999999 - black.createTime) || black.blackUserID AS key, black.id AS item FROM blacks black WHERE true) entry CROSS JOIN lists ON lists.name = 'blacks' AND lists.owner = entry.owner ORDER BY 1, 2;

INSERT INTO lists (name, owner, total) SELECT 'receivedGroupRequests', manager.userID AS owner, count(*) FROM groupRequests request CROSS JOIN groupMembers manager WHERE manager.groupID = request.groupID AND manager.roleLevel IN (60, 100) GROUP BY owner ORDER BY owner;

INSERT INTO listEntries (list, key, item) SELECT lists.id, key, item FROM (SELECT manager.userID AS owner, printf('%016d', 9999999999999999 - request.reqTime) || request.groupID || char(1) || request.userID AS key, request.id AS item FROM groupRequests request CROSS JOIN groupMembers manager WHERE manager.groupID = request.groupID AND manager.roleLevel IN (60, 100)) entry CROSS JOIN lists ON lists.name = 'receivedGroupRequests' AND lists.owner = entry.owner ORDER BY 1, 2;

INSERT INTO lists (name, owner, total) SELECT 'receivedGroupRequestsByResult', manager.userID AS owner, count(*) FROM groupRequests request CROSS JOIN groupMembers manager WHERE manager.groupID = request.groupID AND manager.roleLevel IN (60, 100) GROUP BY owner ORDER BY owner;

INSERT INTO listEntries (list, key, item) SELECT lists.id, key, item FROM (SELECT manager.userID AS owner, request.handleResult || ':' || printf('%016d', 9999999999999999 - request.reqTime) || request.groupID || char(1) || request.userID AS key, request.id AS item FROM groupRequests request CROSS JOIN groupMembers manager WHERE manager.groupID = request.groupID AND manager.roleLevel IN (60, 100)) entry CROSS JOIN lists ON lists.name = 'receivedGroupRequestsByResult' AND lists.owner = entry.owner ORDER BY 1, 2;

INSERT INTO lists (name, owner, total) SELECT 'notificationAccounts', '' AS owner, count(*) FROM users account WHERE account.appMangerLevel >= 3 GROUP BY owner ORDER BY owner;

INSERT INTO listEntries (list, key, item) SELECT lists.id, key, item FROM (SELECT '' AS owner, account.userID AS key, account.userID AS item FROM users account WHERE account.appMangerLevel >= 3) entry CROSS JOIN lists ON lists.name = 'notificationAccounts' AND lists.owner = entry.owner ORDER BY 1, 2;

INSERT INTO lists (name, owner, total) SELECT 'notificationAccountsByLevel', '' AS owner, count(*) FROM users account WHERE account.appMangerLevel >= 3 GROUP BY owner ORDER BY owner;

INSERT INTO listEntries (list, key, item) SELECT lists.id, key, item FROM (SELECT '' AS owner, account.appMangerLevel || ':' || account.userID AS key, account.userID AS item FROM users account WHERE account.appMangerLevel >= 3) entry CROSS JOIN lists ON lists.name = 'notificationAccountsByLevel' AND lists.owner = entry.owner ORDER BY 1, 2;

UPDATE lists SET height = CASE WHEN total <= 500 THEN 0 WHEN total <= 5000 THEN 1 WHEN total <= 50000 THEN 2 WHEN total <= 500000 THEN 3 ELSE 4 END WHERE total > 500 AND name IN ('groupMembers', 'joinedGroups', 'blacks', 'receivedGroupRequests', 'receivedGroupRequestsByResult', 'notificationAccounts', 'notificationAccountsByLevel');

INSERT INTO listNodes (list, level, start, total) WITH RECURSIVE leaves (list, total, position, start) AS ( SELECT id, total, 0, '' FROM lists WHERE height > 0 AND name IN ('groupMembers', 'joinedGroups', 'blacks', 'receivedGroupRequests', 'receivedGroupRequestsByResult', 'notificationAccounts', 'notificationAccountsByLevel') UNION ALL SELECT list, total, position + 375, (SELECT key FROM listEntries entry WHERE entry.list = leaves.list AND entry.key >= leaves.start ORDER BY key LIMIT 1 OFFSET 375) FROM leaves WHERE position + 375 < total ) SELECT list, 1, start, min(375, total - position) FROM leaves;

INSERT INTO listNodes (list, level, start, total) SELECT list, 2, min(start), sum(total) FROM ( SELECT list, start, node.total, (row_number() OVER (PARTITION BY list ORDER BY start) - 1) / 10 AS parent FROM lists CROSS JOIN listNodes node ON node.list = lists.id AND node.level = 1 WHERE lists.height > 0 AND lists.height >= 2 AND name IN ('groupMembers', 'joinedGroups', 'blacks', 'receivedGroupRequests', 'receivedGroupRequestsByResult', 'notificationAccounts', 'notificationAccountsByLevel') ) GROUP BY list, parent;

INSERT INTO listNodes (list, level, start, total) SELECT list, 3, min(start), sum(total) FROM ( SELECT list, start, node.total, (row_number() OVER (PARTITION BY list ORDER BY start) - 1) / 10 AS parent FROM lists CROSS JOIN listNodes node ON node.list = lists.id AND node.level = 2 WHERE lists.height > 0 AND lists.height >= 3 AND name IN ('groupMembers', 'joinedGroups', 'blacks', 'receivedGroupRequests', 'receivedGroupRequestsByResult', 'notificationAccounts', 'notificationAccountsByLevel') ) GROUP BY list, parent;

INSERT INTO listNodes (list, level, start, total) SELECT list, 4, min(start), sum(total) FROM ( SELECT list, start, node.total, (row_number() OVER (PARTITION BY list ORDER BY start) - 1) / 10 AS parent FROM lists CROSS JOIN listNodes node ON node.list = lists.id AND node.level = 3 WHERE lists.height > 0 AND lists.height >= 4 AND name IN ('groupMembers', 'joinedGroups', 'blacks', 'receivedGroupRequests', 'receivedGroupRequestsByResult', 'notificationAccounts', 'notificationAccountsByLevel') ) GROUP BY list, parent;

UPDATE lists SET searched = 1 WHERE total > 2000 AND name IN ('groupMembers', 'notificationAccounts');

INSERT INTO listDocuments (id, list, key, userID, nickname) SELECT row_number() OVER (PARTITION BY list ORDER BY key) + coalesce( (SELECT max(id) FROM listDocuments document WHERE document.id BETWEEN text.list * 4294967296 AND text.list * 4294967296 + 4294967295), list * 4294967296 ), list, key, userID, nickname FROM listTexts text WHERE list IN (SELECT id FROM lists WHERE total > 2000 AND name IN ('groupMembers', 'notificationAccounts')) ON CONFLICT DO NOTHING;

INSERT INTO listTrigrams (listTrigrams) VALUES ('rebuild');

INSERT INTO listGrams (listGrams) VALUES ('rebuild');

CREATE TRIGGER listEntriesInsert AFTER INSERT ON listEntries BEGIN UPDATE listNodes SET total = total + 1 WHERE list = NEW.list AND level = 1 AND start = (SELECT start FROM listNodes WHERE list = NEW.list AND level = 1 AND start <= NEW.key ORDER BY start DESC LIMIT 1); UPDATE listNodes SET total = total + 1 WHERE list = NEW.list AND level = 2 AND start = (SELECT start FROM listNodes WHERE list = NEW.list AND level = 2 AND start <= NEW.key ORDER BY start DESC LIMIT 1); UPDATE listNodes SET total = total + 1 WHERE list = NEW.list AND level = 3 AND start = (SELECT start FROM listNodes WHERE list = NEW.list AND level = 3 AND start <= NEW.key ORDER BY start DESC LIMIT 1); UPDATE listNodes SET total = total + 1 WHERE list = NEW.list AND level = 4 AND start = (SELECT start FROM listNodes WHERE list = NEW.list AND level = 4 AND start <= NEW.key ORDER BY start DESC LIMIT 1); UPDATE lists SET total = total + 1 WHERE id = NEW.list; END;

CREATE TRIGGER listEntriesDelete AFTER DELETE ON listEntries BEGIN UPDATE listNodes SET total = total - 1 WHERE list = OLD.list AND level = 1 AND start = (SELECT start FROM listNodes WHERE list = OLD.list AND level = 1 AND start <= OLD.key ORDER BY start DESC LIMIT 1); UPDATE listNodes SET total = total - 1 WHERE list = OLD.list AND level = 2 AND start = (SELECT start FROM listNodes WHERE list = OLD.list AND level = 2 AND start <= OLD.key ORDER BY start DESC LIMIT 1); UPDATE listNodes SET total = total - 1 WHERE list = OLD.list AND level = 3 AND start = (SELECT start FROM listNodes WHERE list = OLD.list AND level = 3 AND start <= OLD.key ORDER BY start DESC LIMIT 1); UPDATE listNodes SET total = total - 1 WHERE list = OLD.list AND level = 4 AND start = (SELECT start FROM listNodes WHERE list = OLD.list AND level = 4 AND start <= OLD.key ORDER BY start DESC LIMIT 1); UPDATE lists SET total = total - 1 WHERE id = OLD.list; END;

CREATE TRIGGER listsGrow AFTER UPDATE OF total ON lists WHEN NEW.total > CASE NEW.height WHEN 0 THEN 500 WHEN 1 THEN 5000 WHEN 2 THEN 50000 WHEN 3 THEN 500000 ELSE NEW.total END BEGIN UPDATE lists SET height = NEW.height + 1 WHERE id = NEW.id; INSERT INTO listNodes (list, level, start, total) VALUES (NEW.id, NEW.height + 1, '', NEW.total); UPDATE listNodes SET total = total WHERE list = NEW.id AND level = NEW.height + 1; END;

CREATE TRIGGER listsShrink AFTER UPDATE OF total ON lists WHEN NEW.total < OLD.total AND NEW.total < CASE NEW.height WHEN 1 THEN 125 WHEN 2 THEN 1250 WHEN 3 THEN 12500 WHEN 4 THEN 125000 ELSE 1 END BEGIN DELETE FROM listNodes WHERE list = NEW.id AND level = NEW.height; DELETE FROM lists WHERE id = NEW.id AND height = 0; UPDATE lists SET height = NEW.height - 1 WHERE id = NEW.id; END;

CREATE TRIGGER listNodesSplitLeaf AFTER UPDATE OF total ON listNodes WHEN NEW.level = 1 AND NEW.total > 500 BEGIN INSERT INTO listNodes (list, level, start, total) SELECT NEW.list, 1, key, NEW.total - 250 FROM listEntries WHERE list = NEW.list AND key >= NEW.start ORDER BY key LIMIT 1 OFFSET 250; UPDATE listNodes SET total = 250 WHERE list = NEW.list AND level = NEW.level AND start = NEW.start; END;

CREATE TRIGGER listNodesSplit AFTER UPDATE OF total ON listNodes WHEN NEW.level > 1 AND NEW.total > CASE NEW.level WHEN 1 THEN 500 WHEN 2 THEN 5000 WHEN 3 THEN 50000 WHEN 4 THEN 500000 ELSE NEW.total END BEGIN INSERT INTO listNodes (list, level, start, total) SELECT NEW.list, NEW.level, start, following FROM ( SELECT start, sum(total) OVER (ORDER BY start DESC ROWS UNBOUNDED PRECEDING) AS following FROM listNodes WHERE list = NEW.list AND level = NEW.level - 1 AND start > NEW.start AND start < coalesce((SELECT start FROM listNodes WHERE list = NEW.list AND level = NEW.level AND start > NEW.start ORDER BY start LIMIT 1), x'') ) WHERE following >= NEW.total / 2 ORDER BY start DESC LIMIT 1; UPDATE listNodes SET total = total - (SELECT total FROM listNodes WHERE list = NEW.list AND level = NEW.level AND start = (SELECT start FROM listNodes WHERE list = NEW.list AND level = NEW.level AND start > NEW.start ORDER BY start LIMIT 1)) WHERE list = NEW.list AND level = NEW.level AND start = NEW.start; END;

CREATE TRIGGER listNodesMerge AFTER UPDATE OF total ON listNodes WHEN NEW.total < OLD.total AND NEW.total < CASE NEW.level WHEN 1 THEN 125 WHEN 2 THEN 1250 WHEN 3 THEN 12500 WHEN 4 THEN 125000 ELSE 0 END BEGIN DELETE FROM listNodes WHERE list = NEW.list AND level = NEW.level AND start IN (NEW.start, (SELECT start FROM listNodes WHERE list = NEW.list AND level = NEW.level AND start > NEW.start ORDER BY start LIMIT 1)) AND start <> '' AND NOT EXISTS (SELECT 1 FROM listNodes parent WHERE parent.list = listNodes.list AND parent.level = listNodes.level + 1 AND parent.start = listNodes.start) AND (total = 0 OR CASE NEW.level WHEN 1 THEN 500 WHEN 2 THEN 5000 WHEN 3 THEN 50000 WHEN 4 THEN 500000 ELSE 0 END / 2 >= total + (SELECT total FROM listNodes previous WHERE previous.list = listNodes.list AND previous.level = listNodes.level AND previous.start < listNodes.start ORDER BY start DESC LIMIT 1)); END;

CREATE TRIGGER listNodesDelete AFTER DELETE ON listNodes BEGIN UPDATE listNodes SET total = total + OLD.total WHERE list = OLD.list AND level = OLD.level AND start = (SELECT start FROM listNodes WHERE list = OLD.list AND level = OLD.level AND start < OLD.start ORDER BY start DESC LIMIT 1); DELETE FROM listNodes WHERE list = OLD.list AND level < OLD.level AND start = OLD.start AND start <> '' AND total = 0; END;

CREATE TRIGGER listsSearch AFTER UPDATE OF total ON lists WHEN NEW.total > 2000 AND NEW.searched = 0 AND NEW.name IN ('groupMembers', 'notificationAccounts') BEGIN UPDATE lists SET searched = 1 WHERE id = NEW.id; INSERT INTO listDocuments (id, list, key, userID, nickname) SELECT row_number() OVER (PARTITION BY list ORDER BY key) + coalesce( (SELECT max(id) FROM listDocuments document WHERE document.id BETWEEN text.list * 4294967296 AND text.list * 4294967296 + 4294967295), list * 4294967296 ), list, key, userID, nickname FROM listTexts text WHERE list = NEW.id ON CONFLICT DO NOTHING; END;

CREATE TRIGGER listsSearchEnd AFTER UPDATE OF total ON lists WHEN NEW.total < 1000 AND NEW.searched = 1 BEGIN UPDATE lists SET searched = 0 WHERE id = NEW.id; DELETE FROM listDocuments WHERE list = NEW.id; END;

CREATE TRIGGER listEntriesDocument AFTER INSERT ON listEntries WHEN (SELECT searched FROM lists WHERE id = NEW.list) BEGIN INSERT INTO listDocuments (id, list, key, userID, nickname) SELECT row_number() OVER (PARTITION BY list ORDER BY key) + coalesce( (SELECT max(id) FROM listDocuments document WHERE document.id BETWEEN text.list * 4294967296 AND text.list * 4294967296 + 4294967295), list * 4294967296 ), list, key, userID, nickname FROM listTexts text WHERE list = NEW.list AND key = NEW.key ON CONFLICT DO NOTHING; END;

CREATE TRIGGER listEntriesDocumentDelete AFTER DELETE ON listEntries BEGIN DELETE FROM listDocuments WHERE list = OLD.list AND key = OLD.key; END;

CREATE TRIGGER listDocumentsInsert AFTER INSERT ON listDocuments BEGIN INSERT INTO listTrigrams (rowid, userID, nickname) VALUES (NEW.id, NEW.userID, NEW.nickname); INSERT INTO listGrams (rowid, grams) VALUES (NEW.id, (SELECT group_concat(pair, ' ') FROM (SELECT hex(substr(NEW.userID, position, 1)) || 'l' || NEW.list || ' ' || hex(substr(NEW.userID, position, 2)) || 'l' || NEW.list AS pair FROM (WITH RECURSIVE positions (position) AS ( SELECT 1 UNION ALL SELECT position + 1 FROM positions WHERE position < length(NEW.userID) ) SELECT position FROM positions) UNION ALL SELECT hex(substr(NEW.nickname, position, 1)) || 'l' || NEW.list || ' ' || hex(substr(NEW.nickname, position, 2)) || 'l' || NEW.list AS pair FROM (WITH RECURSIVE positions (position) AS ( SELECT 1 UNION ALL SELECT position + 1 FROM positions WHERE position < length(NEW.nickname) ) SELECT position FROM positions)))); END;

CREATE TRIGGER listDocumentsDelete AFTER DELETE ON listDocuments BEGIN INSERT INTO listTrigrams (listTrigrams, rowid, userID, nickname) VALUES ('delete', OLD.id, OLD.userID, OLD.nickname); INSERT INTO listGrams (listGrams, rowid, grams) VALUES ('delete', OLD.id, (SELECT group_concat(pair, ' ') FROM (SELECT hex(substr(OLD.userID, position, 1)) || 'l' || OLD.list || ' ' || hex(substr(OLD.userID, position, 2)) || 'l' || OLD.list AS pair FROM (WITH RECURSIVE positions (position) AS ( SELECT 1 UNION ALL SELECT position + 1 FROM positions WHERE position < length(OLD.userID) ) SELECT position FROM positions) UNION ALL SELECT hex(substr(OLD.nickname, position, 1)) || 'l' || OLD.list || ' ' || hex(substr(OLD.nickname, position, 2)) || 'l' || OLD.list AS pair FROM (WITH RECURSIVE positions (position) AS ( SELECT 1 UNION ALL SELECT position + 1 FROM positions WHERE position < length(OLD.nickname) ) SELECT position FROM positions)))); END;

CREATE TRIGGER listDocumentsUpdate AFTER UPDATE OF nickname ON listDocuments WHEN OLD.nickname IS NOT NEW.nickname BEGIN INSERT INTO listTrigrams (listTrigrams, rowid, userID, nickname) VALUES ('delete', OLD.id, OLD.userID, OLD.nickname); INSERT INTO listGrams (listGrams, rowid, grams) VALUES ('delete', OLD.id, (SELECT group_concat(pair, ' ') FROM (SELECT hex(substr(OLD.userID, position, 1)) || 'l' || OLD.list || ' ' || hex(substr(OLD.userID, position, 2)) || 'l' || OLD.list AS pair FROM (WITH RECURSIVE positions (position) AS ( SELECT 1 UNION ALL SELECT position + 1 FROM positions WHERE position < length(OLD.userID) ) SELECT position FROM positions) UNION ALL SELECT hex(substr(OLD.nickname, position, 1)) || 'l' || OLD.list || ' ' || hex(substr(OLD.nickname, position, 2)) || 'l' || OLD.list AS pair FROM (WITH RECURSIVE positions (position) AS ( SELECT 1 UNION ALL SELECT position + 1 FROM positions WHERE position < length(OLD.nickname) ) SELECT position FROM positions)))); INSERT INTO listTrigrams (rowid, userID, nickname) VALUES (NEW.id, NEW.userID, NEW.nickname); INSERT INTO listGrams (rowid, grams) VALUES (NEW.id, (SELECT group_concat(pair, ' ') FROM (SELECT hex(substr(NEW.userID, position, 1)) || 'l' || NEW.list || ' ' || hex(substr(NEW.userID, position, 2)) || 'l' || NEW.list AS pair FROM (WITH RECURSIVE positions (position) AS ( SELECT 1 UNION ALL SELECT position + 1 FROM positions WHERE position < length(NEW.userID) ) SELECT position FROM positions) UNION ALL SELECT hex(substr(NEW.nickname, position, 1)) || 'l' || NEW.list || ' ' || hex(substr(NEW.nickname, position, 2)) || 'l' || NEW.list AS pair FROM (WITH RECURSIVE positions (position) AS ( SELECT 1 UNION ALL SELECT position + 1 FROM positions WHERE position < length(NEW.nickname) ) SELECT position FROM positions)))); END;

CREATE TRIGGER groupMembersNickname AFTER UPDATE OF nickname ON groupMembers WHEN OLD.nickname IS NOT NEW.nickname BEGIN UPDATE listDocuments SET nickname = (SELECT nickname FROM listTexts text WHERE text.list = listDocuments.list AND text.key = listDocuments.key) WHERE (list, key) IN (SELECT list.id, printf('%03d', 999 - member.roleLevel) || printf('%016d', member.joinTime) || member.userID FROM groupMembers member CROSS JOIN lists list ON list.name = 'groupMembers' AND list.owner = member.groupID AND list.searched WHERE member.id IN (SELECT NEW.id)); END;

CREATE TRIGGER usersNicknameInsert AFTER INSERT ON users BEGIN UPDATE listDocuments SET nickname = (SELECT nickname FROM listTexts text WHERE text.list = listDocuments.list AND text.key = listDocuments.key) WHERE (list, key) IN (SELECT list.id, printf('%03d', 999 - member.roleLevel) || printf('%016d', member.joinTime) || member.userID FROM groupMembers member CROSS JOIN lists list ON list.name = 'groupMembers' AND list.owner = member.groupID AND list.searched WHERE member.id IN (SELECT item FROM listEntries WHERE list = (SELECT id FROM lists WHERE name = 'joinedGroups' AND owner = NEW.userID))); END;

CREATE TRIGGER usersNicknameDelete AFTER DELETE ON users BEGIN UPDATE listDocuments SET nickname = (SELECT nickname FROM listTexts text WHERE text.list = listDocuments.list AND text.key = listDocuments.key) WHERE (list, key) IN (SELECT list.id, printf('%03d', 999 - member.roleLevel) || printf('%016d', member.joinTime) || member.userID FROM groupMembers member CROSS JOIN lists list ON list.name = 'groupMembers' AND list.owner = member.groupID AND list.searched WHERE member.id IN (SELECT item FROM listEntries WHERE list = (SELECT id FROM lists WHERE name = 'joinedGroups' AND owner = OLD.userID))); END;

CREATE TRIGGER usersNicknameUpdate AFTER UPDATE OF userID, nickname ON users WHEN OLD.userID IS NOT NEW.userID OR OLD.nickname IS NOT NEW.nickname BEGIN UPDATE listDocuments SET nickname = (SELECT nickname FROM listTexts text WHERE text.list = listDocuments.list AND text.key = listDocuments.key) WHERE (list, key) IN (SELECT list.id, printf('%03d', 999 - member.roleLevel) || printf('%016d', member.joinTime) || member.userID FROM groupMembers member CROSS JOIN lists list ON list.name = 'groupMembers' AND list.owner = member.groupID AND list.searched WHERE member.id IN (SELECT item FROM listEntries WHERE list = (SELECT id FROM lists WHERE name = 'joinedGroups' AND owner = OLD.userID))); UPDATE listDocuments SET nickname = (SELECT nickname FROM listTexts text WHERE text.list = listDocuments.list AND text.key = listDocuments.key) WHERE (list, key) IN (SELECT list.id, printf('%03d', 999 - member.roleLevel) || printf('%016d', member.joinTime) || member.userID FROM groupMembers member CROSS JOIN lists list ON list.name = 'groupMembers' AND list.owner = member.groupID AND list.searched WHERE member.id IN (SELECT item FROM listEntries WHERE list = (SELECT id FROM lists WHERE name = 'joinedGroups' AND owner = NEW.userID))); UPDATE listDocuments SET nickname = lower(NEW.nickname) WHERE list = (SELECT id FROM lists WHERE name = 'notificationAccounts') AND key = NEW.userID; END;

CREATE TRIGGER usersReplacedDelete AFTER UPDATE ON usersReplaced BEGIN DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'notificationAccounts' AND owner = ''), OLD.userID WHERE OLD.appMangerLevel >= 3 AND (true)); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'notificationAccountsByLevel' AND owner = ''), OLD.appMangerLevel || ':' || OLD.userID WHERE OLD.appMangerLevel >= 3 AND (true)); END;

CREATE TRIGGER usersBeforeInsert BEFORE INSERT ON users WHEN EXISTS (SELECT 1 FROM users WHERE userID = NEW.userID) BEGIN DELETE FROM usersReplaced; INSERT INTO usersReplaced SELECT userID, appMangerLevel, 0 FROM users WHERE userID = NEW.userID; END;

CREATE TRIGGER usersBeforeUpdate BEFORE UPDATE OF userID ON users WHEN (OLD.userID IS NOT NEW.userID) AND EXISTS (SELECT 1 FROM users WHERE userID = NEW.userID AND NOT (userID = OLD.userID)) BEGIN DELETE FROM usersReplaced; INSERT INTO usersReplaced SELECT userID, appMangerLevel, 0 FROM users WHERE userID = NEW.userID AND NOT (userID = OLD.userID); END;

CREATE TRIGGER usersAfterInsert AFTER INSERT ON users BEGIN UPDATE usersReplaced SET gone = 1 WHERE userID = NEW.userID; DELETE FROM usersReplaced WHERE userID = NEW.userID; INSERT INTO lists (name, owner) SELECT 'notificationAccounts', '' WHERE NEW.appMangerLevel >= 3 AND (true) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'notificationAccounts' AND owner = ''), NEW.userID, NEW.userID WHERE NEW.appMangerLevel >= 3 AND (true); INSERT INTO lists (name, owner) SELECT 'notificationAccountsByLevel', '' WHERE NEW.appMangerLevel >= 3 AND (true) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'notificationAccountsByLevel' AND owner = ''), NEW.appMangerLevel || ':' || NEW.userID, NEW.userID WHERE NEW.appMangerLevel >= 3 AND (true); END;

CREATE TRIGGER usersAfterDelete AFTER DELETE ON users BEGIN DELETE FROM usersReplaced WHERE userID = OLD.userID; DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'notificationAccounts' AND owner = ''), OLD.userID WHERE OLD.appMangerLevel >= 3 AND (true)); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'notificationAccountsByLevel' AND owner = ''), OLD.appMangerLevel || ':' || OLD.userID WHERE OLD.appMangerLevel >= 3 AND (true)); END;

CREATE TRIGGER usersAfterUpdate AFTER UPDATE OF userID, appMangerLevel ON users WHEN OLD.userID IS NOT NEW.userID OR OLD.appMangerLevel IS NOT NEW.appMangerLevel BEGIN DELETE FROM usersReplaced WHERE userID = OLD.userID; UPDATE usersReplaced SET gone = 1 WHERE userID = NEW.userID; DELETE FROM usersReplaced WHERE userID = NEW.userID; DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'notificationAccounts' AND owner = ''), OLD.userID WHERE OLD.appMangerLevel >= 3 AND (OLD.appMangerLevel IS NOT NEW.appMangerLevel OR OLD.userID IS NOT NEW.userID)); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'notificationAccountsByLevel' AND owner = ''), OLD.appMangerLevel || ':' || OLD.userID WHERE OLD.appMangerLevel >= 3 AND (OLD.appMangerLevel IS NOT NEW.appMangerLevel OR OLD.userID IS NOT NEW.userID)); INSERT INTO lists (name, owner) SELECT 'notificationAccounts', '' WHERE NEW.appMangerLevel >= 3 AND (OLD.appMangerLevel IS NOT NEW.appMangerLevel OR OLD.userID IS NOT NEW.userID) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'notificationAccounts' AND owner = ''), NEW.userID, NEW.userID WHERE NEW.appMangerLevel >= 3 AND (OLD.appMangerLevel IS NOT NEW.appMangerLevel OR OLD.userID IS NOT NEW.userID); INSERT INTO lists (name, owner) SELECT 'notificationAccountsByLevel', '' WHERE NEW.appMangerLevel >= 3 AND (OLD.appMangerLevel IS NOT NEW.appMangerLevel OR OLD.userID IS NOT NEW.userID) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'notificationAccountsByLevel' AND owner = ''), NEW.appMangerLevel || ':' || NEW.userID, NEW.userID WHERE NEW.appMangerLevel >= 3 AND (OLD.appMangerLevel IS NOT NEW.appMangerLevel OR OLD.userID IS NOT NEW.userID); END;

CREATE TRIGGER groupMembersReplacedDelete AFTER UPDATE ON groupMembersReplaced BEGIN DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'groupMembers' AND owner = OLD.groupID), printf('%03d', 999 - OLD.roleLevel) || printf('%016d', OLD.joinTime) || OLD.userID WHERE (true)); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'joinedGroups' AND owner = OLD.userID), printf('%016d', 9999999999999999 - OLD.joinTime) || OLD.groupID WHERE (true)); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequests' AND owner = OLD.userID), printf('%016d', 9999999999999999 - request.reqTime) || request.groupID || char(1) || request.userID FROM groupRequests request WHERE OLD.groupID = request.groupID AND OLD.roleLevel IN (60, 100) AND (true)); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequestsByResult' AND owner = OLD.userID), request.handleResult || ':' || printf('%016d', 9999999999999999 - request.reqTime) || request.groupID || char(1) || request.userID FROM groupRequests request WHERE OLD.groupID = request.groupID AND OLD.roleLevel IN (60, 100) AND (true)); END;

CREATE TRIGGER groupMembersBeforeInsert BEFORE INSERT ON groupMembers WHEN EXISTS (SELECT 1 FROM groupMembers WHERE (groupID = NEW.groupID AND userID = NEW.userID OR id = NEW.id)) BEGIN DELETE FROM groupMembersReplaced; INSERT INTO groupMembersReplaced SELECT groupID, userID, roleLevel, joinTime, id, 0 FROM groupMembers WHERE (groupID = NEW.groupID AND userID = NEW.userID OR id = NEW.id); END;

CREATE TRIGGER groupMembersBeforeUpdate BEFORE UPDATE OF id, groupID, userID ON groupMembers WHEN (OLD.id IS NOT NEW.id OR OLD.groupID IS NOT NEW.groupID OR OLD.userID IS NOT NEW.userID) AND EXISTS (SELECT 1 FROM groupMembers WHERE (groupID = NEW.groupID AND userID = NEW.userID OR id = NEW.id) AND NOT (groupID = OLD.groupID AND userID = OLD.userID)) BEGIN DELETE FROM groupMembersReplaced; INSERT INTO groupMembersReplaced SELECT groupID, userID, roleLevel, joinTime, id, 0 FROM groupMembers WHERE (groupID = NEW.groupID AND userID = NEW.userID OR id = NEW.id) AND NOT (groupID = OLD.groupID AND userID = OLD.userID); END;

CREATE TRIGGER groupMembersAfterInsert AFTER INSERT ON groupMembers BEGIN UPDATE groupMembersReplaced SET gone = 1 WHERE (groupID = NEW.groupID AND userID = NEW.userID OR id = NEW.id); DELETE FROM groupMembersReplaced WHERE (groupID = NEW.groupID AND userID = NEW.userID OR id = NEW.id); INSERT INTO lists (name, owner) SELECT 'groupMembers', NEW.groupID WHERE (true) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'groupMembers' AND owner = NEW.groupID), printf('%03d', 999 - NEW.roleLevel) || printf('%016d', NEW.joinTime) || NEW.userID, NEW.id WHERE (true); INSERT INTO lists (name, owner) SELECT 'joinedGroups', NEW.userID WHERE (true) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'joinedGroups' AND owner = NEW.userID), printf('%016d', 9999999999999999 - NEW.joinTime) || NEW.groupID, NEW.id WHERE (true); INSERT INTO lists (name, owner) SELECT 'receivedGroupRequests', NEW.userID FROM groupRequests request WHERE NEW.groupID = request.groupID AND NEW.roleLevel IN (60, 100) AND (true) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequests' AND owner = NEW.userID), printf('%016d', 9999999999999999 - request.reqTime) || request.groupID || char(1) || request.userID, request.id FROM groupRequests request WHERE NEW.groupID = request.groupID AND NEW.roleLevel IN (60, 100) AND (true); INSERT INTO lists (name, owner) SELECT 'receivedGroupRequestsByResult', NEW.userID FROM groupRequests request WHERE NEW.groupID = request.groupID AND NEW.roleLevel IN (60, 100) AND (true) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequestsByResult' AND owner = NEW.userID), request.handleResult || ':' || printf('%016d', 9999999999999999 - request.reqTime) || request.groupID || char(1) || request.userID, request.id FROM groupRequests request WHERE NEW.groupID = request.groupID AND NEW.roleLevel IN (60, 100) AND (true); END;

CREATE TRIGGER groupMembersAfterDelete AFTER DELETE ON groupMembers BEGIN DELETE FROM groupMembersReplaced WHERE (groupID = OLD.groupID AND userID = OLD.userID OR id = OLD.id); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'groupMembers' AND owner = OLD.groupID), printf('%03d', 999 - OLD.roleLevel) || printf('%016d', OLD.joinTime) || OLD.userID WHERE (true)); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'joinedGroups' AND owner = OLD.userID), printf('%016d', 9999999999999999 - OLD.joinTime) || OLD.groupID WHERE (true)); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequests' AND owner = OLD.userID), printf('%016d', 9999999999999999 - request.reqTime) || request.groupID || char(1) || request.userID FROM groupRequests request WHERE OLD.groupID = request.groupID AND OLD.roleLevel IN (60, 100) AND (true)); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequestsByResult' AND owner = OLD.userID), request.handleResult || ':' || printf('%016d', 9999999999999999 - request.reqTime) || request.groupID || char(1) || request.userID FROM groupRequests request WHERE OLD.groupID = request.groupID AND OLD.roleLevel IN (60, 100) AND (true)); END;

CREATE TRIGGER groupMembersAfterUpdate AFTER UPDATE OF groupID, userID, roleLevel, joinTime, id ON groupMembers WHEN OLD.groupID IS NOT NEW.groupID OR OLD.userID IS NOT NEW.userID OR OLD.roleLevel IS NOT NEW.roleLevel OR OLD.joinTime IS NOT NEW.joinTime OR OLD.id IS NOT NEW.id BEGIN DELETE FROM groupMembersReplaced WHERE (groupID = OLD.groupID AND userID = OLD.userID OR id = OLD.id); UPDATE groupMembersReplaced SET gone = 1 WHERE (groupID = NEW.groupID AND userID = NEW.userID OR id = NEW.id); DELETE FROM groupMembersReplaced WHERE (groupID = NEW.groupID AND userID = NEW.userID OR id = NEW.id); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'groupMembers' AND owner = OLD.groupID), printf('%03d', 999 - OLD.roleLevel) || printf('%016d', OLD.joinTime) || OLD.userID WHERE (OLD.groupID IS NOT NEW.groupID OR OLD.roleLevel IS NOT NEW.roleLevel OR OLD.joinTime IS NOT NEW.joinTime OR OLD.userID IS NOT NEW.userID OR OLD.id IS NOT NEW.id)); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'joinedGroups' AND owner = OLD.userID), printf('%016d', 9999999999999999 - OLD.joinTime) || OLD.groupID WHERE (OLD.userID IS NOT NEW.userID OR OLD.joinTime IS NOT NEW.joinTime OR OLD.groupID IS NOT NEW.groupID OR OLD.id IS NOT NEW.id)); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequests' AND owner = OLD.userID), printf('%016d', 9999999999999999 - request.reqTime) || request.groupID || char(1) || request.userID FROM groupRequests request WHERE OLD.groupID = request.groupID AND OLD.roleLevel IN (60, 100) AND (OLD.groupID IS NOT NEW.groupID OR OLD.roleLevel IS NOT NEW.roleLevel OR OLD.userID IS NOT NEW.userID)); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequestsByResult' AND owner = OLD.userID), request.handleResult || ':' || printf('%016d', 9999999999999999 - request.reqTime) || request.groupID || char(1) || request.userID FROM groupRequests request WHERE OLD.groupID = request.groupID AND OLD.roleLevel IN (60, 100) AND (OLD.groupID IS NOT NEW.groupID OR OLD.roleLevel IS NOT NEW.roleLevel OR OLD.userID IS NOT NEW.userID)); INSERT INTO lists (name, owner) SELECT 'groupMembers', NEW.groupID WHERE (OLD.groupID IS NOT NEW.groupID OR OLD.roleLevel IS NOT NEW.roleLevel OR OLD.joinTime IS NOT NEW.joinTime OR OLD.userID IS NOT NEW.userID OR OLD.id IS NOT NEW.id) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'groupMembers' AND owner = NEW.groupID), printf('%03d', 999 - NEW.roleLevel) || printf('%016d', NEW.joinTime) || NEW.userID, NEW.id WHERE (OLD.groupID IS NOT NEW.groupID OR OLD.roleLevel IS NOT NEW.roleLevel OR OLD.joinTime IS NOT NEW.joinTime OR OLD.userID IS NOT NEW.userID OR OLD.id IS NOT NEW.id); INSERT INTO lists (name, owner) SELECT 'joinedGroups', NEW.userID WHERE (OLD.userID IS NOT NEW.userID OR OLD.joinTime IS NOT NEW.joinTime OR OLD.groupID IS NOT NEW.groupID OR OLD.id IS NOT NEW.id) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'joinedGroups' AND owner = NEW.userID), printf('%016d', 9999999999999999 - NEW.joinTime) || NEW.groupID, NEW.id WHERE (OLD.userID IS NOT NEW.userID OR OLD.joinTime IS NOT NEW.joinTime OR OLD.groupID IS NOT NEW.groupID OR OLD.id IS NOT NEW.id); INSERT INTO lists (name, owner) SELECT 'receivedGroupRequests', NEW.userID FROM groupRequests request WHERE NEW.groupID = request.groupID AND NEW.roleLevel IN (60, 100) AND (OLD.groupID IS NOT NEW.groupID OR OLD.roleLevel IS NOT NEW.roleLevel OR OLD.userID IS NOT NEW.userID) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequests' AND owner = NEW.userID), printf('%016d', 9999999999999999 - request.reqTime) || request.groupID || char(1) || request.userID, request.id FROM groupRequests request WHERE NEW.groupID = request.groupID AND NEW.roleLevel IN (60, 100) AND (OLD.groupID IS NOT NEW.groupID OR OLD.roleLevel IS NOT NEW.roleLevel OR OLD.userID IS NOT NEW.userID); INSERT INTO lists (name, owner) SELECT 'receivedGroupRequestsByResult', NEW.userID FROM groupRequests request WHERE NEW.groupID = request.groupID AND NEW.roleLevel IN (60, 100) AND (OLD.groupID IS NOT NEW.groupID OR OLD.roleLevel IS NOT NEW.roleLevel OR OLD.userID IS NOT NEW.userID) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequestsByResult' AND owner = NEW.userID), request.handleResult || ':' || printf('%016d', 9999999999999999 - request.reqTime) || request.groupID || char(1) || request.userID, request.id FROM groupRequests request WHERE NEW.groupID = request.groupID AND NEW.roleLevel IN (60, 100) AND (OLD.groupID IS NOT NEW.groupID OR OLD.roleLevel IS NOT NEW.roleLevel OR OLD.userID IS NOT NEW.userID); END;

CREATE TRIGGER blacksReplacedDelete AFTER UPDATE ON blacksReplaced BEGIN DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'blacks' AND owner = OLD.ownerUserID), printf('%016d', 9999999999999999 - OLD.createTime) || OLD.blackUserID WHERE (true)); END;

CREATE TRIGGER blacksBeforeInsert BEFORE INSERT ON blacks WHEN EXISTS (SELECT 1 FROM blacks WHERE (ownerUserID = NEW.ownerUserID AND blackUserID = NEW.blackUserID OR id = NEW.id)) BEGIN DELETE FROM blacksReplaced; INSERT INTO blacksReplaced SELECT ownerUserID, blackUserID, createTime, id, 0 FROM blacks WHERE (ownerUserID = NEW.ownerUserID AND blackUserID = NEW.blackUserID OR id = NEW.id); END;

CREATE TRIGGER blacksBeforeUpdate BEFORE UPDATE OF id, ownerUserID, blackUserID ON blacks WHEN (OLD.id IS NOT NEW.id OR OLD.ownerUserID IS NOT NEW.ownerUserID OR OLD.blackUserID IS NOT NEW.blackUserID) AND EXISTS (SELECT 1 FROM blacks WHERE (ownerUserID = NEW.ownerUserID AND blackUserID = NEW.blackUserID OR id = NEW.id) AND NOT (ownerUserID = OLD.ownerUserID AND blackUserID = OLD.blackUserID)) BEGIN DELETE FROM blacksReplaced; INSERT INTO blacksReplaced SELECT ownerUserID, blackUserID, createTime, id, 0 FROM blacks WHERE (ownerUserID = NEW.ownerUserID AND blackUserID = NEW.blackUserID OR id = NEW.id) AND NOT (ownerUserID = OLD.ownerUserID AND blackUserID = OLD.blackUserID); END;

CREATE TRIGGER blacksAfterInsert AFTER INSERT ON blacks BEGIN UPDATE blacksReplaced SET gone = 1 WHERE (ownerUserID = NEW.ownerUserID AND blackUserID = NEW.blackUserID OR id = NEW.id); DELETE FROM blacksReplaced WHERE (ownerUserID = NEW.ownerUserID AND blackUserID = NEW.blackUserID OR id = NEW.id); INSERT INTO lists (name, owner) SELECT 'blacks', NEW.ownerUserID WHERE (true) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'blacks' AND owner = NEW.ownerUserID), printf('%016d', 9999999999999999 - NEW.createTime) || NEW.blackUserID, NEW.id WHERE (true); END;

CREATE TRIGGER blacksAfterDelete AFTER DELETE ON blacks BEGIN DELETE FROM blacksReplaced WHERE (ownerUserID = OLD.ownerUserID AND blackUserID = OLD.blackUserID OR id = OLD.id); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'blacks' AND owner = OLD.ownerUserID), printf('%016d', 9999999999999999 - OLD.createTime) || OLD.blackUserID WHERE (true)); END;

CREATE TRIGGER blacksAfterUpdate AFTER UPDATE OF ownerUserID, blackUserID, createTime, id ON blacks WHEN OLD.ownerUserID IS NOT NEW.ownerUserID OR OLD.blackUserID IS NOT NEW.blackUserID OR OLD.createTime IS NOT NEW.createTime OR OLD.id IS NOT NEW.id BEGIN DELETE FROM blacksReplaced WHERE (ownerUserID = OLD.ownerUserID AND blackUserID = OLD.blackUserID OR id = OLD.id); UPDATE blacksReplaced SET gone = 1 WHERE (ownerUserID = NEW.ownerUserID AND blackUserID = NEW.blackUserID OR id = NEW.id); DELETE FROM blacksReplaced WHERE (ownerUserID = NEW.ownerUserID AND blackUserID = NEW.blackUserID OR id = NEW.id); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'blacks' AND owner = OLD.ownerUserID), printf('%016d', 9999999999999999 - OLD.createTime) || OLD.blackUserID WHERE (OLD.ownerUserID IS NOT NEW.ownerUserID OR OLD.createTime IS NOT NEW.createTime OR OLD.blackUserID IS NOT NEW.blackUserID OR OLD.id IS NOT NEW.id)); INSERT INTO lists (name, owner) SELECT 'blacks', NEW.ownerUserID WHERE (OLD.ownerUserID IS NOT NEW.ownerUserID OR OLD.createTime IS NOT NEW.createTime OR OLD.blackUserID IS NOT NEW.blackUserID OR OLD.id IS NOT NEW.id) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'blacks' AND owner = NEW.ownerUserID), printf('%016d', 9999999999999999 - NEW.createTime) || NEW.blackUserID, NEW.id WHERE (OLD.ownerUserID IS NOT NEW.ownerUserID OR OLD.createTime IS NOT NEW.createTime OR OLD.blackUserID IS NOT NEW.blackUserID OR OLD.id IS NOT NEW.id); END;

CREATE TRIGGER groupRequestsReplacedDelete AFTER UPDATE ON groupRequestsReplaced BEGIN DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequests' AND owner = manager.userID), printf('%016d', 9999999999999999 - OLD.reqTime) || OLD.groupID || char(1) || OLD.userID FROM groupMembers manager WHERE manager.groupID = OLD.groupID AND manager.roleLevel IN (60, 100) AND (true)); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequestsByResult' AND owner = manager.userID), OLD.handleResult || ':' || printf('%016d', 9999999999999999 - OLD.reqTime) || OLD.groupID || char(1) || OLD.userID FROM groupMembers manager WHERE manager.groupID = OLD.groupID AND manager.roleLevel IN (60, 100) AND (true)); END;

CREATE TRIGGER groupRequestsBeforeInsert BEFORE INSERT ON groupRequests WHEN EXISTS (SELECT 1 FROM groupRequests WHERE (groupID = NEW.groupID AND userID = NEW.userID OR id = NEW.id)) BEGIN DELETE FROM groupRequestsReplaced; INSERT INTO groupRequestsReplaced SELECT groupID, userID, reqTime, id, handleResult, 0 FROM groupRequests WHERE (groupID = NEW.groupID AND userID = NEW.userID OR id = NEW.id); END;

CREATE TRIGGER groupRequestsBeforeUpdate BEFORE UPDATE OF id, groupID, userID ON groupRequests WHEN (OLD.id IS NOT NEW.id OR OLD.groupID IS NOT NEW.groupID OR OLD.userID IS NOT NEW.userID) AND EXISTS (SELECT 1 FROM groupRequests WHERE (groupID = NEW.groupID AND userID = NEW.userID OR id = NEW.id) AND NOT (groupID = OLD.groupID AND userID = OLD.userID)) BEGIN DELETE FROM groupRequestsReplaced; INSERT INTO groupRequestsReplaced SELECT groupID, userID, reqTime, id, handleResult, 0 FROM groupRequests WHERE (groupID = NEW.groupID AND userID = NEW.userID OR id = NEW.id) AND NOT (groupID = OLD.groupID AND userID = OLD.userID); END;

CREATE TRIGGER groupRequestsAfterInsert AFTER INSERT ON groupRequests BEGIN UPDATE groupRequestsReplaced SET gone = 1 WHERE (groupID = NEW.groupID AND userID = NEW.userID OR id = NEW.id); DELETE FROM groupRequestsReplaced WHERE (groupID = NEW.groupID AND userID = NEW.userID OR id = NEW.id); INSERT INTO lists (name, owner) SELECT 'receivedGroupRequests', manager.userID FROM groupMembers manager WHERE manager.groupID = NEW.groupID AND manager.roleLevel IN (60, 100) AND (true) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequests' AND owner = manager.userID), printf('%016d', 9999999999999999 - NEW.reqTime) || NEW.groupID || char(1) || NEW.userID, NEW.id FROM groupMembers manager WHERE manager.groupID = NEW.groupID AND manager.roleLevel IN (60, 100) AND (true); INSERT INTO lists (name, owner) SELECT 'receivedGroupRequestsByResult', manager.userID FROM groupMembers manager WHERE manager.groupID = NEW.groupID AND manager.roleLevel IN (60, 100) AND (true) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequestsByResult' AND owner = manager.userID), NEW.handleResult || ':' || printf('%016d', 9999999999999999 - NEW.reqTime) || NEW.groupID || char(1) || NEW.userID, NEW.id FROM groupMembers manager WHERE manager.groupID = NEW.groupID AND manager.roleLevel IN (60, 100) AND (true); END;

CREATE TRIGGER groupRequestsAfterDelete AFTER DELETE ON groupRequests BEGIN DELETE FROM groupRequestsReplaced WHERE (groupID = OLD.groupID AND userID = OLD.userID OR id = OLD.id); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequests' AND owner = manager.userID), printf('%016d', 9999999999999999 - OLD.reqTime) || OLD.groupID || char(1) || OLD.userID FROM groupMembers manager WHERE manager.groupID = OLD.groupID AND manager.roleLevel IN (60, 100) AND (true)); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequestsByResult' AND owner = manager.userID), OLD.handleResult || ':' || printf('%016d', 9999999999999999 - OLD.reqTime) || OLD.groupID || char(1) || OLD.userID FROM groupMembers manager WHERE manager.groupID = OLD.groupID AND manager.roleLevel IN (60, 100) AND (true)); END;

CREATE TRIGGER groupRequestsAfterUpdate AFTER UPDATE OF groupID, userID, reqTime, id, handleResult ON groupRequests WHEN OLD.groupID IS NOT NEW.groupID OR OLD.userID IS NOT NEW.userID OR OLD.reqTime IS NOT NEW.reqTime OR OLD.id IS NOT NEW.id OR OLD.handleResult IS NOT NEW.handleResult BEGIN DELETE FROM groupRequestsReplaced WHERE (groupID = OLD.groupID AND userID = OLD.userID OR id = OLD.id); UPDATE groupRequestsReplaced SET gone = 1 WHERE (groupID = NEW.groupID AND userID = NEW.userID OR id = NEW.id); DELETE FROM groupRequestsReplaced WHERE (groupID = NEW.groupID AND userID = NEW.userID OR id = NEW.id); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequests' AND owner = manager.userID), printf('%016d', 9999999999999999 - OLD.reqTime) || OLD.groupID || char(1) || OLD.userID FROM groupMembers manager WHERE manager.groupID = OLD.groupID AND manager.roleLevel IN (60, 100) AND (OLD.groupID IS NOT NEW.groupID OR OLD.reqTime IS NOT NEW.reqTime OR OLD.userID IS NOT NEW.userID OR OLD.id IS NOT NEW.id)); DELETE FROM listEntries WHERE (list, key) IN (SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequestsByResult' AND owner = manager.userID), OLD.handleResult || ':' || printf('%016d', 9999999999999999 - OLD.reqTime) || OLD.groupID || char(1) || OLD.userID FROM groupMembers manager WHERE manager.groupID = OLD.groupID AND manager.roleLevel IN (60, 100) AND (OLD.groupID IS NOT NEW.groupID OR OLD.handleResult IS NOT NEW.handleResult OR OLD.reqTime IS NOT NEW.reqTime OR OLD.userID IS NOT NEW.userID OR OLD.id IS NOT NEW.id)); INSERT INTO lists (name, owner) SELECT 'receivedGroupRequests', manager.userID FROM groupMembers manager WHERE manager.groupID = NEW.groupID AND manager.roleLevel IN (60, 100) AND (OLD.groupID IS NOT NEW.groupID OR OLD.reqTime IS NOT NEW.reqTime OR OLD.userID IS NOT NEW.userID OR OLD.id IS NOT NEW.id) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequests' AND owner = manager.userID), printf('%016d', 9999999999999999 - NEW.reqTime) || NEW.groupID || char(1) || NEW.userID, NEW.id FROM groupMembers manager WHERE manager.groupID = NEW.groupID AND manager.roleLevel IN (60, 100) AND (OLD.groupID IS NOT NEW.groupID OR OLD.reqTime IS NOT NEW.reqTime OR OLD.userID IS NOT NEW.userID OR OLD.id IS NOT NEW.id); INSERT INTO lists (name, owner) SELECT 'receivedGroupRequestsByResult', manager.userID FROM groupMembers manager WHERE manager.groupID = NEW.groupID AND manager.roleLevel IN (60, 100) AND (OLD.groupID IS NOT NEW.groupID OR OLD.handleResult IS NOT NEW.handleResult OR OLD.reqTime IS NOT NEW.reqTime OR OLD.userID IS NOT NEW.userID OR OLD.id IS NOT NEW.id) ON CONFLICT DO NOTHING; INSERT INTO listEntries (list, key, item) SELECT (SELECT id FROM lists WHERE name = 'receivedGroupRequestsByResult' AND owner = manager.userID), NEW.handleResult || ':' || printf('%016d', 9999999999999999 - NEW.reqTime) || NEW.groupID || char(1) || NEW.userID, NEW.id FROM groupMembers manager WHERE manager.groupID = NEW.groupID AND manager.roleLevel IN (60, 100) AND (OLD.groupID IS NOT NEW.groupID OR OLD.handleResult IS NOT NEW.handleResult OR OLD.reqTime IS NOT NEW.reqTime OR OLD.userID IS NOT NEW.userID OR OLD.id IS NOT NEW.id); END;

INSERT INTO schemaVersion (version) VALUES (2);
