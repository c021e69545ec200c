/**
 * Keywords that an index tells little about, each beside a look at the userID and the nickname of every member: that is
 * what any keyword may cost at most, with its total and its page together.
 */
import { openSqliteStore } from "../../src/stores/drivers/sqlite.js";
import { type Call, measureCalls } from "../measure.js";
import { openConnection } from "../plain.js";
import { type Kind, largeGroup, type Scale, suffixOf, userID } from "../scale.js";
import type { Trial } from "../trial.js";
import { pathOf, type World } from "../world.js";
import { type Place, pageOffsets } from "./reads.js";

interface HostileKeyword {
  /** Its name for readers. */
  what: string;
  keyword: string | ((scale: Scale) => string);
  kind: Kind;
  /** Where the page is among the hits; the first one unless it is said. */
  places?: readonly Place[];
  /** Only members with these levels. */
  roleLevels?: readonly number[];
}

/** What the userIDs of all members begin with. */
function commonPrefix({ members }: Scale): string {
  const last = userID(members - 1);
  let length = 0;
  while (length < last.length && userID(0)[length] === last[length]) length += 1;
  return last.slice(0, length);
}

const someMember = ({ members }: Scale) => Math.floor(members * 0.56789);

/** Administrators and ordinary members, which is the filter 4 of getGroupMemberList. */
const roleLevels = [60, 20] as const;

const orderly: readonly Omit<HostileKeyword, "kind">[] = [
  { what: "a whole userID", keyword: (scale) => userID(someMember(scale)) },
  { what: "nearly a whole userID", keyword: (scale) => userID(someMember(scale)).slice(0, -1) },
  { what: "the beginning of all userIDs", keyword: commonPrefix, places: ["first", 50, "last"] },
  { what: "the beginning of all userIDs, with filter 4", keyword: commonPrefix, places: ["last"], roleLevels },
  { what: "two characters of ASCII", keyword: "an", places: ["first", "last"] },
  { what: "two characters of ASCII, with filter 4", keyword: "an", places: ["last"], roleLevels },
  { what: "one character of ASCII", keyword: "a", places: ["first", "last"] },
  { what: "three letters that nobody has", keyword: "qqq" },
  { what: "two Chinese characters, rare", keyword: "晓东" },
  { what: "two Chinese characters, common", keyword: "北京", places: ["first", "last"] },
  { what: "a Chinese character, common", keyword: "王", places: ["first", "last"] },
  { what: "a Chinese character, common, with filter 4", keyword: "王", places: ["last"], roleLevels },
  { what: "a Chinese character and one of ASCII", keyword: "王a" },
  { what: "255 digits", keyword: "0".repeat(255) },
  { what: "U+FFFD", keyword: "\ufffd" },
  { what: "%", keyword: "%" },
  { what: "_", keyword: "_" },
];

const random: readonly Omit<HostileKeyword, "kind">[] = [
  { what: "a whole userID", keyword: (scale) => userID(someMember(scale), "random") },
  { what: "three digits", keyword: "123", places: ["first", "last"] },
  { what: "two digits", keyword: "12", places: ["first", "last"] },
  { what: "two Chinese characters, common", keyword: "北京", places: ["first", "last"] },
  { what: "a Chinese character, common", keyword: "王", places: ["first", "last"] },
];

const hostile: readonly Omit<HostileKeyword, "kind">[] = [
  { what: "哈", keyword: "哈", places: ["first", "last"] },
  { what: "哈 twice", keyword: "哈哈", places: ["last"] },
  { what: "哈 61 times", keyword: "哈".repeat(61), places: ["first", "last"] },
  { what: "哈 65 times, which nobody has", keyword: "哈".repeat(65) },
  { what: "U+FFFE", keyword: "\ufffe" },
  { what: "U+FFFE 3 times", keyword: "\ufffe".repeat(3), places: ["last"] },
  { what: "U+FFFD 61 times", keyword: "\ufffd".repeat(61) },
  { what: "%_%, which nobody has", keyword: "%_%" },
  { what: "%", keyword: "%", places: ["last"] },
  { what: "_", keyword: "_", places: ["last"] },
  { what: "100 %_100 %", keyword: "100 %_100 %", places: ["last"] },
];

const keywords: readonly HostileKeyword[] = [
  ...orderly.map((keyword) => ({ ...keyword, kind: "orderly" as const })),
  ...random.map((keyword) => ({ ...keyword, kind: "random" as const })),
  ...hostile.map((keyword) => ({ ...keyword, kind: "hostile" as const })),
];

export const lookContestant = "a look at all";
export const hostileContestants = ["im-admin", "im-admin after ANALYZE", lookContestant] as const;

export const hostileTrials: Trial[] = keywords.flatMap((hostile) =>
  (hostile.places ?? ["first"]).map((place) => hostileTrial(hostile, place)),
);

function hostileTrial({ what, keyword, kind, roleLevels }: HostileKeyword, place: Place): Trial {
  const group = kind === "hostile" ? "group with hostile nicknames" : `large group${suffixOf(kind)}`;
  return {
    name: `keyword in the ${group}: ${what}: ${place === 50 ? "middle" : place} page of 20`,
    contestants: hostileContestants,
    databases: [`imAdmin ${kind}`, `imAdminAnalyzed ${kind}`, `documents ${kind}`],
    unit: "ms",
    async measure(contestant, world) {
      const query = { keyword: typeof keyword === "string" ? keyword : keyword(world.scale), roleLevels };
      const look = lookAtAll(query, world, kind);
      const total = look();
      const [offset = 0] = pageOffsets(place, total, 20);
      const call = contestant === lookContestant ? look : search(contestant, { ...query, offset }, world, kind);
      return { ...(await measureCalls(call, world.milliseconds)), details: { total } };
    },
  };
}

interface Query {
  keyword: string;
  roleLevels: readonly number[] | undefined;
}

function search(contestant: string, query: Query & { offset: number }, world: World, kind: Kind): Call {
  const purpose = contestant === "im-admin" ? "imAdmin" : "imAdminAnalyzed";
  const store = openSqliteStore({ path: pathOf(world, `${purpose} ${kind}`) });
  const { keyword, roleLevels, offset } = query;
  return async () => {
    const page = await store.listGroupMembers({
      groupID: largeGroup,
      keyword,
      ...(roleLevels && { roleLevels }),
      offset,
      limit: 20,
    });
    if (page?.items.length !== Math.min(20, page?.total ?? 0)) throw new Error("the page is not full");
    return page.total;
  };
}

/** Counts the hits with LIKE, which takes the characters from U+FFFD to U+FFFF for the same. */
function lookAtAll({ keyword, roleLevels }: Query, world: World, kind: Kind): () => number {
  const isUnclear = /[\ufffd-\uffff]/.test(keyword);
  const has = (column: string) =>
    `${column} LIKE @pattern ESCAPE '\\'${isUnclear ? ` AND instr(${column}, @keyword) > 0` : ""}`;
  const count = openConnection(pathOf(world, `documents ${kind}`))
    .prepare(`
      SELECT count(*) FROM documents WHERE (${has("user_id")} OR ${has("nickname")})
        ${roleLevels ? `AND role_level IN (${roleLevels.join(", ")})` : ""}`)
    .pluck();
  const pattern = `%${keyword.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return () => Number(count.get({ pattern, keyword }));
}
