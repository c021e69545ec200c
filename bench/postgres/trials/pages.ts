/** Pages and totals that nobody writes meanwhile. */
import type pg from "pg";
import type { Page, PageRange } from "../../../src/pagination.js";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { measureCalls } from "../../measure.js";
import { largeGroup, managingUser, type Scale, userID } from "../../scale.js";
import type { Trial } from "../../trial.js";
import { chartedList, chartedPlaces } from "../../trials/lists.js";
import { type Place, pageOffsets } from "../../trials/reads.js";
import { poolOf, warm } from "../build.js";
import { listGroupMembers, listRequests, searchAccounts } from "../offset.js";

const limit = 20;

type Read = (pool: pg.Pool, range: PageRange, scale: Scale) => Promise<Page<unknown> | undefined>;

/** The same list by both contestants. The totals and the IDs of the page are compared. */
interface PagesTrial {
  list: string;
  places: readonly Place[];
  ours: Read;
  theirs: Read;
}

function trialsOf({ list, places, ours, theirs }: PagesTrial): Trial[] {
  const contestants: Readonly<Record<string, { read: Read; schema: string }>> = {
    "im-admin": { read: ours, schema: "im_admin" },
    "OFFSET and count(*)": { read: theirs, schema: "plain" },
  };
  return places.map((place) => ({
    name: `${list}: ${typeof place === "number" ? `page at ${place} %` : `${place} page`} of ${limit}`,
    contestants: Object.keys(contestants),
    databases: [],
    unit: "ms",
    async measure(contestant, { postgres = "", scale, milliseconds }) {
      const chosen = contestants[contestant];
      if (chosen === undefined) throw new Error(`there is no contestant ${contestant}`);
      const { read, schema } = chosen;
      // The other one asks for the total and for the page at the same time.
      const pool = poolOf(postgres, "pages", 2);
      await warm(pool, schema);
      const total = (await read(pool, { offset: 0, limit }, scale))?.total ?? 0;
      const offsets = pageOffsets(place, total, limit);
      const page = (index: number) => read(pool, { offset: offsets[index % offsets.length] ?? 0, limit }, scale);
      const measurement = await measureCalls(page, milliseconds);
      await pool.end();
      return { ...measurement, details: { total } };
    },
  }));
}

const members = (keyword = "") => ({
  ours: ((pool, range) =>
    createPostgresStore({ pool }).listGroupMembers({ groupID: largeGroup, keyword, ...range })) as Read,
  theirs: ((pool, range) => listGroupMembers(pool, { groupID: largeGroup, keyword, ...range })) as Read,
});

const accounts = (keyword: string) => ({
  ours: ((pool, range) => createPostgresStore({ pool }).listNotificationAccounts({ keyword, ...range })) as Read,
  theirs: ((pool, range) => searchAccounts(pool, { keyword, ...range })) as Read,
});

/** Of a page of requests, the users who ask. */
const requests = (manager: number) => ({
  ours: (async (pool, range) => {
    const page = await createPostgresStore({ pool }).listReceivedGroupRequests({
      userID: managingUser(manager),
      ...range,
    });
    return page && { total: page.total, items: page.items.map(({ userInfo: { userID } }) => ({ userID })) };
  }) as Read,
  theirs: ((pool, range) => listRequests(pool, { userID: managingUser(manager), ...range })) as Read,
});

const everywhere = ["first", "random", "last"] as const;

const keywords = [
  { keyword: userID(12_345), finds: "one userID" },
  { keyword: "晓东", finds: "two characters" },
  { keyword: "Garcia", finds: "some thousands" },
  { keyword: "王", finds: "one character, common" },
  { keyword: "an", finds: "very much" },
  { keyword: "2000", finds: "everybody" },
];

export const pageTrials: Trial[] = [
  ...trialsOf({ list: "group members", places: everywhere, ...members() }),
  ...trialsOf({ list: chartedList, places: chartedPlaces, ...members() }),
  ...[1, 10, 1000].flatMap((groups, manager) => {
    const list = `join requests of ${groups.toLocaleString("en")} ${groups === 1 ? "group" : "groups"}`;
    return trialsOf({ list, places: everywhere, ...requests(manager) });
  }),
  ...trialsOf({ list: 'notification accounts with "王"', places: ["first"], ...accounts("王") }),
  ...keywords.flatMap(({ keyword, finds }) =>
    trialsOf({ list: `members with "${keyword}" (${finds})`, places: ["first"], ...members(keyword) }),
  ),
];
