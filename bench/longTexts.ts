/** Groups whose members have the longest texts, which cost more than rows. */
import type { RecordSet } from "../src/records.js";

export const longTextGroups = { ascii: "ascii", chinese: "chinese" } as const;

const memberCount = 100;
const characters = 65_536;

export function longTextRecords(): RecordSet {
  const userIDs = Array.from({ length: memberCount }, (_, number) => `u${number}`);
  const membersOf = (groupID: string, character: string) =>
    userIDs.map((userID) => ({ groupID, userID, roleLevel: 20, ex: character.repeat(characters) }));
  return {
    users: userIDs.map((userID) => ({ userID })),
    groups: Object.values(longTextGroups).map((groupID) => ({ groupID })),
    groupMembers: [...membersOf(longTextGroups.ascii, "x"), ...membersOf(longTextGroups.chinese, "群")],
  };
}
