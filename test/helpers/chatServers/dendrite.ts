import type { ChatServer } from "./chatServer.js";

const [readers, staff] = ["!readers:example.org", "!staff:example.org"];
const [ann, bob, dan] = ["@ann:example.org", "@bob:example.org", "@dan:example.org"];
const [far, eve] = ["@far:other.example", "@eve:other.example"];

/** Users whom a user ignores all the time. */
const guests = { "@g1:other.example": {}, "@g2:other.example": {}, "@g3:other.example": {} };
const shownGuests = ["@g1:other.example /  / 0", "@g2:other.example /  / 0", "@g3:other.example /  / 0"];

/** Dendrite 0.15. */
export const dendrite: ChatServer = {
  tables: `
    CREATE TABLE userapi_accounts (
      localpart text NOT NULL, server_name text NOT NULL, created_ts bigint NOT NULL, password_hash text, appservice_id text,
      is_deactivated boolean DEFAULT false, account_type smallint NOT NULL);
    CREATE UNIQUE INDEX userapi_accounts_idx ON userapi_accounts (localpart, server_name);
    CREATE TABLE userapi_profiles (localpart text NOT NULL, server_name text NOT NULL, display_name text, avatar_url text);
    CREATE UNIQUE INDEX userapi_profiles_idx ON userapi_profiles (localpart, server_name);
    CREATE SEQUENCE roomserver_room_nid_seq;
    CREATE TABLE roomserver_rooms (
      room_nid bigint PRIMARY KEY DEFAULT nextval('roomserver_room_nid_seq'),
      room_id text NOT NULL CONSTRAINT roomserver_room_id_unique UNIQUE, latest_event_nids bigint[] NOT NULL DEFAULT '{}',
      last_event_sent_nid bigint NOT NULL DEFAULT 0, state_snapshot_nid bigint NOT NULL DEFAULT 0, room_version text NOT NULL);
    CREATE TABLE syncapi_current_room_state (
      room_id text NOT NULL, event_id text NOT NULL, type text NOT NULL, sender text NOT NULL, contains_url boolean NOT NULL,
      state_key text NOT NULL, headered_event_json text NOT NULL, membership text, added_at bigint,
      history_visibility smallint NOT NULL DEFAULT 2, CONSTRAINT syncapi_room_state_unique UNIQUE (room_id, type, state_key));
    CREATE UNIQUE INDEX syncapi_event_id_idx ON syncapi_current_room_state (event_id, room_id, type, sender, contains_url);
    CREATE INDEX syncapi_membership_idx ON syncapi_current_room_state (type, state_key, membership)
      WHERE membership IS NOT NULL AND membership <> 'leave';
    CREATE UNIQUE INDEX syncapi_current_room_state_eventid_idx ON syncapi_current_room_state (event_id);
    CREATE INDEX syncapi_current_room_state_type_state_key_idx ON syncapi_current_room_state (type, state_key);
    CREATE TABLE syncapi_ignores (user_id text NOT NULL, ignores_json text NOT NULL, PRIMARY KEY (user_id))`,
  shown: {
    userID: ann,
    group: {
      groupID: readers,
      introduction: "Books",
      faceURL: "mxc://example.org/readers",
      createTime: 1_700_000_000_000,
      creatorUserID: ann,
    },
    member: { userID: ann, faceURL: "mxc://example.org/ann", appMangerLevel: 2 },
  },
  notes: [
    "public.syncapi_current_room_state has no index that begins with state_key: each look at a short list reads all of its rows",
  ],
  steps: [
    {
      what: "the tables are filled",
      writes: `
        INSERT INTO userapi_accounts (localpart, server_name, created_ts, appservice_id, account_type) VALUES
          ('ann', 'example.org', 1, NULL, 3), ('bob', 'example.org', 1, NULL, 1), ('dan', 'example.org', 1, NULL, 1),
          ('bridge', 'example.org', 1, 'irc', 4);
        INSERT INTO userapi_profiles VALUES ('ann', 'example.org', 'Ann', ''), ('bob', 'example.org', 'Bob', ''),
          ('dan', 'example.org', '', ''), ('bridge', 'example.org', 'Bridge', '');
        INSERT INTO roomserver_rooms (room_id, room_version) VALUES ('${readers}', '10'), ('${staff}', '10');
        ${state(readers, "m.room.create", "", { room_version: "10" })}
        ${state(readers, "m.room.name", "", { name: "Readers" })}
        ${state(readers, "m.room.topic", "", { topic: "Books" })}
        ${state(readers, "m.room.avatar", "", { url: "mxc://example.org/readers" })}
        ${state(readers, "m.room.power_levels", "", { users: { [ann]: 100, [bob]: 50 }, users_default: 0 })}
        ${state(readers, "m.room.member", ann, { membership: "join", displayname: "Ann", avatar_url: "mxc://example.org/ann" })}
        ${state(readers, "m.room.member", bob, { membership: "join", displayname: "Bob" })}
        ${state(readers, "m.room.member", far, { membership: "join", displayname: "Faraway" })}
        ${state(readers, "m.room.member", dan, { membership: "join" })}
        ${state(readers, "m.room.member", eve, { membership: "knock", reason: "I read, too" })}
        ${state(readers, "m.room.member", "@gone:example.org", { membership: "leave" })}
        ${state(staff, "m.room.member", ann, { membership: "join", displayname: "The boss" })}
        ${ignore(ann, { ignored_users: { ...guests, [bob]: {}, [eve]: {} } })}
        ${ignore(bob, { ignored_users: null })}`,
      answers: {
        members: {
          [readers]: [
            "@ann:example.org / Ann / 100 / 0",
            "@bob:example.org / Bob / 60 / 0",
            "@dan:example.org /  / 20 / 0",
            "@far:other.example / Faraway / 20 / 0",
          ],
          [`${readers} FAR`]: ["@far:other.example / Faraway / 20 / 0"],
          [staff]: ["@ann:example.org / The boss / 20 / 0"],
        },
        joined: {
          [ann]: ["!readers:example.org / Readers / 4 / 0 / @ann:example.org", "!staff:example.org /  / 1 / 0 / "],
          [dan]: ["!readers:example.org / Readers / 4 / 0 / @ann:example.org"],
          [far]: null,
        },
        blacks: {
          [ann]: ["@bob:example.org / Bob / 0", "@eve:other.example /  / 0", ...shownGuests],
          [bob]: [],
          [dan]: [],
        },
        requests: {
          [ann]: ["!readers:example.org / @eve:other.example /  / I read, too"],
          [bob]: ["!readers:example.org / @eve:other.example /  / I read, too"],
        },
        accounts: { "": ["@bridge:example.org / Bridge"] },
      },
    },
    {
      what: "a user leaves, one is banned, one joins after the knock, and one knocks",
      writes: `
        ${state(readers, "m.room.member", dan, { membership: "leave" })}
        ${state(readers, "m.room.member", far, { membership: "ban", reason: "Spam" })}
        ${state(readers, "m.room.member", eve, { membership: "invite" })}
        ${state(readers, "m.room.member", eve, { membership: "join", displayname: "Eve" })}
        ${state(staff, "m.room.member", bob, { membership: "knock", reason: "B\u0000b" })}`,
      answers: {
        members: {
          [readers]: [
            "@ann:example.org / Ann / 100 / 0",
            "@bob:example.org / Bob / 60 / 0",
            "@eve:other.example / Eve / 20 / 0",
          ],
          [`${readers} FAR`]: [],
        },
        joined: {
          [ann]: ["!readers:example.org / Readers / 3 / 0 / @ann:example.org", "!staff:example.org /  / 1 / 0 / "],
          [dan]: [],
        },
        requests: { [ann]: [], [bob]: [] },
      },
    },
    {
      what: "power levels change, a room is named, and users take other names",
      writes: `
        ${state(readers, "m.room.power_levels", "", { users: { [bob]: 100, [eve]: "50" } })}
        ${state(staff, "m.room.power_levels", "", { users: { [bob]: 100 }, users_default: 50 })}
        ${state(staff, "m.room.name", "", { name: "Staff" })}
        ${state(readers, "m.room.member", ann, { membership: "join", displayname: "Anna" })}
        ${state(readers, "m.room.member", eve, { membership: "join", displayname: "E\u0000e" })}
        UPDATE userapi_profiles AS new SET display_name = 'Robert' FROM userapi_profiles AS old
          WHERE new.localpart = 'bob' AND new.server_name = 'example.org'`,
      answers: {
        members: {
          [readers]: [
            "@bob:example.org / Bob / 100 / 0",
            "@eve:other.example /  / 60 / 0",
            "@ann:example.org / Anna / 20 / 0",
          ],
          [staff]: ["@ann:example.org / The boss / 60 / 0"],
        },
        joined: {
          [ann]: ["!readers:example.org / Readers / 3 / 0 / @bob:example.org", "!staff:example.org / Staff / 1 / 0 / "],
        },
        blacks: { [ann]: ["@bob:example.org / Robert / 0", "@eve:other.example /  / 0", ...shownGuests] },
        requests: { [ann]: ["!staff:example.org / @bob:example.org / Robert / "] },
      },
    },
    {
      what: "users ignore others, and accounts are deactivated",
      writes: `
        ${ignore(ann, { ignored_users: { ...guests, [eve]: {}, [far]: {} } })}
        ${ignore(bob, { ignored_users: { [ann]: {} } })}
        ${ignore(dan, { ignored_users: { "@\u0000:example.org": {} } })}
        UPDATE userapi_accounts SET is_deactivated = true WHERE localpart IN ('bob', 'bridge') AND server_name = 'example.org'`,
      answers: {
        blacks: {
          [ann]: ["@eve:other.example /  / 0", "@far:other.example /  / 0", ...shownGuests],
          [bob]: ["@ann:example.org / Ann / 0"],
        },
        accounts: { "": [] },
      },
    },
    {
      what: "a state event is replaced by a reset, and a room is purged",
      writes: `
        DELETE FROM syncapi_current_room_state WHERE event_id = '$m.room.member${ann}${staff}';
        DELETE FROM syncapi_current_room_state WHERE room_id = '${readers}';
        DELETE FROM roomserver_rooms WHERE room_id = '${readers}'`,
      answers: {
        members: { [readers]: null, [`${readers} FAR`]: null, [staff]: [] },
        joined: { [ann]: [] },
        requests: { [ann]: [], [bob]: [] },
      },
    },
  ],
};

