import type { ChatServer } from "./chatServer.js";

/** Users whom a user has blocked from the beginning. */
const guests = ["11 / Guest / 0", "12 / Guest / 0", "13 / Guest / 0", "14 / Guest / 0", "15 / Guest / 0"];

/** Tinode 0.25. */
export const tinode: ChatServer = {
  tables: `
    CREATE TABLE users (
      id bigint NOT NULL PRIMARY KEY, createdat timestamp(3) NOT NULL, updatedat timestamp(3) NOT NULL,
      state smallint NOT NULL DEFAULT 0, stateat timestamp(3), access json, lastseen timestamp, useragent varchar(255) DEFAULT '',
      public json, trusted json, tags json);
    CREATE INDEX users_state_stateat ON users (state, stateat);
    CREATE INDEX users_lastseen_updatedat ON users (lastseen, updatedat);
    CREATE TABLE topics (
      id serial NOT NULL PRIMARY KEY, createdat timestamp(3) NOT NULL, updatedat timestamp(3) NOT NULL,
      state smallint NOT NULL DEFAULT 0, stateat timestamp(3), touchedat timestamp(3), name varchar(25) NOT NULL,
      usebt boolean DEFAULT false, owner bigint NOT NULL DEFAULT 0, access json, seqid integer NOT NULL DEFAULT 0,
      delid integer DEFAULT 0, subcnt integer DEFAULT 0, public json, trusted json, tags json, aux json);
    CREATE UNIQUE INDEX topics_name ON topics (name);
    CREATE INDEX topics_owner ON topics (owner);
    CREATE INDEX topics_state_stateat ON topics (state, stateat);
    CREATE INDEX topics_name_state_seqid ON topics (name, state, seqid);
    CREATE TABLE subscriptions (
      id serial NOT NULL PRIMARY KEY, createdat timestamp(3) NOT NULL, updatedat timestamp(3) NOT NULL, deletedat timestamp(3),
      userid bigint NOT NULL REFERENCES users (id), topic varchar(25) NOT NULL, delid integer DEFAULT 0,
      recvseqid integer DEFAULT 0, readseqid integer DEFAULT 0, modewant varchar(8), modegiven varchar(8), private json);
    CREATE UNIQUE INDEX subscriptions_topic_userid ON subscriptions (topic, userid);
    CREATE INDEX subscriptions_topic ON subscriptions (topic);
    CREATE INDEX subscriptions_deletedat ON subscriptions (deletedat);
    CREATE INDEX subscriptions_userid_topic_deletedat ON subscriptions (userid, topic, deletedat)`,
  shown: {
    userID: "1",
    group: {
      groupID: "grpReaders",
      introduction: "Books",
      faceURL: "/v0/file/s/readers.jpg",
      createTime: 1_704_067_200_000,
    },
    member: { userID: "1", faceURL: "/v0/file/s/ann.jpg" },
  },
  steps: [
    {
      what: "the tables are filled",
      writes: `
        INSERT INTO users (id, createdat, updatedat, state, access, public, tags) VALUES
          (1, '2024-01-01', '2024-01-01', 0, '{}', '{"fn": "Ann", "photo": {"ref": "/v0/file/s/ann.jpg"}}', '[]'),
          (2, '2024-01-01', '2024-01-01', 0, '{}', '{"fn": "Bob"}', '[]'), (3, '2024-01-01', '2024-01-01', 0, '{}', 'null', '[]'),
          (4, '2024-01-01', '2024-01-01', 0, '{}', '{"fn": "Dan"}', NULL), (5, '2024-01-01', '2024-01-01', 0, '{}', NULL, NULL),
          (6, '2024-01-01', '2024-01-01', 0, '{}', '"Fay"', NULL);
        INSERT INTO topics (createdat, updatedat, touchedat, state, name, usebt, owner, access, public) VALUES
          ('2024-01-01', '2024-01-01', '2024-01-01', 0, 'sys', false, 0, '{"Auth": "N", "Anon": "N"}', '{"fn": "System"}'),
          ('2024-01-01', '2024-01-01', '2024-01-01', 0, 'grpReaders', true, 1, '{"Auth": "JRWPS", "Anon": "N"}',
            '{"fn": "Readers", "note": "Books", "photo": {"ref": "/v0/file/s/readers.jpg"}}'),
          ('2024-01-02', '2024-01-02', '2024-01-02', 0, 'grpStaff', false, 2, '{"Auth": "N", "Anon": "N"}', '{"fn": "Staff"}'),
          ('2024-01-02', '2024-01-02', '2024-01-02', 0, 'p2pAnnBob', false, 0, '{}', NULL),
          ('2024-01-02', '2024-01-02', '2024-01-02', 0, 'p2pAnnDan', false, 0, '{}', NULL);
        ${subscribe(1, "grpReaders", "JRWPASDO", "JRWPASDO", "2024-01-01")}
        ${subscribe(2, "grpReaders", "JRWPS", "JRWPAS", "2024-01-02")}
        ${subscribe(3, "grpReaders", "JRWPAS", "JRWPAS", "2024-01-04")}
        ${subscribe(4, "grpReaders", "JRWPS", "JRWPS", "2024-01-03")}
        ${subscribe(5, "grpReaders", "JRWPS", "JRWPS", "2024-01-02")}
        ${subscribe(6, "chnReaders", "JRP", "JRP", "2024-01-02")}
        ${subscribe(2, "grpStaff", "JRWPASDO", "JRWPASDO", "2024-01-02")}
        ${subscribe(1, "grpStaff", "JRWPS", "JRWPS", "2024-01-02")}
        ${subscribe(1, "p2pAnnBob", "JRWPA", "JRWPA", "2024-01-02")}
        ${subscribe(2, "p2pAnnBob", "RWA", "JRWPA", "2024-01-02")}
        ${subscribe(1, "p2pAnnDan", "JRWPA", "JRWPA", "2024-01-02")}
        ${subscribe(4, "p2pAnnDan", "JRWPA", "JRWPA", "2024-01-02")}
        INSERT INTO users (id, createdat, updatedat, public)
          SELECT n, '2024-01-01', '2024-01-01', '{"fn": "Guest"}' FROM generate_series(11, 15) n;
        INSERT INTO subscriptions (createdat, updatedat, userid, topic, modewant, modegiven)
          SELECT '2024-01-02', '2024-01-02', users.id, 'p2pAnn' || n, CASE users.id WHEN 1 THEN 'RWA' ELSE 'JRWPA' END, 'JRWPA'
            FROM generate_series(11, 15) n JOIN users ON users.id IN (1, n)`,
      answers: {
        members: {
          grpReaders: [
            "1 / Ann / 100 / 1704067200000",
            "3 /  / 60 / 1704326400000",
            "2 / Bob / 20 / 1704153600000",
            "5 /  / 20 / 1704153600000",
            "4 / Dan / 20 / 1704240000000",
          ],
          "grpReaders AN": ["1 / Ann / 100 / 1704067200000", "4 / Dan / 20 / 1704240000000"],
          grpStaff: ["2 / Bob / 100 / 1704153600000", "1 / Ann / 20 / 1704153600000"],
          p2pAnnBob: null,
          chnReaders: null,
        },
        joined: {
          "1": ["grpStaff / Staff / 2 / 0 / 2", "grpReaders / Readers / 5 / 0 / 1"],
          "6": [],
        },
        blacks: { "1": guests, "2": ["1 / Ann / 0"] },
        requests: { "1": [] },
        accounts: { "": [] },
      },
    },
    {
      what: "users post and read",
      writes: `
        UPDATE topics SET seqid = 1, touchedat = '2024-02-01' WHERE name = 'grpReaders';
        UPDATE subscriptions SET readseqid = 1, recvseqid = 1, updatedat = '2024-02-01' WHERE topic = 'grpReaders' AND userid = 1;
        UPDATE subscriptions SET readseqid = 1, recvseqid = 1, updatedat = '2024-02-01' WHERE topic = 'p2pAnnBob' AND userid = 2;
        UPDATE users SET lastseen = '2024-02-01', useragent = 'Tinode' WHERE id = 1`,
      answers: {},
    },
    {
      what: "a user joins, one leaves, one is banned, one bans the topic, and one becomes an administrator",
      writes: `
        ${subscribe(6, "grpReaders", "JRWPS", "JRWPS", "2024-02-02")}
        UPDATE topics SET subcnt = subcnt + 1 WHERE name = 'grpReaders';
        UPDATE subscriptions SET updatedat = '2024-02-02', deletedat = '2024-02-02' WHERE topic = 'grpReaders' AND userid = 5;
        UPDATE subscriptions SET modegiven = 'N', updatedat = '2024-02-02' WHERE topic = 'grpReaders' AND userid = 4;
        UPDATE subscriptions SET modewant = 'RWP', updatedat = '2024-02-02' WHERE topic = 'grpStaff' AND userid = 1;
        UPDATE subscriptions SET modewant = 'JRWPAS', updatedat = '2024-02-02' WHERE topic = 'grpReaders' AND userid = 2`,
      answers: {
        members: {
          grpReaders: [
            "1 / Ann / 100 / 1704067200000",
            "2 / Bob / 60 / 1704153600000",
            "3 /  / 60 / 1704326400000",
            "6 /  / 20 / 1706832000000",
          ],
          "grpReaders AN": ["1 / Ann / 100 / 1704067200000"],
          grpStaff: ["2 / Bob / 100 / 1704153600000"],
        },
        joined: { "1": ["grpReaders / Readers / 4 / 0 / 1"], "6": ["grpReaders / Readers / 4 / 0 / 1"] },
      },
    },
    {
      what: "the user who left comes back, and the topic gets another owner",
      writes: `
        UPDATE subscriptions SET createdat = '2024-02-03', updatedat = '2024-02-03', deletedat = NULL, modewant = 'JRWPS',
          modegiven = 'JRWPS', delid = 0, recvseqid = 0, readseqid = 0 WHERE topic = 'grpReaders' AND userid = 5;
        UPDATE subscriptions SET modewant = 'JRWPASDO', modegiven = 'JRWPASDO' WHERE topic = 'grpReaders' AND userid = 3;
        UPDATE subscriptions SET modewant = 'JRWPASD', modegiven = 'JRWPASD' WHERE topic = 'grpReaders' AND userid = 1;
        UPDATE topics SET owner = 3 WHERE name = 'grpReaders'`,
      answers: {
        members: {
          grpReaders: [
            "3 /  / 100 / 1704326400000",
            "1 / Ann / 60 / 1704067200000",
            "2 / Bob / 60 / 1704153600000",
            "6 /  / 20 / 1706832000000",
            "5 /  / 20 / 1706918400000",
          ],
          "grpReaders AN": ["1 / Ann / 60 / 1704067200000"],
        },
        joined: { "1": ["grpReaders / Readers / 5 / 0 / 3"], "6": ["grpReaders / Readers / 5 / 0 / 3"] },
      },
    },
    {
      what: "users block others, and one blocks no longer",
      writes: `
        UPDATE subscriptions SET modewant = 'RWA', updatedat = '2024-03-01' WHERE topic = 'p2pAnnDan' AND userid = 1;
        UPDATE subscriptions SET modewant = 'RWA', updatedat = '2024-03-02' WHERE topic = 'p2pAnnBob' AND userid = 1;
        UPDATE subscriptions SET modewant = 'JRWPA', updatedat = '2024-03-02' WHERE topic = 'p2pAnnBob' AND userid = 2`,
      answers: { blacks: { "1": [...guests, "2 / Bob / 0", "4 / Dan / 0"], "2": [] } },
    },
    {
      what: "users take other names, also one that PostgreSQL cannot read",
      writes: `
        UPDATE users SET public = '{"fn": "Anna"}', updatedat = '2024-03-03' WHERE id = 1;
        UPDATE users SET public = '{"fn": "B\\u0000b"}', updatedat = '2024-03-03' WHERE id = 2;
        UPDATE topics SET public = '{"fn": "Book club"}', updatedat = '2024-03-03' WHERE name = 'grpReaders'`,
      answers: {
        members: {
          grpReaders: [
            "3 /  / 100 / 1704326400000",
            "1 / Anna / 60 / 1704067200000",
            "2 /  / 60 / 1704153600000",
            "6 /  / 20 / 1706832000000",
            "5 /  / 20 / 1706918400000",
          ],
          "grpReaders AN": ["1 / Anna / 60 / 1704067200000"],
          grpStaff: ["2 /  / 100 / 1704153600000"],
        },
        joined: { "1": ["grpReaders / Book club / 5 / 0 / 3"], "6": ["grpReaders / Book club / 5 / 0 / 3"] },
        blacks: { "1": [...guests, "2 /  / 0", "4 / Dan / 0"] },
      },
    },
    {
      what: "a user is deleted for good",
      writes: `
        DELETE FROM subscriptions WHERE userid = 4;
        DELETE FROM users WHERE id = 4`,
      answers: { blacks: { "1": [...guests, "2 /  / 0"] } },
    },
    {
      what: "a topic is suspended, and one is deleted",
      writes: `
        UPDATE topics SET state = 10, stateat = '2024-03-04', updatedat = '2024-03-04' WHERE name = 'grpReaders';
        DELETE FROM subscriptions WHERE topic = 'grpStaff';
        DELETE FROM topics WHERE name = 'grpStaff'`,
      answers: {
        members: { grpStaff: null },
        joined: { "1": ["grpReaders / Book club / 5 / 1 / 3"], "6": ["grpReaders / Book club / 5 / 1 / 3"] },
      },
    },
  ],
};

function subscribe(user: number, topic: string, want: string, given: string, time: string): string {
  return `
    INSERT INTO subscriptions (createdat, updatedat, deletedat, userid, topic, modewant, modegiven, private)
      VALUES ('${time}', '${time}', NULL, ${user}, '${topic}', '${want}', '${given}', NULL);`;
}
