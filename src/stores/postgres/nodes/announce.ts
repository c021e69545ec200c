/** Lists that grow long, on their way from being counted when they are read to being counted as they are written. */
import { indexPlans, routine } from "../schema/routine.js";
import { join, literal, raw, type Sql, sql } from "../sql.js";
import { everyCountedList } from "./counted.js";
import { entriesOf } from "./tables.js";

/** The name of the view of the asked list's entries. */
export const entriesOfAsked: Sql = sql`CASE asked_list ${join(
  everyCountedList.map((list) => sql`WHEN ${literal(list.id)} THEN ${literal(entriesOf(list).text)}`),
  " ",
)} END`;

/** Looks at no more entries than it needs to tell. */
const isLongerThan = (length: string) => sql`
  EXECUTE format('SELECT count(*) > $1 FROM (SELECT FROM %I WHERE owner = $2 LIMIT $1 + 1) entry', ${entriesOfAsked})
    INTO is_long USING ${raw(length)}, asked_owner;`;

/**
 * Gives the row of a list after the step that is possible now; nothing where it is short. It is to be called where
 * nobody else folds the list at the same time. A list of more than `most` entries is not counted yet.
 */
export const announce = routine({
  name: "list_announce",
  parameters: raw("asked_list integer, asked_owner text, most bigint, OUT counted lists"),
  settings: indexPlans,
  body: sql`
    DECLARE
      is_long boolean;
      number bigint;
    BEGIN
      SELECT * INTO counted FROM lists WHERE list = asked_list AND owner = asked_owner;
      IF NOT FOUND THEN
        ${isLongerThan("list_capacity(1)")}
        -- Nobody reads the changes of a list that is not counted.
        DELETE FROM list_changes WHERE list = asked_list AND owner = asked_owner;
        IF is_long THEN INSERT INTO lists (list, owner) VALUES (asked_list, asked_owner); END IF;
        RETURN;
      END IF;
      IF counted.height = -2 AND counted.announced_by <> pg_current_xact_id() THEN
        -- In a block of its own, so that the row gets a transaction number that is new by now.
        BEGIN
          UPDATE lists SET height = -1 WHERE list = asked_list AND owner = asked_owner;
        EXCEPTION WHEN assert_failure THEN
          NULL;
        END;
        RETURN;
      END IF;
      IF counted.height = -1 THEN
        SELECT xmin::text::bigint INTO number FROM lists WHERE list = asked_list AND owner = asked_owner;
        ${isLongerThan("most")}
        IF is_long THEN RETURN; END IF;
        -- The numbers of rows begin anew after 2^32: one is less than another that is at most 2^31 ahead of it.
        IF (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - number) & 4294967295 BETWEEN 1 AND 2147483648 THEN
          EXECUTE format('
            UPDATE lists SET height = 0, folded_before = $3, total = (SELECT count(*) FROM %I WHERE owner = $2)
                - coalesce((SELECT sum(change) FROM list_changes WHERE list = $1 AND owner = $2), 0)
              WHERE list = $1 AND owner = $2 RETURNING *', ${entriesOfAsked})
            INTO counted USING asked_list, asked_owner, '0'::xid8;
        END IF;
      END IF;
    END`,
});
