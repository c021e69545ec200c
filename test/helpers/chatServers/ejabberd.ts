import type { ChatServer } from "./chatServer.js";

/** Contacts whom a user blocks all the time. */
const guests: Item[] = [
  ["j", "g1@other.example", "d"],
  ["j", "g2@other.example", "d"],
  ["j", "g3@other.example", "d"],
];
const shownGuests = ["g1@other.example /  / 0", "g2@other.example /  / 0", "g3@other.example /  / 0"];

/** ejabberd 26.07, with its schema for several hosts. */
export const ejabberd: ChatServer = {
  tables: `
    CREATE TABLE users (
      username text NOT NULL, server_host text NOT NULL, type smallint NOT NULL, password text NOT NULL,
      serverkey text NOT NULL DEFAULT '', salt text NOT NULL DEFAULT '', iterationcount integer NOT NULL DEFAULT 0,
      created_at timestamp NOT NULL DEFAULT now(), PRIMARY KEY (server_host, username, type));
    CREATE TABLE vcard_search (
      username text NOT NULL, lusername text NOT NULL, server_host text NOT NULL, fn text NOT NULL, lfn text NOT NULL,
      family text NOT NULL, lfamily text NOT NULL, given text NOT NULL, lgiven text NOT NULL, middle text NOT NULL,
      lmiddle text NOT NULL, nickname text NOT NULL, lnickname text NOT NULL, bday text NOT NULL, lbday text NOT NULL,
      ctry text NOT NULL, lctry text NOT NULL, locality text NOT NULL, llocality text NOT NULL, email text NOT NULL,
      lemail text NOT NULL, orgname text NOT NULL, lorgname text NOT NULL, orgunit text NOT NULL, lorgunit text NOT NULL,
      PRIMARY KEY (server_host, lusername));
    CREATE INDEX i_vcard_search_sh_lfn ON vcard_search (server_host, lfn);
    CREATE INDEX i_vcard_search_sh_lnickname ON vcard_search (server_host, lnickname);
    CREATE TABLE privacy_default_list (
      username text NOT NULL, server_host text NOT NULL, name text NOT NULL, PRIMARY KEY (server_host, username));
    CREATE TABLE privacy_list (
      username text NOT NULL, server_host text NOT NULL, name text NOT NULL, id bigserial UNIQUE,
      created_at timestamp NOT NULL DEFAULT now());
    CREATE UNIQUE INDEX i_privacy_list_sh_username_name ON privacy_list (server_host, username, name);
    CREATE TABLE privacy_list_data (
      id bigint REFERENCES privacy_list (id) ON DELETE CASCADE, t character(1) NOT NULL, value text NOT NULL,
      action character(1) NOT NULL, ord numeric NOT NULL, match_all boolean NOT NULL, match_iq boolean NOT NULL,
      match_message boolean NOT NULL, match_presence_in boolean NOT NULL, match_presence_out boolean NOT NULL);
    CREATE INDEX i_privacy_list_data_id ON privacy_list_data (id);
    CREATE TABLE muc_room (
      name text NOT NULL, host text NOT NULL, server_host text NOT NULL, opts text NOT NULL,
      created_at timestamp NOT NULL DEFAULT now());
    CREATE UNIQUE INDEX i_muc_room_name_host ON muc_room (name, host);
    CREATE INDEX i_muc_room_host_created_at ON muc_room (host, created_at);
    CREATE TABLE muc_room_subscribers (
      room text NOT NULL, host text NOT NULL, jid text NOT NULL, nick text NOT NULL, nodes text NOT NULL,
      created_at timestamp NOT NULL DEFAULT now());
    CREATE INDEX i_muc_room_subscribers_host_jid ON muc_room_subscribers (host, jid);
    CREATE INDEX i_muc_room_subscribers_jid ON muc_room_subscribers (jid);
    CREATE UNIQUE INDEX i_muc_room_subscribers_host_room_jid ON muc_room_subscribers (host, room, jid)`,
  shown: {
    userID: "ann@example.org",
    group: { groupID: "readers@conference.example.org", groupName: "Readers" },
    member: { userID: "ann@example.org", joinTime: 1_704_067_200_000 },
  },
  steps: [
    {
      what: "the tables are filled",
      writes: `
        INSERT INTO users (username, server_host, type, password) VALUES ('ann', 'example.org', 2, ''), ('ann', 'example.org', 3, ''),
          ('bob', 'example.org', 1, ''), ('cid', 'example.org', 3, ''), ('dan', 'example.org', 3, ''), ('ann', 'example.net', 3, '');
        ${card("ann", "Ann", "Annie")}
        ${card("bob", "Bob", "")}
        ${room("readers", "Readers", owner("ann"), admin("bob"), member("cid"))}
        ${room("staff", "", owner("bob"))}
        ${subscribe("readers", "ann", "Ann", "2024-01-01")}
        ${subscribe("readers", "bob", "Bob", "2024-01-02")}
        ${subscribe("readers", "cid", "Cid", "2024-01-04")}
        ${subscribe("readers", "dan", "Dan", "2024-01-03")}
        ${subscribe("readers", "far", "Far", "2024-01-03", "other.example")}
        ${subscribe("staff", "ann", "The boss", "2024-01-02")}
        ${newList("ann", "Blocked contacts")}
        ${items("ann", "Blocked contacts", ...guests, ["j", "cid@example.org", "d"], ["j", "dan@example.org", "d"])}
        ${newList("bob", "work")}
        ${items("bob", "work", ["j", "ann@example.org", "d"])}
        INSERT INTO privacy_default_list (username, server_host, name) VALUES ('ann', 'example.org', 'Blocked contacts')`,
      answers: {
        members: {
          "readers@conference.example.org": [
            "ann@example.org / Ann / 100 / 1704067200000",
            "bob@example.org / Bob / 60 / 1704153600000",
            "dan@example.org / Dan / 20 / 1704240000000",
            "far@other.example / Far / 20 / 1704240000000",
            "cid@example.org / Cid / 20 / 1704326400000",
          ],
          "readers@conference.example.org CID": ["cid@example.org / Cid / 20 / 1704326400000"],
          "staff@conference.example.org": ["ann@example.org / The boss / 20 / 1704153600000"],
          readers: null,
        },
        joined: {
          "ann@example.org": [
            "staff@conference.example.org / staff / 1 / 0 / ",
            "readers@conference.example.org / Readers / 5 / 0 / ann@example.org",
          ],
          "ann@example.net": [],
          "dan@example.org": ["readers@conference.example.org / Readers / 5 / 0 / ann@example.org"],
          "far@other.example": null,
        },
        blacks: {
          "ann@example.org": ["cid@example.org /  / 0", "dan@example.org /  / 0", ...shownGuests],
          "bob@example.org": [],
          "ann@example.net": [],
        },
        requests: { "ann@example.org": [] },
        accounts: { "": [] },
      },
    },
    {
      what: "a user subscribes, one unsubscribes, and one takes another nick",
      writes: `
        ${subscribe("staff", "bob", "Bob", "2024-02-01")}
        DELETE FROM muc_room_subscribers WHERE room = 'readers' AND host = 'conference.example.org' AND jid = 'far@other.example';
        ${subscribe("readers", "cid", "Cindy", "2024-02-01")}`,
      answers: {
        members: {
          "readers@conference.example.org": [
            "ann@example.org / Ann / 100 / 1704067200000",
            "bob@example.org / Bob / 60 / 1704153600000",
            "dan@example.org / Dan / 20 / 1704240000000",
            "cid@example.org / Cindy / 20 / 1704326400000",
          ],
          "readers@conference.example.org CID": ["cid@example.org / Cindy / 20 / 1704326400000"],
          "staff@conference.example.org": [
            "bob@example.org / Bob / 100 / 1706745600000",
            "ann@example.org / The boss / 20 / 1704153600000",
          ],
        },
        joined: {
          "ann@example.org": [
            "staff@conference.example.org / staff / 2 / 0 / bob@example.org",
            "readers@conference.example.org / Readers / 4 / 0 / ann@example.org",
          ],
          "dan@example.org": ["readers@conference.example.org / Readers / 4 / 0 / ann@example.org"],
        },
      },
    },
    {
      what: "affiliations and titles change",
      writes: `
        ${room("readers", "Book club", admin("ann"), owner("dan"), `{{<<"eve">>,<<"example.org">>,<<>>},outcast}`)}
        ${room("staff", '{{<<\\"ann\\">>,<<\\"example.org\\">>,<<>>},owner}', owner("bob"))}`,
      answers: {
        members: {
          "readers@conference.example.org": [
            "dan@example.org / Dan / 100 / 1704240000000",
            "ann@example.org / Ann / 60 / 1704067200000",
            "bob@example.org / Bob / 20 / 1704153600000",
            "cid@example.org / Cindy / 20 / 1704326400000",
          ],
        },
        joined: {
          "ann@example.org": [
            "staff@conference.example.org / staff / 2 / 0 / bob@example.org",
            "readers@conference.example.org / Book club / 4 / 0 / dan@example.org",
          ],
          "dan@example.org": ["readers@conference.example.org / Book club / 4 / 0 / dan@example.org"],
        },
      },
    },
    {
      what: "a user blocks and unblocks contacts, another one makes a list the default, and cards change",
      writes: `
        ${items("ann", "Blocked contacts", ...guests, ["j", "bob@example.org", "d"], ["j", "dan@example.org", "d"], ["j", "dan@example.org", "d"])}
        ${items("bob", "work", ["j", "cid@example.org", "a"], ["g", "Friends", "d"], ["j", "ann@example.org", "d"])}
        INSERT INTO privacy_default_list (username, server_host, name) VALUES ('bob', 'example.org', 'work')
          ON CONFLICT (username, server_host) DO UPDATE SET name = excluded.name;
        ${card("bob", "Bob", "Bobby")}
        ${card("dan", "Dan", "")}`,
      answers: {
        blacks: {
          "ann@example.org": ["bob@example.org / Bobby / 0", "dan@example.org / Dan / 0", ...shownGuests],
          "bob@example.org": ["ann@example.org / Annie / 0"],
        },
      },
    },
    {
      what: "an account gets another kind of password, one loses its older kind, and one is removed",
      writes: `
        UPDATE users SET type = 3, password = '' WHERE username = 'bob' AND type = 1 AND server_host = 'example.org';
        DELETE FROM users WHERE type = 3 AND username = 'ann' AND server_host = 'example.org';
        DELETE FROM users WHERE username = 'dan' AND server_host = 'example.org';
        DELETE FROM vcard_search WHERE lusername = 'dan' AND server_host = 'example.org'`,
      answers: {
        joined: { "dan@example.org": null },
        blacks: { "ann@example.org": ["bob@example.org / Bobby / 0", "dan@example.org /  / 0", ...shownGuests] },
      },
    },
    {
      what: "a room is forgotten, and all lists of a user are deleted",
      writes: `
        DELETE FROM muc_room WHERE name = 'readers' AND host = 'conference.example.org';
        DELETE FROM muc_room_subscribers WHERE room = 'readers' AND host = 'conference.example.org';
        DELETE FROM privacy_list WHERE username = 'ann' AND server_host = 'example.org';
        DELETE FROM privacy_default_list WHERE username = 'ann' AND server_host = 'example.org'`,
      answers: {
        members: { "readers@conference.example.org": null, "readers@conference.example.org CID": null },
        joined: { "ann@example.org": ["staff@conference.example.org / staff / 2 / 0 / bob@example.org"] },
        blacks: { "ann@example.org": [] },
      },
    },
  ],
};

