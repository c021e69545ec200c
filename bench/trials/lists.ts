import { largeGroup, managingUser, scaleOf } from "../scale.js";
import type { Trial } from "../trial.js";
import { type ListQuery, pageTrial, pageTrials } from "./reads.js";

const everywhere = ["first", "random", "last"] as const;

const members: ListQuery = (lists, range) => lists.listGroupMembers({ groupID: largeGroup, keyword: "", ...range });

/** The list whose pages the chart shows. */
export const chartedList = "group members, by depth";
export const chartedPlaces = [0, 1, 10, 25, 50, 75, 100] as const;

const managers = scaleOf(1).managers.map(({ groups }, manager) => {
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
  ...pageTrials({ list: "group members", limit: 20, query: members }, everywhere),
  ...pageTrials({ list: "group members", limit: 20, kind: "random", query: members }, everywhere),
  ...pageTrials({ list: chartedList, limit: 20, query: members }, chartedPlaces),
  ...managers.flatMap(({ name, requests }) => [
    ...pageTrials({ list: name, limit: 20, query: requests() }, everywhere),
    pageTrial({ list: `pending ${name}`, limit: 20, place: "random", query: requests([0]) }),
  ]),
];
