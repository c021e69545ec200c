/** The tables of the records. They follow from the definitions of the records. */
import type { Kind } from "../../../recordKinds.js";
import { forEachKind, type RecordName, recordFields, recordKeys } from "../../../records.js";
import { lists } from "../../lists/index.js";
import { placingFields } from "../../lists/placing.js";
import { snakeCase } from "../../snakeCase.js";
import { mostBytes } from "./holds.js";

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

/** A text that decides in which list a row is, and where, has a size that an index takes, and no separator. */
const placingText = (column: string) =>
  `COLLATE "C" NOT NULL DEFAULT '' CHECK (strpos(${column}, chr(1)) = 0 AND octet_length(${column}) <= ${mostBytes})`;

/** The indexes that find the rows of a list where the primary key does not. */
function indexesOf(record: RecordName): string[] {
  const own = lists.filter(({ table }) => table === record);
  // A list without an owner has its own rows alone in an index, the smallest of their values and greater ones.
  const firsts = own.flatMap(({ owner, least }) => owner ?? least?.field ?? []);
  return [...new Set(firsts)]
    .filter((first) => first !== recordKeys[record][0])
    .map((first) => {
      const columns = [first, ...recordKeys[record].filter((field) => field !== first)].map(snakeCase);
      const leasts = own.flatMap(({ owner, least }) =>
        (owner ?? least?.field) !== first ? [] : owner ? [] : (least?.value ?? []),
      );
      const condition = leasts.length === 0 ? "" : ` WHERE ${columns[0]} >= ${Math.min(...leasts)}`;
      const name = `${snakeCase(record)}_by_${columns[0]}`;
      return `CREATE INDEX ${name} ON im_admin.${snakeCase(record)} (${columns.join(", ")})${condition};\n`;
    });
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
  const placing = new Set(placingFields[record].map(([field]) => field));
  const columns = recordFields[record].map(([field, { name }]) => {
    const column = snakeCase(field);
    const rule = name === "text" && placing.has(field) ? placingText : rules[name];
    return `  ${column} ${columnTypes[name]} ${rule(column)},`;
  });
  return `CREATE TABLE ${table} (
${columns.join("\n")}
  PRIMARY KEY (${recordKeys[record].map(snakeCase).join(", ")})
);
${indexesOf(record).join("")}COMMENT ON TABLE ${table} IS '${comments[record]}';`;
});
