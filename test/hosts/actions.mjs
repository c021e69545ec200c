/** What a chat server does, in SQL that SQLite 3.24 knows: how often, and the statements with their values. */

const aPerson = "SELECT id FROM person ORDER BY id";
const aRoom = "SELECT id FROM room ORDER BY id";
const aMember = "SELECT room_id, person_id FROM membership ORDER BY room_id, person_id";
const aRequest = "SELECT room_id, person_id FROM join_request ORDER BY room_id, person_id";
const aBlock = "SELECT owner_id, blocked_id FROM block ORDER BY owner_id, blocked_id";

const role = ({ below }) => ["owner", "admin", "member", "member"][below(4)];
const person = ({ pick }) => pick(aPerson)[0];
const room = ({ pick }) => pick(aRoom)[0];
const member = ({ pick }) => pick(aMember);
const email = ({ below }) => `p${1 + below(700)}@example.org`;
const log = ["INSERT INTO log (changes, last) VALUES (changes(), last_insert_rowid())"];

const join = "INSERT INTO membership (room_id, person_id, role, joined_at) VALUES (?, ?, ?, ?)";
const joinAgain = `${join} ON CONFLICT (room_id, person_id)
  DO UPDATE SET left_at = NULL, role = excluded.role, joined_at = excluded.joined_at`;
const joinAll = `INSERT OR IGNORE INTO membership (room_id, person_id, role, joined_at)
  SELECT ?, id, 'member', ? FROM person WHERE id % ? = ? ORDER BY id`;
const askAll =
  "INSERT OR IGNORE INTO join_request (room_id, person_id, asked_at) SELECT ?, id, ? FROM person WHERE id % ? = ? ORDER BY id";
const upsertPerson = `INSERT INTO person (email, name) VALUES (?, ?)
  ON CONFLICT (email) DO UPDATE SET name = excluded.name, deleted_at = NULL`;

/** Single statements, and how often each comes. */
const single = [
  // Members
  [30, (w) => [join, room(w), person(w), role(w), w.time()]],
  [10, (w) => [joinAgain, room(w), person(w), role(w), w.time()]],
  [5, (w) => [`REPLACE ${join.slice("INSERT ".length)}`, ...member(w), role(w), w.time()]],
  [12, (w) => ["UPDATE membership SET left_at = ? WHERE room_id = ? AND person_id = ?", w.time(), ...member(w)]],
  [12, (w) => ["DELETE FROM membership WHERE room_id = ? AND person_id = ?", ...member(w)]],
  [12, (w) => ["UPDATE membership SET role = ? WHERE room_id = ? AND person_id = ?", role(w), ...member(w)]],
  [6, (w) => ["UPDATE membership SET nickname = ? WHERE room_id = ? AND person_id = ?", w.name(), ...member(w)]],
  [6, (w) => ["UPDATE membership SET nickname = NULL WHERE room_id = ? AND nickname IS NOT NULL", room(w)]],
  [
    25,
    (w) => [
      "UPDATE membership SET last_read = ?, unread = 0 WHERE room_id = ? AND person_id = ?",
      w.time(),
      ...member(w),
    ],
  ],
  [
    4,
    (w) => [
      "UPDATE OR REPLACE membership SET person_id = ? WHERE room_id = ? AND person_id = ?",
      person(w),
      ...member(w),
    ],
  ],
  [
    2,
    (w) => ["UPDATE OR IGNORE membership SET room_id = ? WHERE room_id = ? AND person_id = ?", room(w), ...member(w)],
  ],
  [6, (w) => ["INSERT OR IGNORE INTO ban VALUES (?, ?)", ...member(w)]],
  [3, (w) => ["DELETE FROM ban WHERE person_id % 3 = ?", w.below(3)]],
  // Persons
  [10, (w) => ["UPDATE person SET name = ? WHERE id = ?", w.name(), person(w)]],
  [
    8,
    (w) => [
      "UPDATE person SET avatar = ?, bio = ? WHERE id = ?",
      `https://cdn.example.org/${w.below(1000)}`,
      w.name(),
      person(w),
    ],
  ],
  [4, (w) => ["UPDATE person SET level = ? WHERE id = ?", 1 + w.below(4), person(w)]],
  [5, (w) => [upsertPerson, email(w), w.name()]],
  [
    3,
    (w) => [
      "REPLACE INTO person (id, email, name, level) VALUES (?, ?, ?, ?)",
      person(w),
      email(w),
      w.name(),
      1 + w.below(4),
    ],
  ],
  [2, (w) => ["UPDATE OR REPLACE person SET email = ? WHERE id = ?", email(w), person(w)]],
  [3, (w) => ["UPDATE person SET deleted_at = ? WHERE id = ?", w.time(), person(w)]],
  [2, () => ["UPDATE person SET deleted_at = NULL WHERE deleted_at IS NOT NULL"]],
  [3, (w) => ["DELETE FROM person WHERE id = ?", person(w)]],
  [3, (w) => ["UPDATE person SET id = ? WHERE id = ?", 1 + w.below(700), person(w)]],
  [
    5,
    (w) => [
      "INSERT INTO alias VALUES (?, ?) ON CONFLICT (person_id) DO UPDATE SET name = excluded.name",
      person(w),
      w.name(),
    ],
  ],
  [3, (w) => ["DELETE FROM alias WHERE person_id % 10 = ?", w.below(10)]],
  // Rooms and messages
  [2, (w) => ["INSERT INTO room (id, title, created_at) VALUES (?, ?, ?)", w.newRoom(), w.name(), w.time()]],
  [4, (w) => ["UPDATE room SET title = ?, topic = ? WHERE id = ?", w.name(), w.name(), room(w)]],
  [2, (w) => ["UPDATE room SET archived = NOT archived WHERE id = ?", room(w)]],
  [1, (w) => ["UPDATE room SET id = ? WHERE id = ?", w.newRoom(), room(w)]],
  [1, (w) => ["DELETE FROM room WHERE id = ?", room(w)]],
  [25, (w) => ["INSERT INTO message (room_id, person_id, body) VALUES (?, ?, ?)", ...member(w), w.name()]],
  // Blacklists and requests
  [8, (w) => ["INSERT OR IGNORE INTO block VALUES (?, ?, ?)", person(w), person(w), w.time()]],
  [4, (w) => ["REPLACE INTO block VALUES (?, ?, ?)", ...w.pick(aBlock), w.time()]],
  [4, (w) => ["DELETE FROM block WHERE owner_id = ? AND blocked_id = ?", ...w.pick(aBlock)]],
  [
    10,
    (w) => [
      "INSERT INTO join_request (room_id, person_id, message, asked_at) VALUES (?, ?, ?, ?)",
      room(w),
      person(w),
      w.name(),
      w.time(),
    ],
  ],
  [
    4,
    (w) => ["REPLACE INTO join_request (room_id, person_id, asked_at) VALUES (?, ?, ?)", ...w.pick(aRequest), w.time()],
  ],
  [5, (w) => ["UPDATE join_request SET state = 'refused' WHERE room_id = ? AND person_id = ?", ...w.pick(aRequest)]],
  [3, (w) => ["DELETE FROM join_request WHERE room_id = ? AND person_id = ?", ...w.pick(aRequest)]],
];

