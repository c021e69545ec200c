/** Makes documents anew: of keys whose changes are folded, of groups that grow large, and of users in doubt. */
import { endOfKeys } from "../nodes/keys.js";
import { entriesOf, type Sizes } from "../nodes/tables.js";
import { askToFold } from "../nodes/triggers.js";
import { lockedOrReturn } from "../schema/locks.js";
import { isMarkOld, marked } from "../schema/marks.js";
import { anyOf, eachOf } from "../schema/plans.js";
import { indexPlans, routine, triggerRoutine } from "../schema/routine.js";
import { literal, raw, type Sql, sql } from "../sql.js";
import { documentsOf, members, membersOfSearched } from "./tables.js";

const ofGroup = sql`${members.isOwnedBy(raw("asked_group"), "member")}`;
const key = members.key("member");

/**
 * Up to what size an index has documents that are not sorted in yet: searches go through all of them, and the fold that
 * exceeds it waits until they are sorted in.
 */
const unsortedPart = "gin_pending_list_limit = 512";

/** Makes the documents of some keys anew. It is to be called where nobody else folds the list at the same time. */
const write = routine({
  name: "documents_write",
  parameters: raw("asked_group text, keys text[]"),
  returns: raw("void"),
  settings: [...indexPlans, unsortedPart],
  body: sql`
    DECLARE
      bound text := (SELECT documented_before FROM searched_groups WHERE group_id = asked_group);
    BEGIN
      IF bound IS NULL THEN RETURN; END IF;
      WITH wanted AS MATERIALIZED (
        ${documentsOf(sql`
          SELECT own.* FROM unnest(keys) AS asked (key) CROSS JOIN ${eachOf(sql`
            SELECT * FROM group_members member WHERE ${ofGroup} AND ${key} = asked.key`)} own
            WHERE asked.key < bound`)}
      ), gone AS (
        DELETE FROM documents WHERE ctid = ${anyOf(sql`
          SELECT own.place FROM unnest(keys) AS asked (key) CROSS JOIN ${eachOf(sql`
            SELECT document.ctid AS place, document.key FROM documents document
              WHERE document.group_id = asked_group AND document.key = asked.key`)} own
            WHERE own.key NOT IN (SELECT wanted.key FROM wanted)`)}
      )
      INSERT INTO documents (group_id, key, words) SELECT * FROM wanted
        ON CONFLICT (group_id, key) DO UPDATE SET words = excluded.words
          WHERE documents.words IS DISTINCT FROM excluded.words;
    END`,
});

/**
 * Goes on with the documents of a group, of which it makes no more than `most` for the first time; it deletes all where
 * the group is not large any more. It is to be called where nobody else folds the list at the same time, when the
 * documents of folded keys are made.
 */
const keep = ({ searched }: Sizes) =>
  routine({
    name: "documents_keep",
    parameters: raw("asked_group text, total bigint, most bigint"),
    returns: raw("void"),
    settings: indexPlans,
    body: sql`
      DECLARE
        bound text := (SELECT documented_before FROM searched_groups WHERE group_id = asked_group);
        next_bound text;
      BEGIN
        IF total * 2 < ${literal(searched)} THEN
          IF bound IS NOT NULL THEN
            DELETE FROM documents WHERE group_id = asked_group;
            DELETE FROM searched_groups WHERE group_id = asked_group;
          END IF;
          RETURN;
        END IF;
        IF bound = ${literal(endOfKeys)} OR (bound IS NULL AND total <= ${literal(searched)}) THEN RETURN; END IF;
        IF bound IS NULL THEN
          bound := '';
          INSERT INTO searched_groups (group_id, documented_before) VALUES (asked_group, bound);
        END IF;
        next_bound := coalesce((
          SELECT entry.key FROM ${entriesOf(members)} entry
            WHERE entry.owner = asked_group AND entry.key >= bound ORDER BY entry.key OFFSET most LIMIT 1
        ), ${literal(endOfKeys)});
        -- Members who come to be in this range from now on have pending changes.
        DELETE FROM documents
          WHERE group_id = asked_group AND documents.key >= bound AND documents.key < next_bound;
        INSERT INTO documents (group_id, key, words)
          ${documentsOf(sql`
            SELECT * FROM group_members member WHERE ${ofGroup} AND ${key} >= bound AND ${key} < next_bound`)};
        UPDATE searched_groups SET documented_before = next_bound WHERE group_id = asked_group;
      END`,
  });

