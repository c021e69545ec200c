import type { Client } from "openapi-fetch";
import type { components, paths } from "./interface.js";

/** Returns all members of a group. */
export async function allMembers(client: Client<paths>, groupID: string) {
  const members: components["schemas"]["GroupMember"][] = [];
  for (let pageNumber = 1; ; pageNumber++) {
    const { data: answer, error } = await client.POST("/group/get_group_member_list", {
      params: { header: { operationID: `members-${pageNumber}` } },
      body: { groupID, pagination: { pageNumber, showNumber: 1000 } },
    });
    if (answer?.errCode !== 0) throw new Error((answer ?? error)?.errDlt);
    members.push(...answer.data.members);
    if (answer.data.members.length === 0 || members.length >= answer.data.total) return members;
  }
}
