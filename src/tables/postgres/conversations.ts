/** The function by which `set_conversations` writes a host's table. */
import { settableFields } from "../../records.js";
import { currentText } from "../../stores/postgres/schema/migration.js";
import { snakeCase } from "../../stores/snakeCase.js";
import { column, conversion, conversionFunction, converted, fieldValues, type Place } from "./place.js";

const own = currentText.match(/^CREATE FUNCTION im_admin\.write_conversations[\s\S]*?\$\$;\nCOMMENT .*$/m)?.[0] ?? "";

/** The parameters of im-admin's own function. */
const parameters = own.slice(own.indexOf("(") + 1, own.indexOf(")\n")).trim();

/** The fields that name the peer or the group of a conversation. Their columns have the host's types. */
const ends = ["userID", "groupID"] as const;

/** The fields that can be set, with their defaults. */
const settable = settableFields.map(([field, { otherwise }]) => ({
  field,
  asked: `asked_${snakeCase(field)}`,
  empty: otherwise === "" ? "''" : String(otherwise),
}));

/** The function that writes conversations; none if they are in im-admin's own table. */
export function settableConversations(place: Place): string[] {
  const { mapped, isEmpty } = place;
  const drop = own.replace(/^CREATE FUNCTION (\S+)\([\s\S]*$/, "DROP FUNCTION IF EXISTS $1;");
  if (isEmpty) return [drop, refusing("the map has no conversations")];
  if (mapped === undefined) return [drop, own];
  const fields = (mapped.fields ?? {}) as Readonly<Record<string, string | undefined>>;
  const isPlain = Object.values(fields).every((field) => field !== undefined && /^"[^"]+"$|^\w+$/.test(field));
  const isTold = ["conversationType", ...ends].every((field) => fields[field] !== undefined);
  if (!isPlain || !isTold || mapped.where !== undefined) {
    return [
      drop,
      refusing(
        "conversations are mapped by expressions, a condition, or without their type, userID or groupID: replace setConversations of the store",
      ),
    ];
  }
  return [drop, ...endConversions(place), writing(place, fields)];
}

function refusing(reason: string): string {
  return `CREATE FUNCTION im_admin.write_conversations(
    ${parameters})
  RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  RAISE '${reason}';
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

function writing(place: Place, fields: Readonly<Record<string, string | undefined>>): string {
  const { mapped, keyParts } = place;
  const given = settable.filter(({ field }) => fields[field] !== undefined);
  const lacking = settable.filter(({ field }) => fields[field] === undefined);
  const keys = keyParts.map((part) => column("", part.column).slice(1));
  const values = keyParts.map((part) =>
    converted(conversion(place, part), part.field === "ownerUserID" ? "id" : "asked_conversation"),
  );
  const { conversationType: type = "", userID: user = "", groupID: group = "" } = fields;
  const set = given.map(({ field, asked }) => `${fields[field]} = coalesce(${asked}, stored.${fields[field]})`);
  const differs = given.map(
    ({ field, asked }) => `${asked} IS DISTINCT FROM stored.${fields[field]} AND ${asked} IS NOT NULL`,
  );
  const refusals = lacking.map(
    ({ field, asked }) => `  IF ${asked} IS NOT NULL THEN RAISE 'conversations are mapped without ${field}'; END IF;\n`,
  );
  return `CREATE FUNCTION im_admin.write_conversations(
    ${parameters})
  RETURNS text[] LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  changed text[];
BEGIN
${refusals.join("")}  WITH written AS (
    INSERT INTO ${mapped?.from} AS stored (${[...keys, type, user, group, ...given.map(({ field }) => fields[field])].join(", ")})
      SELECT ${[...values, "asked_type", converted(endConversion("userID"), "asked_user"), converted(endConversion("groupID"), "asked_group")].join(", ")},
          ${given.map(({ asked, empty }) => `coalesce(${asked}, ${empty})`).join(", ")}
        FROM unnest(asked_owners) AS owners (id) ORDER BY id COLLATE "C"
      ON CONFLICT (${keys.join(", ")}) DO UPDATE
        SET ${set.join(", ")}
        WHERE (coalesce(stored.${type}, 0), coalesce(stored.${user}::text, ''), coalesce(stored.${group}::text, ''))
            = (asked_type, asked_user, asked_group)
          AND (${differs.join(" OR ")})
      RETURNING ${keyText(place)}
  )
  SELECT array_agg(written.id) INTO changed FROM written;
  RETURN changed;
END $$;
COMMENT ON FUNCTION im_admin.write_conversations IS 'Writes conversations to ${mapped?.from}, and returns the owners of changed rows. It does not change a row that contradicts.';`;
}

function keyText(place: Place): string {
  const [, owner] = fieldValues({ ...place, alias: "stored" }).find(([field]) => field === "ownerUserID") ?? [];
  return `${owner} AS id`;
}
