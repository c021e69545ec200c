/** Makes the rows that a chat server begins with, and the statements that it runs then: the same ones for a seed. */
import { actions } from "./actions.mjs";

const persons = 600;
const rooms = 12;
const names = ["Ann", "Ben", "王芳", "Zoë", "anna", "Ian", "霍去病", "Dan"];

/** Returns a function that returns a whole number from 0 up to, and without, its argument. */
function chance(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Fills the tables. One room has nearly all persons, and one has more requests than members. */
export function fill(database) {
  const below = chance(1);
  const insert = (table, values) =>
    database.prepare(`INSERT INTO ${table} VALUES (${Object.keys(values).map(() => "?")})`).run(...values);
  const time = () => 1_700_000_000_000 + below(1000) * 1000;
  database.pragma("foreign_keys = ON");
  database.transaction(() => {
    for (let id = 1; id <= persons; id++) {
      const name = `${names[below(names.length)]} ${below(100)}`;
      insert("person", [id, `p${id}@example.org`, name, null, null, below(20) === 0 ? 2 + below(3) : 1, null]);
      if (below(10) === 0) insert("alias", [id, `alias of ${name}`]);
    }
    for (let room = 0; room < rooms; room++) {
      const id = roomID(below);
      insert("room", [id, `Room ${room}`, null, time(), 0, null]);
      for (let person = 1; person <= persons; person++) {
        const role = ["owner", "admin", "member"][Math.min(2, below(room === 0 ? 100 : 12))];
        if (below(room === 0 ? 20 : 100) < 15 + room)
          insert("membership", [id, person, role, null, time(), null, null, 0]);
        if (below(100) < (room === 1 ? 70 : 3)) insert("join_request", [null, id, person, "pending", "Hello", time()]);
      }
    }
    for (let count = 0; count < 800; count++)
      database.prepare("INSERT OR IGNORE INTO block VALUES (?, ?, ?)").run(1 + below(40), 1 + below(persons), time());
  })();
}

function roomID(below) {
  const digits = Array.from({ length: 32 }, () => below(16).toString(16)).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/**
 * Makes parts of so many statements with their values by running them on this database, which they change. Statements
 * that fail are left out, so none fails on another database with the same rows.
 */
export function script(database, parts, count) {
  const below = chance(2);
  let time = 1_700_001_000_000;
  const weighted = actions.flatMap(([weight, make]) => Array.from({ length: weight }, () => make));
  const world = {
    below,
    time: () => time + Math.floor(below(3) / 2),
    name: () => `${names[below(names.length)]} ${below(100)}`,
    newRoom: () => roomID(below),
    pick: (sql) => {
      const rows = database.prepare(sql).raw().all();
      return rows[below(rows.length)] ?? [null, null];
    },
  };
  function part() {
    const made = [];
    while (made.length < count) {
      const next = weighted[below(weighted.length)](world);
      if (succeeds(database, next)) made.push(...next);
      time += 400;
    }
    return made;
  }
  return Array.from({ length: parts }, part);
}

/** Runs the statements of an action. If one fails, none has an effect. */
function succeeds(database, action) {
  for (const [index, [sql, ...values]] of action.entries()) {
    try {
      database.prepare(sql).run(...values);
    } catch (error) {
      if (database.inTransaction) database.exec("ROLLBACK");
      else if (index > 0) throw error;
      return false;
    }
  }
  return true;
}

/** A statement as one line: its SQL, and each value behind a letter that says its type. */
export function lineOf([sql, ...values]) {
  const texts = values.map((value) => (value === null ? "n" : `${typeof value === "number" ? "i" : "t"}${value}`));
  return [sql.replace(/\s+/g, " "), ...texts].join("\t");
}
