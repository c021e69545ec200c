/** The tables of the records. They follow from the definitions of the records. */
import type { Kind } from "../../../recordKinds.js";
import { forEachKind, type RecordName, recordFields, recordKeys } from "../../../records.js";
import { lists } from "../../lists/index.js";
import { snakeCase } from "../../snakeCase.js";
import { mostBytes } from "./holdsKey.js";

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

/** The indexes that find the rows of a list where the primary key does not. */
function indexesOf(record: RecordName): string[] {
  const made = lists.flatMap(({ table, owner, least }) => {
    const first = owner ?? least?.field;
    if (table !== record || first === undefined || first === recordKeys[record][0]) return [];
    const columns = [first, ...recordKeys[record].filter((field) => field !== first)].map(snakeCase);
    const condition = least === undefined ? "" : ` WHERE ${snakeCase(least.field)} >= ${least.value}`;
    const name = `${snakeCase(record)}_by_${columns[0]}`;
    return [`CREATE INDEX ${name} ON im_admin.${snakeCase(record)} (${columns.join(", ")})${condition};\n`];
  });
  return [...new Set(made)];
}

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
  return `CREATE TABLE ${table} (
${columns.join("\n")}
  PRIMARY KEY (${recordKeys[record].map(snakeCase).join(", ")})
);
${indexesOf(record).join("")}COMMENT ON TABLE ${table} IS '${comments[record]}';`;
});
