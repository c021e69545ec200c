/**
 * The tables that a store is made of. They are documented in the README: whoever writes them with own SQL finds the
 * same checks here that `put` makes, as far as an order or a total depends on them.
 *
 * No foreign keys: members, requests and entries may name a user or a group that is not there (yet, or any more).
 * Rows that lists name have an `id` of their own, because VACUUM may change a rowid that is no column. Users are kept
 * by userID alone: each page looks up many of them, and finds each in one search instead of two.
 */
const time = "INTEGER NOT NULL DEFAULT 0 CHECK";
const times = "BETWEEN 0 AND 9999999999999999";
const text = "TEXT NOT NULL DEFAULT ''";
const integer = "INTEGER NOT NULL DEFAULT 0";
const id = "id INTEGER PRIMARY KEY CHECK (id > 0)";

export const tables = [
  `CREATE TABLE users (
    userID TEXT NOT NULL PRIMARY KEY CHECK (userID <> ''),
    nickname ${text},
    faceURL ${text},
    ex ${text},
    appMangerLevel ${integer}
  ) STRICT, WITHOUT ROWID`,

  `CREATE TABLE groups (
    groupID TEXT NOT NULL PRIMARY KEY CHECK (groupID <> ''),
    groupName ${text},
    notification ${text},
    introduction ${text},
    faceURL ${text},
    createTime ${time} (createTime ${times}),
    ex ${text},
    status ${integer},
    creatorUserID ${text},
    groupType ${integer},
    needVerification ${integer},
    lookMemberInfo ${integer},
    applyMemberFriend ${integer},
    notificationUpdateTime ${time} (notificationUpdateTime ${times}),
    notificationUserID ${text}
  ) STRICT`,

  `CREATE TABLE groupMembers (
    ${id},
    groupID TEXT NOT NULL CHECK (groupID <> ''),
    userID TEXT NOT NULL CHECK (userID <> ''),
    roleLevel INTEGER NOT NULL DEFAULT 0 CHECK (roleLevel BETWEEN 0 AND 999),
    joinTime ${time} (joinTime ${times}),
    nickname ${text},
    faceURL ${text},
    joinSource ${integer},
    operatorUserID ${text},
    ex ${text},
    muteEndTime ${time} (muteEndTime ${times}),
    inviterUserID ${text},
    UNIQUE (groupID, userID)
  ) STRICT`,

  `CREATE TABLE blacks (
    ${id},
    ownerUserID TEXT NOT NULL CHECK (ownerUserID <> ''),
    blackUserID TEXT NOT NULL CHECK (blackUserID <> ''),
    createTime ${time} (createTime ${times}),
    addSource ${integer},
    operatorUserID ${text},
    ex ${text},
    UNIQUE (ownerUserID, blackUserID)
  ) STRICT`,

  `CREATE TABLE groupRequests (
    ${id},
    groupID TEXT NOT NULL CHECK (groupID <> ''),
    userID TEXT NOT NULL CHECK (userID <> ''),
    handleResult ${integer},
    reqMsg ${text},
    handleMsg ${text},
    reqTime ${time} (reqTime ${times}),
    handleUserID ${text},
    handleTime ${time} (handleTime ${times}),
    ex ${text},
    joinSource ${integer},
    inviterUserID ${text},
    UNIQUE (groupID, userID)
  ) STRICT`,

  `CREATE TABLE conversations (
    ownerUserID TEXT NOT NULL CHECK (ownerUserID <> ''),
    conversationID TEXT NOT NULL CHECK (conversationID <> ''),
    conversationType ${integer},
    userID ${text},
    groupID ${text},
    recvMsgOpt ${integer},
    attachedInfo ${text},
    isPinned INTEGER NOT NULL DEFAULT 0 CHECK (isPinned IN (0, 1)),
    isPrivateChat INTEGER NOT NULL DEFAULT 0 CHECK (isPrivateChat IN (0, 1)),
    ex ${text},
    burnDuration ${integer},
    PRIMARY KEY (ownerUserID, conversationID)
  ) STRICT`,
];
