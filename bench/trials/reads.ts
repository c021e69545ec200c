/** Pages of lists, for all trials that read. */
import type { Page, PageRange } from "../../src/pagination.js";
import { listContestants, listDatabases, openLists } from "../contestants/open.js";
import type { Lists } from "../contestants/pageReader.js";
import { measureCalls } from "../measure.js";
import { type Kind, type Scale, suffixOf } from "../scale.js";
import type { Trial } from "../trial.js";

/** Which page: one of these, or the page after so many percent of the list. */
export type Place = "first" | "random" | "last" | number;

/** Asks for a page of a list. */
export type ListQuery = (lists: Lists, range: PageRange, scale: Scale) => PageAnswer | Promise<PageAnswer>;
export type PageAnswer = Page<unknown> | undefined;

const goldenRatio = (Math.sqrt(5) - 1) / 2;

export interface PageTrial {
  list: string;
  place: Place;
  limit: number;
  /** Whose lists; orderly users' unless it is said. */
  kind?: Kind;
  query: ListQuery;
}

export function pageTrial({ list, place, limit, kind = "orderly", query }: PageTrial): Trial {
  return {
    name: `${list}${suffixOf(kind)}: ${typeof place === "number" ? `page at ${place} %` : `${place} page`} of ${limit}`,
    contestants: listContestants,
    databases: listDatabases(kind),
    unit: "ms",
    async measure(contestant, world) {
      const lists = await openLists(contestant, world, kind);
      const page = (offset: number) => query(lists, { offset, limit }, world.scale);
      const total = (await page(0))?.total ?? 0;
      const offsets = pageOffsets(place, total, limit);
      const measurement = await measureCalls((index) => page(offsets[index % offsets.length] ?? 0), world.milliseconds);
      return { ...measurement, details: { total } };
    },
  };
}

/** Where the pages begin that are asked for, one after the other; all of them are full. */
export function pageOffsets(place: Place, total: number, limit: number): number[] {
  const last = Math.max(0, total - limit);
  if (place === "first") return [0];
  if (place === "last") return [last];
  if (typeof place === "number") return [Math.floor((last * place) / 100)];
  // Multiples of the golden ratio have no pattern, and few of them already lie all over the list: of slow pages, a
  // process reads only some.
  return Array.from({ length: 1000 }, (_, index) => Math.floor(((0.5 + index * goldenRatio) % 1) * (last + 1)));
}

/** A trial for each of the pages. */
export function pageTrials(trial: Omit<PageTrial, "place">, places: readonly Place[]): Trial[] {
  return places.map((place) => pageTrial({ ...trial, place }));
}
