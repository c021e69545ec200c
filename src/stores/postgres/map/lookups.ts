/** The functions by which the schema looks up records and lists their rows, in its own tables or a host's. */
import { type RecordName, recordFields, recordNames } from "../../../records.js";
import { snakeCase } from "../../snakeCase.js";
import { allLists, fieldsOver, type ListSql } from "./listSql.js";
import { bodyOf, hasID, type Place } from "./place.js";
import { recordSource } from "./view.js";

export type Places = Readonly<Record<RecordName, Place>>;

/** The name of each look-up function, its kind of records, its parameters and its comment. */
export const lookups: readonly (readonly [string, RecordName, readonly string[], string])[] = [
  ["user_at", "users", ["userID"], "The user with an ID."],
  ["group_at", "groups", ["groupID"], "The group with an ID."],
  ["member_at", "groupMembers", ["groupID", "userID"], "A member of a group."],
  ["memberships_of", "groupMembers", ["userID"], "The memberships of a user."],
  ["black_at", "blacks", ["ownerUserID", "blackUserID"], "An entry of a blacklist."],
  ["request_at", "groupRequests", ["groupID", "userID"], "A join request."],
  ["conversation_at", "conversations", ["ownerUserID", "conversationID"], "A conversation of a user."],
  ["conversations_of", "conversations", ["ownerUserID"], "The conversations of a user."],
];

/** The functions that look up records. */
export function lookupFunctions(places: Places, names: readonly RecordName[] = recordNames): string[] {
  return lookups
    .filter(([, name]) => names.includes(name))
    .map(([routine, name, fields, comment]) => {
      const place = places[name];
      const parameters = fields.map((field) => `${parameter(field)} text`).join(", ");
      // A host may have added columns to im-admin's own table.
      const columns =
        place.mapped === undefined ? ["stored.*"] : recordFields[name].map(([field]) => `stored.${snakeCase(field)}`);
      const conditions = fields.map((field) => hasID(place, "stored", field, `${routine}.${parameter(field)}`));
      return `CREATE OR REPLACE FUNCTION im_admin.${routine}(${parameters}) RETURNS SETOF ${place.relation}
  LANGUAGE sql STABLE AS ${bodyOf(
    `
  SELECT ${columns.join(", ")} FROM ${recordSource(place)} stored
    WHERE ${conditions.join(" AND ")}
`,
    "body",
  )};
COMMENT ON FUNCTION im_admin.${routine} IS '${comment}';`;
    });
}

function parameter(field: string): string {
  return `asked_${snakeCase(field)}`;
}

/**
 * All listed rows as a view, and functions that return the rows of a list, or one of them. The names in these functions
 * are bound when they are called, so that a host can alter its tables.
 */
export function listedRows(places: Places): string[] {
  return [
    `CREATE OR REPLACE VIEW im_admin.list_rows WITH (security_invoker = true) AS
${branches(
  ({ relation }) => relation,
  places,
  (_, own) => [
    `'${own.list}' AS list, ${parent(own)} AS parent, ${columns(own)}`,
    conditionOf(own),
    (row) => `profile.user_id = ${row}.user_id`,
  ],
)};
COMMENT ON VIEW im_admin.list_rows IS 'The rows of all lists, with their keys. parent: the group or user of the list. owner: the same, and behind it the value of the field by which lists are divided, such as a result.';`,
    // A page must touch no table but those of its list, since another one may be locked.
    ...listedRecords.flatMap((record) => [
      asked(places, "rows_of", "asked_parent", "The same, of lists of these records.", record),
      asked(places, "row_at", "asked_parent, asked_id", "The same, of lists of these records.", record),
    ]),
    asked(places, "rows_of", "asked_parent", "The rows of all lists of one kind that have this parent."),
    asked(
      places,
      "row_at",
      "asked_parent, asked_id",
      "The rows of an ID in the lists of one kind that have this parent.",
    ),
    asked(places, "rows_with", "asked_id", "The rows of an ID in all lists of one kind."),
  ];
}

