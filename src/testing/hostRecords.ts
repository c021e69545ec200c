import { fieldsOfRecords, type StoredRecord } from "../records.js";
import type { OpenStore, StoreUnderTest } from "./storeCase.js";

/** The fields by which records are found, sorted or counted, and nicknames. All other fields are only shown. */
const neededFields = {
  users: ["userID", "nickname", "appMangerLevel"],
  groups: ["groupID", "status"],
  groupMembers: ["groupID", "userID", "roleLevel", "joinTime", "nickname"],
  blacks: ["ownerUserID", "blackUserID", "createTime"],
  groupRequests: ["groupID", "userID", "handleResult", "reqTime"],
} as const;

type Kind = keyof typeof neededFields;

/** The fields of a kind of records that are only shown. A host need not have them. */
type ShownField<Name extends Kind> = Exclude<keyof StoredRecord<Name>, (typeof neededFields)[Name][number]>;

/** Describes the records of a host. */
export interface HostRecords {
  /**
   * Returns the host's ID of a user for the short name that the cases use, such as `ann`, also of a user who is never
   * stored. Names differ in their first seven bytes. Different names need different IDs. The IDs must sort bytewise as
   * the names do, and may contain only digits, `a` to `f` and `-`.
   */
  userID(name: string): string;
  /** The same for a group. */
  groupID(name: string): string;
  /**
   * The only shown fields that the host does not have. The cases do not write them, and expect 0 or `""`.
   *
   * @default none
   */
  fields?: { readonly [Name in Kind]?: readonly ShownField<Name>[] } | undefined;
}

type Fields = Record<string, unknown>;

/**
 * Wraps the host's `open`, so that the cases can use short names and all fields with the host's store.
 *
 * @throws TypeError if `fields` has a field that is not only shown
 */
export function hostOpening({ userID, groupID, fields = {} }: HostRecords): (open: OpenStore) => OpenStore {
  for (const [kind, missing] of Object.entries(fields)) {
    const wrong = missing?.find((field) => !isShown(kind, field));
    if (wrong !== undefined) throw new TypeError(`fields.${kind} must not have ${wrong}: it is not only shown`);
  }

  return (open) => async (records) => {
    const [users, groups] = [namesBy(userID), namesBy(groupID)];
    const toHost: Renaming = { user: users.idOf, group: groups.idOf };
    const fromHost: Renaming = { user: users.nameOf, group: groups.nameOf };

    const hostRecords = (given: object) =>
      Object.fromEntries(
        Object.entries(given).map(([kind, ofKind]) => [
          kind,
          [...ofKind].map((record: Fields) => renamed(without(record, fields[kind as Kind] ?? []), toHost)),
        ]),
      );
    const store = await open(hostRecords(records));
    const written = new Map<string, Fields>();
    remember(records);

    /** Remembers the records, since the host does not store all of their fields. */
    function remember(given: object): void {
      for (const [kind, ofKind] of Object.entries(given)) {
        for (const record of ofKind) written.set(keyOf(kind as Kind, record), record);
      }
    }

    const answered = (kind: Kind, item: Fields) => shown(kind, renamed(item, fromHost) as Fields);

    /** Fills the fields that the host does not have into an item. */
    function shown(kind: Kind, item: Fields): Fields {
      const whole = { ...item };
      for (const [name, nested] of Object.entries(nestedKinds)) {
        if (name in whole) whole[name] = shown(nested, whole[name] as Fields);
      }
      const record = written.get(keyOf(kind, whole)) ?? {};
      for (const field of fields[kind] ?? []) {
        if (!(field in whole)) continue;
        if (whole[field] !== 0 && whole[field] !== "") throw new Error(`${field} of ${kind} must be 0 or ""`);
        whole[field] = record[field] ?? whole[field];
      }
      // A member without an avatar in the group has the avatar of the profile.
      if (kind === "groupMembers" && whole["faceURL"] === "" && fields.users?.includes("faceURL")) {
        whole["faceURL"] = written.get(keyOf("users", whole))?.["faceURL"] ?? "";
      }
      return whole;
    }

    const list = (method: keyof typeof listed) => async (query: object) => {
      const page = await store[method](renamed(query, toHost) as never);
      return page && { ...page, items: page.items.map((item) => answered(listed[method], item as never)) };
    };
    return {
      ...(Object.fromEntries(
        Object.keys(listed).map((method) => [method, list(method as keyof typeof listed)]),
      ) as unknown as Pick<StoreUnderTest, keyof typeof listed>),
      async setConversations(change) {
        return renamed(await store.setConversations(renamed(change, toHost) as never), fromHost) as never;
      },
      async put(more) {
        await store.put(hostRecords(more));
        remember(more);
      },
      remove: (keys) => store.remove(renamed(keys, toHost) as never),
      async conversations(ownerUserID) {
        return renamed(await store.conversations(toHost.user(ownerUserID)), fromHost) as never;
      },
    };
  };
}

function isShown(kind: string, field: string): boolean {
  if (!Object.hasOwn(neededFields, kind)) return false;
  const needed: readonly string[] = neededFields[kind as Kind];
  return Object.hasOwn(fieldsOfRecords[kind as Kind], field) && !needed.includes(field);
}

/** Translates names into IDs and back. An ID that it has not made stays as it is. */
function namesBy(idOf: (name: string) => string) {
  const names = new Map<string, string>();
  return {
    idOf(name: string): string {
      const id = idOf(name);
      names.set(id, name);
      return id;
    },
    nameOf: (id: string) => names.get(id) ?? id,
  };
}

/** The kind of record that each list method returns. */
const listed = {
  listGroupMembers: "groupMembers",
  listBlacks: "blacks",
  listJoinedGroups: "groups",
  listReceivedGroupRequests: "groupRequests",
  listNotificationAccounts: "users",
} as const;

/** The kinds of records that are nested in items. */
const nestedKinds = { userInfo: "users", blackUserInfo: "users", groupInfo: "groups" } as const;

function keyOf(kind: Kind, { groupID, userID, ownerUserID, blackUserID, groupInfo, userInfo, blackUserInfo }: Fields) {
  const idOf = (nested: unknown, name: string) => (nested as Fields | undefined)?.[name];
  switch (kind) {
    case "users":
      return JSON.stringify([kind, userID]);
    case "groups":
      return JSON.stringify([kind, groupID]);
    case "blacks":
      return JSON.stringify([kind, ownerUserID, blackUserID ?? idOf(blackUserInfo, "userID")]);
    default:
      return JSON.stringify([kind, groupID ?? idOf(groupInfo, "groupID"), userID ?? idOf(userInfo, "userID")]);
  }
}

function without(record: Fields, missing: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(record).filter(([field]) => !missing.includes(field)));
}

interface Renaming {
  user(id: string): string;
  group(id: string): string;
}

/** A copy of a value, with all IDs of users and groups translated. */
function renamed(value: unknown, to: Renaming, field = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, to, field));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, renamed(inner, to, name)]));
  }
  if (typeof value !== "string" || value === "") return value;
  if (/^groupIDs?$/.test(field)) return to.group(value);
  return /userIDs?$/i.test(field) ? to.user(value) : value;
}
