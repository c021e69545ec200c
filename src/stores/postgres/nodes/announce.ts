/** Lists that grow long, on their way from being counted when they are read to being counted as they are written. */
import { isMarkOld, marked } from "../schema/marks.js";
import { indexPlans, routine } from "../schema/routine.js";
import { join, literal, raw, type Sql, sql } from "../sql.js";
import { everyCountedList } from "./counted.js";
import { endOfKeys } from "./keys.js";
import { entriesOf, type Sizes } from "./tables.js";

/** The name of the view of the asked list's entries. */
const entriesOfAsked: Sql = sql`CASE asked_list ${join(
  everyCountedList.map((list) => sql`WHEN ${literal(list.id)} THEN ${literal(entriesOf(list).text)}`),
  " ",
)} END`;

/** Looks at no more entries than it needs to tell. */
const isLongerThan = (length: Sql) => sql`
  EXECUTE format('SELECT count(*) > $1 FROM (SELECT FROM %I WHERE owner = $2 LIMIT $1 + 1) entry', ${entriesOfAsked})
    INTO is_long USING ${length}, asked_owner;`;

/**
 * Gives what is counted of a list after the step that is possible now; nothing where it is not counted. It is to be
 * called where nobody else folds the list at the same time. A list of more than `most` entries is not counted yet.
 */
export const announce = ({ leaf }: Sizes) =>
  routine({
    name: "list_announce",
    parameters: raw("asked_list integer, asked_owner text, most bigint, OUT counted list_totals"),
    settings: indexPlans,
    body: sql`
      DECLARE
        known lists;
        number bigint;
        is_long boolean;
      BEGIN
        SELECT * INTO known FROM lists WHERE list = asked_list AND owner = asked_owner;
        IF NOT FOUND THEN
          ${isLongerThan(literal(leaf))}
          -- Nobody reads the changes of a list that is not counted.
          DELETE FROM list_changes WHERE list = asked_list AND owner = asked_owner;
          IF is_long THEN INSERT INTO lists (list, owner) VALUES (asked_list, asked_owner); END IF;
        ELSIF known.is_counted THEN
          SELECT * INTO counted FROM list_totals
            WHERE list = asked_list AND owner = asked_owner ORDER BY version DESC LIMIT 1;
        ELSIF NOT known.is_marked THEN
          IF known.announced_by = pg_current_xact_id() THEN RETURN; END IF;
          ${marked(raw("UPDATE lists SET is_marked = true WHERE list = asked_list AND owner = asked_owner"))}
        ELSE
          SELECT xmin::text::bigint INTO number FROM lists WHERE list = asked_list AND owner = asked_owner;
          ${isLongerThan(raw("most"))}
          IF is_long OR NOT ${isMarkOld(raw("number"))} THEN RETURN; END IF;
          UPDATE lists SET is_counted = true WHERE list = asked_list AND owner = asked_owner;
          EXECUTE format('
            INSERT INTO list_totals (list, owner, version, total, height, folded_before)
              SELECT $1, $2, pg_current_xact_id(), (SELECT count(*) FROM %I WHERE owner = $2)
                  - coalesce((SELECT sum(change) FROM list_changes WHERE list = $1 AND owner = $2), 0), 1, $3
              RETURNING *', ${entriesOfAsked})
            INTO counted USING asked_list, asked_owner, '0'::xid8;
          INSERT INTO list_nodes (list, owner, level, start, version, bounds, totals)
            VALUES (asked_list, asked_owner, 1, '', counted.version, ARRAY['', ${literal(endOfKeys)}], ARRAY[counted.total]);
        END IF;
      END`,
  });
