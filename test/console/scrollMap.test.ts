import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScrollMap } from "../../console/list/scrollMap.js";

const maps = fc
  .tuple(fc.integer({ min: 0, max: 2_147_483_647 }), fc.constantFrom(36, 56), fc.integer({ min: 0, max: 4_000 }))
  .map(([total, rowHeight, viewHeight]) => new ScrollMap(total, rowHeight, viewHeight));
const parts = fc.double({ min: 0, max: 1, noNaN: true });

describe("the scrollbar of a list", () => {
  it("moves as far as the rows near both ends of a million rows", () => {
    const map = new ScrollMap(1_000_000, 36, 600);
    expect([map.lastTop, map.lastScrollTop]).toEqual([35_999_400, 3_999_400]);
    expect([0, 1_404, 12_000].map((top) => map.scrollTopOf(top))).toEqual([0, 1_404, 12_000]);
    expect([1_404, 0].map((rest) => map.scrollTopOf(35_999_400 - rest))).toEqual([3_999_400 - 1_404, 3_999_400]);
    expect(map.topOf(3_999_400 / 2)).toBe(35_999_400 / 2);
  });

  it("has the position of the rows that it leads to, in any list", () => {
    fc.assert(
      fc.property(maps, parts, (map, part) => {
        const top = part * map.lastTop;
        const scrollTop = map.scrollTopOf(top);
        expect(scrollTop).toBeGreaterThanOrEqual(0);
        expect(scrollTop).toBeLessThanOrEqual(map.lastScrollTop);
        expect(Math.abs(map.topOf(scrollTop) - top)).toBeLessThan(0.001);
        expect(map.topOf(map.lastScrollTop)).toBe(map.lastTop);
      }),
    );
  });

  it("has the same distance to both ends as the rows, except in the middle of long lists", () => {
    fc.assert(
      fc.property(maps, parts, (map, part) => {
        const way = part * Math.min(20 * map.viewHeight, map.lastTop);
        expect(Math.abs(map.scrollTopOf(way) - way)).toBeLessThan(0.001);
        expect(Math.abs(map.lastScrollTop - map.scrollTopOf(map.lastTop - way) - way)).toBeLessThan(0.001);
      }),
    );
  });
});
