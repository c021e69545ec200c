import type { ChatServer } from "./chatServer.js";

/** Mattermost 7.8. */
export const mattermost: ChatServer = {
  tables: `
    CREATE TYPE channel_type AS ENUM ('P', 'G', 'O', 'D');
    CREATE TABLE users (
      id varchar(26) PRIMARY KEY, createat bigint, updateat bigint, deleteat bigint, username varchar(64) UNIQUE,
      password varchar(128), authdata varchar(128) UNIQUE, authservice varchar(32), email varchar(128) UNIQUE,
      emailverified boolean, nickname varchar(64), firstname varchar(64), lastname varchar(64), roles varchar(256),
      allowmarketing boolean, props jsonb, notifyprops jsonb, lastpasswordupdate bigint, lastpictureupdate bigint,
      failedattempts integer, locale varchar(5), mfaactive boolean, mfasecret varchar(128), position varchar(128),
      timezone jsonb, remoteid varchar(26));
    CREATE INDEX idx_users_update_at ON users (updateat);
    CREATE INDEX idx_users_create_at ON users (createat);
    CREATE INDEX idx_users_delete_at ON users (deleteat);
    CREATE INDEX idx_users_nickname_lower_textpattern ON users (lower(nickname) text_pattern_ops);
    CREATE TABLE bots (
      userid varchar(26) PRIMARY KEY, description varchar(1024), ownerid varchar(190), createat bigint, updateat bigint,
      deleteat bigint, lasticonupdate bigint);
    CREATE TABLE channels (
      id varchar(26) PRIMARY KEY, createat bigint, updateat bigint, deleteat bigint, teamid varchar(26), type channel_type,
      displayname varchar(64), name varchar(64), header varchar(1024), purpose varchar(250), lastpostat bigint,
      totalmsgcount bigint, extraupdateat bigint, creatorid varchar(26), schemeid varchar(26), groupconstrained boolean,
      shared boolean, totalmsgcountroot bigint, lastrootpostat bigint DEFAULT 0, UNIQUE (name, teamid));
    CREATE INDEX idx_channels_update_at ON channels (updateat);
    CREATE INDEX idx_channels_delete_at ON channels (deleteat);
    CREATE INDEX idx_channels_team_id_type ON channels (teamid, type);
    CREATE TABLE channelmembers (
      channelid varchar(26) NOT NULL, userid varchar(26) NOT NULL, roles varchar(256), lastviewedat bigint, msgcount bigint,
      mentioncount bigint, notifyprops jsonb, lastupdateat bigint, schemeuser boolean, schemeadmin boolean,
      schemeguest boolean, mentioncountroot bigint, msgcountroot bigint, urgentmentioncount bigint,
      PRIMARY KEY (channelid, userid));
    CREATE INDEX idx_channelmembers_user_id_channel_id_last_viewed_at ON channelmembers (userid, channelid, lastviewedat);
    CREATE INDEX idx_channelmembers_channel_id_scheme_guest_user_id ON channelmembers (channelid, schemeguest, userid);
    CREATE TABLE channelmemberhistory (
      channelid varchar(26) NOT NULL, userid varchar(26) NOT NULL, jointime bigint NOT NULL, leavetime bigint,
      PRIMARY KEY (channelid, userid, jointime))`,
  shown: {
    userID: "u1",
    group: {
      groupID: "c1",
      introduction: "Books",
      notification: "Be kind",
      createTime: 1_700_000_000_000,
      creatorUserID: "u1",
    },
    member: { userID: "u1", appMangerLevel: 2 },
  },
  notes: ["groupMembers.joinTime: all times of public.channelmembers lie before 1980. Are they in milliseconds?"],
  steps: [
    {
      what: "the tables are filled",
      writes: `
        INSERT INTO users (id, createat, updateat, deleteat, username, nickname, roles) VALUES
          ('u1', 1, 1, 0, 'ann', 'Ann', 'system_admin system_user'), ('u2', 1, 1, 0, 'bob', '', 'system_user'),
          ('u3', 1, 1, 0, 'cid', 'Cid', 'system_user'), ('u4', 1, 1, 0, 'dan', '', 'system_user'),
          ('u5', 1, 1, 0, 'eve', 'Eve', 'system_user'), ('u6', 1, 1, 0, 'fay', '', 'system_user'),
          ('b1', 1, 1, 0, 'helper', '', 'system_user');
        INSERT INTO bots VALUES ('b1', 'Helps', 'u1', 1, 1, 0, 0);
        INSERT INTO channels (id, createat, updateat, deleteat, teamid, type, displayname, name, header, purpose, lastpostat,
            totalmsgcount, creatorid) VALUES
          ('c1', 1700000000000, 1, 0, 't1', 'O', 'Readers', 'readers', 'Be kind', 'Books', 0, 0, 'u1'),
          ('c2', 1700000000001, 1, 0, 't1', 'P', 'Staff', 'staff', '', '', 0, 0, 'u1'),
          ('d1', 1700000000002, 1, 0, '', 'D', '', 'u1__u2', '', '', 0, 0, 'u1'),
          ('g1', 1700000000003, 1, 0, '', 'G', 'ann, bob, cid', '5f7e', '', '', 0, 0, '');
        INSERT INTO channelmembers (channelid, userid, roles, lastviewedat, msgcount, schemeuser, schemeadmin, schemeguest) VALUES
          ('c1', 'u1', '', 0, 0, true, true, false), ('c1', 'u2', '', 0, 0, true, false, false),
          ('c1', 'u3', '', 0, 0, true, false, false), ('c1', 'u4', '', 0, 0, true, false, false),
          ('c1', 'u5', '', 0, 0, true, NULL, NULL), ('c1', 'b1', '', 0, 0, true, false, false),
          ('c2', 'u1', '', 0, 0, true, true, false), ('c2', 'u2', '', 0, 0, true, false, false),
          ('d1', 'u1', '', 0, 0, true, false, false), ('d1', 'u2', '', 0, 0, true, false, false),
          ('g1', 'u1', '', 0, 0, true, false, false), ('g1', 'u2', '', 0, 0, true, false, false),
          ('g1', 'u3', '', 0, 0, true, false, false);
        INSERT INTO channelmemberhistory (channelid, userid, jointime, leavetime) VALUES
          ('c1', 'u1', 1000, NULL), ('c1', 'u2', 500, 600), ('c1', 'u2', 3000, NULL), ('c1', 'u3', 2000, NULL),
          ('c1', 'u5', 4000, NULL), ('c1', 'b1', 5000, NULL), ('c2', 'u1', 6000, NULL), ('c2', 'u2', 6000, NULL),
          ('d1', 'u1', 7000, NULL), ('d1', 'u2', 7000, NULL), ('g1', 'u1', 8000, NULL), ('g1', 'u2', 8000, NULL),
          ('g1', 'u3', 8000, NULL)`,
      answers: {
        members: {
          c1: [
            "u1 / Ann / 60 / 1000",
            "u4 / dan / 20 / 0",
            "u3 / Cid / 20 / 2000",
            "u2 / bob / 20 / 3000",
            "u5 / Eve / 20 / 4000",
            "b1 / helper / 20 / 5000",
          ],
          "c1 E": ["u5 / Eve / 20 / 4000", "b1 / helper / 20 / 5000"],
          c2: ["u1 / Ann / 60 / 6000", "u2 / bob / 20 / 6000"],
          d1: null,
          g1: null,
        },
        joined: {
          u1: ["c2 / Staff / 2 / 0 / ", "c1 / Readers / 6 / 0 / "],
          u3: ["c1 / Readers / 6 / 0 / "],
          u6: [],
          u9: null,
        },
        blacks: { u1: [] },
        requests: { u1: [] },
        accounts: { "": ["b1 / helper"], HELP: ["b1 / helper"], ann: [] },
      },
    },
    {
      what: "users post, read and set their status",
      writes: `
        UPDATE channels SET lastpostat = 9000, totalmsgcount = totalmsgcount + 1, updateat = 9000 WHERE id = 'c1';
        UPDATE channelmembers SET lastviewedat = 9000, msgcount = 1 WHERE channelid = 'c1' AND userid IN ('u1', 'u2');
        UPDATE users SET props = '{"customStatus": ""}', updateat = 9000 WHERE id = 'u1'`,
      answers: {},
    },
    {
      what: "a user joins, and another one leaves",
      writes: `
        INSERT INTO channelmembers (channelid, userid, roles, lastviewedat, msgcount, schemeuser, schemeadmin, schemeguest)
          VALUES ('c1', 'u6', '', 0, 0, true, false, false);
        INSERT INTO channelmemberhistory (channelid, userid, jointime) VALUES ('c1', 'u6', 9000);
        DELETE FROM channelmembers WHERE channelid = 'c1' AND userid = 'u3';
        UPDATE channelmemberhistory SET leavetime = 9000 WHERE userid = 'u3' AND channelid = 'c1' AND leavetime IS NULL`,
      answers: {
        members: {
          c1: [
            "u1 / Ann / 60 / 1000",
            "u4 / dan / 20 / 0",
            "u2 / bob / 20 / 3000",
            "u5 / Eve / 20 / 4000",
            "b1 / helper / 20 / 5000",
            "u6 / fay / 20 / 9000",
          ],
        },
        joined: { u3: [], u6: ["c1 / Readers / 6 / 0 / "] },
      },
    },
    {
      what: "a member becomes an administrator, a user takes another name, and an account is deactivated",
      writes: `
        UPDATE channelmembers SET roles = '', notifyprops = '{}', lastupdateat = 9100, schemeuser = true, schemeadmin = true,
          schemeguest = false WHERE channelid = 'c1' AND userid = 'u6';
        UPDATE users SET updateat = 9100, nickname = 'Bobby', username = 'bob' WHERE id = 'u2';
        UPDATE users SET updateat = 9100, deleteat = 9100 WHERE id = 'u5'`,
      answers: {
        members: {
          c1: [
            "u1 / Ann / 60 / 1000",
            "u6 / fay / 60 / 9000",
            "u4 / dan / 20 / 0",
            "u2 / Bobby / 20 / 3000",
            "u5 / Eve / 20 / 4000",
            "b1 / helper / 20 / 5000",
          ],
          c2: ["u1 / Ann / 60 / 6000", "u2 / Bobby / 20 / 6000"],
        },
      },
    },
    {
      what: "a channel is archived and another one renamed, and a group message becomes a private channel",
      writes: `
        UPDATE channels SET deleteat = 9200, updateat = 9200 WHERE id = 'c2';
        UPDATE channels SET displayname = 'Book club', name = 'book-club', updateat = 9200 WHERE id = 'c1';
        UPDATE channels SET type = 'P', teamid = 't1', displayname = 'Trio', name = 'trio', updateat = 9200 WHERE id = 'g1'`,
      answers: {
        members: { g1: ["u1 / Ann / 20 / 8000", "u2 / Bobby / 20 / 8000", "u3 / Cid / 20 / 8000"] },
        joined: {
          u1: ["g1 / Trio / 3 / 0 / ", "c2 / Staff / 2 / 2 / ", "c1 / Book club / 6 / 0 / "],
          u3: ["g1 / Trio / 3 / 0 / "],
          u6: ["c1 / Book club / 6 / 0 / "],
        },
      },
    },
    {
      what: "a bot comes, and another one is disabled",
      writes: `
        INSERT INTO users (id, createat, updateat, deleteat, username, nickname, roles)
          VALUES ('b2', 1, 1, 0, 'news', '', 'system_user');
        INSERT INTO bots VALUES ('b2', 'Tells', 'u1', 1, 1, 0, 0);
        UPDATE users SET deleteat = 9300, updateat = 9300 WHERE id = 'b1';
        UPDATE bots SET deleteat = 9300, updateat = 9300 WHERE userid = 'b1'`,
      answers: { accounts: { "": ["b2 / news"], HELP: [] } },
    },
    {
      what: "a channel and a user are deleted for good",
      writes: `
        DELETE FROM channelmembers WHERE channelid = 'c1';
        DELETE FROM channels WHERE id = 'c1';
        DELETE FROM channelmembers WHERE userid = 'u2';
        DELETE FROM users WHERE id = 'u2'`,
      answers: {
        members: {
          c1: null,
          "c1 E": null,
          c2: ["u1 / Ann / 60 / 6000"],
          g1: ["u1 / Ann / 20 / 8000", "u3 / Cid / 20 / 8000"],
        },
        joined: { u1: ["g1 / Trio / 2 / 0 / ", "c2 / Staff / 1 / 2 / "], u3: ["g1 / Trio / 2 / 0 / "], u6: [] },
      },
    },
  ],
};
