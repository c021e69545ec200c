import { load, type Orm, type Target } from "./host.js";

export function knex({ engine, place }: Target): Orm {
  const connection = load("knex")(
    engine === "sqlite"
      ? { client: "better-sqlite3", connection: { filename: place }, useNullAsDefault: true }
      : { client: "pg", connection: place, searchPath: ["chat"] },
  );
  type Table = Record<string, (...given: unknown[]) => Record<string, (...given: unknown[]) => unknown>>;
  const alter = (name: string, change: (table: Table) => unknown) => connection.schema.alterTable(name, change);
  return {
    async create() {
      const { schema } = connection;
      await schema.createTable("person", (table: Table) => {
        table["integer"]?.("id")["primary"]?.();
        table["string"]?.("name");
        table["integer"]?.("level");
        table["string"]?.("note");
      });
      await connection.schema.createTable("room", (table: Table) => {
        table["string"]?.("id")["primary"]?.();
        table["string"]?.("title");
      });
      await connection.schema.createTable("membership", (table: Table) => {
        table["string"]?.("room_id");
        table["integer"]?.("person_id");
        table["string"]?.("role");
        table["bigInteger"]?.("joined_at");
        table["primary"]?.(["room_id", "person_id"]);
      });
    },
    migrations: [
      ["adds a column", () => alter("person", (table) => table["bigInteger"]?.("seen_at"))],
      ["renames a column", () => alter("person", (table) => table["renameColumn"]?.("seen_at", "seen"))],
      ["changes a mapped column", () => alter("person", (table) => table["text"]?.("name")["alter"]?.())],
      ["drops NOT NULL", () => alter("membership", (table) => table["setNullable"]?.("role"))],
      ["adds an index", () => alter("membership", (table) => table["index"]?.(["person_id"]))],
      [
        "adds a foreign key",
        () => alter("membership", (table) => table["foreign"]?.("person_id")["references"]?.("person.id")),
      ],
      ["drops a column", () => alter("person", (table) => table["dropColumn"]?.("seen"))],
    ],
    close: () => connection.destroy(),
  };
}
