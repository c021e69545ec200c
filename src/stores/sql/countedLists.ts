/**
 * Counted lists: what the database keeps so that any page of a list, at any depth, costs about what the first costs,
 * and its total one look-up.
 *
 * A list (a row of `lists`) has entries, in the order of their keys. Once it outgrows a leaf, nodes count its entries:
 * a node of level 1 those from its `start` up to the next node's; a node of level 2 those of several nodes of level 1,
 * whose starts include its own, and so on up to the list's `height`. The first node of each level starts at "". To
 * find the entry at an offset, one passes over whole nodes, the largest first, and then over part of one leaf.
 *
 * The triggers here keep nodes and totals right for whoever inserts and deletes entries, which is what the triggers of
 * upkeep.ts do for the tables. Entries are never updated.
 */

/** How large nodes get; tests use tiny ones. */
export interface Sizes {
  /** How many entries a leaf (a node of level 1) counts at most; at least 8, so that a quarter of it is a few. */
  leaf: number;
  /** How many times the entries of its children's level a larger node counts at most; at least 2. */
  fanout: number;
  /** From how many entries on a list has documents, which are searched by an index. */
  searched: number;
}

export const defaultSizes: Sizes = { leaf: 500, fanout: 10, searched: 2000 };

/** The levels of nodes. Of the last one there may be any number, which costs little below a hundred million entries. */
export const levels = [1, 2, 3, 4] as const;

/** How many entries a node of a level counts at most. */
export function capacity({ leaf, fanout }: Sizes, level: number): number {
  return leaf * fanout ** (level - 1);
}

export const listTables = [
  `CREATE TABLE lists (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    owner TEXT NOT NULL,
    total INTEGER NOT NULL DEFAULT 0,
    height INTEGER NOT NULL DEFAULT 0,
    searched INTEGER NOT NULL DEFAULT 0,
    UNIQUE (name, owner)
  ) STRICT`,
  // The few that have nodes.
  "CREATE INDEX listsHigh ON lists (height) WHERE height > 0",
  // An entry's item says where its row is found: an id, or the userID of a user.
  `CREATE TABLE listEntries (
    list INTEGER NOT NULL,
    key TEXT NOT NULL,
    item ANY NOT NULL,
    PRIMARY KEY (list, key)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE listNodes (
    list INTEGER NOT NULL,
    level INTEGER NOT NULL,
    start TEXT NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (list, level, start)
  ) STRICT, WITHOUT ROWID`,
];

