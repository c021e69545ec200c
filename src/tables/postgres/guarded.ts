import { text } from "./place.js";

/** The changes that each kind of statement appends, as a SELECT. */
export type Changes = Readonly<Record<"INSERT" | "DELETE" | "UPDATE", string>>;

/**
 * A trigger function on a host's table, from its settings on. The host may change its columns, and must still be able
 * to write. So if a query fails, the function does not fail: it marks the lists as doubtful, and they are read from the
 * rows.
 *
 * The block that may fail only reads. A subtransaction that writes gets its own transaction number, and thousands of
 * them slow down the whole server.
 */
export function guarded(
  { INSERT, DELETE, UPDATE }: Changes,
  record: string,
  table: string,
  lists: readonly string[],
  { also = "", isWrong }: { also?: string; isWrong?: string } = {},
): string {
  const read = (
    query: string,
  ) => `      SELECT array_agg(appended.list), array_agg(appended.owner), array_agg(appended.key), array_agg(appended.change)
        INTO lists, owners, keys, changes FROM (
          ${query.replaceAll("\n", "\n          ")}
        ) appended (list, owner, key, change);`;
  return `LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp SET row_security = off AS $$
#variable_conflict use_column
DECLARE
  lists text[];
  owners text[];
  keys text[];
  changes smallint[];
BEGIN
  BEGIN
    PERFORM im_admin.require_mapped(${text(record)});
    IF TG_OP = 'INSERT' THEN
${read(INSERT)}
    ELSIF TG_OP = 'DELETE' THEN
${read(DELETE)}
    ELSE${isWrong === undefined ? "" : doubtingAll(isWrong, lists)}
${read(UPDATE)}
    END IF;
  EXCEPTION
    -- The transaction cannot be serialized any more.
    WHEN transaction_rollback THEN
      RAISE;
    WHEN OTHERS THEN
      INSERT INTO list_doubts (list, owner, problem)
        SELECT doubtful, chr(1), ${text(`${table}: `)} || SQLERRM FROM ${unnested(lists)};
      RETURN NULL;
  END;
  INSERT INTO list_changes (list, owner, key, change) SELECT * FROM unnest(lists, owners, keys, changes);${also}
  RETURN NULL;
END $$;`;
}

/** If the server has passed wrong rows of a partitioned table, all lists that may have these rows are built again. */
function doubtingAll(isWrong: string, lists: readonly string[]): string {
  return `
      IF pg_partition_root(TG_RELID) IS NOT NULL THEN
        IF ${isWrong.replaceAll("\n", "\n        ")}
        THEN
          INSERT INTO list_doubts (list, owner) SELECT doubtful, chr(1) FROM ${unnested(lists)};
          INSERT INTO list_changes (list, owner, key, change) SELECT doubtful, chr(1), '', 0 FROM ${unnested(lists)};
          RETURN NULL;
        END IF;
      END IF;`;
}

function unnested(lists: readonly string[]): string {
  return `unnest('{${lists.join(", ")}}'::text[]) doubtful`;
}
