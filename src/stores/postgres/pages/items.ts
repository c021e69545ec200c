/** The items that pages answer, as JSON. They follow from the definitions of the lists. */
import { type RecordName, recordFields } from "../../../records.js";
import type { Source, Sources } from "../../lists/list.js";
import { snakeCase } from "../../snakeCase.js";

/** An item as a JSON object. `row` has the listed record; `profile` and `own` a profile and a group, if it has one. */
export function itemOf(fields: Sources<object>, row: string): string {
  const columns = Object.entries(fields).map(
    ([field, source]: [string, Source | Sources<object>]) => `${expressionOf(field, source, row)} AS "${field}"`,
  );
  return `(SELECT row_to_json(item.*) FROM (SELECT
  ${columns.join(",\n  ")}
) item)`;
}

function expressionOf(field: string, source: Source | Sources<object>, row: string): string {
  const column = `${row}.${snakeCase(field)}`;
  switch (source) {
    case "row":
    case "time":
      return column;
    case "profile":
      return `coalesce(profile.${snakeCase(field)}, ${otherwise("users", field)})`;
    case "rowOrProfile":
      return `CASE ${column} WHEN '' THEN ${expressionOf(field, "profile", row)} ELSE ${column} END`;
    case "group":
      return `coalesce(own.${snakeCase(field)}, ${otherwise("groups", field)})`;
    case "memberCount":
      return "member_count";
    case "groupOwner":
      return `${row}.owner_user_id`;
  }
  if ("column" in source) return `${row}.${snakeCase(source.column as string)}`;
  const nested = source as Readonly<Record<string, Source>>;
  return nested["groupID"] === undefined
    ? `user_info(${expressionOf("userID", nested["userID"] ?? "row", row)})`
    : `group_info(${expressionOf("groupID", nested["groupID"], row)})`;
}

/** The value of a field of a record that is gone. */
function otherwise(record: RecordName, field: string): string {
  const [, kind] = recordFields[record].find(([named]) => named === field) ?? [];
  return kind?.otherwise === "" ? "''" : String(kind?.otherwise);
}