/** The kinds of records that are listed. */
export const listedRecords: readonly RecordName[] = recordNames.filter((name) =>
  allLists.some(({ record }) => record === name),
);

/** A function that returns the rows of one kind of lists with a parent, an ID, or both. */
function asked(places: Places, general: string, given: string, comment: string, record?: RecordName): string {
  const routine = record === undefined ? general : `${general}_${snakeCase(record)}`;
  const isGiven = (parameter: string) => given.includes(parameter);
  const body = branches(
    recordSource,
    places,
    (place, own) => {
      const conditions = [
        `${routine}.asked_list = '${own.list}'`,
        isGiven("asked_parent") && own.parent && hasID(place, row, own.parent, `${routine}.asked_parent`),
        isGiven("asked_id") && hasID(place, row, own.id, `${routine}.asked_id`),
        conditionOf(own),
      ];
      const isTheirs = (member: string) => hasID(places.users, "profile", "userID", profileOf(places, member));
      const named = { ...own, name: own.name && carefulName(places, own) };
      return [`${parent(own)}, ${columns(named)}`, conditions.filter(Boolean).join(" AND "), isTheirs];
    },
    record,
  );
  return `CREATE OR REPLACE FUNCTION im_admin.${routine}(asked_list text, ${given.replaceAll(/\w+/g, "$& text")})
  RETURNS TABLE (parent text, owner text, id text, key text, name text) LANGUAGE sql STABLE AS ${bodyOf(`\n${body}\n`, "body")};
COMMENT ON FUNCTION im_admin.${routine} IS '${comment}';`;
}

/** The alias of the listed row. */
const row = "listed";

type Branch = readonly [columns: string, condition: string | undefined, isTheirs: (row: string) => string];

function branches(
  source: (place: Place) => string,
  places: Places,
  branch: (place: Place, own: ListSql) => Branch,
  record?: RecordName,
): string {
  return allLists
    .filter((own) => record === undefined || own.record === record)
    .map((own) => {
      const place = places[own.record];
      const [selected, condition, isTheirs] = branch(place, own);
      // A member without a nickname has that of the profile.
      const profile =
        own.name !== undefined && own.record === "groupMembers"
          ? `\n      LEFT JOIN ${source(places.users)} profile ON ${isTheirs(row)}`
          : "";
      const where = condition === undefined || condition === "" ? "" : `\n    WHERE ${condition}`;
      return `  SELECT ${selected}\n    FROM ${source(place)} ${row}${profile}${where}`;
    })
    .join("\n  UNION ALL\n");
}

/** The ID of a member's profile; of none if a statement is careful, since the profile could fail it. */
function profileOf({ users }: Places, member: string): string {
  const id = `${member}.user_id`;
  return users.mapped === undefined ? id : `CASE WHEN NOT im_admin.is_careful() THEN ${id} END`;
}

function carefulName({ users, groupMembers }: Places, { record, name }: ListSql): ListSql["name"] {
  if (users.mapped === undefined && groupMembers.mapped === undefined) return name;
  return (row) => {
    const group = record === "groupMembers" ? `${row}.group_id` : "NULL";
    return `CASE WHEN im_admin.is_careful() THEN im_admin.careful_nickname(${row}.user_id, ${group}) ELSE ${name?.(row)} END`;
  };
}

function columns({ owner, id, key, name }: ListSql): string {
  return `${owner(fieldsOver(row))} AS owner, ${row}.${snakeCase(id)} AS id,
      ${key(row)} AS key,
      ${name?.(row) ?? "NULL"} AS name`;
}

function parent({ parent: field }: ListSql): string {
  return field === undefined ? "''" : `${row}.${snakeCase(field)}`;
}

function conditionOf({ condition }: ListSql): string | undefined {
  return condition?.(row);
}
