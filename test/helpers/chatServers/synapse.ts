import type { ChatServer, Step } from "./chatServer.js";

/** Synapse 1.157, whose schema has version 94. In SQLite, the same types have other names there. */
const tables = `
  CREATE TABLE users (
    name text UNIQUE, password_hash text, creation_ts bigint, admin smallint NOT NULL DEFAULT 0, upgrade_ts bigint,
    is_guest smallint NOT NULL DEFAULT 0, appservice_id text, consent_version text, consent_server_notice_sent text,
    user_type text, deactivated smallint NOT NULL DEFAULT 0, shadow_banned boolean, consent_ts bigint, approved boolean,
    locked boolean NOT NULL DEFAULT false, suspended boolean NOT NULL DEFAULT false);
  CREATE TABLE profiles (
    user_id text NOT NULL UNIQUE, displayname text, avatar_url text, full_user_id text, fields jsonb,
    CONSTRAINT full_user_id_not_null CHECK (full_user_id IS NOT NULL));
  CREATE UNIQUE INDEX profiles_full_user_id_key ON profiles (full_user_id);
  CREATE TABLE rooms (room_id text PRIMARY KEY, is_public boolean, creator text, room_version text, has_auth_chain_index boolean);
  CREATE TABLE room_stats_state (
    room_id text NOT NULL, name text, canonical_alias text, join_rules text, history_visibility text, encryption text,
    avatar text, guest_access text, is_federatable boolean, topic text, room_type text);
  CREATE TABLE blocked_rooms (room_id text NOT NULL, user_id text NOT NULL);
  CREATE TABLE events (
    topological_ordering bigint NOT NULL, event_id text NOT NULL UNIQUE, type text NOT NULL, room_id text NOT NULL, content text,
    unrecognized_keys text, processed boolean NOT NULL, outlier boolean NOT NULL, depth bigint NOT NULL DEFAULT 0,
    origin_server_ts bigint, received_ts bigint, sender text, contains_url boolean, instance_name text,
    stream_ordering bigint UNIQUE, state_key text, rejection_reason text);
  CREATE TABLE room_memberships (
    event_id text NOT NULL UNIQUE, user_id text NOT NULL, sender text NOT NULL, room_id text NOT NULL,
    membership text NOT NULL, forgotten integer DEFAULT 0, display_name text, avatar_url text,
    event_stream_ordering bigint REFERENCES events (stream_ordering), participant boolean DEFAULT false);
  CREATE TABLE current_state_events (
    event_id text NOT NULL UNIQUE, room_id text NOT NULL, type text NOT NULL, state_key text NOT NULL, membership text,
    event_stream_ordering bigint REFERENCES events (stream_ordering), UNIQUE (room_id, type, state_key));
  CREATE TABLE event_json (
    event_id text NOT NULL UNIQUE, room_id text NOT NULL, internal_metadata text NOT NULL, json text NOT NULL,
    format_version integer);
  CREATE TABLE ignored_users (ignorer_user_id text NOT NULL, ignored_user_id text NOT NULL);
  CREATE INDEX users_creation_ts ON users (creation_ts);
  CREATE INDEX public_room_index ON rooms (is_public);
  CREATE UNIQUE INDEX room_stats_state_room ON room_stats_state (room_id);
  CREATE UNIQUE INDEX blocked_rooms_idx ON blocked_rooms (room_id);
  CREATE INDEX events_order_room ON events (room_id, topological_ordering, stream_ordering);
  CREATE INDEX events_room_stream ON events (room_id, stream_ordering);
  CREATE INDEX events_ts ON events (origin_server_ts, stream_ordering);
  CREATE INDEX room_memberships_room_id ON room_memberships (room_id);
  CREATE INDEX room_memberships_user_id ON room_memberships (user_id);
  CREATE INDEX room_memberships_user_room_forgotten ON room_memberships (user_id, room_id) WHERE forgotten = 1;
  CREATE INDEX current_state_events_member_index ON current_state_events (state_key) WHERE type = 'm.room.member';
  CREATE UNIQUE INDEX ignored_users_uniqueness ON ignored_users (ignorer_user_id, ignored_user_id);
  CREATE INDEX ignored_users_ignored_user_id ON ignored_users (ignored_user_id)`;

