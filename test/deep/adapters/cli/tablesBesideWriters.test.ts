import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { imAdmin } from "../../../helpers/cliProcess.js";
import { dumped } from "../../../helpers/postgres/dumped.js";
import { startPostgres } from "../../../helpers/postgres/server.js";
import { temporaryFolder } from "../../../helpers/stores.js";

const map = {
  users: { from: "chat.person", key: { userID: "id" }, fields: { nickname: "name" } },
  groupMembers: {
    from: "chat.membership",
    key: { groupID: "room_id", userID: "person_id" },
    fields: { roleLevel: "role" },
    where: "EXISTS (SELECT FROM chat.consent WHERE consent.person = membership.person_id)",
    also: [{ table: "chat.consent", key: { userID: "person" } }],
  },
};

it("installs, repairs and removes a map while the host writes the tables in any order, and no transaction of it fails", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  await server.pool.query(`
    CREATE SCHEMA chat;
    CREATE TABLE chat.person (id text PRIMARY KEY, name text);
    CREATE TABLE chat.membership (room_id bigint, person_id text, role integer, PRIMARY KEY (room_id, person_id))
      PARTITION BY RANGE (room_id);
    CREATE TABLE chat.membership_1 PARTITION OF chat.membership FOR VALUES FROM (0) TO (1000);
    CREATE TABLE chat.consent (person text PRIMARY KEY, version integer);
    INSERT INTO chat.person SELECT 'p' || n, 'Person ' || n FROM generate_series(1, 300) n;
    INSERT INTO chat.membership SELECT 7, id, 20 FROM chat.person;
    INSERT INTO chat.consent SELECT id, 1 FROM chat.person`);
  const before = await dumped(server);
  const file = join(temporaryFolder(), "map.json");
  writeFileSync(file, JSON.stringify(map));

  const failures: string[] = [];
  let isOver = false;
  // Each writer has rows of its own, so that only im-admin's locks can be in the way.
  const write = async (writer: number) => {
    const statements = [
      `UPDATE chat.person SET name = name || '.' WHERE id = 'p${writer}'`,
      `UPDATE chat.membership SET role = role + 1 WHERE person_id = 'p${writer}'`,
      `UPDATE chat.consent SET version = version + 1 WHERE person = 'p${writer}'`,
    ];
    for (let turn = writer; !isOver; turn += 1) {
      const turned = [...statements.slice(turn % 3), ...statements.slice(0, turn % 3)];
      await server.pool
        .query(["BEGIN", ...turned, "COMMIT"].join(";"))
        .catch((error: Error) => failures.push(error.message));
      await setTimeout(20);
    }
  };
  const writers = Promise.all([1, 2, 3, 4].map(write));
  onTestFinished(() => {
    isOver = true;
  });
  for (const _ of [1, 2, 3]) {
    const succeed = async (...command: string[]) =>
      expect(await imAdmin([...command, "--db", server.url])).toMatchObject({ status: 0 });
    await succeed("tables", "--map", file);
    await succeed("tables", "--map", file);
    await server.pool.query("DELETE FROM im_admin.list_nodes");
    await succeed("check", "--repair");
    await succeed("tables", "--remove", "--all");
    expect(await dumped(server)).toBe(before);
  }
  isOver = true;
  await writers;
  expect(failures).toEqual([]);
});
