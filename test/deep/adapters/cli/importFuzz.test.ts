/** Nothing that the reference server has accepted stops an import, in any notation and into any database. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { EJSON, serialize } from "bson";
import { expect, it } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { randomOf, rounds, seed } from "../../../helpers/chance.js";
import { imAdmin, importFiles } from "../../../helpers/cliProcess.js";
import { type Documents, hostileDocuments, totalsOf } from "../../../helpers/hostileDocuments.js";
import { expectTotals } from "../../../helpers/importedTotals.js";
import { startPostgres } from "../../../helpers/postgres/server.js";

const inCollection = Math.max(50, rounds(2_000));

/** How documents are written. */
const notations = {
  bson: (documents: Documents) =>
    filesOf(documents, "bson", (all) => Buffer.concat(all.map((each) => serialize(each)))),
  relaxed: (documents: Documents) =>
    filesOf(documents, "json", (all) => all.map((each) => EJSON.stringify(each, { relaxed: true })).join("\n")),
  canonical: (documents: Documents) =>
    filesOf(documents, "json", (all) => EJSON.stringify([...all], { relaxed: false })),
};

function filesOf(documents: Documents, end: string, write: (documents: Documents[string]) => string | Buffer) {
  return Object.fromEntries(Object.entries(documents).map(([name, all]) => [`${name}.${end}`, write(all)]));
}

it.each(Object.entries(notations))(
  "with the right totals in a file, from %s",
  { timeout: 1_800_000 },
  async (_, write) => {
    const random = randomOf(seed);
    const first = hostileDocuments(random, inCollection);
    const { status, store, folder, database } = await importFiles(write(first));
    expect(status).toBe(0);
    await expectTotals(
      store,
      totalsOf(first, () => true),
    );
    const second = hostileDocuments(random, inCollection);
    for (const [name, content] of Object.entries(write(second))) writeFileSync(join(folder, name), content);
    expect(await imAdmin(["import", folder, "--db", database, "--replace", "--yes"])).toMatchObject({ status: 0 });
    await expectTotals(
      store,
      totalsOf(second, () => true),
    );
    expect(await imAdmin(["check", "--db", database])).toMatchObject({ status: 0 });
  },
);

it("with the right totals in PostgreSQL", { timeout: 1_800_000 }, async () => {
  const server = await startPostgres();
  try {
    await migratePostgres(server.pool);
    const documents = hostileDocuments(randomOf(seed), inCollection);
    const totals = totalsOf(documents, (key) => !key.includes("\u0001") && Buffer.byteLength(key) <= 512);
    const { folder } = await importFiles(notations.bson(documents));
    for (const flags of [[], ["--replace"]]) {
      expect(await imAdmin(["import", folder, "--db", server.url, ...flags])).toMatchObject({ status: 0 });
      await expectTotals(createPostgresStore({ pool: server.pool }), totals);
    }
    expect(await imAdmin(["check", "--db", server.url])).toMatchObject({ status: 0 });
  } finally {
    await server.stop();
  }
});
