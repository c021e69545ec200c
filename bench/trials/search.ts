import { largeGroup } from "../scale.js";
import type { Trial } from "../trial.js";
import { type Place, pageTrials } from "./reads.js";

/** Keywords by how much they find; the results tell how much it was. */
const keywords: readonly [keyword: string, finds: string, places: readonly Place[], isHeadline?: boolean][] = [
  ["2000012345", "one userID", ["first"], true],
  ["（北京）", "some thousands", ["first", "random"]],
  ["Garcia", "some thousands", ["first", "random"], true],
  ["王", "one character, common", ["first", "random"], true],
  ["龙", "one character", ["first"]],
  ["晓东", "two characters", ["first"]],
  ["an", "very much", ["first", "last"]],
  ["2000", "everybody", ["first", "random"]],
  ["qqqq", "nothing", ["first"]],
];

export const searchTrials: Trial[] = keywords.flatMap(([keyword, finds, places, isHeadline = false]) =>
  pageTrials(
    {
      list: `members with "${keyword}" (${finds})`,
      limit: 20,
      isHeadline,
      query: (lists, range) => lists.listGroupMembers({ groupID: largeGroup, keyword, ...range }),
    },
    places,
  ),
);
