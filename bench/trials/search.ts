import { type Kind, largeGroup, userID } from "../scale.js";
import type { Trial } from "../trial.js";
import { type Place, pageTrials } from "./reads.js";

/** A keyword, how much it finds (the results tell how much it was), and whose group it is looked for in. */
interface SearchTrial {
  keyword: string;
  finds: string;
  places: readonly Place[];
  kind?: Kind;
}

const searches: readonly SearchTrial[] = [
  { keyword: userID(12_345), finds: "one userID", places: ["first"] },
  { keyword: userID(12_345, "random"), finds: "one userID", places: ["first"], kind: "random" },
  { keyword: "（北京）", finds: "some thousands", places: ["first", "random"] },
  { keyword: "Garcia", finds: "some thousands", places: ["first", "random"] },
  { keyword: "Garcia", finds: "some thousands", places: ["first", "random"], kind: "random" },
  { keyword: "王", finds: "one character, common", places: ["first", "random"] },
  { keyword: "王", finds: "one character, common", places: ["first", "random"], kind: "random" },
  { keyword: "龙", finds: "one character", places: ["first"] },
  { keyword: "晓东", finds: "two characters", places: ["first"] },
  { keyword: "晓东", finds: "two characters", places: ["first"], kind: "random" },
  { keyword: "an", finds: "very much", places: ["first", "last"] },
  { keyword: "2000", finds: "everybody", places: ["first", "random"] },
  { keyword: "qqqq", finds: "nothing", places: ["first"] },
];

export const searchTrials: Trial[] = searches.flatMap(({ keyword, finds, places, ...options }) =>
  pageTrials(
    {
      ...options,
      list: `members with "${keyword}" (${finds})`,
      limit: 20,
      query: (lists, range) => lists.listGroupMembers({ groupID: largeGroup, keyword, ...range }),
    },
    places,
  ),
);
