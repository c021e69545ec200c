import { load, type Orm, type Target } from "./host.js";
import { sqlite3 } from "./sqlite3.js";

export function sequelize({ engine, place }: Target): Orm {
  const { DataTypes, Sequelize } = load("sequelize");
  const { pathname, searchParams } = new URL(place, "file:");
  const connection =
    engine === "sqlite"
      ? new Sequelize({ dialect: "sqlite", dialectModule: sqlite3, storage: place, logging: false })
      : new Sequelize({
          ...{ dialect: "postgres", schema: "chat", logging: false },
          ...{ database: pathname.slice(1), username: searchParams.get("user"), host: searchParams.get("host") },
        });
  const table = (name: string, columns: object) =>
    connection.define(name, columns, { tableName: name, timestamps: false });
  const person = {
    id: { type: DataTypes.INTEGER, primaryKey: true },
    name: { type: DataTypes.STRING },
    level: { type: DataTypes.INTEGER },
    note: { type: DataTypes.STRING },
  };
  const Person = table("person", person);
  table("room", { id: { type: DataTypes.STRING, primaryKey: true }, title: DataTypes.STRING });
  // In SQLite, Sequelize takes each column of a key of two columns for unique when it changes their table.
  connection.define(
    "membership",
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      room_id: DataTypes.STRING,
      person_id: DataTypes.INTEGER,
      role: DataTypes.STRING,
      joined_at: DataTypes.BIGINT,
    },
    { tableName: "membership", timestamps: false, indexes: [{ fields: ["room_id", "person_id"] }] },
  );
  const queries = connection.getQueryInterface();
  const of = (tableName: string) => (engine === "sqlite" ? tableName : { tableName, schema: "chat" });
  return {
    create: () => connection.sync(),
    migrations: [
      ["describes a table", () => queries.describeTable(of("person"))],
      ["adds a column", () => queries.addColumn(of("person"), "seen_at", { type: DataTypes.BIGINT })],
      ["renames a column", () => queries.renameColumn(of("person"), "seen_at", "seen")],
      ["changes a mapped column", () => queries.changeColumn(of("person"), "name", { type: DataTypes.TEXT })],
      ["changes a column", () => queries.changeColumn(of("membership"), "role", { type: DataTypes.STRING(32) })],
      ["removes a column", () => queries.removeColumn(of("person"), "seen")],
      [
        "syncs its models, which have another column",
        () => {
          Person.rawAttributes.score = { type: DataTypes.INTEGER };
          Person.refreshAttributes();
          return connection.sync({ alter: true });
        },
      ],
      ["syncs them again", () => connection.sync({ alter: true })],
    ],
    close: () => connection.close(),
  };
}
