import { listContestants, listDatabases, openLists } from "../contestants/open.js";
import { measureCalls } from "../measure.js";
import { blockingUser, joiningUser, largeGroup, managingUser, scaleOf } from "../scale.js";
import type { Trial } from "../trial.js";
import { type ListQuery, pageTrial, pageTrials } from "./reads.js";

const everywhere = ["first", "random", "last"] as const;

const members: ListQuery = (lists, range) => lists.listGroupMembers({ groupID: largeGroup, keyword: "", ...range });

const withRoles =
  (roleLevels: readonly number[]): ListQuery =>
  (lists, range) =>
    lists.listGroupMembers({ groupID: largeGroup, keyword: "", roleLevels, ...range });

/** The list whose pages the chart shows. */
export const chartedList = "group members, by depth";
export const chartedPlaces = [0, 1, 10, 25, 50, 75, 100] as const;

/** The total without a page; a store has no call for it, so it answers a page of one. */
const totalAlone: Trial = {
  name: "group members: total alone",
  contestants: listContestants,
  databases: listDatabases("orderly"),
  unit: "ms",
  async measure(contestant, world) {
    const lists = await openLists(contestant, world, "orderly");
    const total = async () =>
      (await lists.listGroupMembers({ groupID: largeGroup, keyword: "", offset: 0, limit: 1 }))?.total;
    return measureCalls(total, world.milliseconds);
  },
};

const managers = scaleOf(1, 1).managers.map(({ groups }, manager) => {
  const name = `join requests of ${groups.toLocaleString("en")} ${groups === 1 ? "group" : "groups"}`;
  const requests =
    (handleResults?: readonly number[]): ListQuery =>
    (lists, range) =>
      lists.listReceivedGroupRequests({
        userID: managingUser(manager),
        ...(handleResults && { handleResults }),
        ...range,
      });
  return { name, requests };
});

export const listTrials: Trial[] = [
  ...pageTrials({ list: "group members", limit: 20, isHeadline: true, query: members }, everywhere),
  ...pageTrials({ list: "group members", limit: 20, kind: "random", isHeadline: true, query: members }, everywhere),
  ...pageTrials({ list: "group members", limit: 100, query: members }, everywhere),
  totalAlone,
  ...pageTrials({ list: chartedList, limit: 20, query: members }, chartedPlaces),
  ...pageTrials({ list: "ordinary members", limit: 20, query: withRoles([20]) }, ["random"]),
  ...pageTrials({ list: "administrators and ordinary members", limit: 20, query: withRoles([20, 60]) }, ["random"]),
  ...pageTrials(
    {
      list: "blacklist",
      limit: 20,
      query: (lists, range) => lists.listBlacks({ ownerUserID: blockingUser, ...range }),
    },
    everywhere,
  ),
  ...pageTrials(
    {
      list: "joined groups",
      limit: 20,
      query: (lists, range) => lists.listJoinedGroups({ userID: joiningUser, ...range }),
    },
    everywhere,
  ),
  ...pageTrials(
    {
      list: "notification accounts",
      limit: 20,
      query: (lists, range) => lists.listNotificationAccounts({ keyword: "", ...range }),
    },
    everywhere,
  ),
  ...managers.flatMap(({ name, requests }) => [
    ...pageTrials({ list: name, limit: 20, isHeadline: true, query: requests() }, everywhere),
    pageTrial({ list: `pending ${name}`, limit: 20, place: "random", isHeadline: true, query: requests([0]) }),
  ]),
];
