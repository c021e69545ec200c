/** The statements that install a map in a schema, and remove it again. */
import { forEachKind, type RecordName, recordKeys, recordNames } from "../../../records.js";
import { mappedRecords, type TableMap } from "../../../tables/map.js";
import { isQuery } from "../../../tables/mapNames.js";
import { anotherMap, type TablesSql } from "../../../tables/statements.js";
import { snakeCase } from "../../snakeCase.js";
import { recordTables } from "../schema/recordTables.js";
import type { Sql } from "../sql.js";
import { checkFunctions, checkRoutine, checks } from "./checkMap.js";
import { settableConversations } from "./conversations.js";
import { partNotes } from "./fieldChecks.js";
import { listsOf } from "./listSql.js";
import { listedRecords, listedRows, lookupFunctions, type Places } from "./lookups.js";
import { conversion, conversionFunctions, placeOf, text } from "./place.js";
import { ownTriggers } from "./triggers.js";
import { unreadableFunctions, unreadableRoutines } from "./unreadable.js";
import { recordView } from "./view.js";
import { watching, watchingRoutines } from "./watching.js";
import { writtenFunction } from "./written.js";

/**
 * The statements for a schema. The map may read objects of its owner, and of these other roles.
 *
 * They are made for a schema with the name im_admin. Meanwhile another word stands for it in what the host has written,
 * where it means something else.
 */
export function postgresSql(map: TableMap, schema: Sql, trustedOwners: readonly string[] = []): TablesSql {
  const given = JSON.stringify({ map, trustedOwners });
  const word = wordBeside(given);
  const hide = (_: string, value: unknown) =>
    typeof value === "string" ? value.replace(/\bim_admin\b/g, word) : value;
  const hidden = JSON.parse(given, hide) as { map: TableMap; trustedOwners: string[] };
  const { install, build, check, remove } = statementsOf(hidden.map, hidden.trustedOwners);
  const named = (statements: readonly string[]) => inSchema(schema, statements, word);
  return {
    install: named(install),
    build: [...uniqueKeys(map, schema), ...named(build)],
    check: named(check),
    remove: named(remove),
  };
}

/** A word that does not occur in a text. */
function wordBeside(text: string, word = "im_admin__host"): string {
  return text.includes(word) ? wordBeside(text, `${word}_`) : word;
}

/**
 * Statements that fail if two records have the same key. They read all rows, so they run when the tables are locked no
 * more.
 */
export function uniqueKeys(map: TableMap, schema: Sql): string[] {
  const statements = mappedRecords(map).map(([name]) => {
    const keys = recordKeys[name].map(snakeCase).join(", ");
    return `SELECT im_admin.require_unique(${text(`${name}.key`)}, ${text(snakeCase(name))}, ${text(keys)});`;
  });
  return inSchema(schema, statements);
}

/** The statements with the name of the schema, and with im_admin where `hostWord` stands for it. */
function inSchema({ text: quoted }: Sql, statements: readonly string[], hostWord = "im_admin__host"): string[] {
  const own = /^"[a-z_][a-z0-9_]*"$/.test(quoted) ? quoted.slice(1, -1) : quoted;
  const either = new RegExp(`\\bim_admin\\b|${hostWord}`, "g");
  return statements.map((statement) => statement.replace(either, (found) => (found === hostWord ? "im_admin" : own)));
}

function statementsOf(map: TableMap, trustedOwners: readonly string[]): TablesSql {
  const places = forEachKind((name) => placeOf(name, map));
  const concerned = recordNames.filter((name) => map[name] !== undefined);
  requireSchemas(places);
  return {
    install: [
      ...begin,
      ...remember(map, trustedOwners),
      ...concerned.flatMap((name) => partNotes(places[name])),
      "SELECT im_admin.require_trusted();",
      ...withoutOwn(concerned),
      ...made(places, concerned),
      ...checkFunctions(places, concerned),
      forget,
    ],
    build: [
      "SELECT im_admin.rebuild_lists();",
      `-- Some thousand changes in each transaction; it may be stopped, and goes on where it was.
DO $$
BEGIN
  WHILE im_admin.settle() > 0 LOOP
    COMMIT;
  END LOOP;
END $$;`,
    ],
    check: checks(concerned),
    remove: [
      ...begin,
      refuseAnother(concerned),
      ...withoutMapped(places, concerned),
      ...own(concerned),
      "DELETE FROM im_admin.table_map;",
      "DELETE FROM im_admin.mapped_objects;",
      "DELETE FROM im_admin.mapped_columns;",
      "DELETE FROM im_admin.mapped_files;",
      "DELETE FROM im_admin.touched;",
      forget,
    ],
  };
}

/**
 * Keeps other sessions from settling, and sets the search path of the triggers, so that expressions mean the same as in
 * them.
 */
const begin = [
  "SELECT im_admin.require_owner();",
  "SET LOCAL search_path = im_admin, pg_temp;",
  "SELECT pg_advisory_xact_lock(hashtext('im-admin settle'), 'lists'::regclass::oid::integer);",
];

