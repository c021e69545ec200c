import fc from "fast-check";

/** Few identifiers, so that rows meet; one of them may also be written as a number. */
export const userIDs = ["u1", "u2", "u3", "7"];
export const groupIDs = ["g1", "g2", "g3"];
/** Those who come and go together. */
const others = Array.from({ length: 36 }, (_, index) => `v${index}`);

const user = literal([...userIDs.map((userID) => `'${userID}'`), "7"], ["''", "NULL", "'u' || char(0)"]);
const group = literal(["'g1'", "'g2'", "'g3'"], ["''"]);
const role = literal(["20", "60", "'60'", "100"], ["1000", "'x'"]);
const result = literal(["0", "1", "-1"], ["'x'"]);
const name = literal(["''", "''", "'Ann'", "'ann'", "'王芳'", "'芳u1'", "'%\"'"], ["NULL", "'a' || char(0) || 'b'"]);
const number = literal(["0", "1", "2", "3", "'4'"], ["-1", "'x'"]);

/** A value as SQL: mostly one that a column takes, seldom one that it refuses. */
function literal(good: string[], bad: string[]) {
  return fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...good) }, fc.constantFrom(...bad));
}

const statement = fc.oneof(
  statementOn("im_admin_users", { nickname: name, user_id: user, app_manger_level: number }),
  {
    weight: 2,
    arbitrary: statementOn("im_admin_group_members", {
      nickname: name,
      group_id: group,
      user_id: user,
      role_level: role,
    }),
  },
  statementOn("im_admin_group_members", { group_id: group, user_id: user, join_time: number }),
  statementOn("im_admin_blacks", { owner_user_id: user, black_user_id: user, create_time: number }),
  statementOn("im_admin_group_requests", { handle_result: result, group_id: group, user_id: user, req_time: number }),
  { weight: 4, arbitrary: many("im_admin_group_members", "group_id", group, "user_id") },
  { weight: 2, arbitrary: many("im_admin_group_requests", "group_id", group, "user_id") },
  many("im_admin_blacks", "owner_user_id", user, "black_user_id"),
  many("im_admin_users", "app_manger_level", number, "user_id"),
);

/** Many rows at once: those who are put somewhere together, of whom some are moved or deleted. */
function many(table: string, column: string, value: fc.Arbitrary<string>, key: string) {
  const somebody = fc
    .tuple(fc.nat(others.length), fc.nat(others.length))
    .map(([from, to]) => `IN (SELECT value FROM json_each('${JSON.stringify(others.slice(from, to))}'))`);
  return fc
    .tuple(fc.constantFrom("insert", "insert", "move", "delete"), orClause(), value, somebody)
    .map(([write, or, value, somebody]) => {
      if (write === "move") return `UPDATE ${or} ${table} SET ${column} = ${value} WHERE ${key} ${somebody}`;
      if (write === "delete") return `DELETE FROM ${table} WHERE ${key} ${somebody}`;
      const everybody = `SELECT ${value}, value FROM json_each('${JSON.stringify(others)}')`;
      return `INSERT ${or} INTO ${table} (${column}, ${key}) ${everybody} WHERE value ${somebody} OR ${or === ""}`;
    });
}

const transaction = fc
  .tuple(
    fc.constantFrom(
      ["BEGIN", "COMMIT"],
      ["BEGIN", "ROLLBACK"],
      ["SAVEPOINT s", "RELEASE s"],
      ["SAVEPOINT s", "ROLLBACK TO s; RELEASE s"],
    ),
    fc.array(statement, { maxLength: 5 }),
  )
  .map(([[begin = "", end = ""], statements]) => [begin, ...statements, end]);

/** Statements that write the four counted tables in any way that SQL knows, some in transactions. */
export const statements = fc
  .array(fc.oneof({ weight: 5, arbitrary: statement }, transaction), { minLength: 10, maxLength: 30 })
  .map((steps) => steps.flat());

function orClause() {
  return fc.constantFrom("", "OR REPLACE", "OR IGNORE", "OR FAIL", "OR ABORT", "OR ROLLBACK");
}

/** Any statement that writes a table; the last column is no key. */
function statementOn(table: string, columns: Record<string, fc.Arbitrary<string>>) {
  const names = Object.keys(columns);
  const last = names.at(-1);
  const into = `INTO ${table} (${names.join(", ")})`;
  const or = orClause();
  const assignment = fc.oneof(...Object.entries(columns).map(([name, value]) => value.map((to) => `${name} = ${to}`)));
  const where = fc.oneof(
    fc.constant(""),
    assignment.map((condition) => `WHERE ${condition}`),
  );
  const row = fc.tuple(...Object.values(columns)).map((values) => `(${values.join(", ")})`);
  const rows = fc.array(row, { minLength: 1, maxLength: 4 }).map((values) => `VALUES ${values.join(", ")}`);
  // Without a condition, SQLite would take ON CONFLICT for the one of a join.
  const select = fc
    .tuple(fc.constantFrom(...names), fc.oneof(...Object.values(columns)), where)
    .map(([name, value, condition]) => {
      const selected = names.map((column) => (column === name ? value : column));
      return `SELECT ${selected.join(", ")} FROM ${table} ${condition || "WHERE true"}`;
    });
  const upsert = fc.oneof(
    fc.constantFrom("", "", "ON CONFLICT DO NOTHING", `ON CONFLICT DO UPDATE SET ${last} = excluded.${last}`),
    assignment.map((set) => `ON CONFLICT DO UPDATE SET ${set}`),
  );
  const sets = fc.array(assignment, { minLength: 1, maxLength: 2 }).map((set) => set.join(", "));
  const key = names.at(-2);
  const swap = `SET ${key} = CASE ${key} WHEN 'u1' THEN 'u2' WHEN 'u2' THEN 'u3' ELSE 'u1' END`;
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .tuple(or, fc.oneof(rows, select), upsert)
        .map(([or, source, on]) => `INSERT ${or} ${into} ${source} ${on}`),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(or, sets, where).map(([or, set, where]) => `UPDATE ${or} ${table} SET ${set} ${where}`),
    },
    fc.tuple(or, where).map(([or, where]) => `UPDATE ${or} ${table} ${swap} ${where}`),
    where.map((where) => `DELETE FROM ${table} ${where}`),
  );
}

