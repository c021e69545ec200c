/** What im-admin on PostgreSQL is built for. */
import type { Definition, Goal, Pair } from "../report/targets.js";

const besideOther = (trial: string): Pair => [trial, "OFFSET and count(*)", trial, "im-admin"];

const page = "random page of 20 members with the total";
const oneGroup = "join requests of 1 group: first page of 20";
const keyword = (text: string) => `members with ${text}: first page of 20`;

const besidePlain = (name: string, goal?: Goal): Definition => ({
  name: `${name}: im-admin / a plain table with the indexes of OFFSET pages`,
  ...(goal && { goal }),
  of: [[name, "im-admin", name, "plain"]],
});

const overHost = "im-admin, over a host's tables";

/** 8 writers of a host's own table, beside one with the indexes that pages by OFFSET need. */
const mapped = (name: string, atLeast: number): Definition => ({
  name: `${name}: ${overHost} / a plain table with the indexes of OFFSET pages`,
  goal: { atLeast },
  of: [[name, overHost, name, "plain"]],
});

const bulk = (name: string): Definition[] => [
  besidePlain(name, { atMost: 3 }),
  {
    name: `${name}: to settle it / the plain statement`,
    of: [[name, "to settle it", name, "plain"]],
  },
];

const load = "a whole group is loaded";

export const postgresDefinitions: readonly Definition[] = [
  {
    name: "group members: random page with its total / first page by its key",
    goal: { atMost: 1.8 },
    of: [[page, "im-admin", page, "first page by its key"]],
  },
  {
    name: "group members: last page: OFFSET and count(*) / im-admin",
    goal: { atLeast: 120 },
    of: [besideOther("group members: last page of 20")],
  },
  {
    name: "group members: random page while 16 write / nobody writes",
    of: [[page, "im-admin, while 16 write", page, "im-admin"]],
  },
  {
    name: "group members: first page by its key while 16 write / nobody writes",
    of: [[page, "first page by its key, while 16 write", page, "first page by its key"]],
  },
  {
    name: "join requests of 1,000 groups: any page / first page of one group",
    of: ["first", "random", "last"].map(
      (place): Pair => [`join requests of 1,000 groups: ${place} page of 20`, "im-admin", oneGroup, "im-admin"],
    ),
  },
  {
    name: "a keyword that finds one userID",
    unit: "ms",
    of: [[keyword('"2000012345" (one userID)'), "im-admin"]],
  },
  {
    name: "a keyword that one member in eight has",
    unit: "ms",
    of: [[keyword('"an" (very much)'), "im-admin"]],
  },
  besidePlain("members join a large group, 1 writer"),
  besidePlain("members join a large group, 8 writers", { atLeast: 0.7 }),
  besidePlain("members join 16 groups, 16 writers", { atLeast: 0.6 }),
  besidePlain("members of a large group get other places, 8 writers", { atLeast: 0.7 }),
  besidePlain("users get other nicknames, 8 writers", { atLeast: 0.6 }),
  mapped("members join a large group, 8 writers", 0.65),
  mapped("members of a large group get other places, 8 writers", 0.65),
  mapped("users get other nicknames, 8 writers", 0.6),
  {
    name: `group members: random page with its total: ${overHost} / im-admin's own`,
    of: [[page, overHost, page, "im-admin"]],
  },
  {
    name: "lists are put over a host's tables: im-admin / CREATE INDEX",
    of: [["lists are put over a host's tables", "im-admin", "lists are put over a host's tables", "CREATE INDEX"]],
  },
  ...bulk("all users get other nicknames"),
  ...bulk("all members of a large group get other places"),
  ...bulk("a tenth of a large group get other places"),
  {
    name: `${load} by COPY and settled / none`,
    of: [[load, "COPY, settled", load, "COPY, without upkeep"]],
  },
  {
    name: `${load}: put and settled / COPY without`,
    of: [[load, "put, settled", load, "COPY, without upkeep"]],
  },
  {
    name: "a conversation is set for 10,000 users: im-admin / one upsert",
    goal: { atMost: 1.5 },
    of: [
      ["a conversation is set for 10,000 users", "im-admin", "a conversation is set for 10,000 users", "one upsert"],
    ],
  },
];
