/** The fields of the items that answers show. They come from the records, and stand in the order of the contract. */
import type { Black, Group, GroupMember, GroupRequest, NotificationAccount, UserInfo } from "./model.js";
import { type Kind, size, text } from "./recordKinds.js";
import { fieldsOfRecords } from "./records.js";

/** The fields of an item, some of which may be items themselves. */
export type ItemFields<Item = object> = {
  readonly [Field in keyof Item]: Item[Field] extends object ? ItemFields<Item[Field]> : Kind<Item[Field] & Value>;
};

type Value = string | number | boolean;

/** Some fields of an item, and perhaps others beside them. */
type Loose<Item> = { readonly [Field in keyof Item]?: Item[Field] | undefined };

const { groups, groupMembers } = fieldsOfRecords;
const { appMangerLevel, ...profile } = fieldsOfRecords.users;
const { blackUserID, ...blacks } = fieldsOfRecords.blacks;
const { groupID, userID, ...groupRequests } = fieldsOfRecords.groupRequests;

export const userInfo: ItemFields<UserInfo> = profile;

// A field that is repeated keeps its first place. So `upTo` puts what comes after it into the middle of a record.
export const group: ItemFields<Group> = {
  ...upTo("faceURL", groups),
  ownerUserID: text,
  ...upTo("createTime", groups),
  memberCount: size,
  ...groups,
};

export const groupMember: ItemFields<GroupMember> = {
  ...upTo("faceURL", groupMembers),
  appMangerLevel,
  ...groupMembers,
};

export const black: ItemFields<Black> = {
  ...upTo("createTime", blacks),
  blackUserInfo: userInfo,
  ...blacks,
};

export const groupRequest: ItemFields<GroupRequest> = { userInfo, groupInfo: group, ...groupRequests };

export const notificationAccount: ItemFields<NotificationAccount> = { userID, faceURL: text, nickName: text };

/** The fields of a record from the first one to this one. */
function upTo<Fields extends object>(last: keyof Fields, fields: Fields): Partial<Fields> {
  const entries = Object.entries(fields);
  const end = entries.findIndex(([field]) => field === last);
  return Object.fromEntries(entries.slice(0, end + 1)) as Partial<Fields>;
}

/** An item with the given values. Its other fields are 0 or "". */
export function itemWith<Item extends object>(fields: ItemFields<Item>, given: Loose<Item>): Item {
  const entries = fieldsOf(fields).map(([field, kind]) => [
    field,
    given[field as keyof Item] ?? (isKind(kind) ? (kind.otherwise ?? "") : itemWith(kind, {})),
  ]);
  return Object.fromEntries(entries);
}

/** The fields of an item, in their order. */
export function fieldsOf(fields: ItemFields): [field: string, kind: Kind | ItemFields][] {
  return Object.entries(fields);
}

/** Whether a field of an item holds a value, and no other item. */
export function isKind(field: Kind | ItemFields): field is Kind {
  return "fits" in field;
}
