import type { Client } from "openapi-fetch";
import { dataOf } from "./dataOf.js";
import type { components, paths } from "./interface.js";

/** Returns all members of a group. */
export async function allMembers(client: Client<paths>, groupID: string) {
  const all: components["schemas"]["GroupMember"][] = [];
  for (let pageNumber = 1; ; pageNumber++) {
    const body = { groupID, pagination: { pageNumber, showNumber: 1000 } };
    const { total, members } = dataOf(await client.POST("/group/get_group_member_list", { body }));
    all.push(...members);
    if (members.length === 0 || all.length >= total) return all;
  }
}