/** Statements for many rows, each followed by what the host is told about it. */
const bulk = [
  (w) => [joinAll, room(w), w.time(), 2 + w.below(9), w.below(2)],
  (w) => [askAll, room(w), w.time(), 2 + w.below(9), w.below(2)],
  (w) => ["UPDATE membership SET role = ? WHERE room_id = ? AND person_id % 5 = ?", role(w), room(w), w.below(5)],
  (w) => ["UPDATE membership SET joined_at = joined_at + 1 WHERE person_id % 9 = ?", w.below(9)],
  (w) => ["UPDATE person SET name = ? WHERE id % 9 = ?", w.name(), w.below(9)],
  (w) => ["DELETE FROM membership WHERE room_id = ? AND person_id % 4 = ?", room(w), w.below(4)],
  (w) => ["DELETE FROM block WHERE owner_id % 20 = ?", w.below(20)],
  (w) => [
    "INSERT OR REPLACE INTO block SELECT ?, id, ? FROM person WHERE id % 6 = ? ORDER BY id",
    person(w),
    w.time(),
    w.below(6),
  ],
  (w) => [
    "UPDATE join_request SET state = ?, asked_at = ? WHERE id % 8 = ?",
    w.below(2) ? "pending" : "refused",
    w.time(),
    w.below(8),
  ],
  () => ["DELETE FROM join_request WHERE state = 'accepted'"],
];

/** Changes of the schema and of the file, as several statements or one. */
const upkeep = [
  (w) => [[`ALTER TABLE membership ADD COLUMN added_${w.below(1_000_000)} TEXT`]],
  (w) => [[`CREATE INDEX person_name_${w.below(1_000_000)} ON person (name)`]],
  (w) => {
    const draft = `draft_${w.below(1_000_000)}`;
    return [
      [`CREATE TABLE ${draft} (id INTEGER)`],
      [`ALTER TABLE ${draft} RENAME TO sent_${draft}`],
      [`DROP TABLE sent_${draft}`],
    ];
  },
  () => [["VACUUM"]],
];

const weighted = single.flatMap(([weight, make]) => Array.from({ length: weight }, () => make));
const one = (w) => weighted[w.below(weighted.length)](w);
const several = (w) => Array.from({ length: 2 + w.below(6) }, () => one(w));

/** How often each comes, and a function that makes its statements. */
export const actions = [
  [320, (w) => [one(w)]],
  [20, (w) => [bulk[w.below(bulk.length)](w), log]],
  [20, (w) => [["BEGIN"], ...several(w), ["COMMIT"]]],
  [8, (w) => [["BEGIN IMMEDIATE"], ...several(w), ["ROLLBACK"]]],
  [8, (w) => [["SAVEPOINT one"], ...several(w), ["ROLLBACK TO one"], one(w), ["RELEASE one"]]],
  [
    8,
    (w) => [
      ["BEGIN"],
      one(w),
      ["SAVEPOINT one"],
      ...several(w),
      ["RELEASE one"],
      ["SAVEPOINT two"],
      bulk[w.below(bulk.length)](w),
      ["ROLLBACK TO two"],
      ["COMMIT"],
    ],
  ],
  [15, accept],
  [1, (w) => upkeep[w.below(upkeep.length)](w)],
];

/** A member answers a request, and the person joins. */
function accept(w) {
  const request = w.pick(aRequest);
  const answered = "UPDATE join_request SET state = 'accepted' WHERE room_id = ? AND person_id = ?";
  return [["BEGIN"], [answered, ...request], [joinAgain, ...request, "member", w.time()], ["COMMIT"]];
}
