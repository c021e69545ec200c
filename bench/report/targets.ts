/** The ratios that im-admin is built for. */
import { ratios, type Spread } from "../statistics.js";
import type { Figure } from "./figures.js";

export interface Target {
  name: string;
  /** Of medians, round by round. */
  ratio: Spread;
  /** Of means: what few slow calls add, such as those that tidy an index up. */
  ratioOfMeans: Spread;
}

/** One figure over another: trials and contestants. */
type Ratio = readonly [name: string, trial: string, contestant: string, otherTrial: string, otherContestant: string];

const ours = "im-admin";
const theirs = "better-sqlite3";

function depth(list: string): Ratio[] {
  const first = `${list}: first page of 20`;
  return ["random", "last"].map((place) => [
    `${list}: ${place} page / first page`,
    `${list}: ${place} page of 20`,
    ours,
    first,
    ours,
  ]);
}

const lists = ["group members", "blacklist", "joined groups", "notification accounts"];
const thousandGroups = "join requests of 1,000 groups";
const oneGroup = "join requests of 1 group: first page of 20";

const writes = ["a member joins", "a member leaves", "a member gets another role"].map((name) => `one row: ${name}`);

const all: readonly Ratio[] = [
  ...[...lists, thousandGroups].flatMap(depth),
  ...["first", "random", "last"].map((place): Ratio => {
    const name = `${thousandGroups}: ${place} page`;
    return [`${name} / first page of one group`, `${name} of 20`, ours, oneGroup, ours];
  }),
  ...["first", "random", "last"].map((place): Ratio => {
    const name = `group members: ${place} page`;
    return [`${name}: OFFSET and count(*) / im-admin`, `${name} of 20`, theirs, `${name} of 20`, ours];
  }),
  ...[...writes, "a whole group is loaded"].flatMap((name): Ratio[] => [
    [`${name}: upkeep / none`, name, "upkeep", name, "without upkeep"],
    [`${name}: upkeep and search / none`, name, "upkeep and search", name, "without upkeep"],
  ]),
  ...[
    "getGroupMemberList",
    "getBlackList",
    "getJoinedGroupList",
    "getReceivedGroupApplicationList",
    "searchNotificationAccount",
    "setConversations for 100 users",
  ].map((name): Ratio => [`${name}: function / raw statements`, name, "function", name, "raw statements"]),
  ...["first page of a small group", "first page of the large group"].map((page): Ratio => {
    const name = `HTTP: ${page}`;
    return [`${name}: requests per second, im-admin / bare node:http`, name, ours, name, "bare node:http"];
  }),
];

/** Those whose trials have been run. */
export function targetsOf(figures: readonly Figure[]): Target[] {
  const find = (trial: string, contestant: string) =>
    figures.find((figure) => figure.trial === trial && figure.contestant === contestant);
  return all.flatMap(([name, trial, contestant, otherTrial, otherContestant]) => {
    const figure = find(trial, contestant);
    const other = find(otherTrial, otherContestant);
    if (figure === undefined || other === undefined) return [];
    return { name, ratio: ratios(figure.rounds, other.rounds), ratioOfMeans: ratios(figure.means, other.means) };
  });
}
