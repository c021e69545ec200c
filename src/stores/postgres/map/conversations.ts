/** The function by which `set_conversations` writes the table of conversations, bundled or a host's. */
import { recordFields, settableFields } from "../../../records.js";
import { whyUnsettable } from "../../../tables/settable.js";
import { snakeCase } from "../../snakeCase.js";
import { columnTypes } from "../schema/recordTables.js";
import {
  bodyOf,
  column,
  conversion,
  conversionFunction,
  converted,
  fieldValues,
  type Place,
  placeOf,
} from "./place.js";

/** The fields that name the peer or the group of a conversation. Their columns have the host's types. */
const ends = ["userID", "groupID"] as const;

/** The fields that can be set, with their defaults. */
const settable = settableFields.map(([field, { name, otherwise }]) => ({
  field,
  asked: `asked_${snakeCase(field)}`,
  type: columnTypes[name],
  empty: otherwise === "" ? "''" : String(otherwise),
}));

/** The values of a row, each behind its field. */
export const settableValues = settable.map(({ field }) => `'${field}', stored.${snakeCase(field)}`).join(", ");

/** The parameters for these fields, and their names. */
export const settableParameters = settable.map(({ asked, type }) => `${asked} ${type}`).join(",\n    ");
export const settableNames = settable.map(({ asked }) => asked).join(", ");

const parameters = `asked_owners text[], asked_conversation text, asked_type integer, asked_user text, asked_group text,
    ${settableParameters}, only_locks boolean`;

/** Where the bundled table has the fields of conversations. */
const own = placeOf("conversations", {
  conversations: {
    from: "im_admin.conversations",
    key: { ownerUserID: "owner_user_id", conversationID: "conversation_id" },
    fields: Object.fromEntries(recordFields.conversations.slice(2).map(([field]) => [field, snakeCase(field)])),
  },
});

/** The function that writes conversations, with the functions that it calls. */
export function settableConversations(place: Place): string[] {
  const { mapped, isEmpty } = place;
  if (isEmpty) return [drop, refusing("the map has no conversations", notKept)];
  if (mapped === undefined) return [drop, ownConversations];
  const refusal = whyUnsettable(mapped);
  if (refusal !== undefined) return [drop, refusing(refusal)];
  return [drop, ...endConversions(place), writing(place, converted)];
}

/** Another version of im-admin may have made it with other parameters. */
const drop = "DROP FUNCTION IF EXISTS im_admin.write_conversations;";

/** The error for which `set_conversations` has an outcome. */
const notKept = " USING ERRCODE = 'IM002'";

function refusing(reason: string, using = ""): string {
  return `CREATE OR REPLACE FUNCTION im_admin.write_conversations(
    ${parameters})
  RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  RAISE '${reason}'${using};
END $$;
COMMENT ON FUNCTION im_admin.write_conversations IS 'Fails with the reason why conversations cannot be set.';`;
}

/** The functions that convert the IDs of peers and groups into the types of the host's columns. */
export function endConversions({ mapped }: Place): string[] {
  const fields = (mapped?.fields ?? {}) as Readonly<Record<string, string | undefined>>;
  return ends.flatMap((field) => {
    const own = fields[field];
    return own === undefined ? [] : [conversionFunction(endConversion(field), mapped?.from ?? "", own, "id")];
  });
}

function endConversion(field: (typeof ends)[number]): string {
  return `im_admin.conversations_${snakeCase(field)}`;
}

/** `convert` calls a conversion for an ID. */
function writing(place: Place, convert: (routine: string, id: string) => string): string {
  const { mapped, keyParts } = place;
  const fields = (mapped?.fields ?? {}) as Readonly<Record<string, string | undefined>>;
  const given = settable.filter(({ field }) => fields[field] !== undefined);
  const lacking = settable.filter(({ field }) => fields[field] === undefined);
  const keys = keyParts.map((part) => column("", part.column).slice(1));
  const values = keyParts.map((part) =>
    convert(conversion(place, part), part.field === "ownerUserID" ? "id" : "asked_conversation"),
  );
  const { conversationType: type = "", userID: user = "", groupID: group = "" } = fields;
  const set = given.map(({ field, asked }) => `${fields[field]} = coalesce(${asked}, stored.${fields[field]})`);
  const differs = given.map(
    ({ field, asked }) => `${asked} IS DISTINCT FROM stored.${fields[field]} AND ${asked} IS NOT NULL`,
  );
  const refusals = lacking.map(
    ({ field, asked }) => `  IF ${asked} IS NOT NULL THEN RAISE 'conversations are mapped without ${field}'; END IF;\n`,
  );
  const body = `
#variable_conflict use_variable
DECLARE
  changed text[];
BEGIN
${refusals.join("")}  WITH written AS (
    INSERT INTO ${mapped?.from} AS stored (${[...keys, type, user, group, ...given.map(({ field }) => fields[field])].join(", ")})
      SELECT ${[...values, "asked_type", convert(endConversion("userID"), "asked_user"), convert(endConversion("groupID"), "asked_group")].join(", ")},
          ${given.map(({ asked, empty }) => `coalesce(${asked}, ${empty})`).join(",\n          ")}
        FROM unnest(asked_owners) AS owners (id) ORDER BY id COLLATE "C"
      ON CONFLICT (${keys.join(", ")}) DO UPDATE
        SET ${set.join(",\n          ")}
        WHERE (coalesce(stored.${type}, 0), coalesce(stored.${user}::text, ''), coalesce(stored.${group}::text, ''))
            = (asked_type, asked_user, asked_group)
          AND NOT only_locks AND (${differs.join("\n            OR ")})
      RETURNING ${keyText(place)}
  )
  SELECT array_agg(written.id) INTO changed FROM written;
  RETURN changed;
END `;
  return `CREATE OR REPLACE FUNCTION im_admin.write_conversations(
    ${parameters})
  RETURNS text[] LANGUAGE plpgsql AS ${bodyOf(body)};
COMMENT ON FUNCTION im_admin.write_conversations IS 'Writes conversations, and returns the owners of changed rows. It does not change a row that contradicts. It locks rows in the order of their keys, so that two calls cannot deadlock. With only_locks, it creates what is missing and only locks the rest.';`;
}

/** The function that writes the bundled table. */
export const ownConversations = writing(own, (_, id) => id);

function keyText(place: Place): string {
  const [, owner] = fieldValues({ ...place, alias: "stored" }).find(([field]) => field === "ownerUserID") ?? [];
  return `${owner} AS id`;
}
