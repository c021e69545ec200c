/** Follows the documents of another server. The engine runs statements one by one. */
import type { CheckedValues } from "../../../checkedRecords.js";
import { type RecordName, recordKeys } from "../../../records.js";
import {
  effectOf,
  type FollowedChanges,
  type Following,
  type KeyOfDocument,
  keysNow,
  type Moved,
} from "../../following.js";
import type { Row, SqlDatabase, Statement } from "../database.js";
import { deleteStatements, putOneByOne, unlessMapped } from "../records/write.js";
import { moving, place } from "../schema/lastImport.js";
import type { Sizes } from "../schema/sizes.js";
import { writeSettled } from "../settle/settle.js";
import { names, sql } from "../sql.js";
import { replaceRecords } from "./replace.js";

type Statements = Generator<Statement, void, Row[] | undefined>;

export function followingIn(database: SqlDatabase, sizes: Sizes): Following {
  return {
    holds: () => true,
    place: () => place(database),
    replace: (record, incoming, moved, onDifference) =>
      replaceRecords(database, sizes, record, incoming, onDifference, () => {}, knowing(record, moved)),
    async apply(changes, moved) {
      let passedOver: string[] = [];
      const written = applying(changes, moved, (ids) => {
        passedOver = ids;
      });
      await unlessMapped(writeSettled(database, sizes, new Set(changes.keys()), written));
      return passedOver;
    },
  };
}

/** Notes of which documents the incoming records are. */
function* knowing(record: RecordName, moved: Moved): Statements {
  yield* moving(moved);
  yield sql`DELETE FROM im_admin_followed WHERE record = ${record}`;
  yield sql`
    INSERT INTO im_admin_followed (record, id, key)
      SELECT ${record}, document_id, json_array(${names(recordKeys[record])}) FROM temp.im_admin_incoming`;
}

function* applying(changes: FollowedChanges, moved: Moved, onPassedOver: (ids: string[]) => void): Statements {
  yield* moving(moved);
  const allPassedOver: string[] = [];
  for (const [record, documents] of changes) {
    const ids = JSON.stringify([...documents.keys()]);
    const those = sql`record = ${record} AND id IN (SELECT value FROM json_each(${ids}))`;
    const before = keysOf(yield sql`SELECT id, key FROM im_admin_followed WHERE ${those}`);
    const keys = JSON.stringify([...before, ...keysNow(record, documents)].map(([, key]) => key));
    const others = yield sql`
      SELECT id, key FROM im_admin_followed
        WHERE record = ${record} AND key IN (SELECT value FROM json_each(${keys})) AND NOT (${those})`;
    const { removed, put, known, passedOver } = effectOf(record, documents, before, keysOf(others));
    allPassedOver.push(...passedOver);
    yield* deleteStatements(named(record, removed));
    yield* putOneByOne(named(record, put));
    yield sql`DELETE FROM im_admin_followed WHERE ${those}`;
    yield sql`
      INSERT INTO im_admin_followed (record, id, key)
        SELECT ${record}, value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(known)})`;
  }
  onPassedOver(allPassedOver);
}

function keysOf(rows: readonly Row[] = []): KeyOfDocument[] {
  return rows.map(({ id, key }) => [String(id), String(key)]);
}

function* named(record: RecordName, all: readonly CheckedValues[]): Generator<[RecordName, CheckedValues], void, void> {
  for (const values of all) yield [record, values];
}