/** Stores an event as a part of a room's state, in the place of an earlier one. */
function state(room: string, type: string, key: string, content: Readonly<Record<string, unknown>>): string {
  const json = { content, origin_server_ts: 1_700_000_000_000, room_id: room, sender: ann, state_key: key, type };
  const membership = type === "m.room.member" ? `'${content["membership"]}'` : "NULL";
  return `
    INSERT INTO syncapi_current_room_state (room_id, event_id, type, sender, contains_url, state_key, headered_event_json,
        membership, added_at, history_visibility)
      VALUES ('${room}', '$${type}${key}${room}', '${type}', '${ann}', false, '${key}', '${JSON.stringify(json)}', ${membership}, 1, 2)
      ON CONFLICT ON CONSTRAINT syncapi_room_state_unique DO UPDATE SET event_id = excluded.event_id, sender = excluded.sender,
        contains_url = excluded.contains_url, headered_event_json = excluded.headered_event_json,
        membership = excluded.membership, added_at = excluded.added_at;`;
}

function ignore(user: string, ignores: unknown): string {
  return `
    INSERT INTO syncapi_ignores (user_id, ignores_json) VALUES ('${user}', '${JSON.stringify(ignores)}')
      ON CONFLICT (user_id) DO UPDATE SET ignores_json = excluded.ignores_json;`;
}