interface Event {
  room: string;
  type: string;
  /** Of a member, the user. */
  key?: string;
  content: Readonly<Record<string, unknown>>;
}

/** The place of the last event, which is also its ID. */
let place = 0;

/** Stores an event of any kind. */
function event({ room, type, key, content }: Event): string {
  place += 1;
  const common = { room_id: room, type, sender: "@ann:example.org", origin_server_ts: 1_700_000_000_000 };
  const json = JSON.stringify({ auth_events: [], ...common, content, state_key: key });
  return `
    INSERT INTO event_json (event_id, room_id, internal_metadata, json, format_version)
      VALUES ('$${place}', '${room}', '{"stream_ordering":${place}}', '${json}', 3);
    INSERT INTO events (instance_name, stream_ordering, topological_ordering, depth, event_id, room_id, type, processed, outlier,
        origin_server_ts, received_ts, sender, contains_url, state_key, rejection_reason)
      VALUES ('master', ${place}, ${place}, ${place}, '$${place}', '${room}', '${type}', true, false, 1700000000000, 1700000000000,
        '@ann:example.org', false, ${key === undefined ? "NULL" : `'${key}'`}, NULL);`;
}

/** Stores an event that is now a part of the room's state. */
function state(given: Event): string {
  const { room, type, key = "", content } = given;
  const stored = event({ ...given, key });
  const names = [content["displayname"], content["avatar_url"]].map((name) =>
    name === undefined ? "NULL" : `'${name}'`,
  );
  const member = `
    INSERT INTO room_memberships (event_id, event_stream_ordering, user_id, sender, room_id, membership, display_name, avatar_url)
      VALUES ('$${place}', ${place}, '${key}', '${key}', '${room}', '${content["membership"]}', ${names.join(", ")});`;
  return `
    ${stored}
    ${type === "m.room.member" ? member : ""}
    DELETE FROM current_state_events WHERE room_id = '${room}' AND type = '${type}' AND state_key = '${key}';
    INSERT INTO current_state_events (room_id, type, state_key, event_id, membership, event_stream_ordering)
      VALUES ('${room}', '${type}', '${key}', '$${place}',
        (SELECT membership FROM room_memberships WHERE event_id = '$${place}'),
        (SELECT stream_ordering FROM events WHERE event_id = '$${place}'));`;
}

const [readers, staff] = ["!readers:example.org", "!staff:example.org"];
const [ann, bob, cid, dan] = ["@ann:example.org", "@bob:example.org", "@cid:example.org", "@dan:example.org"];
const [far, eve] = ["@far:other.example", "@eve:other.example"];

function membership(room: string, user: string, membership: string, more: Event["content"] = {}): string {
  return state({ room, type: "m.room.member", key: user, content: { membership, ...more } });
}

/** Users whom a user ignores all the time. */
const guests = ["@g1:other.example /  / 0", "@g2:other.example /  / 0", "@g3:other.example /  / 0"];

