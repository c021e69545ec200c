/** What users and administrators of Synapse do at random, through its API. */
import { setTimeout as sleep } from "node:timers/promises";
import { serverName } from "./synapse.mjs";

const names = ["Ann", "Ben 王", "王芳", "Zoë", "x'y\"z", "Dirk", "Émile 王", "😀"];
const avatars = ["", `mxc://${serverName}/one`, `mxc://${serverName}/two`];
const joinRules = ["public", "invite", "knock"];
/** Versions of rooms have different IDs and rules for levels. The last is the version that Synapse takes by itself. */
const roomVersions = ["9", "11", undefined];
const clients = 8;

/**
 * Users and rooms, as far as it takes to choose actions that Synapse accepts. Where several clients act at once, it may
 * refuse some of them all the same.
 */
export function createActors() {
  const users = [];
  const rooms = [];
  const goneRooms = [];
  const counts = {};
  let written = 0;
  let synapse;

  const pick = (items) => items[Math.floor(Math.random() * items.length)];
  const roomPath = ({ id }, ...parts) => pathOf("/_matrix/client/v3/rooms", id, ...parts);
  const active = () => users.filter(({ isActive }) => isActive);
  const those = (room, membership) => active().filter((user) => (room.memberships.get(user) ?? "leave") === membership);
  const ordinary = (room) => those(room, "join").filter((user) => user !== room.creator);
  const creator = (room) => [room.creator];
  const isNeeded = (user) => user === users[0] || rooms.some((room) => room.creator === user);

  function as(user, method, path, body = {}) {
    return synapse.succeed(method, path, { token: user.token, body });
  }

  function ask(user, path) {
    return synapse.succeed("GET", path, { token: user.token });
  }

  function setState(room, user, type, content, key = "") {
    return as(user, "PUT", roomPath(room, "state", type, key), content);
  }

  /** A user changes the own membership. */
  function own(how, membership) {
    return async (room, user) => {
      const path = how === "leave" ? roomPath(room, how) : pathOf(`/_matrix/client/v3/${how}`, room.id);
      await as(user, "POST", path, { reason: pick(names) });
      room.memberships.set(user, membership);
    };
  }

  /** The creator of a room changes the membership of a user. */
  function moderated(how, membership) {
    return async (room, user) => {
      await as(room.creator, "POST", roomPath(room, how), { user_id: user.id });
      room.memberships.set(user, membership);
    };
  }

  async function register(isAdmin = false) {
    const user = { ...(await synapse.register(`user${written++}`, isAdmin)), isActive: true };
    users.push(user);
  }

  async function makeRoom(user, joinRule = pick(joinRules)) {
    const { room_id: id } = await as(user, "POST", "/_matrix/client/v3/createRoom", {
      preset: "private_chat",
      room_version: pick(roomVersions),
      ...(Math.random() < 0.8 && { name: pick(names) }),
      ...(Math.random() < 0.5 && { topic: pick(names) }),
      initial_state: [{ type: "m.room.join_rules", state_key: "", content: { join_rule: joinRule } }],
    });
    rooms.push({ id, joinRule, creator: user, memberships: new Map([[user, "join"]]) });
  }

  async function setLevel(room, user) {
    const type = "m.room.power_levels";
    const content = await ask(room.creator, roomPath(room, "state", type));
    const levels = { ...content.users, [user.id]: pick([0, 50, 99]) };
    await setState(room, room.creator, type, { ...content, users: levels, users_default: pick([0, 0, 50]) });
  }

  function nameInRoom(room, user) {
    return setState(room, user, "m.room.member", { membership: "join", displayname: pick(names) }, user.id);
  }

  function send(room, user) {
    const path = roomPath(room, "send", "m.room.message", `${written++}`);
    return as(user, "PUT", path, { msgtype: "m.text", body: "Hello" });
  }

  function setProfile(user, field, value) {
    return as(user, "PUT", pathOf("/_matrix/client/v3/profile", user.id, field), { [field]: value });
  }

  function ignore(user) {
    const share = pick([0.1, 0.9]);
    const some = users.filter((other) => other !== user && Math.random() < share);
    const ids = [...some.map(({ id }) => id), "@gone:elsewhere.test"];
    const path = pathOf("/_matrix/client/v3/user", user.id, "account_data", "m.ignored_user_list");
    return as(user, "PUT", path, { ignored_users: Object.fromEntries(ids.map((id) => [id, {}])) });
  }

  /** Waits for work that Synapse does in the background. */
  async function finished(path) {
    for (;;) {
      const { status, error } = await ask(users[0], path);
      if (status === "complete") return;
      if (status === "failed") throw new Error(`Synapse fails at ${path}: ${error}`);
      await sleep(50);
    }
  }

  async function deleteRoom(room) {
    rooms.splice(rooms.indexOf(room), 1);
    const path = pathOf("/_synapse/admin/v2/rooms", room.id);
    const { delete_id } = await as(users[0], "DELETE", path, { purge: true, block: Math.random() < 0.5 });
    await finished(`/_synapse/admin/v2/rooms/delete_status/${delete_id}`);
    goneRooms.push(room.id);
  }

  async function upgrade(room) {
    rooms.splice(rooms.indexOf(room), 1);
    const { replacement_room: id } = await as(room.creator, "POST", roomPath(room, "upgrade"), { new_version: "11" });
    rooms.push({ ...room, id, memberships: new Map([[room.creator, "join"]]) });
  }

  async function block(room) {
    room.isBlocked = !room.isBlocked;
    await as(users[0], "PUT", pathOf("/_synapse/admin/v1/rooms", room.id, "block"), { block: room.isBlocked });
  }

  function setType(user) {
    return as(users[0], "PUT", pathOf("/_synapse/admin/v2/users", user.id), { user_type: pick(["bot", null]) });
  }

  async function purgeHistory(room) {
    const kept = { delete_local_events: true, purge_up_to_ts: Date.now() - 1 };
    const { purge_id } = await as(users[0], "POST", pathOf("/_synapse/admin/v1/purge_history", room.id), kept);
    await finished(`/_synapse/admin/v1/purge_history_status/${purge_id}`);
  }

  async function deactivate(user) {
    user.isActive = false;
    await as(users[0], "POST", pathOf("/_synapse/admin/v1/deactivate", user.id), { erase: Math.random() < 0.5 });
    for (const { memberships } of rooms) memberships.delete(user);
  }

  /** What users do: how often, who may be concerned in a room or beside it, and how. */
  const actions = {
    join: [14, (room) => those(room, room.joinRule === "public" ? "leave" : "invite"), own("join", "join")],
    invite: [6, (room) => those(room, "leave"), moderated("invite", "invite")],
    knock: [6, (room) => (room.joinRule === "knock" ? those(room, "leave") : []), own("knock", "knock")],
    "accept a knock": [2, (room) => those(room, "knock"), moderated("invite", "invite")],
    "refuse a knock": [1, (room) => those(room, "knock"), moderated("kick", "leave")],
    "decline an invitation": [1, (room) => those(room, "invite"), own("leave", "leave")],
    leave: [3, ordinary, own("leave", "leave")],
    kick: [1, ordinary, moderated("kick", "leave")],
    ban: [2, (room) => [...ordinary(room), ...those(room, "leave")], moderated("ban", "ban")],
    unban: [1, (room) => those(room, "ban"), moderated("unban", "leave")],
    "power level": [3, ordinary, setLevel],
    "name in a room": [2, (room) => those(room, "join"), nameInRoom],
    message: [10, (room) => those(room, "join"), send],
    "name of a room": [1, creator, (room, user) => setState(room, user, "m.room.name", { name: pick(names) })],
    topic: [1, creator, (room, user) => setState(room, user, "m.room.topic", { topic: pick(names) })],
    "display name": [4, active, (_, user) => setProfile(user, "displayname", pick(names))],
    avatar: [1, active, (_, user) => setProfile(user, "avatar_url", pick(avatars))],
    "ignore users": [4, active, (_, user) => ignore(user)],
    "make a room": [1, active, (_, user) => makeRoom(user)],
    "type of a user": [1, active, (_, user) => setType(user)],
    register: [1, creator, () => register()],
  };
  const drawn = Object.entries(actions).flatMap(([name, [weight]]) => Array(weight).fill(name));
  /** What administrators do, to whom and how. */
  const administration = {
    "delete a room": [() => rooms.slice(4), deleteRoom],
    "block a room": [() => rooms.slice(3, 4), block],
    "upgrade a room": [() => rooms.slice(4), upgrade],
    "purge history": [() => rooms, purgeHistory],
    deactivate: [() => users.filter((user) => user.isActive && !isNeeded(user)), deactivate],
  };

  async function counted(name, action) {
    counts[name] ??= { accepted: 0, refused: 0 };
    try {
      await action();
      counts[name].accepted++;
    } catch (error) {
      if (!error.isRefusal) throw error;
      counts[name].refused++;
    }
  }

  async function actRepeatedly(times) {
    for (let time = 0; time < times; time++) {
      const name = pick(drawn);
      const [, whom, action] = actions[name];
      const room = pick(rooms);
      const candidates = whom(room);
      if (candidates.length > 0) await counted(name, () => action(room, pick(candidates)));
    }
  }

  return {
    counts,
    goneRooms,
    use(started) {
      synapse = started;
    },
    admin: () => users[0],
    anyRoom: () => pick(rooms).id,
    /** Makes a room with members, and one with knocks, whose lists are long enough to be kept as trees on all engines. */
    async begin() {
      await register(true);
      for (let user = 1; user < 170; user++) await register();
      for (let room = 0; room < 8; room++) await makeRoom(users[room], joinRules[room % 3]);
      for (const user of those(rooms[0], "leave")) await own("join", "join")(rooms[0], user);
      for (const user of those(rooms[2], "leave")) await own("knock", "knock")(rooms[2], user);
    },
    /** Lets clients act at once, each so many times, and fails if one of them fails. */
    async act(times) {
      const ended = await Promise.allSettled(Array.from({ length: clients }, () => actRepeatedly(times)));
      const failure = ended.find(({ status }) => status === "rejected");
      if (failure !== undefined) throw failure.reason;
    },
    /** Lets an administrator do everything once. */
    async administer() {
      for (const [name, [whom, action]] of Object.entries(administration))
        await counted(name, () => action(pick(whom())));
    },
  };
}

function pathOf(start, ...parts) {
  return [start, ...parts.map(encodeURIComponent)].join("/");
}