const forget = "SELECT im_admin.forget_lists(VARIADIC im_admin.list_names());";

function requireSchemas(places: Places): void {
  for (const { name, mapped } of Object.values(places)) {
    for (const table of [mapped?.from, ...(mapped?.also ?? []).map((also) => also.table)]) {
      if (table !== undefined && !isQuery(table) && !/[^"]\.|"\./.test(table)) {
        throw new TypeError(`${name}: name the table ${table} with its schema, such as public.${table}`);
      }
    }
  }
}

/** Drops im-admin's own tables, which must be empty. */
function withoutOwn(names: readonly RecordName[]): string[] {
  return [
    ...names.map(snakeCase).map(
      (table) => `DO $$
BEGIN
  IF EXISTS (SELECT FROM im_admin.${table}) THEN
    RAISE '%.${table} has records, which would be lost: remove them, or leave them out of the map', quote_ident(current_schema());
  END IF;
END $$;
DROP TABLE im_admin.${table} CASCADE;`,
    ),
    ...names
      .filter((name) => listsOf[name].length > 0)
      .map((name) => `DROP FUNCTION im_admin.${snakeCase(name)}_written();`),
    ...withoutRows,
  ];
}

const withoutRows = [
  ...listedRecords
    .map(snakeCase)
    .map(
      (name) =>
        `DROP FUNCTION IF EXISTS im_admin.rows_of_${name}(text, text), im_admin.row_at_${name}(text, text, text);`,
    ),
  `DROP VIEW IF EXISTS im_admin.list_rows;
DROP FUNCTION IF EXISTS im_admin.rows_of(text, text), im_admin.row_at(text, text, text), im_admin.rows_with(text, text);`,
];

/** Creates the views, functions and triggers that read and watch the tables of the map. */
function made(places: Places, names: readonly RecordName[]): string[] {
  const mapped = names.map((name) => places[name]);
  return [
    ...mapped.flatMap((place) => [...conversionFunctions(place), recordView(place), ...unreadableFunctions(place)]),
    ...lookupFunctions(places, names),
    ...listedRows(places),
    ...mapped.flatMap(watching),
    ...settableConversations(places.conversations),
  ];
}

function remember(map: TableMap, trustedOwners: readonly string[]): string[] {
  const owners = `ARRAY[${trustedOwners.map((owner) => text(owner)).join(", ")}]::text[]`;
  return [
    `DO $$
BEGIN
  IF EXISTS (SELECT FROM im_admin.table_map) THEN
    RAISE 'tables are mapped already: take that back first';
  END IF;
END $$;`,
    `INSERT INTO im_admin.table_map (map, trusted_owners) VALUES (${text(JSON.stringify(map))}, ${owners});`,
  ];
}

/** Fails if the installed map has other kinds of records, whose tables these statements would not make. */
function refuseAnother(names: readonly RecordName[]): string {
  const kinds = `ARRAY[${[...names, "separator"].map((name) => text(name)).join(", ")}]::text[]`;
  return `DO $$
BEGIN
  IF EXISTS (
    SELECT FROM im_admin.table_map CROSS JOIN LATERAL (SELECT array_agg(kind) AS kinds FROM jsonb_object_keys(map::jsonb) kind) installed
      WHERE NOT ${kinds} @> kinds OR NOT kinds || 'separator'::text @> ${kinds})
  THEN
    RAISE ${text(anotherMap)};
  END IF;
END $$;`;
}

/** Drops everything that a map has made. Dropping the functions also drops the triggers that call them. */
function withoutMapped(places: Places, names: readonly RecordName[]): string[] {
  return names.flatMap((name) => {
    const place = places[name];
    const routines = [
      ...unreadableRoutines(place),
      ...watchingRoutines(place).map((routine) => `im_admin.${routine}()`),
      `${place.relation}_of_host()`,
      ...place.keyParts.map((part) => `${conversion(place, part)}(bytea)`),
      ...(name === "conversations"
        ? ["im_admin.conversations_user_id(bytea)", "im_admin.conversations_group_id(bytea)"]
        : []),
      `${checkRoutine(name)}()`,
    ];
    return [
      `DROP VIEW IF EXISTS ${place.relation} CASCADE;`,
      ...routines.map((routine) => `DROP FUNCTION IF EXISTS ${routine} CASCADE;`),
    ];
  });
}

/** Creates im-admin's own tables as the migration does, with their indexes and triggers. */
function own(names: readonly RecordName[]): string[] {
  const places = forEachKind((name) => placeOf(name, {}));
  const watched = names.filter((name) => listsOf[name].length > 0);
  return [
    ...names.map((name) => recordTables[name]),
    ...lookupFunctions(places, names),
    ...withoutRows,
    ...listedRows(places),
    ...watched.map((name) => writtenFunction(name)),
    ...watched.flatMap((name) => ownTriggers(name).map(({ sql }) => sql)),
    ...settableConversations(places.conversations),
  ];
}