function owner(user: string): string {
  return `{{<<"${user}">>,<<"example.org">>,<<>>},owner}`;
}

function admin(user: string): string {
  return `{{<<"${user}">>,<<"example.org">>,<<>>},{admin,<<>>}}`;
}

function member(user: string): string {
  return `{{<<"${user}">>,<<"example.org">>,<<>>},{member,<<"Reads a lot">>}}`;
}

/** Stores a room with its options, as a term of Erlang. */
function room(name: string, title: string, ...affiliations: string[]): string {
  const printed = title === "" ? "<<>>" : `<<"${title}">>`;
  const opts = `[{title,${printed}},{public,true},{persistent,true},{captcha_whitelist,[]},{affiliations,[${affiliations}]},{subject,[]}]`;
  return `
    INSERT INTO muc_room (name, host, server_host, opts, created_at)
      VALUES ('${name}', 'conference.example.org', 'example.org', '${opts}', '1970-01-02 00:00:00')
      ON CONFLICT (name, host) DO UPDATE SET server_host = excluded.server_host, opts = excluded.opts, created_at = excluded.created_at;`;
}

function subscribe(name: string, user: string, nick: string, time: string, host = "example.org"): string {
  return `
    INSERT INTO muc_room_subscribers (jid, host, room, nick, nodes, created_at)
      VALUES ('${user}@${host}', 'conference.example.org', '${name}', '${nick}', '[<<"urn:xmpp:mucsub:nodes:messages">>]', '${time}')
      ON CONFLICT (host, room, jid) DO UPDATE SET nick = excluded.nick, nodes = excluded.nodes;`;
}

