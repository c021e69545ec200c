/** The stores over `lists.ts`, from which `built.ts` makes a module: tests open them, and read the further lists. */
import type pg from "pg";
import type { BundledStore } from "../../../src/stores/bundledStore.js";
import { betterSqlite3 } from "../../../src/stores/drivers/betterSqlite3.js";
import { openFileDatabase } from "../../../src/stores/drivers/fileDatabase.js";
import { rangesOf } from "../../../src/stores/lists/digits.js";
import type { ListDefinition } from "../../../src/stores/lists/list.js";
import { createPostgresStore, migratePostgres, settlePostgres } from "../../../src/stores/postgres/index.js";
import { schemaName } from "../../../src/stores/postgres/names.js";
import * as postgres from "../../../src/stores/postgres/upkeep/checkAll.js";
import * as postgresMap from "../../../src/stores/postgres/upkeep/installMap.js";
import { snakeCase } from "../../../src/stores/snakeCase.js";
import { pageText, readPage } from "../../../src/stores/sqlite/pages/readPage.js";
import { keyRanges, wholeList } from "../../../src/stores/sqlite/pages/selections.js";
import { pageReader } from "../../../src/stores/sqlite/reads.js";
import { matching } from "../../../src/stores/sqlite/search/matching.js";
import { allKinds, settle } from "../../../src/stores/sqlite/settle/settle.js";
import { createSqlStore } from "../../../src/stores/sqlite/store.js";
import * as sqlite from "../../../src/stores/sqlite/upkeep/checkAll.js";
import * as sqliteMap from "../../../src/stores/sqlite/upkeep/installMap.js";
import { putInBulk } from "../../../src/stores/sqlite/upkeep/putInBulk.js";
import { repairLists } from "../../../src/stores/sqlite/upkeep/repair.js";
import type { TableMap } from "../../../src/stores/tablesSql.js";
import { more } from "./lists.js";

export { heldIn } from "../../../adapters/cli/copy.js";
export { heldValues } from "../../../src/openim/collections.js";
export { holds } from "../../../src/stores/postgres/schema/holds.js";

export type ListName = keyof typeof more;

/** What a test asks of a list: the values of the field that divides it, a keyword in small letters, and levels. */
export interface Asked {
  owner?: string;
  part?: string | number;
  keyword?: string;
  levels?: readonly number[];
  offset?: number;
  limit?: number;
}

/** A database with the lists: how many rows a list has, and the IDs of a page. */
export interface Opened {
  store: BundledStore;
  read(name: ListName, asked: Asked): Promise<{ total: number; ids: string[] }>;
  settle(): Promise<void>;
  problems(): Promise<string[]>;
  install(map: TableMap): Promise<void>;
}

const tiny = { uncounted: 3, leaf: 8, fanout: 2 };

export async function openSqlite(path: string, adopt: boolean): Promise<Opened> {
  const database = openFileDatabase(betterSqlite3, { path, adopt });
  const store = createSqlStore(database, putInBulk(tiny), tiny);
  // Migrations know the lists of im-admin. A repair makes those of this module.
  await repairLists(database, tiny);
  return {
    store,
    async read(name, { owner = "", part, keyword, levels, offset = 0, limit = 1000 }) {
      const definition: ListDefinition = more[name];
      const ranges = levels === undefined ? null : JSON.stringify(rangesOf(definition, levels));
      const selection = keyword !== undefined ? matching : levels !== undefined ? keyRanges : wholeList;
      const request = {
        owner,
        ranges,
        keyword: keyword ?? null,
        part: part === undefined ? null : String(part),
      };
      const page = await readPage(
        pageReader(database),
        pageText(definition, selection(definition)),
        { offset, limit },
        request,
      );
      const items = JSON.parse(String(page?.items)) as { userID: string }[];
      return { total: page?.total ?? 0, ids: items.map(({ userID }) => userID) };
    },
    settle: () => settle(database, tiny, allKinds),
    problems: async () =>
      (await sqlite.checkLists(database, tiny))
        // The migration has made the tables of records, which check other values for these lists.
        .filter(({ kind, problem }) => kind !== "note" && !/^the table im_admin_\w+ is another one/.test(problem))
        .map(({ problem }) => problem),
    install: (map) => sqliteMap.installMap(database, map, undefined, tiny),
  };
}

export async function openPostgres(pool: pg.Pool): Promise<Opened> {
  await migratePostgres(pool);
  const schema = schemaName();
  return {
    store: createPostgresStore({ pool, settle: false }),
    async read(name, { owner = "", part, keyword, levels, offset = 0, limit = 1000 }) {
      const definition: ListDefinition = more[name];
      const list = snakeCase(name);
      const ofPart = part === undefined ? owner : `${owner}\u0001${part}`;
      const beginnings = levels === undefined ? null : rangesOf(definition, levels).map(([beginning]) => beginning);
      const page = keyword === undefined ? "list_page($1, $2, $3, $4, $5)" : "found_page($1, $2, $3, $6, $4, $5)";
      const connection = await pool.connect();
      try {
        await connection.query("BEGIN; SET LOCAL search_path = im_admin, pg_temp");
        const { rows } = await connection.query(
          `SELECT total::integer, ARRAY(SELECT key_id($1, key) FROM unnest(keys) WITH ORDINALITY one (key, nth) ORDER BY nth) AS ids
             FROM ${page}`,
          [list, ofPart, beginnings, offset, limit, ...(keyword === undefined ? [] : [keyword])],
        );
        return rows[0];
      } finally {
        await connection.query("ROLLBACK");
        connection.release();
      }
    },
    settle: async () => {
      await settlePostgres(pool);
    },
    problems: async () =>
      (await postgres.checkLists(pool, schema)).map(({ problem, examples }) => `${problem}: ${examples}`),
    install: (map) => postgresMap.installMap(pool, schema, map),
  };
}
