import { scrambled } from "./random.js";

/** How large the lists are. */
export interface Scale {
  /** Members of the large group. */
  members: number;
  /** Users who are in no group, so that they can join one. */
  outsiders: number;
  /** Members of the small group. */
  smallGroup: number;
  /** Notification accounts. */
  accounts: number;
  /** Users who manage groups, and the requests to join those. */
  managers: readonly { groups: number; requests: number }[];
  /** Members of the group that is loaded at once. */
  loadedMembers: number;
  /** Members of the group that batches of further members are put into, and how many a batch has. */
  batches: { members: number; size: number };
}

const million = 1_000_000;

/** All lists are smaller where the large group is; where it is larger, the others stay as they are. */
export function scaleOf(members: number): Scale {
  const upTo = (size: number) => Math.min(size, Math.ceil((size * members) / million));
  return {
    members,
    outsiders: 2000,
    smallGroup: 1000,
    accounts: upTo(million / 10),
    managers: [
      { groups: 1, requests: upTo(1000) },
      { groups: 10, requests: upTo(million / 10) },
      { groups: 1000, requests: upTo(million) },
    ],
    loadedMembers: Math.min(million, members),
    batches: { members: upTo(300_000), size: upTo(10_000) },
  };
}

export const largeGroup = "large";
export const smallGroup = "small";

/**
 * Whose lists: those of users whose IDs are numbers in the order of registration, or those of users whose IDs are random,
 * and who join at random times.
 */
export type Kind = "orderly" | "random";

/** The part of a trial's name that says whose lists it reads. */
export const suffixOf = (kind: Kind) => (kind === "random" ? ", random IDs" : "");

/** The userID of a user. The numbers follow the order of registration. */
export function userID(number: number, kind: Kind = "orderly"): string {
  if (kind !== "random") return String(2_000_000_000 + number);
  // Each number has a share of its own of all numbers with ten digits, so that no two users get the same.
  return String(1_000_000_000 + Math.floor((scrambled(number) / 2 ** 32) * 9_000_000_000));
}

/** Users with a part of their own, who are not in the large group. */
export const managingUser = (manager: number) => `managing${manager}`;
export const managedGroup = (manager: number, number: number) => `managed${manager}-${number}`;
/** A user who is not in the large group. */
export const outsider = ({ members }: Scale, number: number, kind: Kind) => userID(members + number, kind);
