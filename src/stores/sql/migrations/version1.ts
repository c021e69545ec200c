/** Version 1 of the schema: the tables, and a kept total for each list. Released, and so never changed. */
export const version1: readonly string[] = [
  `CREATE TABLE users (
    userID TEXT NOT NULL PRIMARY KEY CHECK (userID <> ''),
    nickname TEXT NOT NULL DEFAULT '',
    faceURL TEXT NOT NULL DEFAULT '',
    ex TEXT NOT NULL DEFAULT '',
    appMangerLevel INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  `CREATE INDEX usersNotification ON users (userID) WHERE appMangerLevel >= 3`,
  `CREATE TABLE groups (
    groupID TEXT NOT NULL PRIMARY KEY CHECK (groupID <> ''),
    groupName TEXT NOT NULL DEFAULT '',
    notification TEXT NOT NULL DEFAULT '',
    introduction TEXT NOT NULL DEFAULT '',
    faceURL TEXT NOT NULL DEFAULT '',
    createTime INTEGER NOT NULL DEFAULT 0 CHECK (createTime BETWEEN 0 AND 9999999999999999),
    ex TEXT NOT NULL DEFAULT '',
    status INTEGER NOT NULL DEFAULT 0,
    creatorUserID TEXT NOT NULL DEFAULT '',
    groupType INTEGER NOT NULL DEFAULT 0,
    needVerification INTEGER NOT NULL DEFAULT 0,
    lookMemberInfo INTEGER NOT NULL DEFAULT 0,
    applyMemberFriend INTEGER NOT NULL DEFAULT 0,
    notificationUpdateTime INTEGER NOT NULL DEFAULT 0 CHECK (notificationUpdateTime BETWEEN 0 AND 9999999999999999),
    notificationUserID TEXT NOT NULL DEFAULT ''
  ) STRICT`,
  `CREATE TABLE groupMembers (
    groupID TEXT NOT NULL CHECK (groupID <> ''),
    userID TEXT NOT NULL CHECK (userID <> ''),
    roleLevel INTEGER NOT NULL DEFAULT 0 CHECK (roleLevel BETWEEN 0 AND 999),
    joinTime INTEGER NOT NULL DEFAULT 0 CHECK (joinTime BETWEEN 0 AND 9999999999999999),
    nickname TEXT NOT NULL DEFAULT '',
    faceURL TEXT NOT NULL DEFAULT '',
    joinSource INTEGER NOT NULL DEFAULT 0,
    operatorUserID TEXT NOT NULL DEFAULT '',
    ex TEXT NOT NULL DEFAULT '',
    muteEndTime INTEGER NOT NULL DEFAULT 0 CHECK (muteEndTime BETWEEN 0 AND 9999999999999999),
    inviterUserID TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (groupID, userID)
  ) STRICT`,
  `CREATE INDEX groupMembersOfGroup ON groupMembers (groupID, roleLevel DESC, joinTime, userID)`,
  `CREATE INDEX groupMembersOfUser ON groupMembers (userID, joinTime DESC, groupID)`,
  `CREATE INDEX groupMembersManaging ON groupMembers (userID, groupID) WHERE roleLevel IN (60, 100)`,
  `CREATE TABLE blacks (
    ownerUserID TEXT NOT NULL CHECK (ownerUserID <> ''),
    blackUserID TEXT NOT NULL CHECK (blackUserID <> ''),
    createTime INTEGER NOT NULL DEFAULT 0 CHECK (createTime BETWEEN 0 AND 9999999999999999),
    addSource INTEGER NOT NULL DEFAULT 0,
    operatorUserID TEXT NOT NULL DEFAULT '',
    ex TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (ownerUserID, blackUserID)
  ) STRICT`,
  `CREATE INDEX blacksOfUser ON blacks (ownerUserID, createTime DESC, blackUserID)`,
  `CREATE TABLE groupRequests (
    groupID TEXT NOT NULL CHECK (groupID <> ''),
    userID TEXT NOT NULL CHECK (userID <> ''),
    handleResult INTEGER NOT NULL DEFAULT 0,
    reqMsg TEXT NOT NULL DEFAULT '',
    handleMsg TEXT NOT NULL DEFAULT '',
    reqTime INTEGER NOT NULL DEFAULT 0 CHECK (reqTime BETWEEN 0 AND 9999999999999999),
    handleUserID TEXT NOT NULL DEFAULT '',
    handleTime INTEGER NOT NULL DEFAULT 0 CHECK (handleTime BETWEEN 0 AND 9999999999999999),
    ex TEXT NOT NULL DEFAULT '',
    joinSource INTEGER NOT NULL DEFAULT 0,
    inviterUserID TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (groupID, userID)
  ) STRICT`,
  `CREATE INDEX groupRequestsOfGroup ON groupRequests (groupID, reqTime DESC, userID, handleResult)`,
  `CREATE TABLE conversations (
    ownerUserID TEXT NOT NULL CHECK (ownerUserID <> ''),
    conversationID TEXT NOT NULL CHECK (conversationID <> ''),
    conversationType INTEGER NOT NULL DEFAULT 0,
    userID TEXT NOT NULL DEFAULT '',
    groupID TEXT NOT NULL DEFAULT '',
    recvMsgOpt INTEGER NOT NULL DEFAULT 0,
    attachedInfo TEXT NOT NULL DEFAULT '',
    isPinned INTEGER NOT NULL DEFAULT 0 CHECK (isPinned IN (0, 1)),
    isPrivateChat INTEGER NOT NULL DEFAULT 0 CHECK (isPrivateChat IN (0, 1)),
    ex TEXT NOT NULL DEFAULT '',
    burnDuration INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (ownerUserID, conversationID)
  ) STRICT`,
  `CREATE TABLE listTotals (
    list TEXT NOT NULL,
    owner TEXT NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (list, owner)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE usersReplaced (userID, appMangerLevel, gone)`,
  `CREATE TRIGGER usersReplacedUncount AFTER UPDATE ON usersReplaced BEGIN
      INSERT INTO listTotals (list, owner, total) SELECT 'notificationAccounts', '', -1 WHERE OLD.appMangerLevel >= 3 ON CONFLICT DO UPDATE SET total = total + excluded.total;
    END`,
  `CREATE TRIGGER usersBeforeInsert BEFORE INSERT ON users
    WHEN EXISTS (SELECT 1 FROM users WHERE userID = NEW.userID) BEGIN
      DELETE FROM usersReplaced;
      INSERT INTO usersReplaced SELECT userID, appMangerLevel, 0 FROM users WHERE userID = NEW.userID;
    END`,
  `CREATE TRIGGER usersBeforeUpdate BEFORE UPDATE OF userID ON users
    WHEN (OLD.userID IS NOT NEW.userID) AND EXISTS (SELECT 1 FROM users WHERE userID = NEW.userID) BEGIN
      DELETE FROM usersReplaced;
      INSERT INTO usersReplaced SELECT userID, appMangerLevel, 0 FROM users WHERE userID = NEW.userID;
    END`,
  `CREATE TRIGGER usersAfterInsert AFTER INSERT ON users
    BEGIN
      UPDATE usersReplaced SET gone = 1 WHERE userID = NEW.userID;
      DELETE FROM usersReplaced WHERE userID = NEW.userID;
      INSERT INTO listTotals (list, owner, total) SELECT 'notificationAccounts', '', +1 WHERE NEW.appMangerLevel >= 3 ON CONFLICT DO UPDATE SET total = total + excluded.total;
    END`,
  `CREATE TRIGGER usersAfterDelete AFTER DELETE ON users
    BEGIN
      DELETE FROM usersReplaced WHERE userID = OLD.userID;
      INSERT INTO listTotals (list, owner, total) SELECT 'notificationAccounts', '', -1 WHERE OLD.appMangerLevel >= 3 ON CONFLICT DO UPDATE SET total = total + excluded.total;
    END`,
  `CREATE TRIGGER usersAfterUpdate AFTER UPDATE OF userID, appMangerLevel ON users
    WHEN OLD.userID IS NOT NEW.userID OR OLD.appMangerLevel IS NOT NEW.appMangerLevel
    BEGIN
      DELETE FROM usersReplaced WHERE userID = OLD.userID;
      UPDATE usersReplaced SET gone = 1 WHERE userID = NEW.userID;
      DELETE FROM usersReplaced WHERE userID = NEW.userID;
      INSERT INTO listTotals (list, owner, total) SELECT 'notificationAccounts', '', -1 WHERE OLD.appMangerLevel >= 3 ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) SELECT 'notificationAccounts', '', +1 WHERE NEW.appMangerLevel >= 3 ON CONFLICT DO UPDATE SET total = total + excluded.total;
    END`,
  `CREATE TABLE groupMembersReplaced (groupID, userID, roleLevel, gone)`,
  `CREATE TRIGGER groupMembersReplacedUncount AFTER UPDATE ON groupMembersReplaced BEGIN
      INSERT INTO listTotals (list, owner, total) VALUES ('groupMembers', OLD.groupID, -1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) VALUES ('joinedGroups', OLD.userID, -1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) SELECT 'receivedGroupRequests', OLD.userID, -total FROM listTotals
        WHERE OLD.roleLevel IN (60, 100) AND list = 'groupRequests' AND owner = OLD.groupID ON CONFLICT DO UPDATE SET total = total + excluded.total;
    END`,
  `CREATE TRIGGER groupMembersBeforeInsert BEFORE INSERT ON groupMembers
    WHEN EXISTS (SELECT 1 FROM groupMembers WHERE groupID = NEW.groupID AND userID = NEW.userID) BEGIN
      DELETE FROM groupMembersReplaced;
      INSERT INTO groupMembersReplaced SELECT groupID, userID, roleLevel, 0 FROM groupMembers WHERE groupID = NEW.groupID AND userID = NEW.userID;
    END`,
  `CREATE TRIGGER groupMembersBeforeUpdate BEFORE UPDATE OF groupID, userID ON groupMembers
    WHEN (OLD.groupID IS NOT NEW.groupID OR OLD.userID IS NOT NEW.userID) AND EXISTS (SELECT 1 FROM groupMembers WHERE groupID = NEW.groupID AND userID = NEW.userID) BEGIN
      DELETE FROM groupMembersReplaced;
      INSERT INTO groupMembersReplaced SELECT groupID, userID, roleLevel, 0 FROM groupMembers WHERE groupID = NEW.groupID AND userID = NEW.userID;
    END`,
  `CREATE TRIGGER groupMembersAfterInsert AFTER INSERT ON groupMembers
    BEGIN
      UPDATE groupMembersReplaced SET gone = 1 WHERE groupID = NEW.groupID AND userID = NEW.userID;
      DELETE FROM groupMembersReplaced WHERE groupID = NEW.groupID AND userID = NEW.userID;
      INSERT INTO listTotals (list, owner, total) VALUES ('groupMembers', NEW.groupID, +1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) VALUES ('joinedGroups', NEW.userID, +1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) SELECT 'receivedGroupRequests', NEW.userID, +total FROM listTotals
        WHERE NEW.roleLevel IN (60, 100) AND list = 'groupRequests' AND owner = NEW.groupID ON CONFLICT DO UPDATE SET total = total + excluded.total;
    END`,
  `CREATE TRIGGER groupMembersAfterDelete AFTER DELETE ON groupMembers
    BEGIN
      DELETE FROM groupMembersReplaced WHERE groupID = OLD.groupID AND userID = OLD.userID;
      INSERT INTO listTotals (list, owner, total) VALUES ('groupMembers', OLD.groupID, -1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) VALUES ('joinedGroups', OLD.userID, -1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) SELECT 'receivedGroupRequests', OLD.userID, -total FROM listTotals
        WHERE OLD.roleLevel IN (60, 100) AND list = 'groupRequests' AND owner = OLD.groupID ON CONFLICT DO UPDATE SET total = total + excluded.total;
    END`,
  `CREATE TRIGGER groupMembersAfterUpdate AFTER UPDATE OF groupID, userID, roleLevel ON groupMembers
    WHEN OLD.groupID IS NOT NEW.groupID OR OLD.userID IS NOT NEW.userID OR OLD.roleLevel IS NOT NEW.roleLevel
    BEGIN
      DELETE FROM groupMembersReplaced WHERE groupID = OLD.groupID AND userID = OLD.userID;
      UPDATE groupMembersReplaced SET gone = 1 WHERE groupID = NEW.groupID AND userID = NEW.userID;
      DELETE FROM groupMembersReplaced WHERE groupID = NEW.groupID AND userID = NEW.userID;
      INSERT INTO listTotals (list, owner, total) VALUES ('groupMembers', OLD.groupID, -1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) VALUES ('joinedGroups', OLD.userID, -1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) SELECT 'receivedGroupRequests', OLD.userID, -total FROM listTotals
        WHERE OLD.roleLevel IN (60, 100) AND list = 'groupRequests' AND owner = OLD.groupID ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) VALUES ('groupMembers', NEW.groupID, +1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) VALUES ('joinedGroups', NEW.userID, +1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) SELECT 'receivedGroupRequests', NEW.userID, +total FROM listTotals
        WHERE NEW.roleLevel IN (60, 100) AND list = 'groupRequests' AND owner = NEW.groupID ON CONFLICT DO UPDATE SET total = total + excluded.total;
    END`,
  `CREATE TABLE blacksReplaced (ownerUserID, blackUserID, gone)`,
  `CREATE TRIGGER blacksReplacedUncount AFTER UPDATE ON blacksReplaced BEGIN
      INSERT INTO listTotals (list, owner, total) VALUES ('blacks', OLD.ownerUserID, -1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
    END`,
  `CREATE TRIGGER blacksBeforeInsert BEFORE INSERT ON blacks
    WHEN EXISTS (SELECT 1 FROM blacks WHERE ownerUserID = NEW.ownerUserID AND blackUserID = NEW.blackUserID) BEGIN
      DELETE FROM blacksReplaced;
      INSERT INTO blacksReplaced SELECT ownerUserID, blackUserID, 0 FROM blacks WHERE ownerUserID = NEW.ownerUserID AND blackUserID = NEW.blackUserID;
    END`,
  `CREATE TRIGGER blacksBeforeUpdate BEFORE UPDATE OF ownerUserID, blackUserID ON blacks
    WHEN (OLD.ownerUserID IS NOT NEW.ownerUserID OR OLD.blackUserID IS NOT NEW.blackUserID) AND EXISTS (SELECT 1 FROM blacks WHERE ownerUserID = NEW.ownerUserID AND blackUserID = NEW.blackUserID) BEGIN
      DELETE FROM blacksReplaced;
      INSERT INTO blacksReplaced SELECT ownerUserID, blackUserID, 0 FROM blacks WHERE ownerUserID = NEW.ownerUserID AND blackUserID = NEW.blackUserID;
    END`,
  `CREATE TRIGGER blacksAfterInsert AFTER INSERT ON blacks
    BEGIN
      UPDATE blacksReplaced SET gone = 1 WHERE ownerUserID = NEW.ownerUserID AND blackUserID = NEW.blackUserID;
      DELETE FROM blacksReplaced WHERE ownerUserID = NEW.ownerUserID AND blackUserID = NEW.blackUserID;
      INSERT INTO listTotals (list, owner, total) VALUES ('blacks', NEW.ownerUserID, +1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
    END`,
  `CREATE TRIGGER blacksAfterDelete AFTER DELETE ON blacks
    BEGIN
      DELETE FROM blacksReplaced WHERE ownerUserID = OLD.ownerUserID AND blackUserID = OLD.blackUserID;
      INSERT INTO listTotals (list, owner, total) VALUES ('blacks', OLD.ownerUserID, -1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
    END`,
  `CREATE TRIGGER blacksAfterUpdate AFTER UPDATE OF ownerUserID, blackUserID ON blacks
    WHEN OLD.ownerUserID IS NOT NEW.ownerUserID OR OLD.blackUserID IS NOT NEW.blackUserID
    BEGIN
      DELETE FROM blacksReplaced WHERE ownerUserID = OLD.ownerUserID AND blackUserID = OLD.blackUserID;
      UPDATE blacksReplaced SET gone = 1 WHERE ownerUserID = NEW.ownerUserID AND blackUserID = NEW.blackUserID;
      DELETE FROM blacksReplaced WHERE ownerUserID = NEW.ownerUserID AND blackUserID = NEW.blackUserID;
      INSERT INTO listTotals (list, owner, total) VALUES ('blacks', OLD.ownerUserID, -1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) VALUES ('blacks', NEW.ownerUserID, +1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
    END`,
  `CREATE TABLE groupRequestsReplaced (groupID, userID, gone)`,
  `CREATE TRIGGER groupRequestsReplacedUncount AFTER UPDATE ON groupRequestsReplaced BEGIN
      INSERT INTO listTotals (list, owner, total) VALUES ('groupRequests', OLD.groupID, -1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) SELECT 'receivedGroupRequests', userID, -1 FROM groupMembers
        WHERE groupID = OLD.groupID AND roleLevel IN (60, 100) ON CONFLICT DO UPDATE SET total = total + excluded.total;
    END`,
  `CREATE TRIGGER groupRequestsBeforeInsert BEFORE INSERT ON groupRequests
    WHEN EXISTS (SELECT 1 FROM groupRequests WHERE groupID = NEW.groupID AND userID = NEW.userID) BEGIN
      DELETE FROM groupRequestsReplaced;
      INSERT INTO groupRequestsReplaced SELECT groupID, userID, 0 FROM groupRequests WHERE groupID = NEW.groupID AND userID = NEW.userID;
    END`,
  `CREATE TRIGGER groupRequestsBeforeUpdate BEFORE UPDATE OF groupID, userID ON groupRequests
    WHEN (OLD.groupID IS NOT NEW.groupID OR OLD.userID IS NOT NEW.userID) AND EXISTS (SELECT 1 FROM groupRequests WHERE groupID = NEW.groupID AND userID = NEW.userID) BEGIN
      DELETE FROM groupRequestsReplaced;
      INSERT INTO groupRequestsReplaced SELECT groupID, userID, 0 FROM groupRequests WHERE groupID = NEW.groupID AND userID = NEW.userID;
    END`,
  `CREATE TRIGGER groupRequestsAfterInsert AFTER INSERT ON groupRequests
    BEGIN
      UPDATE groupRequestsReplaced SET gone = 1 WHERE groupID = NEW.groupID AND userID = NEW.userID;
      DELETE FROM groupRequestsReplaced WHERE groupID = NEW.groupID AND userID = NEW.userID;
      INSERT INTO listTotals (list, owner, total) VALUES ('groupRequests', NEW.groupID, +1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) SELECT 'receivedGroupRequests', userID, +1 FROM groupMembers
        WHERE groupID = NEW.groupID AND roleLevel IN (60, 100) ON CONFLICT DO UPDATE SET total = total + excluded.total;
    END`,
  `CREATE TRIGGER groupRequestsAfterDelete AFTER DELETE ON groupRequests
    BEGIN
      DELETE FROM groupRequestsReplaced WHERE groupID = OLD.groupID AND userID = OLD.userID;
      INSERT INTO listTotals (list, owner, total) VALUES ('groupRequests', OLD.groupID, -1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) SELECT 'receivedGroupRequests', userID, -1 FROM groupMembers
        WHERE groupID = OLD.groupID AND roleLevel IN (60, 100) ON CONFLICT DO UPDATE SET total = total + excluded.total;
    END`,
  `CREATE TRIGGER groupRequestsAfterUpdate AFTER UPDATE OF groupID, userID ON groupRequests
    WHEN OLD.groupID IS NOT NEW.groupID OR OLD.userID IS NOT NEW.userID
    BEGIN
      DELETE FROM groupRequestsReplaced WHERE groupID = OLD.groupID AND userID = OLD.userID;
      UPDATE groupRequestsReplaced SET gone = 1 WHERE groupID = NEW.groupID AND userID = NEW.userID;
      DELETE FROM groupRequestsReplaced WHERE groupID = NEW.groupID AND userID = NEW.userID;
      INSERT INTO listTotals (list, owner, total) VALUES ('groupRequests', OLD.groupID, -1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) SELECT 'receivedGroupRequests', userID, -1 FROM groupMembers
        WHERE groupID = OLD.groupID AND roleLevel IN (60, 100) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) VALUES ('groupRequests', NEW.groupID, +1) ON CONFLICT DO UPDATE SET total = total + excluded.total;
      INSERT INTO listTotals (list, owner, total) SELECT 'receivedGroupRequests', userID, +1 FROM groupMembers
        WHERE groupID = NEW.groupID AND roleLevel IN (60, 100) ON CONFLICT DO UPDATE SET total = total + excluded.total;
    END`,
];
