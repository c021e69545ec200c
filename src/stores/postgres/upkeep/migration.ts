/** The schema as SQL: the parts that are written by hand, and those that follow from definitions. */
import { forEachKind, recordKeys, recordNames } from "../../../records.js";
import { indentedBehind } from "../../indentation.js";
import { blacks } from "../../lists/blacks.js";
import { rangeOf } from "../../lists/digits.js";
import { groupMembers } from "../../lists/groupMembers.js";
import { groupRequests, managingRoles } from "../../lists/groupRequests.js";
import { lists } from "../../lists/index.js";
import { notificationAccounts } from "../../lists/notificationAccounts.js";
import { placingFields } from "../../lists/placing.js";
import { group, userInfo } from "../../lists/profiles.js";
import { snakeCase } from "../../snakeCase.js";
import { mostTold, toldTooMuch } from "../../valuesBefore.js";
import { ownConversations, settableNames, settableParameters, settableValues } from "../map/conversations.js";
import dependence from "../map/dependence.sql?raw";
import { allLists, listFunctions, listsOf, touchedFunctions } from "../map/listSql.js";
import { listedRows, lookupFunctions } from "../map/lookups.js";
import mapped from "../map/mapped.sql?raw";
import { placeOf } from "../map/place.js";
import { ownTriggers } from "../map/triggers.js";
import unreadable from "../map/unreadable.sql?raw";
import { packedDefinitions, packedStorage, unpackedChanges, writtenFunction } from "../map/written.js";
import { itemOf } from "../pages/items.js";
import items from "../pages/items.sql?raw";
import pages from "../pages/pages.sql?raw";
import setConversations from "../records/setConversations.sql?raw";
import heading from "../schema/heading.sql?raw";
import listTables from "../schema/lists.sql?raw";
import { recordTables } from "../schema/recordTables.js";
import search from "../search/search.sql?raw";
import { renamedRows } from "../settle/renamed.js";
import settle from "../settle/settle.sql?raw";
import touched from "../settle/touched.sql?raw";
import trees from "../settle/trees.sql?raw";
import { raw, type Sql } from "../sql.js";
import rebuild from "./rebuild.sql?raw";
import { withRepeated } from "./repeated.js";

/** The fields without which a record has no place in lists. */
const decidingFields = recordNames.flatMap((name) =>
  ["where", ...placingFields[name].map(([field]) => field)].map((field) => [name, field] as const),
);

const watched = recordNames.filter((name) => listsOf[name].length > 0);

/** The kinds of records that have lists whose owner is the second part of their keys. */
const bySecond = new Set(lists.flatMap(({ table, owner }) => (owner && owner === recordKeys[table][1] ? [table] : [])));

const keysOf = (name: string) => allLists.find(({ list }) => list === name);

/** What `:name` stands for in the files. */
const inserted: Readonly<Record<string, string>> = {
  // Plans must not depend on statistics.
  steady_plans: `SET search_path = im_admin, pg_temp SET row_security = off
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET join_collapse_limit = 1 SET jit = off`,
  group_member_item: itemOf(groupMembers.item.fields, "member"),
  black_item: itemOf(blacks.item.fields, "black"),
  group_request_item: itemOf(groupRequests.item.fields, "request"),
  notification_account_item: itemOf(notificationAccounts.item.fields, "account"),
  user_info: itemOf(userInfo("userID"), "one"),
  group_info: itemOf(group, "one"),
  item_variables: `made text;
  nth bigint;
  parts text[] := '{}';
  bytes bigint := 0;`,
  // Rows come in the order of their keys, from which nested loops make them.
  keep_item: `bytes := bytes + octet_length(made);
    IF bytes > most_bytes AND nth > 1 THEN
      fitting := nth - 1;
      RETURN;
    END IF;
    parts[nth] := made;`,
  kept_items: "'[' || array_to_string(parts, ',') || ']'",
  requested_group: keysOf("group_requests")?.partOfKey("groupID", "found.key") ?? "",
  listed_tables: watched.map(snakeCase).join(", "),
  listed_by_second: [...bySecond].map((name) => `'${snakeCase(name)}'`).join(", "),
  packed_definitions: packedDefinitions,
  packed_storage: packedStorage,
  renamed_rows: renamedRows,
  owner_beginning: `'${rangeOf(groupMembers, 100)[0]}'`,
  managing_roles: managingRoles.join(", "),
  settable_parameters: settableParameters,
  settable: settableNames,
  settable_values: settableValues,
  deciding_fields: decidingFields.map(([name, field]) => `'${snakeCase(name)}.${field}'`).join(", "),
  most_told: String(mostTold),
  told_too_much: toldTooMuch,
};

function filled(given: string): string {
  const text = withRepeated(given);
  return text.replace(/(?<!:):([a-z]\w*)/g, (_, name: string, place: number) => {
    const value = inserted[name];
    if (value === undefined) throw new Error(`nothing stands for :${name}`);
    return indentedBehind(text.slice(0, place), value);
  });
}

const joined = (parts: readonly string[]) => parts.map((part) => part.trim()).join("\n\n");

const places = forEachKind((name) => placeOf(name, {}));

/** What reads and writes the tables. It can be made again at any time. */
const routines = joined([
  ...listFunctions,
  filled(unreadable),
  ...lookupFunctions(places),
  ...listedRows(places),
  ...touchedFunctions,
  dependence,
  mapped,
  ...watched.map(writtenFunction),
  unpackedChanges(watched),
  ...watched.flatMap((name) => ownTriggers(name).map(({ sql }) => sql)),
  ...[pages, search, items, setConversations].map(filled),
  ownConversations,
  ...[settle, touched, trees, rebuild].map(filled),
]);

/** The same where nothing is yet. What somebody else has put there would keep its owner, so it is not replaced. */
const newRoutines = routines.replaceAll(/^CREATE OR REPLACE /gm, "CREATE ");

/** The comment of a schema that im-admin has made. */
export const madeSchema = "Made by im-admin. im-admin tables --remove --all drops it.";

const createSchema = `CREATE SCHEMA IF NOT EXISTS im_admin;
COMMENT ON SCHEMA im_admin IS '${madeSchema}';`;

/**
 * What leads from each version of the schema to the next, for a schema with the name im_admin. The first makes version 1
 * of nothing.
 */
export const versions: readonly string[] = [
  `${joined([heading, createSchema, ...Object.values(recordTables), filled(listTables), newRoutines])}\n`,
];

/** The current version. */
export const schemaVersion = versions.length;

/** What leads from a version to the current one, for a schema. */
export function migration(schema: Sql, version = 0, texts = versions): Sql {
  return within(schema, texts.slice(version).join("\n"));
}

/** The same for an existing schema, without CREATE SCHEMA, for which its owner may lack the right. */
export function migrationWithin(schema: Sql, texts = versions): Sql {
  return within(schema, texts.join("\n").replace(createSchema, ""));
}

/** Creates functions and triggers again, also if somebody has changed, disabled or dropped them. */
export function renewal(schema: Sql): Sql {
  return within(schema, routines);
}

/** The names of all triggers, with their tables. */
export const triggers: readonly { table: string; trigger: string }[] = watched.flatMap((record) =>
  ownTriggers(record).map(({ name }) => ({ table: snakeCase(record), trigger: name })),
);

function within(schema: Sql, text: string): Sql {
  return raw(text.replace(/\bim_admin\b/g, () => schema.text));
}
