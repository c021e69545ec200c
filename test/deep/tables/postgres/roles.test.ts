/** Each step with the rights that docs/own-tables.md names, and without one of them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { imAdmin, post, serveHere } from "../../../helpers/cliProcess.js";
import { type PostgresServer, startPostgres } from "../../../helpers/postgres/server.js";
import { temporaryFolder } from "../../../helpers/stores.js";

/** Roles are of the whole server, which other test files share. */
const roles = ["roles_owner", "roles_other", "roles_service", "roles_writer"] as const;
const [owner, other, service, writer] = roles;

let server: PostgresServer;
let database: string;
beforeEach(async () => {
  server = await startPostgres();
  database = (await server.pool.query("SELECT current_database() AS name")).rows[0].name;
  for (const role of roles) {
    const { rows } = await server.pool.query("SELECT FROM pg_roles WHERE rolname = $1", [role]);
    if (rows.length > 0) await server.pool.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
    await server.pool.query(`CREATE ROLE ${role}`);
  }
  await server.pool.query(`
    CREATE SCHEMA chat AUTHORIZATION ${owner};
    SET ROLE ${owner};
    CREATE TABLE chat.person (id text PRIMARY KEY, name text);
    CREATE TABLE chat.avatar (person text PRIMARY KEY, url text);
    CREATE TABLE chat.membership (room text, person text, PRIMARY KEY (room, person));
    CREATE INDEX ON chat.membership (person);
    CREATE TABLE chat.inbox (owner text, id text, type integer, peer text, room text, pinned boolean, PRIMARY KEY (owner, id));
    INSERT INTO chat.person SELECT 'p' || n, 'Person ' || n FROM generate_series(1, 200) n;
    INSERT INTO chat.membership SELECT 'r', id FROM chat.person;
    RESET ROLE`);
});
afterEach(async () => {
  for (const role of roles) await server.pool.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
  await server.stop();
});

const map = {
  users: {
    from: "chat.person",
    key: { userID: "id" },
    fields: { nickname: "name", faceURL: "(SELECT url FROM chat.avatar WHERE avatar.person = person.id)" },
  },
  groupMembers: { from: "chat.membership", key: { groupID: "room", userID: "person" } },
  conversations: {
    from: "chat.inbox",
    key: { ownerUserID: "owner", conversationID: "id" },
    fields: { conversationType: "type", userID: "peer", groupID: "room", isPinned: "pinned" },
  },
};

const urlOf = (role: string) => `${server.url}&options=-c%20role%3D${role}`;
const as = (role: string, ...command: string[]) => imAdmin([...command, "--db", urlOf(role)]);

function install(role: string, ...flags: string[]) {
  const file = join(temporaryFolder(), "map.json");
  writeFileSync(file, JSON.stringify(map));
  return as(role, "tables", "--map", file, ...flags);
}

/** Runs a step until it needs no more rights, gives it those that it names, and returns them. */
async function rightsFor(step: () => ReturnType<typeof imAdmin>): Promise<string[]> {
  const given: string[] = [];
  for (;;) {
    const { status, stderr } = await step();
    if (status === 0) return given;
    const grants = stderr.match(/\bGRANT (?:[A-Z]+ )+ON .*? TO \w+/g) ?? [];
    expect(grants, stderr).not.toEqual([]);
    expect(given).not.toContain(grants[0]);
    expect(stderr).not.toContain("write the map as the tables are now");
    for (const grant of grants) await server.pool.query(grant);
    given.push(...grants);
  }
}

it("the owner of the tables installs, upgrades and removes with CREATE on the database alone", async () => {
  expect(await rightsFor(() => install(owner))).toEqual([`GRANT CREATE ON DATABASE ${database} TO ${owner}`]);
  await server.pool.query(`REVOKE CREATE ON DATABASE ${database} FROM ${owner}`);
  for (const command of [["check"], ["settle"], ["check", "--repair"], ["migrate"]]) {
    expect(await rightsFor(() => as(owner, ...command))).toEqual([]);
  }
  expect(await rightsFor(() => install(owner))).toEqual([]);
  expect(await rightsFor(() => as(owner, "tables", "--remove"))).toEqual([]);
  expect(await rightsFor(() => as(owner, "tables", "--remove", "--all"))).toEqual([]);
});

