import { buildLists, dropKept, keptTables, listTriggers } from "./build.js";
import { capacity, levels, type Sizes } from "./countedLists.js";
import type { Row, SqlDatabase, Statement } from "./database.js";
import { definitions } from "./definitions.js";
import { isDocumentOf, searchedLists } from "./documents.js";
import { created, quoted } from "./text.js";
import { selectEntries } from "./upkeep.js";

/** Something that the database keeps for the lists and that disagrees with the rows of its tables. */
export interface Finding {
  /** What is wrong, as a sentence. */
  problem: string;
  /** How many there are of it. */
  count: number;
  /** One of them. */
  example: string;
}

/** Is told after each check how many of how many are done. */
export type OnCheck = (done: number, checks: number) => void;

interface Check {
  problem: string;
  /** A SELECT of one column, which names each of what is wrong. */
  wrong: string;
}

/** Compares everything that the database keeps for the lists with the rows: empty where all of it is right. */
export async function checkLists(database: SqlDatabase, sizes: Sizes, onCheck: OnCheck = () => {}): Promise<Finding[]> {
  const parts = keptTables.map((create) => partCheck(create));
  const triggers = listTriggers(sizes).map((create) => partCheck(create));
  const checks = [...triggers, ...entryChecks(), ...nodeChecks(sizes), ...documentChecks(sizes)];
  const total = parts.length + checks.length + indexes.length;
  let done = 0;
  const onDone = () => {
    done += 1;
    onCheck(done, total);
  };
  const missing = await runChecks(database, parts, onDone);
  if (missing.length > 0) {
    // The rest cannot be looked at.
    onCheck(total, total);
    return missing;
  }
  const findings = await runChecks(database, checks, onDone);
  for (const name of indexes) {
    findings.push(...(await checkIndex(database, name)));
    onDone();
  }
  return findings;
}

/** Runs checks against one view, while others write. */
async function runChecks(database: SqlDatabase, checks: readonly Check[], onDone: () => void): Promise<Finding[]> {
  const findings: Finding[] = [];
  function* statements(): Generator<Statement, void, Row[] | undefined> {
    for (const { problem, wrong } of checks) {
      const named = `SELECT NULL AS named WHERE false UNION ALL ${wrong}`;
      const rows = yield { sql: `SELECT count(*) AS count, min(named) AS example FROM (${named})`, values: [] };
      const { count, example } = rows?.[0] ?? {};
      if (Number(count) > 0) findings.push({ problem, count: Number(count), example: String(example) });
      onDone();
    }
  }
  await database.read(statements());
  return findings;
}

/** Builds everything that the database keeps for the lists anew, in one transaction. */
export async function repairLists(database: SqlDatabase, sizes: Sizes, onStep: OnCheck = () => {}): Promise<void> {
  const steps = [...dropKept(sizes), ...keptTables, ...buildLists(sizes), ...listTriggers(sizes)];
  await database.write(
    (function* (): Generator<Statement, void, unknown> {
      for (const [index, step] of steps.entries()) {
        yield { sql: step, values: [] };
        onStep(index + 1, steps.length);
      }
    })(),
  );
}

function entryChecks(): Check[] {
  const kept = (
    name: string,
  ) => `SELECT owner, key, item FROM lists CROSS JOIN listEntries entry ON entry.list = lists.id
    WHERE lists.name = '${name}'`;
  const named = "(owner || ' ' || key)";
  return [
    ...definitions.flatMap((definition): Check[] => {
      const { name, owner, key, item } = definition;
      const rows = selectEntries(definition, `${owner} AS owner, ${key} AS key, ${item} AS item`);
      return [
        { problem: `rows are no entries of ${name}`, wrong: `SELECT ${named} FROM (${rows} EXCEPT ${kept(name)})` },
        { problem: `entries of ${name} have no row`, wrong: `SELECT ${named} FROM (${kept(name)} EXCEPT ${rows})` },
      ];
    }),
    {
      problem: "lists are no list that there is",
      wrong: `SELECT name || ' ' || owner FROM lists
        WHERE name NOT IN (${quoted(definitions.map(({ name }) => name))})`,
    },
    ...["listEntries", "listNodes", "listDocuments"].map((table) => ({
      problem: `rows of ${table} belong to no list`,
      wrong: `SELECT list FROM ${table} WHERE list NOT IN (SELECT id FROM lists)`,
    })),
  ];
}

