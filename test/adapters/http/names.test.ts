import { expect, it } from "vitest";
import { names } from "../../../adapters/fetch.js";
import type { Store } from "../../../src/index.js";
import { clientOf } from "../../helpers/history.js";
import { recorder, served, token } from "../../helpers/http/hosts.js";
import { memoryStore } from "../../helpers/stores.js";

/** A store with a group and two users, one of whom has no name. */
async function world(): Promise<Store> {
  const store = memoryStore();
  await store.put({
    groups: [{ groupID: "g1", groupName: "Readers", status: 2, createTime: 1_687_760_824_107, introduction: "Books" }],
    users: [{ userID: "u1", nickname: "Ann", faceURL: "https://example.org/ann.png" }, { userID: "u2" }],
  });
  return store;
}

it("tells what groups and users are called, and leaves out those that do not exist", async () => {
  const call = clientOf({ store: await world(), names });
  const group = { groupID: "g1", groupName: "Readers", status: 2, createTime: 1_687_760_824_107 };
  const asked = { groupIDs: ["g1", "g404", "g1"], userIDs: ["u2", "u1", "u404"] };
  expect(await call("/im_admin/get_names", asked)).toMatchObject({
    status: 200,
    errCode: 0,
    data: {
      groups: [group],
      users: [
        { userID: "u1", nickname: "Ann" },
        { userID: "u2", nickname: "" },
      ],
    },
  });
  const { data } = await call("/im_admin/get_names", { userIDs: ["u1"], groupIDs: null });
  expect(data).toEqual({ groups: [], users: [{ userID: "u1", nickname: "Ann" }] });
});

it("tells nothing where the store does not tell names, and is not there unless it is handed in", async () => {
  const { names: _, ...store } = await world();
  expect((await clientOf({ store, names })("/im_admin/get_names", { userIDs: ["u1"] })).data).toEqual({});
  expect(await clientOf({ store })("/im_admin/get_names", { userIDs: ["u1"] })).toMatchObject({ status: 404 });
});

it.each([
  [{ userIDs: "u1" }, "userIDs must be an array of at most 2 user IDs"],
  [{ groupIDs: ["g1", "g2", "g3"] }, "groupIDs must be an array of at most 2 group IDs"],
  [{ groupIDs: [""] }, "groupIDs[0] must be a string of 1 to 64 characters without control characters"],
])("refuses %j", async (input, what) => {
  const call = clientOf({ store: await world(), names, limits: { showNumber: 2 } });
  expect(await call("/im_admin/get_names", input)).toMatchObject({ errCode: 1001, errDlt: `1001 ArgsError: ${what}` });
});

it("tells the observer what a store of the host's has answered wrong, and not the caller", async () => {
  const { errors, observer } = recorder();
  const store = { ...(await world()), names: async () => ({ groups: [], users: [{ userID: "u1", nickname: 7 }] }) };
  const call = clientOf({ store: store as never, names, observer });
  expect(await call("/im_admin/get_names", { userIDs: ["u1"] })).toMatchObject({ errCode: 500 });
  expect(String(errors[0]?.error)).toBe("TypeError: names answered users[0].nickname 7, which is no string");
});

it("is for administrators, and on Node it is there and described", async () => {
  const { url } = await served({ store: await world() });
  const ask = async (token: string) => {
    const init = { method: "POST", headers: { operationID: "op-1", token }, body: '{"userIDs":["u1"]}' };
    return (await fetch(`${url}/im_admin/get_names`, init)).json();
  };
  expect(await ask("another")).toMatchObject({ errCode: 1507 });
  expect(await ask(token)).toMatchObject({ errCode: 0, data: { users: [{ userID: "u1", nickname: "Ann" }] } });
  const { paths } = await (await fetch(`${url}/openapi.json`)).json();
  expect(paths["/im_admin/get_names"].post.operationId).toBe("getNames");
});