const same = "group_id = NEW.group_id AND user_id = NEW.user_id";
const gone = "group_id = OLD.group_id AND user_id = OLD.user_id";

/** Triggers of a host that stand on one table and write another, and one that stamps its own rows. */
const hostTriggers = [
  `AFTER DELETE ON im_admin_group_members BEGIN DELETE FROM im_admin_group_requests WHERE ${gone}; END`,
  `AFTER DELETE ON im_admin_group_members WHEN OLD.role_level = 100 BEGIN DELETE FROM im_admin_group_requests WHERE group_id = OLD.group_id; END`,
  `BEFORE DELETE ON im_admin_group_members BEGIN INSERT OR REPLACE INTO im_admin_blacks (owner_user_id, black_user_id) VALUES ('u1', OLD.user_id); END`,
  `AFTER INSERT ON im_admin_group_members BEGIN DELETE FROM im_admin_group_requests WHERE ${same}; END`,
  `AFTER INSERT ON im_admin_group_members BEGIN INSERT OR IGNORE INTO im_admin_users (user_id) VALUES (NEW.user_id); END`,
  `BEFORE INSERT ON im_admin_group_members WHEN NEW.role_level = 60 BEGIN DELETE FROM im_admin_group_requests WHERE group_id = NEW.group_id; END`,
  `AFTER UPDATE OF role_level ON im_admin_group_members WHEN NEW.role_level >= 60
    BEGIN INSERT OR REPLACE INTO im_admin_group_requests (group_id, user_id, req_time) VALUES (NEW.group_id, NEW.user_id, 3); END`,
  `AFTER UPDATE ON im_admin_group_members BEGIN UPDATE im_admin_group_requests SET req_time = req_time + 1 WHERE group_id = NEW.group_id; END`,
  `AFTER UPDATE OF handle_result ON im_admin_group_requests WHEN NEW.handle_result = 1
    BEGIN INSERT OR REPLACE INTO im_admin_group_members (group_id, user_id, role_level) VALUES (NEW.group_id, NEW.user_id, 60); END`,
  `AFTER INSERT ON im_admin_group_requests WHEN NEW.handle_result = 1
    BEGIN INSERT OR IGNORE INTO im_admin_group_members (group_id, user_id, role_level) VALUES (NEW.group_id, NEW.user_id, 100); END`,
  `AFTER INSERT ON im_admin_group_requests
    BEGIN UPDATE im_admin_group_members SET role_level = 60 WHERE group_id = NEW.group_id AND user_id = 'u2'; END`,
  `AFTER DELETE ON im_admin_group_requests BEGIN DELETE FROM im_admin_group_members WHERE ${gone} AND role_level = 60; END`,
  `BEFORE UPDATE ON im_admin_group_requests BEGIN DELETE FROM im_admin_group_members WHERE group_id = OLD.group_id AND user_id = 'u3'; END`,
  `AFTER INSERT ON im_admin_blacks BEGIN DELETE FROM im_admin_group_members WHERE user_id = NEW.black_user_id; END`,
  `AFTER DELETE ON im_admin_users BEGIN DELETE FROM im_admin_group_members WHERE user_id = OLD.user_id; END`,
  `AFTER UPDATE OF user_id ON im_admin_users BEGIN UPDATE OR REPLACE im_admin_group_members SET user_id = NEW.user_id WHERE user_id = OLD.user_id; END`,
  `AFTER UPDATE OF nickname ON im_admin_users BEGIN UPDATE im_admin_group_members SET nickname = NEW.nickname WHERE user_id = NEW.user_id; END`,
  `AFTER INSERT ON im_admin_group_members BEGIN UPDATE im_admin_group_members SET join_time = 4 WHERE ${same}; END`,
];

/** Some of those triggers, and whether each is made before or after the store's own. */
export const triggers = fc
  .subarray(hostTriggers, { maxLength: 4 })
  .chain((chosen) => fc.tuple(...chosen.map((sql) => fc.record({ sql: fc.constant(sql), isFirst: fc.boolean() }))))
  .map((chosen) => chosen.map(({ sql, isFirst }, index) => ({ sql: `CREATE TRIGGER host${index} ${sql}`, isFirst })));