function nodeChecks(sizes: Sizes): Check[] {
  const listName = "lists.name || ' ' || lists.owner";
  // A node ends where the next one of its level starts; no text is greater than a blob.
  const nodes = `(SELECT list, level, start, total,
    lead(start, 1, x'') OVER (PARTITION BY list, level ORDER BY start) AS following FROM listNodes) node`;
  const nodeName = `(SELECT name || ' ' || owner FROM lists WHERE id = node.list)
    || ', level ' || level || ', from ' || quote(start)`;
  const limits = levels.map((level) => `WHEN ${level} THEN ${capacity(sizes, level)}`).join(" ");
  return [
    {
      problem: "lists have a wrong total",
      wrong: `SELECT ${listName} FROM lists
        WHERE total <> (SELECT count(*) FROM listEntries entry WHERE entry.list = lists.id)`,
    },
    {
      problem: "lists have outgrown their nodes",
      wrong: `SELECT ${listName} FROM lists
        WHERE total > CASE height + 1 ${limits} ELSE total END`,
    },
    {
      problem: "lists lack the first node of a level",
      wrong: `SELECT ${listName} || ', level ' || value FROM lists CROSS JOIN json_each('${JSON.stringify(levels)}')
        WHERE value <= height AND NOT EXISTS (
          SELECT 1 FROM listNodes node WHERE node.list = lists.id AND node.level = value AND node.start = '')`,
    },
    {
      problem: "nodes are above the height of their list",
      wrong: `SELECT ${nodeName} FROM listNodes node WHERE level > (SELECT height FROM lists WHERE id = node.list)`,
    },
    {
      problem: "leaves count another number of entries than they have",
      wrong: `SELECT ${nodeName} FROM ${nodes} WHERE level = 1 AND total <> (SELECT count(*) FROM listEntries entry
        WHERE entry.list = node.list AND entry.key >= start AND entry.key < following)`,
    },
    {
      problem: "nodes count another number of entries than their children",
      wrong: `SELECT ${nodeName} FROM ${nodes} WHERE level > 1 AND total IS NOT (SELECT sum(total) FROM listNodes child
        WHERE child.list = node.list AND child.level = node.level - 1
          AND child.start >= node.start AND child.start < following)`,
    },
    {
      problem: "nodes start where no child starts",
      wrong: `SELECT ${nodeName} FROM listNodes node WHERE level > 1 AND NOT EXISTS (SELECT 1 FROM listNodes child
        WHERE child.list = node.list AND child.level = node.level - 1 AND child.start = node.start)`,
    },
    {
      problem: "nodes are larger than they may be",
      wrong: `SELECT ${nodeName} FROM listNodes node WHERE total > CASE level ${limits} ELSE total END`,
    },
  ];
}

function documentChecks({ searched }: Sizes): Check[] {
  const names = quoted(searchedLists);
  const kept = "SELECT list, key, userID, nickname FROM listDocuments";
  const texts = `SELECT list, key, userID, nickname FROM listTexts
    WHERE list IN (SELECT id FROM lists WHERE searched AND name IN (${names}))`;
  const named = "(SELECT name || ' ' || owner FROM lists WHERE id = list) || ' ' || key";
  return [
    {
      problem: "lists are large and not searched by an index",
      wrong: `SELECT name || ' ' || owner FROM lists WHERE total > ${searched} AND NOT searched AND name IN (${names})`,
    },
    { problem: "entries have no document, or another one", wrong: `SELECT ${named} FROM (${texts} EXCEPT ${kept})` },
    { problem: "documents have no entry, or another one", wrong: `SELECT ${named} FROM (${kept} EXCEPT ${texts})` },
    {
      problem: "documents have a wrong id",
      wrong: `SELECT ${named} FROM listDocuments WHERE NOT (${isDocumentOf("id", "list")})`,
    },
  ];
}

/** That a table, view, index or trigger is there as it is created. */
function partCheck(create: string): Check {
  const { kind, name } = created(create);
  const type = kind.toLowerCase();
  return {
    problem: `the ${type} ${name} is missing or another one`,
    wrong: `SELECT '${name}' WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema
      WHERE type = '${type}' AND name = '${name}' AND sql = '${create.replaceAll("'", "''")}')`,
  };
}

const indexes = ["listTrigrams", "listGrams"] as const;

/** Compares an index with the documents. SQLite's own check of it is a write, and waits for those of others. */
async function checkIndex(database: SqlDatabase, index: string): Promise<Finding[]> {
  try {
    await database.write([{ sql: `INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`, values: [] }]);
    return [];
  } catch (error) {
    if (!(error instanceof Error && /malformed|corrupt/i.test(error.message))) throw error;
    return [{ problem: `the search index ${index} disagrees with the documents`, count: 1, example: error.message }];
  }
}