const steps: readonly [Step, ...Step[]] = [
  {
    what: "the tables are filled",
    writes: `
      INSERT INTO users (name, creation_ts, admin, user_type) VALUES ('${ann}', 1, 1, NULL), ('${bob}', 1, 0, NULL),
        ('${cid}', 1, 0, NULL), ('${dan}', 1, 0, NULL), ('@bot:example.org', 1, 0, 'bot');
      INSERT INTO profiles (user_id, displayname, avatar_url, full_user_id) VALUES ('ann', 'Ann', 'mxc://example.org/ann', '${ann}'),
        ('bob', 'Bob', NULL, '${bob}'), ('cid', NULL, NULL, '${cid}'), ('dan', 'Dan', NULL, '${dan}'),
        ('bot', 'Helper', NULL, '@bot:example.org');
      INSERT INTO rooms VALUES ('${readers}', true, '${ann}', '11', true), ('${staff}', false, '${bob}', '12', true);
      INSERT INTO room_stats_state (room_id, name, topic, avatar, join_rules) VALUES
        ('${readers}', 'Readers', 'Books', 'mxc://example.org/readers', 'knock'), ('${staff}', 'Staff', NULL, NULL, 'invite');
      ${state({ room: readers, type: "m.room.create", content: { creator: ann } })}
      ${state({ room: staff, type: "m.room.create", content: {} })}
      ${state({ room: readers, type: "m.room.power_levels", content: { users: { [ann]: 100, [far]: "50" } } })}
      ${state({ room: staff, type: "m.room.power_levels", content: { users: { [ann]: 50 }, users_default: 10 } })}
      ${membership(readers, ann, "join", { displayname: "Ann", avatar_url: "mxc://example.org/ann" })}
      ${membership(readers, bob, "join", { displayname: "Bob" })}
      ${membership(readers, cid, "join")}
      ${membership(readers, dan, "leave", { displayname: "Dan" })}
      ${membership(readers, far, "join", { displayname: "Faraway" })}
      ${membership(readers, eve, "knock", { displayname: "Eve", reason: "I read, too" })}
      ${membership(staff, ann, "join", { displayname: "The boss" })}
      ${membership(staff, bob, "join", { displayname: "Bob" })}
      INSERT INTO ignored_users VALUES ('${ann}', '${eve}'), ('${ann}', '${bob}'), ('${ann}', '@g1:other.example'),
        ('${ann}', '@g2:other.example'), ('${ann}', '@g3:other.example')`,
    answers: {
      members: {
        [readers]: [
          "@ann:example.org / Ann / 100 / 0",
          "@far:other.example / Faraway / 60 / 0",
          "@bob:example.org / Bob / 20 / 0",
          "@cid:example.org /  / 20 / 0",
        ],
        [`${readers} FAR`]: ["@far:other.example / Faraway / 60 / 0"],
        [staff]: ["@bob:example.org / Bob / 100 / 0", "@ann:example.org / The boss / 60 / 0"],
        "!none:example.org": null,
      },
      joined: {
        [ann]: [
          "!readers:example.org / Readers / 4 / 0 / @ann:example.org",
          "!staff:example.org / Staff / 2 / 0 / @bob:example.org",
        ],
        [dan]: [],
        [far]: null,
      },
      blacks: { [ann]: ["@bob:example.org / Bob / 0", "@eve:other.example /  / 0", ...guests], [bob]: [] },
      requests: { [ann]: ["!readers:example.org / @eve:other.example /  / I read, too"], [bob]: [] },
      accounts: { "": ["@bot:example.org / Helper"] },
    },
  },
  {
    what: "messages are sent",
    writes: `
      ${event({ room: readers, type: "m.room.message", content: { body: "Hello" } })}
      ${event({ room: readers, type: "m.room.message", content: { body: `"m.room.power_levels"` } })}`,
    answers: {},
  },
  {
    what: "a user joins, another one leaves, one is banned, and the knock is answered by an invitation",
    writes: `
      ${membership(readers, dan, "join", { displayname: "Dan" })}
      ${membership(readers, cid, "leave")}
      ${membership(readers, far, "ban", { reason: "Spam" })}
      ${membership(readers, eve, "invite")}`,
    answers: {
      members: {
        [readers]: [
          "@ann:example.org / Ann / 100 / 0",
          "@bob:example.org / Bob / 20 / 0",
          "@dan:example.org / Dan / 20 / 0",
        ],
        [`${readers} FAR`]: [],
      },
      joined: {
        [ann]: [
          "!readers:example.org / Readers / 3 / 0 / @ann:example.org",
          "!staff:example.org / Staff / 2 / 0 / @bob:example.org",
        ],
        [dan]: ["!readers:example.org / Readers / 3 / 0 / @ann:example.org"],
      },
      requests: { [ann]: [] },
    },
  },
  {
    what: "power levels change, and users take other names",
    writes: `
      ${state({ room: readers, type: "m.room.power_levels", content: { users: { [bob]: 100, [dan]: 99 }, users_default: 0 } })}
      UPDATE profiles SET displayname = 'Robert' WHERE user_id = 'bob';
      ${membership(readers, bob, "join", { displayname: "Robert" })}
      UPDATE profiles SET displayname = 'The helper' WHERE user_id = 'bot'`,
    answers: {
      members: {
        [readers]: [
          "@bob:example.org / Robert / 100 / 0",
          "@dan:example.org / Dan / 60 / 0",
          "@ann:example.org / Ann / 20 / 0",
        ],
      },
      joined: {
        [ann]: [
          "!readers:example.org / Readers / 3 / 0 / @bob:example.org",
          "!staff:example.org / Staff / 2 / 0 / @bob:example.org",
        ],
        [dan]: ["!readers:example.org / Readers / 3 / 0 / @bob:example.org"],
      },
      blacks: { [ann]: ["@bob:example.org / Robert / 0", "@eve:other.example /  / 0", ...guests] },
      accounts: { "": ["@bot:example.org / The helper"] },
    },
  },
  {
    what: "the invited user joins, and another one knocks",
    writes: `
      ${membership(readers, eve, "join", { displayname: "Eve" })}
      ${membership(readers, far, "knock", { reason: "Sorry" })}`,
    answers: {
      members: {
        [readers]: [
          "@bob:example.org / Robert / 100 / 0",
          "@dan:example.org / Dan / 60 / 0",
          "@ann:example.org / Ann / 20 / 0",
          "@eve:other.example / Eve / 20 / 0",
        ],
      },
      joined: {
        [ann]: [
          "!readers:example.org / Readers / 4 / 0 / @bob:example.org",
          "!staff:example.org / Staff / 2 / 0 / @bob:example.org",
        ],
        [dan]: ["!readers:example.org / Readers / 4 / 0 / @bob:example.org"],
      },
      requests: {
        [bob]: ["!readers:example.org / @far:other.example /  / Sorry"],
        [dan]: ["!readers:example.org / @far:other.example /  / Sorry"],
      },
    },
  },
  {
    what: "a user ignores others, a room is renamed and blocked, and accounts are deactivated",
    writes: `
      DELETE FROM ignored_users WHERE ignorer_user_id = '${ann}' AND ignored_user_id IN ('${bob}');
      INSERT INTO ignored_users (ignorer_user_id, ignored_user_id) VALUES ('${ann}', '${far}');
      UPDATE room_stats_state SET name = 'Board' WHERE room_id = '${staff}';
      INSERT INTO blocked_rooms (room_id, user_id) VALUES ('${staff}', '${ann}');
      UPDATE users SET deactivated = 1, password_hash = NULL WHERE name IN ('@bot:example.org', '${dan}');
      DELETE FROM profiles WHERE user_id = 'bot'`,
    answers: {
      joined: {
        [ann]: [
          "!readers:example.org / Readers / 4 / 0 / @bob:example.org",
          "!staff:example.org / Board / 2 / 1 / @bob:example.org",
        ],
      },
      blacks: { [ann]: ["@eve:other.example /  / 0", "@far:other.example /  / 0", ...guests] },
      accounts: { "": [] },
    },
  },
  {
    what: "the server is no longer in a room, and a room is deleted",
    writes: `
      DELETE FROM current_state_events WHERE room_id = '${readers}';
      DELETE FROM current_state_events WHERE room_id = '${staff}';
      DELETE FROM event_json WHERE room_id = '${staff}';
      DELETE FROM room_memberships WHERE room_id = '${staff}';
      DELETE FROM events WHERE room_id = '${staff}';
      DELETE FROM rooms WHERE room_id = '${staff}'`,
    answers: {
      members: { [readers]: [], [staff]: null },
      joined: { [ann]: [], [dan]: [] },
      requests: { [bob]: [], [dan]: [] },
    },
  },
];

const shown = {
  userID: ann,
  group: {
    groupID: readers,
    groupName: "Readers",
    introduction: "Books",
    faceURL: "mxc://example.org/readers",
    createTime: 1_700_000_000_000,
    creatorUserID: ann,
  },
  member: { userID: ann, faceURL: "mxc://example.org/ann", appMangerLevel: 2 },
};

export const synapseInPostgres: ChatServer = { tables, shown, steps };
export const synapseInSqlite: ChatServer = {
  tables,
  shown,
  notes: ["current_state_events has unique columns that the map does not tell: a REPLACE by them is not noticed"],
  steps,
};
