import { it } from "vitest";
import { corrupt, expectRepaired, fileWith } from "../../../helpers/corruptedFile.js";

const copy = fileWith(3100);

const members = "(SELECT id FROM lists WHERE name = 'groupMembers')";
const key = "198020000000000000007u0007";

/** What is written behind the back of the triggers, and one of the sentences that check says of it. */
const corruptions: Record<string, [sql: string, sentence: string]> = {
  "a list of nobody's": [
    "INSERT INTO lists (name, owner, total) VALUES ('friends', 'u1', 0)",
    "lists have a name that im-admin does not know (1, such as friends u1)",
  ],
  "a list of somebody else": [
    "UPDATE lists SET owner = 'g9' WHERE name = 'groupMembers'",
    "lists of groupMembers have a wrong total (1, such as groupMembers g9)",
  ],
  "a height that is too small": [
    "UPDATE lists SET height = 1 WHERE name = 'groupMembers'",
    "nodes are on no level of their list (2, such as groupMembers g1, level 2, from '')",
  ],
  "a height that is too large": [
    "UPDATE lists SET height = 3 WHERE name = 'groupMembers'",
    "lists lack the first node of a level (1, such as groupMembers g1, level 3)",
  ],
  "a leaf that starts elsewhere": [
    `UPDATE listNodes SET start = start || 'x' WHERE list = ${members} AND level = 1 AND start = (
      SELECT min(start) FROM listNodes WHERE list = ${members} AND start > '')`,
    "leaves of groupMembers count another number of entries than they have (2, such as groupMembers g1, level 1, from '')",
  ],
  "a larger node that starts elsewhere": [
    `UPDATE listNodes SET start = start || 'x' WHERE list = ${members} AND level = 2 AND start > ''`,
    "nodes start where no child starts (1, such as groupMembers g1, level 2, from '198020000000000001500u1500x')",
  ],
  "a node that has gone": [
    `DELETE FROM listNodes WHERE list = ${members} AND level = 2 AND start = ''`,
    "lists lack the first node of a level (1, such as groupMembers g1, level 2)",
  ],
  "a node above the others": [
    `INSERT INTO listNodes (list, level, start, total) VALUES (${members}, 4, '', 6000)`,
    "nodes are on no level of their list (1, such as groupMembers g1, level 4, from '')",
  ],
  "a member who has moved": [
    "UPDATE groupMembers SET joinTime = 99999 WHERE userID = 'u0007'",
    "leaves of groupMembers count another number of entries than they have (2, such as groupMembers g1, level 1, from '')",
  ],
  "a member who has gone": [
    "DELETE FROM groupMembers WHERE userID = 'u0007'",
    `documents have no member, or another one (1, such as g1 ${key})`,
  ],
  "a notification account that was made": [
    "UPDATE users SET appMangerLevel = 4 WHERE userID = 'u0200'",
    "lists of notificationAccountsByLevel have a wrong total (1, such as notificationAccountsByLevel )",
  ],
  "a blacklist entry that has gone": [
    "DELETE FROM blacks WHERE blackUserID = 'u0020'",
    "lists of blacks have a wrong total (1, such as blacks u0001)",
  ],
  "a new user who was remembered by nobody": [
    "INSERT INTO usersBefore (userID) VALUES ('u0007')",
    "remembered rows of users would never be forgotten (1, such as u0007)",
  ],
  "a received request with another result": [
    "UPDATE receivedGroupRequests SET handleResult = 1 WHERE userID = 'v0003'",
    "join requests have not reached a manager (1, such as u0000 g1 v0003)",
  ],
  "a request with another time": [
    "UPDATE groupRequests SET reqTime = 1000 WHERE userID = 'v0003'",
    "received join requests have no request or no manager (1, such as u0000 g1 v0003)",
  ],
  "a manager who is no longer one": [
    "UPDATE groupMembers SET roleLevel = 20 WHERE roleLevel = 100",
    "received join requests have no request or no manager (100, such as u0000 g1 v0000)",
  ],
  "a list that is no group and has documents": [
    "UPDATE lists SET hasDocuments = 1 WHERE name = 'blacks'",
    "lists have documents that are no groups, or say it otherwise than by 0 and 1 (1, such as blacks u0001)",
  ],
};

it.each(Object.entries(corruptions))("check finds %s, and --repair mends it", async (_, [sql, sentence]) => {
  const path = copy();
  corrupt(path, sql);
  await expectRepaired(path, sentence);
});
