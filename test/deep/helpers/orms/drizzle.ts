import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Orm, Target } from "./host.js";

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));

export function drizzle({ engine, place, folder }: Target): Orm {
  const isFile = engine === "sqlite";
  symlinkSync(modules, join(folder, "node_modules"));
  // The tables of im-admin are none of Drizzle's.
  const config = isFile
    ? { dialect: "sqlite", dbCredentials: { url: place }, tablesFilter: ["!im_admin_*"] }
    : { dialect: "postgresql", dbCredentials: { url: place }, schemaFilter: ["chat"] };
  writeFileSync(join(folder, "drizzle.config.json"), JSON.stringify({ ...config, schema: "./schema.mjs" }));
  async function push(person: string, membership = ""): Promise<void> {
    writeFileSync(
      join(folder, "schema.mjs"),
      isFile
        ? `import { index, integer, primaryKey, real, sqliteTable as table, text } from "drizzle-orm/sqlite-core";
           const [word, whole, large] = [text, integer, integer];${tables(person, membership)}`
        : `import { bigint, index, integer, pgSchema, primaryKey, real, text } from "drizzle-orm/pg-core";
           export const chat = pgSchema("chat");
           const table = chat.table.bind(chat);
           const [word, whole, large] = [text, integer, (name) => bigint(name, { mode: "number" })];${tables(person, membership)}`,
    );
    const command = [join(modules, "drizzle-kit/bin.cjs"), "push", "--force"];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: "utf8" });
    if (status !== 0 || /error/i.test(stderr)) throw new Error((stdout + stderr).replaceAll(/\n +at /g, "\n"));
  }
  return {
    create: () => push(""),
    migrations: [
      ["pushes the same again", () => push("")],
      ["pushes another column", () => push('seen: whole("seen"),')],
      ["pushes a column of another type", () => push('seen: real("seen"),')],
      ["pushes an index and a default", () => push("", '.default("member")')],
      ["pushes the table without them", () => push("")],
    ],
    close: async () => {},
  };
}

/** The tables in the words of Drizzle. */
function tables(person: string, role: string): string {
  return `
    export const person = table("person", { id: whole("id").primaryKey(), name: word("name"), level: whole("level"),
      ${person} note: word("note") });
    export const room = table("room", { id: word("id").primaryKey(), title: word("title") });
    export const membership = table("membership", { room_id: word("room_id").notNull(), person_id: whole("person_id").notNull(),
      role: word("role")${role}, joined_at: large("joined_at") }, (own) => [primaryKey({ columns: [own.room_id, own.person_id] })]);
    export const unused = [index, real];`;
}
