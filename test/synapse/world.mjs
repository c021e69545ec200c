/** What Synapse's own API says of its users and rooms, as records of im-admin's. */

/** Of every so many users, and of those who have made rooms, all lists are compared. */
const share = 6;

export async function worldOf(synapse, token) {
  const get = (...path) => synapse.succeed("GET", ["/_synapse/admin", ...path].join("/"), { token });
  const { users } = await get("v2", "users?deactivated=true&limit=10000");
  const { rooms } = await get("v1", "rooms?limit=10000");
  const creators = rooms.map(({ creator }) => creator);
  const owners = users.filter(({ name }, index) => index % share === 0 || creators.includes(name));
  return {
    users: users.map(({ name, displayname, avatar_url, user_type, deactivated }) => ({
      ...{ userID: name, nickname: displayname ?? "", faceURL: avatar_url ?? "" },
      isAccount: user_type === "bot" && !deactivated,
    })),
    owners: await Promise.all(
      owners.map(async ({ name }) => {
        const path = ["v1", "users", encodeURIComponent(name)];
        const { joined_rooms: joined } = await get(...path, "joined_rooms");
        const { account_data: data } = await get(...path, "accountdata");
        const ignored = Object.keys(data.global["m.ignored_user_list"]?.ignored_users ?? {});
        return { userID: name, joined, ignored };
      }),
    ),
    rooms: await Promise.all(
      rooms.map(async ({ room_id: groupID }) => {
        const path = ["v1", "rooms", encodeURIComponent(groupID)];
        const { name, topic, avatar, creator, version } = await get(...path);
        const { members: joined } = await get(...path, "members");
        const { state } = await get(...path, "state");
        const { block } = await get(...path, "block");
        const [{ origin_server_ts: createTime }] = state.filter(({ type }) => type === "m.room.create");
        const powers = state.find(({ type }) => type === "m.room.power_levels")?.content ?? {};
        const levelOf = (userID) => {
          const power =
            version === "12" && userID === creator ? 100 : (powers.users?.[userID] ?? powers.users_default ?? 0);
          return power >= 100 ? 100 : power >= 50 ? 60 : 20;
        };
        const events = state.filter(({ type }) => type === "m.room.member");
        const members = events
          .filter(({ state_key }) => joined.includes(state_key))
          .map(({ state_key: userID, content: { displayname, avatar_url } }) => ({
            ...{ userID, nickname: displayname ?? "", faceURL: avatar_url ?? "" },
            roleLevel: levelOf(userID),
          }));
        const knocks = events
          .filter(({ content }) => content.membership === "knock")
          .map(({ state_key: userID, content }) => ({ userID, reqMsg: content.reason ?? "" }));
        return {
          group: {
            ...{ groupID, groupName: name ?? "", introduction: topic ?? "", faceURL: avatar ?? "" },
            ...{ createTime, creatorUserID: creator, memberCount: joined.length, status: block ? 1 : 0 },
          },
          ...{ members, knocks },
        };
      }),
    ),
  };
}
