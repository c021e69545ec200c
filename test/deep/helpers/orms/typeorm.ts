import { load, type Orm, type Target } from "./host.js";

export function typeorm({ engine, place }: Target): Orm {
  const { DataSource, EntitySchema, Table, TableColumn } = load("typeorm");
  const { pathname, searchParams } = new URL(place, "file:");
  const text = { type: "varchar", nullable: true };
  const number = { type: "integer", nullable: true };
  const tables = (person: object) => [
    ["person", { id: { type: "integer", primary: true }, name: text, level: number, note: text, ...person }],
    ["room", { id: { type: "varchar", primary: true }, title: text }],
    [
      "membership",
      {
        room_id: { type: "varchar", primary: true },
        person_id: { type: "integer", primary: true },
        role: text,
        joined_at: { type: "bigint", nullable: true },
      },
    ],
  ];
  const source = (person: object) =>
    new DataSource({
      ...(engine === "sqlite"
        ? { type: "better-sqlite3", database: place }
        : {
            ...{ type: "postgres", schema: "chat", host: searchParams.get("host") },
            ...{ database: pathname.slice(1), username: searchParams.get("user") },
          }),
      entities: tables(person).map(([name, columns]) => new EntitySchema({ name, tableName: name, columns })),
    });
  const first = source({});
  const person = engine === "sqlite" ? "person" : "chat.person";
  const seen = (type: string, name: string) => new TableColumn({ name, type, isNullable: true });
  async function synchronize(columns: object): Promise<void> {
    const other = await source(columns).initialize();
    await other.synchronize();
    await other.destroy();
  }
  const run = async (work: (runner: ReturnType<typeof first.createQueryRunner>) => unknown) => {
    const runner = first.createQueryRunner();
    await work(runner);
    await runner.release();
  };
  return {
    create: async () => {
      await first.initialize();
      await first.synchronize();
    },
    migrations: [
      ["adds a column", () => run((runner) => runner.addColumn(person, seen("integer", "seen_at")))],
      ["renames a column", () => run((runner) => runner.renameColumn(person, "seen_at", "seen"))],
      ["changes a column", () => run((runner) => runner.changeColumn(person, "seen", seen("varchar", "seen")))],
      ["drops a column", () => run((runner) => runner.dropColumn(person, "seen"))],
      [
        "makes a table of its own",
        () =>
          run((runner) => runner.createTable(new Table({ name: `${person}_note`, columns: [seen("integer", "id")] }))),
      ],
      ["synchronizes entities, which have another column", () => synchronize({ score: number })],
      // In PostgreSQL, it drops a column whose type changes, with its values.
      ...(engine === "sqlite"
        ? [
            [
              "synchronizes entities, whose mapped column has another type",
              () => synchronize({ name: { ...text, type: "text" } }),
            ] as const,
          ]
        : []),
    ],
    close: () => first.destroy(),
  };
}
