/** The functions by which the schema looks up records and lists their rows, in its own tables or a host's. */
import { type RecordName, recordNames } from "../../records.js";
import { snakeCase } from "../../stores/snakeCase.js";
import { allListed, columnsOf, type Listed } from "./listed.js";
import { hasID, type Place } from "./place.js";

export type Places = Readonly<Record<RecordName, Place>>;

/** The name of each look-up function, its kind of records, its parameters and its comment. */
const lookups: readonly (readonly [string, RecordName, readonly string[], string])[] = [
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
      // A host may have added a column with the name of a parameter.
      const conditions = fields.map((field) => hasID(place, "stored", field, `${routine}.${parameter(field)}`));
      return `CREATE OR REPLACE FUNCTION im_admin.${routine}(${parameters}) RETURNS SETOF ${place.relation}
  LANGUAGE sql STABLE AS $$
  SELECT stored.* FROM ${place.relation} stored
    WHERE ${conditions.join(" AND ")}
$$;
COMMENT ON FUNCTION im_admin.${routine} IS '${comment}';`;
    });
}

function parameter(field: string): string {
  return `asked_${snakeCase(field)}`;
}

/** All listed rows as a view, and functions that return the rows of a list, or one of them. */
export function listedRows(places: Places): string[] {
  return [
    `CREATE OR REPLACE VIEW im_admin.list_rows WITH (security_invoker = true) AS
${branches(places, (place, own) => [
  `'${own.list}' AS list, ${parent(own)} AS parent, ${columns(own)}`,
  conditionOf(own),
  own.name && profile(place, (row) => `profile.user_id = ${row}.user_id`),
])};
COMMENT ON VIEW im_admin.list_rows IS 'The rows of all lists, with their keys. parent: the group or user of the list. owner: the same, with the result behind it for join requests by result.';`,
    `CREATE OR REPLACE FUNCTION im_admin.rows_of(asked_list text, asked_parent text) RETURNS TABLE (owner text, id text, key text, name text)
  LANGUAGE sql STABLE BEGIN ATOMIC
${asked(places, "rows_of")};
END;
COMMENT ON FUNCTION im_admin.rows_of IS 'The rows of all lists of one kind that have this parent.';`,
    `CREATE OR REPLACE FUNCTION im_admin.row_at(asked_list text, asked_parent text, asked_id text)
  RETURNS TABLE (owner text, id text, key text, name text)
  LANGUAGE sql STABLE BEGIN ATOMIC
${asked(places, "row_at")};
END;
COMMENT ON FUNCTION im_admin.row_at IS 'The rows of an ID in the lists of one kind that have this parent.';`,
  ];
}

/** The body of one of these functions. */
function asked(places: Places, routine: "rows_of" | "row_at"): string {
  return branches(places, (place, own) => {
    const conditions = [
      `${routine}.asked_list = '${own.list}'`,
      own.parent && hasID(place, row, own.parent, `${routine}.asked_parent`),
      routine === "row_at" && hasID(place, row, own.id, `${routine}.asked_id`),
      conditionOf(own),
    ];
    const isTheirs = (member: string) => hasID(places.users, "profile", "userID", `${member}.user_id`);
    return [columns(own), conditions.filter(Boolean).join(" AND "), own.name && profile(place, isTheirs)];
  });
}

/** The alias of the listed row. */
const row = "listed";

type Branch = readonly [columns: string, condition: string | undefined, profile: string | undefined];

function branches(places: Places, branch: (place: Place, own: Listed) => Branch): string {
  return allListed
    .map((own) => {
      const place = places[own.record];
      const [selected, condition, joined] = branch(place, own);
      const where = condition === undefined || condition === "" ? "" : `\n    WHERE ${condition}`;
      return `  SELECT ${selected}\n    FROM ${place.relation} ${row}${joined ?? ""}${where}`;
    })
    .join("\n  UNION ALL\n");
}

function columns({ owner, id, key, name }: Listed): string {
  return `${owner(columnsOf(row))} AS owner, ${row}.${snakeCase(id)} AS id,
      ${key(row)} AS key,
      ${name?.(row) ?? "NULL"} AS name`;
}

function parent({ parent: field }: Listed): string {
  return field === undefined ? "''" : `${row}.${snakeCase(field)}`;
}

function conditionOf({ condition }: Listed): string | undefined {
  return condition?.(row);
}

/** Joins the profile to members, since a member without a nickname has that of the profile. */
function profile({ name }: Place, isTheirs: (row: string) => string): string {
  return name === "groupMembers" ? `\n      LEFT JOIN im_admin.users profile ON ${isTheirs(row)}` : "";
}