/** Makes all documents anew when lists are counted. Nobody else may write members meanwhile, nor truncate profiles. */
const rebuild = ({ searched }: Sizes) =>
  routine({
    name: "documents_rebuild",
    returns: raw("void"),
    body: sql`
      BEGIN
        DELETE FROM documents;
        DELETE FROM searched_groups;
        INSERT INTO searched_groups (group_id, documented_before)
          SELECT owner, ${literal(endOfKeys)} FROM list_totals
            WHERE list = ${literal(members.id)} AND total > ${literal(searched)};
        INSERT INTO documents (group_id, key, words)
          ${documentsOf(membersOfSearched)} ORDER BY 1, 2;
      END`,
  });

/** Has all documents made anew. */
export const rebuildDocuments: Sql = sql`SELECT documents_rebuild()`;

const isMarkOf = isMarkOld(raw("doubt.xmin::text::bigint"));

/** Hands doubts of profiles over to the lists that have the users: those of about `most` users. */
const settle = ({ changesPerFold }: Sizes) =>
  routine({
    name: "profile_doubts_settle",
    parameters: raw("most bigint"),
    returns: raw("void"),
    settings: indexPlans,
    body: sql`
    BEGIN
      IF current_setting('transaction_isolation') <> 'read committed'
        OR NOT pg_try_advisory_xact_lock(hashtext(current_schema() || ' profiles'), 0)
      THEN RETURN; END IF;
      -- They are marked in this order: where the first is not to be settled yet, hardly any is.
      IF (SELECT ${isMarkOf} FROM profile_doubts doubt WHERE doubt.is_marked ORDER BY id LIMIT 1) THEN
        WITH settled AS (
          DELETE FROM profile_doubts WHERE id = ${anyOf(sql`
              SELECT id FROM (
                  SELECT id, sum(cardinality(user_ids)) OVER (ORDER BY id) - cardinality(user_ids) AS users_before FROM (
                      SELECT * FROM profile_doubts doubt WHERE doubt.is_marked AND ${isMarkOf} ORDER BY id LIMIT most
                    ) old
                ) summed WHERE users_before < most`)}
            RETURNING user_ids
        ), doubted AS MATERIALIZED (
          SELECT DISTINCT unnest(user_ids) AS user_id FROM settled
            WHERE EXISTS (SELECT FROM lists known WHERE known.list = ${literal(members.id)})
        ), appended AS (
          INSERT INTO list_changes (list, owner, key, change)
            SELECT ${literal(members.id)}, named.group_id, named.key, 0
              FROM doubted CROSS JOIN ${eachOf(sql`
                SELECT member.group_id, ${key} AS key FROM group_members member
                  WHERE member.user_id = doubted.user_id AND member.nickname = ''`)} named
              WHERE (SELECT true FROM lists known WHERE known.list = ${literal(members.id)} AND known.owner = named.group_id)
            RETURNING owner
        )
        ${askToFold([
          sql`
            SELECT ${literal(members.id)}, owner FROM appended
              GROUP BY owner HAVING random() * ${literal(changesPerFold)} < count(*)`,
        ])}
      END IF;
      ${marked(sql`
        UPDATE profile_doubts SET is_marked = true WHERE id = ${anyOf(sql`
          SELECT id FROM profile_doubts WHERE NOT is_marked AND made_by <> pg_current_xact_id() ORDER BY id LIMIT most`)}`)}
    END`,
  });

/** About how many users doubts are settled at the end of a transaction. */
const mostUsersAtEnd = literal(1000);

/**
 * At the end of one of some transactions with doubts, and once in each: more often than folds, since each search looks at
 * what they are about.
 */
const settleAtEnd = ({ changesPerFold }: Sizes): Sql[] => [
  triggerRoutine({
    name: "profile_doubts_settle_at_end",
    settings: indexPlans,
    body: sql`
      BEGIN
        IF pg_trigger_depth() > 1
          OR current_setting('im_admin.profiles_settled', true) IS NOT DISTINCT FROM pg_current_xact_id()::text
        THEN RETURN NULL; END IF;
        PERFORM set_config('im_admin.profiles_settled', pg_current_xact_id()::text, true);
        ${lockedOrReturn(raw("group_members, users"), "ACCESS SHARE", raw("NULL"))}
        PERFORM profile_doubts_settle(${mostUsersAtEnd});
        RETURN NULL;
      END`,
  }),
  sql`DROP TRIGGER IF EXISTS profile_doubts_settle ON profile_doubts`,
  sql`
    CREATE CONSTRAINT TRIGGER profile_doubts_settle AFTER INSERT ON profile_doubts DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (random() * ${literal(changesPerFold)} < 4) EXECUTE FUNCTION profile_doubts_settle_at_end()`,
];

export const documentRoutines = (sizes: Sizes): Sql[] => [
  write,
  keep(sizes),
  rebuild(sizes),
  settle(sizes),
  ...settleAtEnd(sizes),
];
