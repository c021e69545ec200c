/**
 * Defines lists by fields and directions, which each engine turns into its own language. Each list has a file here. The
 * stores make their kept data and their answers from these definitions.
 */
import type { ItemFields } from "../../items.js";
import type { KeyOf, RecordName, StoredRecord } from "../../records.js";

/** A field of a kind of records, or of any kind. */
export type FieldOf<Name extends RecordName = RecordName> = Name extends RecordName
  ? keyof StoredRecord<Name> & string
  : never;

/** A field of a kind of records that has such values. */
type FieldWith<Value, Name extends RecordName> = {
  [Field in FieldOf<Name>]: StoredRecord<Name>[Field & keyof StoredRecord<Name>] extends Value ? Field : never;
}[FieldOf<Name>];

/** A field of a list's order, and whether its least or greatest value comes first. */
export interface Order<Field extends string = string, Direction extends string = "ascending" | "descending"> {
  field: Field;
  direction: Direction;
}

export function ascending<Field extends string>(field: Field): Order<Field, "ascending"> {
  return { field, direction: "ascending" };
}

/**
 * Sorts by a number from the greatest to the least. A text cannot descend, since keys of rows are texts that sort
 * ascending.
 */
export function descending<Field extends string>(field: Field): Order<Field, "descending"> {
  return { field, direction: "descending" };
}

/**
 * The source of a field's value in an answered item. Its column has the same name, unless the source says otherwise.
 */
export type Source =
  /** The listed row. */
  | "row"
  /** Another column of the listed row. */
  | { column: string }
  /** A time of the listed row, in the unit of the request, rounded down. */
  | "time"
  /** The joined profile or group. If that is gone, the field has its default. */
  | "profile"
  | "group"
  /** The listed row's own value, or the profile's if that is "". */
  | "rowOrProfile"
  /** The number of members of the joined group. */
  | "memberCount"
  /** The joined group's first member with roleLevel 100, or "". */
  | "groupOwner";

/** The sources of all fields of an item. */
export type Sources<Item> = {
  readonly [Field in keyof Item]: Item[Field] extends object ? Sources<Item[Field]> : Source;
};

/**
 * The sources of an item of this kind of records: the same for all fields, but for the given ones. The compiler reports
 * a field that the records do not have and that is not given.
 */
export function sources<Name extends RecordName, Item extends object>(
  _name: Name,
  fields: ItemFields<Item>,
  usual: "row" | "profile" | "group",
  given: Pick<Sources<Item>, Exclude<keyof Item, keyof StoredRecord<Name>>> & Partial<Sources<Item>>,
): Sources<Item> {
  const all = Object.keys(fields).map((field) => [field, given[field as keyof Item] ?? usual]);
  return Object.fromEntries(all);
}

/** The definition of a counted list. Each owner has one such list. Each property means this list alone, on both engines. */
export interface ListDefinition<Item = unknown> {
  /** One word. It is part of the names of the list's index and kept data. */
  name: string;
  table: RecordName;
  /** The field with the owner of the list; undefined for one list of all rows. */
  owner?: FieldOf;
  /** A second field: an owner has such a list for each of its values. A read asks for one of them, or merges several. */
  dividedBy?: FieldOf;
  /** Lists only rows whose field has at least this value; undefined for all rows. */
  least?: { field: FieldOf; value: number };
  /** Whether its rows are searched by keyword: in their user IDs and answered nicknames. */
  isSearched?: boolean;
  /** A total order of the rows of one list. The field with the ID of the row comes last. */
  order: readonly Order<FieldOf>[];
  /** The table with a row for each existing owner; undefined if the list has no owner. */
  parent?: "users" | "groups";
  /** The item that answers a row. */
  item: ItemDefinition<Item>;
}

/** Says how to make an item from a row and its joined records. */
export interface ItemDefinition<Item = unknown> {
  /** The column that names the user whose profile is joined. */
  profile?: string;
  /** The column that names the group that is joined. */
  group?: string;
  fields: Sources<Item>;
}

/** The fields of one table that a list may be made of, as far as both engines can. */
type ListOf<Table extends RecordName> = {
  table: Table;
  least?: { field: FieldWith<number, Table>; value: number };
  /** A keyword is looked for in user IDs and nicknames, which these tables have. */
  isSearched?: Table extends "users" | "groupMembers" ? boolean : false;
  order: readonly [
    ...(Order<FieldWith<string | number, Table>, "ascending"> | Order<FieldWith<number, Table>, "descending">)[],
    Order<KeyOf<Table> & string, "ascending">,
  ];
} & (
  | { owner?: never; dividedBy?: never }
  // A changed record is known by its key, which must say whose lists it is in.
  | { owner: KeyOf<Table>; dividedBy?: Exclude<FieldWith<string | number, Table>, KeyOf<Table>> }
);

/** Lets the compiler check that a definition names only fields of its table, and all fields of its items. */
export function list<Item, Table extends RecordName>(
  definition: Pick<ListDefinition<Item>, "name" | "parent" | "item"> & ListOf<Table>,
): ListDefinition<Item> {
  // Each field of a table is one of any table.
  return definition as ListDefinition<Item>;
}