it("another role that trusts the owner needs to read the tables and to make triggers on them", async () => {
  await server.pool.query(`CREATE SCHEMA im_admin AUTHORIZATION ${other}`);
  const trusting = () => install(other, "--trust-owner", owner);
  expect((await rightsFor(trusting)).sort()).toEqual([
    `GRANT SELECT ON chat.avatar TO ${other}`,
    `GRANT SELECT ON chat.inbox TO ${other}`,
    `GRANT SELECT ON chat.membership TO ${other}`,
    `GRANT SELECT ON chat.person TO ${other}`,
    `GRANT TRIGGER ON chat.membership TO ${other}`,
    `GRANT TRIGGER ON chat.person TO ${other}`,
    `GRANT USAGE ON SCHEMA chat TO ${other}`,
  ]);
  for (const command of [["check"], ["settle"], ["check", "--repair"], ["migrate"]]) {
    expect(await rightsFor(() => as(other, ...command))).toEqual([]);
  }
  expect(await rightsFor(trusting)).toEqual([]);
  expect(await rightsFor(() => as(other, "tables", "--remove"))).toEqual([]);
  expect(await rightsFor(trusting)).toEqual([]);
  expect(await rightsFor(() => as(other, "tables", "--remove", "--all"))).toEqual([]);
});

it("the service needs to read im-admin's schema and all that the map reads, and keeps its rights", async () => {
  await server.pool.query(`GRANT CREATE ON DATABASE ${database} TO ${owner}`);
  await install(owner);
  expect(await rightsFor(() => as(service, "settle"))).toEqual([
    `GRANT USAGE ON SCHEMA im_admin TO ${service}`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA im_admin TO ${service}`,
  ]);
  const ofHost = [
    `GRANT USAGE ON SCHEMA chat TO ${service}`,
    `GRANT SELECT ON chat.person TO ${service}`,
    `GRANT SELECT ON chat.membership TO ${service}`,
    `GRANT SELECT ON chat.inbox TO ${service}`,
    `GRANT SELECT ON chat.avatar TO ${service}`,
  ];
  expect(await rightsFor(() => as(service, "check"))).toEqual(ofHost);
  const flags = ["--secret", "a secret of 32 characters at least", "--admin", "imAdmin", "--token-endpoint"];
  const refused = imAdmin(["serve", ...flags, "--port", "0", "--db", urlOf(writer)]);
  expect(await refused).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      `the role ${writer} lacks rights: GRANT USAGE ON SCHEMA im_admin TO ${writer}; GRANT SELECT ON ALL TABLES IN SCHEMA im_admin TO ${writer}\n`,
    ),
  });

  expect((await install(owner)).status).toBe(0);
  const { url } = await serveHere([...flags, "--db", urlOf(service)]);
  const { data } = await post(`${url}/auth/get_admin_token`, "", { secret: flags[1], userID: "imAdmin" });
  const token = String(data?.["token"]);
  const found = await post(`${url}/friend/get_black_list`, token, {
    userID: "p1",
    pagination: { pageNumber: 1, showNumber: 1 },
  });
  expect(found).toMatchObject({ errCode: 0, data: { total: 0 } });
  const conversation = { conversationID: "c", conversationType: 1, userID: "p2", isPinned: true };
  const set = () => post(`${url}/conversation/set_conversations`, token, { userIDs: ["p1"], conversation });
  expect((await set()).errCode).toBe(500);
  await server.pool.query(`GRANT INSERT, UPDATE ON chat.inbox TO ${service}`);
  expect(await set()).toMatchObject({ errCode: 0 });
});

it("the chat server writes its tables without any right in im-admin's schema", async () => {
  await server.pool.query(`GRANT CREATE ON DATABASE ${database} TO ${owner}`);
  await install(owner);
  await server.pool.query(`
    GRANT USAGE ON SCHEMA chat TO ${writer};
    GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA chat TO ${writer};
    SET ROLE ${writer};
    INSERT INTO chat.person VALUES ('new', 'New');
    UPDATE chat.person SET name = 'Newer' WHERE id = 'new';
    DELETE FROM chat.membership WHERE person = 'p1';
    TRUNCATE chat.membership;
    RESET ROLE`);
  expect(await as(owner, "check")).toMatchObject({ status: 0 });
});
