import type { SqlDatabase } from "../database.js";
import { isOfRow } from "../failures.js";
import type { Without } from "../map/findUnreadable.js";
import type { Mark } from "../map/marks.js";
import { unreadableKind } from "../schema/changed.js";
import type { Sizes } from "../schema/sizes.js";
import { allKinds, mendLater, settling } from "./settle.js";
import { findWaiting, noteMarks, tryAgain, verify } from "./unreadable.js";

/** How often it looks for rows that cannot be read. More of them may come meanwhile. */
const attempts = 4;

/**
 * Settles what waits, of each kind at most a portion. If that fails for a row, it leaves out what is known to be unreadable,
 * and then it finds out what else is.
 */
export async function settleCarefully(
  [plain, careful]: readonly [SqlDatabase, SqlDatabase],
  without: Without,
  sizes: Sizes,
  given: readonly string[],
): Promise<void> {
  let kinds = [unreadableKind, ...given];
  let marks: readonly Mark[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const marking = given.includes(unreadableKind) || marks.length > 0 ? noteMarks(marks) : [];
    const database = attempt === 1 ? plain : careful;
    try {
      const statements = () => settling(sizes, kinds, 1, (settled) => [...tryAgain(settled), ...marking]);
      await mendLater(database, sizes, { [Symbol.iterator]: statements });
      return await verify(database, without, marks);
    } catch (error) {
      if (!isOfRow(error) || attempt === attempts) throw error;
      kinds = [unreadableKind, ...new Set([...given, ...allKinds])];
      if (attempt === 1) continue;
      marks = await findWaiting(without);
      if (marks.length === 0) throw error;
    }
  }
}