/** The triggers that keep nodes and totals. */
export function nodeTriggers(sizes: Sizes): string[] {
  const full = perLevel(levels.map((level) => [level, capacity(sizes, level)]));
  const sparse = perLevel(levels.map((level) => [level, Math.floor(capacity(sizes, level) / 4)]));
  const outgrown = perLevel(levels.map((level) => [level - 1, capacity(sizes, level)]));
  const half = Math.floor(sizes.leaf / 2);
  const node = (row: string) => `list = ${row}.list AND level = ${row}.level`;
  const next = `SELECT start FROM listNodes WHERE ${node("NEW")} AND start > NEW.start ORDER BY start LIMIT 1`;
  const startsParent = (row: string) => `EXISTS (SELECT 1 FROM listNodes parent
          WHERE parent.list = ${row}.list AND parent.level = ${row}.level + 1 AND parent.start = ${row}.start)`;
  const count = (row: string, sign: string) => [
    // From the leaves up, because a node that is split or merged looks at the level below.
    ...levels.map(
      (level) => `UPDATE listNodes SET total = total ${sign} 1 WHERE list = ${row}.list AND level = ${level} AND start =
      (SELECT start FROM listNodes WHERE list = ${row}.list AND level = ${level} AND start <= ${row}.key
        ORDER BY start DESC LIMIT 1)`,
    ),
    `UPDATE lists SET total = total ${sign} 1 WHERE id = ${row}.list`,
  ];

  const isFull = `NEW.total > ${full("NEW.level", "NEW.total")}`;
  const isSparse = `NEW.total < ${sparse("NEW.level", "0")}`;
  const grows = `NEW.total > ${outgrown("NEW.height", "NEW.total")}`;
  const shrinks = `NEW.total < ${sparse("NEW.height", "1")}`;

  // One trigger for each table, since each costs every write its time, whether it has something to do or not.
  return [
    trigger("listEntriesInsert AFTER INSERT ON listEntries", count("NEW", "+")),
    trigger("listEntriesDelete AFTER DELETE ON listEntries", count("OLD", "-")),

    trigger(`listsUpdate AFTER UPDATE OF total ON lists WHEN ${grows} OR ${shrinks}`, [
      // A list that outgrows its nodes gets one larger node that counts them all, and is split at once.
      `INSERT INTO listNodes (list, level, start, total) SELECT NEW.id, NEW.height + 1, '', NEW.total WHERE ${grows}`,
      "UPDATE listNodes SET total = total WHERE list = NEW.id AND level = NEW.height + 1",
      `DELETE FROM listNodes WHERE list = NEW.id AND level = NEW.height AND ${shrinks}`,
      "DELETE FROM lists WHERE id = NEW.id AND total = 0 AND height = 0",
      `UPDATE lists SET height = NEW.height + iif(${grows}, 1, -1) WHERE id = NEW.id`,
    ]),

    trigger(`listNodesUpdate AFTER UPDATE OF total ON listNodes WHEN ${isFull} OR ${isSparse}`, [
      // A full leaf is split in its middle.
      `INSERT INTO listNodes (list, level, start, total) SELECT NEW.list, 1, key, NEW.total - ${half} FROM listEntries
      WHERE NEW.level = 1 AND ${isFull} AND list = NEW.list AND key >= NEW.start ORDER BY key LIMIT 1 OFFSET ${half}`,
      // A larger node, at the child that half of the entries come after. No text is greater than a blob.
      `INSERT INTO listNodes (list, level, start, total) SELECT NEW.list, NEW.level, start, following FROM (
        SELECT start, sum(total) OVER (ORDER BY start DESC ROWS UNBOUNDED PRECEDING) AS following FROM listNodes
          WHERE NEW.level > 1 AND ${isFull} AND list = NEW.list AND level = NEW.level - 1
            AND start > NEW.start AND start < coalesce((${next}), x'')
      ) WHERE following >= NEW.total / 2 ORDER BY start DESC LIMIT 1`,
      `UPDATE listNodes SET total = total - (SELECT total FROM listNodes WHERE ${node("NEW")} AND start = (${next}))
      WHERE ${isFull} AND ${node("NEW")} AND start = NEW.start`,
      // A sparse node joins the one before it, and the one after joins it, within their parent. An empty one goes; then
      // the one after stays, since the one before may be full.
      `DELETE FROM listNodes
      WHERE ${isSparse} AND ${node("NEW")} AND start IN (NEW.start, (${next})) AND start <> ''
        AND NOT ${startsParent("listNodes")}
        AND (start = NEW.start OR NEW.total > 0 OR NEW.start = '' OR ${startsParent("NEW")})
        AND (total = 0 OR ${full("NEW.level", "0")} / 2 >= total + (SELECT total FROM listNodes previous
          WHERE previous.list = listNodes.list AND previous.level = listNodes.level
            AND previous.start < listNodes.start ORDER BY start DESC LIMIT 1))`,
    ]),
    trigger("listNodesDelete AFTER DELETE ON listNodes", [
      `UPDATE listNodes SET total = total + OLD.total WHERE ${node("OLD")} AND start =
      (SELECT start FROM listNodes WHERE ${node("OLD")} AND start < OLD.start ORDER BY start DESC LIMIT 1)`,
      // Empty nodes below, which were only kept because this one started there, and none between them does.
      `DELETE FROM listNodes
      WHERE list = OLD.list AND level < OLD.level AND start = OLD.start AND start <> '' AND total = 0
        AND NOT EXISTS (SELECT 1 FROM listNodes above WHERE above.list = OLD.list AND above.start = OLD.start
          AND above.level > listNodes.level AND above.level < OLD.level AND above.total > 0)`,
    ]),
  ];
}

/** A trigger, one statement a line. */
export function trigger(head: string, statements: readonly string[]): string {
  return `CREATE TRIGGER ${head} BEGIN\n${statements.map((statement) => `    ${statement};\n`).join("")}  END`;
}

function perLevel(values: readonly (readonly [level: number, value: number])[]) {
  const cases = values.map(([level, value]) => `WHEN ${level} THEN ${value}`).join(" ");
  return (level: string, otherwise: string) => `CASE ${level} ${cases} ELSE ${otherwise} END`;
}
