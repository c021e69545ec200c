/**
 * What is listed, in terms of fields and directions that any engine can turn into its own language: each list has one
 * file here. What a store keeps for the lists, and what it answers, is all made of these definitions.
 */

/** The tables whose rows are listed, with the fields of their keys first. */
export const listedTables = {
  users: { key: ["userID"], fields: ["appMangerLevel"] },
  groupMembers: { key: ["groupID", "userID"], fields: ["roleLevel", "joinTime"] },
  blacks: { key: ["ownerUserID", "blackUserID"], fields: ["createTime"] },
  /** A row for each join request and each manager of its group. No host writes it: the store derives it. */
  receivedGroupRequests: { key: ["groupID", "userID", "managerUserID"], fields: ["reqTime", "handleResult"] },
} as const;

/** A table whose rows are listed. */
export type ListedTable = keyof typeof listedTables;

/** A field by which rows are listed. */
export type ListedField<Table extends ListedTable = ListedTable> = Table extends ListedTable
  ? (typeof listedTables)[Table]["key"][number] | (typeof listedTables)[Table]["fields"][number]
  : never;

/** A field by which rows are sorted as numbers. */
export type ListedNumber = (typeof listedTables)[ListedTable]["fields"][number];

/** A field that a list is sorted by, and whether its least or its greatest value comes first. */
export interface Order<Field extends string = string> {
  field: Field;
  direction: "ascending" | "descending";
}

export function ascending<Field extends string>(field: Field): Order<Field> {
  return { field, direction: "ascending" };
}

/** The keys of rows are texts, in which a number can be turned round, and a text cannot. */
export function descending<Field extends ListedNumber>(field: Field): Order<Field> {
  return { field, direction: "descending" };
}

/** Where the value of a field of an answered item comes from; from a column of the same name, if not said otherwise. */
export type Source =
  /** The listed row. */
  | "row"
  /** Another column of the listed row. */
  | { column: string }
  /** A time of the listed row, in seconds, rounded down. */
  | "seconds"
  /** The joined profile or group; what a record is without the field, where that is gone. */
  | "profile"
  | "group"
  /** The listed row's own value, or the profile's where that is "". */
  | "rowOrProfile"
  /** How many members the joined group has. */
  | "memberCount"
  /** The joined group's first member with roleLevel 100, or "". */
  | "groupOwner";

/** Where the value of each field of an item comes from; the compiler tells when one is forgotten. */
export type Sources<Item> = {
  readonly [Field in keyof Item]: Item[Field] extends object ? Sources<Item[Field]> : Source;
};

/** A counted list: one for each owner. */
export interface ListDefinition<Item = unknown> {
  /** One word, which is also part of the names of what is kept for it. */
  name: string;
  table: ListedTable;
  /** Whose list a row is in; absent where there is one list for all. */
  owner?: ListedField;
  /** The rows that are listed: those whose field has at least a value. Absent where all are. */
  least?: { field: ListedField; value: number };
  /** Further columns that the index of the list has, so that its rows need not be looked up. */
  covers?: readonly string[];
  /** A total order of the rows of one owner. */
  order: readonly Order<ListedField>[];
  /** The table with a row for each owner who exists; absent where a list needs none. */
  parent?: "users" | "groups";
  /** How a row is answered. */
  item: ItemDefinition<Item>;
}

/** How an item is made of a row and of what is joined to it. */
export interface ItemDefinition<Item = unknown> {
  /** The column that names the user whose profile is joined. */
  profile?: string;
  /** The column that names the group that is joined. */
  group?: string;
  fields: Sources<Item>;
}

/** The fields of one table that a list may be made of. */
interface ListOf<Table extends ListedTable> {
  table: Table;
  owner?: ListedField<Table>;
  least?: { field: ListedField<Table>; value: number };
  order: readonly Order<ListedField<Table>>[];
}

/** Lets the compiler check that a definition names fields of its table, and all fields of its items. */
export function list<Item, Table extends ListedTable>(
  definition: ListDefinition<Item> & ListOf<Table>,
): ListDefinition<Item> {
  return definition;
}
