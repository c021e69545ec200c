/**
 * Whether a list or a node still fits its height or level. What does not is mended after the next write. The conditions
 * are on the columns of lists and nodes, such as `total`.
 */
import { capacity, levels, type Sizes } from "../schema/sizes.js";
import { literal, raw, type Sql, sql } from "../sql.js";

/** A table of all levels. */
export const allLevels = sql`(SELECT column1 AS level FROM (VALUES ${raw(levels.map((level) => `(${level})`).join(", "))}))`;

/** A node with fewer rows is joined with its neighbours. */
export function fewestRows(sizes: Sizes, level: number): number {
  return Math.floor(capacity(sizes, level) / 4);
}

/** A value for each level of a node or height of a list. */
function perLevel(column: "level" | "height", value: (level: number) => number, from: readonly number[] = levels): Sql {
  return raw(`(CASE ${column} ${from.map((level) => `WHEN ${level} THEN ${value(level)}`).join(" ")} END)`);
}

export function isUnfitNode(sizes: Sizes): Sql {
  const least = perLevel("level", (level) => fewestRows(sizes, level));
  return sql`total NOT BETWEEN ${least} AND ${perLevel("level", (level) => capacity(sizes, level))}`;
}

/** The height of a list of a length, from the levels that it fills. */
export function rightHeight(sizes: Sizes): Sql {
  const cases = levels.map((level) => `WHEN total <= ${capacity(sizes, level)} THEN ${level - 1}`);
  return raw(`(CASE ${cases.join(" ")} ELSE ${levels.length} END)`);
}

/** Whether a list is too long for its height, or so short that it needs a lower one. */
export function hasWrongHeight(sizes: Sizes): Sql {
  const most = perLevel("height", (height) => capacity(sizes, height + 1), [0, ...levels.slice(0, -1)]);
  const least = perLevel("height", (height) => fewestRows(sizes, height));
  return sql`(total > coalesce(${most}, total) OR total < coalesce(${least}, 0))`;
}

/** Whether a list is so short that it needs no total. A list without owners always has one. */
export function isTooShort({ uncounted }: Sizes): Sql {
  return sql`(owner <> '' AND total < ${literal(Math.floor(uncounted / 2))})`;
}

export function isUnfitList(sizes: Sizes): Sql {
  return sql`(${hasWrongHeight(sizes)} OR ${isTooShort(sizes)})`;
}
