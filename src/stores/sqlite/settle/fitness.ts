/** Whether a list or a node still fits its height or level. What does not is mended after the next write. */
import { capacity, levels, type Sizes } from "../schema/sizes.js";
import { literal, raw, type Sql, sql } from "../sql.js";

/** A value for each level of a list or node. */
function perLevel(of: Sql, value: (level: number) => number, from: readonly number[] = levels): Sql {
  return sql`(CASE ${of} ${raw(from.map((level) => `WHEN ${level} THEN ${value(level)}`).join(" "))} END)`;
}

/** A table of all levels. */
export const allLevels = sql`(SELECT column1 AS level FROM (VALUES ${raw(levels.map((level) => `(${level})`).join(", "))}))`;

/** A node with more rows is divided. */
export function fullFrom(sizes: Sizes, level: Sql): Sql {
  return perLevel(level, (number) => capacity(sizes, number));
}

/** A node with fewer rows is joined with its neighbours. */
export function sparseBelow(sizes: Sizes, level: Sql): Sql {
  return perLevel(level, (number) => Math.floor(capacity(sizes, number) / 4));
}

export function isUnfitNode(sizes: Sizes, level: Sql, total: Sql): Sql {
  return sql`${total} NOT BETWEEN ${sparseBelow(sizes, level)} AND ${fullFrom(sizes, level)}`;
}

/** The height of a list of a length, from the levels that it fills. */
export function heightFor(sizes: Sizes, total: Sql): Sql {
  const cases = levels.map((level) => `WHEN ${total.text} <= ${capacity(sizes, level)} THEN ${level - 1}`);
  return sql`(CASE ${raw(cases.join(" "))} ELSE ${literal(levels.length)} END)`;
}

/** Whether a list is too long for its height, or so short that it needs a lower one. */
export function hasWrongHeight(sizes: Sizes, height: Sql, total: Sql): Sql {
  const most = perLevel(height, (number) => capacity(sizes, number + 1), [0, ...levels.slice(0, -1)]);
  const least = perLevel(height, (number) => Math.floor(capacity(sizes, number) / 4));
  return sql`(${total} > coalesce(${most}, ${total}) OR ${total} < coalesce(${least}, 0))`;
}

/** Whether a list is so short that it needs no total. A list without owners always has one. */
export function isTooShort(sizes: Sizes, owner: Sql, total: Sql): Sql {
  return sql`(${owner} <> '' AND ${total} < ${literal(Math.floor(sizes.uncounted / 2))})`;
}

/** Whether a group has become large enough for documents, or so small that it needs none. */
export function hasWrongSearch({ searched }: Sizes, list: { name: Sql; hasDocuments: Sql; total: Sql }): Sql {
  const { name, hasDocuments, total } = list;
  return sql`
    (${name} = 'groupMembers' AND (CASE WHEN ${hasDocuments}
      THEN ${total} < ${literal(Math.floor(searched / 2))} ELSE ${total} > ${literal(searched)} END))`;
}

export function isUnfitList(sizes: Sizes, total: Sql, height: Sql, hasDocuments: Sql): Sql {
  const search = hasWrongSearch(sizes, { name: sql`name`, hasDocuments, total });
  return sql`(${hasWrongHeight(sizes, height, total)} OR ${isTooShort(sizes, sql`owner`, total)} OR ${search})`;
}
