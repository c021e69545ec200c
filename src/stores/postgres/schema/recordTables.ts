/** The tables of the records. They follow from the definitions of the records. */
import type { Kind } from "../../../recordKinds.js";
import { forEachKind, type RecordName, recordFields, recordKeys } from "../../../records.js";
import { snakeCase } from "../../snakeCase.js";
import { mostBytes } from "../records/holdsKey.js";

/** The type of a column. */
export const columnTypes: Readonly<Record<Kind["name"], string>> = {
  key: "text",
  text: "text",
  integer: "integer",
  count: "bigint",
  level: "integer",
  time: "bigint",
  flag: "boolean",
};

const rules: Readonly<Record<Kind["name"], (column: string) => string>> = {
  key: (column) =>
    `COLLATE "C" NOT NULL CHECK (${column} <> '' AND strpos(${column}, chr(1)) = 0 AND octet_length(${column}) <= ${mostBytes})`,
  text: () => `COLLATE "C" NOT NULL DEFAULT ''`,
  integer: () => "NOT NULL DEFAULT 0",
  count: () => "NOT NULL DEFAULT 0",
  level: (column) => `NOT NULL DEFAULT 0 CHECK (${column} BETWEEN 0 AND 999)`,
  time: (column) => `NOT NULL DEFAULT 0 CHECK (${column} BETWEEN 0 AND 9999999999999999)`,
  flag: () => "NOT NULL DEFAULT false",
};

/** The indexes beside the primary keys: a user's memberships, and the notification accounts. */
const indexes: Readonly<Partial<Record<RecordName, string>>> = {
  users: "CREATE INDEX users_accounts ON im_admin.users (app_manger_level, user_id) WHERE app_manger_level >= 3;",
  groupMembers: "CREATE INDEX group_members_of_users ON im_admin.group_members (user_id, group_id);",
};

const comments: Readonly<Record<RecordName, string>> = {
  users: "Users and their profiles. app_manger_level: 1 ordinary, 2 administrator, 3 notification account, 4 robot.",
  groups: "Groups. status 2: dismissed.",
  groupMembers:
    "The members of groups. role_level: 100 owner, 60 administrator, 20 member. A member without a nickname has the nickname of the profile.",
  blacks: "The users that a user has blocked.",
  groupRequests: "Join requests. handle_result: 0 pending, 1 accepted, -1 refused.",
  conversations: "The settings of a conversation for each user. conversation_type: 1 single chat, 3 group chat.",
};

/** The table of each kind of record, with its indexes. */
export const recordTables: Readonly<Record<RecordName, string>> = forEachKind((record) => {
  const table = `im_admin.${snakeCase(record)}`;
  const columns = recordFields[record].map(([field, { name }]) => {
    const column = snakeCase(field);
    return `  ${column} ${columnTypes[name]} ${rules[name](column)},`;
  });
  const index = indexes[record];
  return `CREATE TABLE ${table} (
${columns.join("\n")}
  PRIMARY KEY (${recordKeys[record].map(snakeCase).join(", ")})
);
${index === undefined ? "" : `${index}\n`}COMMENT ON TABLE ${table} IS '${comments[record]}';`;
});
