import type { ChatServer } from "./chatServer.js";

/** Campfire 1.4, as Rails makes its tables. */
export const campfire: ChatServer = {
  tables: `
    CREATE TABLE "users" (
      "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "bio" text, "bot_token" varchar, "created_at" datetime(6) NOT NULL,
      "email_address" varchar, "name" varchar NOT NULL, "password_digest" varchar, "role" integer DEFAULT 0 NOT NULL,
      "status" integer DEFAULT 0 NOT NULL, "updated_at" datetime(6) NOT NULL);
    CREATE UNIQUE INDEX "index_users_on_bot_token" ON "users" ("bot_token");
    CREATE UNIQUE INDEX "index_users_on_email_address" ON "users" ("email_address");
    CREATE TABLE "rooms" (
      "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "created_at" datetime(6) NOT NULL, "creator_id" bigint NOT NULL,
      "name" varchar, "type" varchar NOT NULL, "updated_at" datetime(6) NOT NULL);
    CREATE TABLE "memberships" (
      "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "connected_at" datetime(6), "connections" integer DEFAULT 0 NOT NULL,
      "created_at" datetime(6) NOT NULL, "involvement" varchar DEFAULT 'mentions', "room_id" integer NOT NULL,
      "unread_at" datetime(6), "updated_at" datetime(6) NOT NULL, "user_id" integer NOT NULL);
    CREATE INDEX "index_memberships_on_room_id_and_created_at" ON "memberships" ("room_id", "created_at");
    CREATE UNIQUE INDEX "index_memberships_on_room_id_and_user_id" ON "memberships" ("room_id", "user_id");
    CREATE INDEX "index_memberships_on_room_id" ON "memberships" ("room_id");
    CREATE INDEX "index_memberships_on_user_id" ON "memberships" ("user_id")`,
  shown: {
    userID: "1",
    group: { groupID: "1", groupName: "All", createTime: 1_704_067_200_000, creatorUserID: "1" },
    member: { userID: "1", appMangerLevel: 2 },
  },
  notes: [
    "users has unique columns that the map does not tell: a REPLACE by them is not noticed",
    "memberships has unique columns that the map does not tell: a REPLACE by them is not noticed",
  ],
  steps: [
    {
      what: "the tables are filled",
      writes: `
        INSERT INTO "users" ("name", "email_address", "role", "bot_token", "created_at", "updated_at") VALUES
          ('Ann', 'ann@example.org', 1, NULL, ${time(1)}, ${time(1)}), ('Bob', 'bob@example.org', 0, NULL, ${time(1)}, ${time(1)}),
          ('Cid', 'cid@example.org', 1, NULL, ${time(1)}, ${time(1)}), ('Dan', 'dan@example.org', 0, NULL, ${time(1)}, ${time(1)}),
          ('Helper', NULL, 2, 'abc', ${time(1)}, ${time(1)});
        INSERT INTO "rooms" ("name", "type", "creator_id", "created_at", "updated_at") VALUES
          ('All', 'Rooms::Open', 1, ${time(1)}, ${time(1)}), ('Staff', 'Rooms::Closed', 2, ${time(2)}, ${time(2)}),
          (NULL, 'Rooms::Direct', 1, ${time(3)}, ${time(3)});
        ${grant(1, [1, 2, 3, 4, 5], 1)}
        ${grant(2, [1, 2], 2)}
        ${grant(3, [1, 2], 3)}`,
      answers: {
        members: {
          "1": [
            "1 / Ann / 100 / 1704067200000",
            "3 / Cid / 60 / 1704067200000",
            "2 / Bob / 20 / 1704067200000",
            "4 / Dan / 20 / 1704067200000",
            "5 / Helper / 20 / 1704067200000",
          ],
          "1 AN": ["1 / Ann / 100 / 1704067200000", "4 / Dan / 20 / 1704067200000"],
          "2": ["2 / Bob / 100 / 1704153600000", "1 / Ann / 60 / 1704153600000"],
          "3": null,
        },
        joined: { "1": ["2 / Staff / 2 / 0 / 2", "1 / All / 5 / 0 / 1"], "4": ["1 / All / 5 / 0 / 1"], "9": null },
        blacks: { "1": [] },
        requests: { "1": [] },
        accounts: { "": ["5 / Helper"] },
      },
    },
    {
      what: "users connect, post and read",
      writes: `
        UPDATE "memberships" SET "connected_at" = ${time(4)}, "connections" = 1, "updated_at" = ${time(4)} WHERE "room_id" = 1;
        UPDATE "rooms" SET "updated_at" = ${time(4)} WHERE "id" = 1;
        UPDATE "memberships" SET "unread_at" = ${time(4)}, "updated_at" = ${time(4)} WHERE "room_id" = 1 AND "user_id" <> 1;
        UPDATE "memberships" SET "unread_at" = NULL, "involvement" = 'everything' WHERE "room_id" = 1 AND "user_id" = 2`,
      answers: {},
    },
    {
      what: "somebody joins the account, and the members of a room are revised",
      writes: `
        INSERT INTO "users" ("name", "email_address", "created_at", "updated_at") VALUES ('Eve', 'eve@example.org', ${time(5)}, ${time(5)});
        ${grant(1, [6], 5)}
        ${grant(2, [4, 1], 5)}
        DELETE FROM "memberships" WHERE "room_id" = 2 AND "user_id" = 1`,
      answers: {
        members: {
          "1": [
            "1 / Ann / 100 / 1704067200000",
            "3 / Cid / 60 / 1704067200000",
            "2 / Bob / 20 / 1704067200000",
            "4 / Dan / 20 / 1704067200000",
            "5 / Helper / 20 / 1704067200000",
            "6 / Eve / 20 / 1704412800000",
          ],
          "2": ["2 / Bob / 100 / 1704153600000", "4 / Dan / 20 / 1704412800000"],
        },
        joined: {
          "1": ["1 / All / 6 / 0 / 1"],
          "4": ["2 / Staff / 2 / 0 / 2", "1 / All / 6 / 0 / 1"],
          "6": ["1 / All / 6 / 0 / 1"],
        },
      },
    },
    {
      what: "administrators change, a user takes another name, and a room becomes an open one with another name",
      writes: `
        UPDATE "users" SET "role" = 1, "updated_at" = ${time(6)} WHERE "id" = 6;
        UPDATE "users" SET "role" = 0, "updated_at" = ${time(6)} WHERE "id" = 3;
        UPDATE "users" SET "name" = 'Daniel', "bio" = 'Reads', "updated_at" = ${time(6)} WHERE "id" = 4;
        UPDATE "rooms" SET "type" = 'Rooms::Open', "name" = 'Board', "updated_at" = ${time(6)} WHERE "id" = 2`,
      answers: {
        members: {
          "1": [
            "1 / Ann / 100 / 1704067200000",
            "6 / Eve / 60 / 1704412800000",
            "2 / Bob / 20 / 1704067200000",
            "3 / Cid / 20 / 1704067200000",
            "4 / Daniel / 20 / 1704067200000",
            "5 / Helper / 20 / 1704067200000",
          ],
          "1 AN": ["1 / Ann / 100 / 1704067200000", "4 / Daniel / 20 / 1704067200000"],
          "2": ["2 / Bob / 100 / 1704153600000", "4 / Daniel / 20 / 1704412800000"],
        },
        joined: { "4": ["2 / Board / 2 / 0 / 2", "1 / All / 6 / 0 / 1"] },
      },
    },
    {
      what: "an account is deactivated, another one banned, and a bot disabled",
      writes: `
        DELETE FROM "memberships" WHERE "id" IN (SELECT "memberships"."id" FROM "memberships" INNER JOIN "rooms" ON
          "rooms"."id" = "memberships"."room_id" WHERE "memberships"."user_id" = 4 AND "rooms"."type" != 'Rooms::Direct');
        UPDATE "users" SET "status" = 1, "email_address" = 'dan-deactivated-1@example.org' WHERE "id" = 4;
        UPDATE "users" SET "status" = 2 WHERE "id" = 3;
        UPDATE "users" SET "status" = 1 WHERE "id" = 5`,
      answers: {
        members: {
          "1": [
            "1 / Ann / 100 / 1704067200000",
            "6 / Eve / 60 / 1704412800000",
            "2 / Bob / 20 / 1704067200000",
            "3 / Cid / 20 / 1704067200000",
            "5 / Helper / 20 / 1704067200000",
          ],
          "1 AN": ["1 / Ann / 100 / 1704067200000"],
          "2": ["2 / Bob / 100 / 1704153600000"],
        },
        joined: { "1": ["1 / All / 5 / 0 / 1"], "4": [], "6": ["1 / All / 5 / 0 / 1"] },
        accounts: { "": [] },
      },
    },
    {
      what: "a room is deleted",
      writes: `
        DELETE FROM "memberships" WHERE "memberships"."room_id" = 1;
        DELETE FROM "rooms" WHERE "rooms"."id" = 1`,
      answers: { members: { "1": null, "1 AN": null }, joined: { "1": [], "6": [] } },
    },
  ],
};

/** A day of January 2024, as Rails writes it. */
function time(day: number): string {
  return `'2024-01-0${day} 00:00:00.123456'`;
}

/** Rails inserts members who are there already, too. */
function grant(room: number, users: readonly number[], day: number): string {
  const values = users.map((user) => `(${room}, ${user}, 'mentions', ${time(day)}, ${time(day)})`);
  return `
    INSERT INTO "memberships" ("room_id", "user_id", "involvement", "created_at", "updated_at") VALUES ${values}
      ON CONFLICT DO NOTHING;`;
}