function card(user: string, name: string, nickname: string): string {
  return `
    INSERT INTO vcard_search VALUES ('${user}', '${user}', 'example.org', '${name}', lower('${name}'), '', '', '', '', '', '',
        '${nickname}', lower('${nickname}'), '', '', '', '', '', '', '', '', '', '', '', '')
      ON CONFLICT (lusername, server_host) DO UPDATE SET fn = excluded.fn, lfn = excluded.lfn,
        nickname = excluded.nickname, lnickname = excluded.lnickname;`;
}

function newList(user: string, name: string): string {
  return `INSERT INTO privacy_list (username, server_host, name) VALUES ('${user}', 'example.org', '${name}');`;
}

type Item = [type: string, value: string, action: string];

/** Writes all items of a privacy list again. */
function items(user: string, name: string, ...rows: Item[]): string {
  const list = `(SELECT id FROM privacy_list WHERE username = '${user}' AND server_host = 'example.org' AND name = '${name}')`;
  const values = rows.map(
    ([type, value, action], index) =>
      `(${list}, '${type}', '${value}', '${action}', ${index}, true, false, false, false, false)`,
  );
  return `
    DELETE FROM privacy_list_data WHERE id = ${list};
    INSERT INTO privacy_list_data (id, t, value, action, ord, match_all, match_iq, match_message, match_presence_in,
      match_presence_out) VALUES ${values};`;
}
