/** What PostgreSQL lists, and how the rows of a list get their keys: the functions named here are those of the schema. */
import type { RecordName } from "../../records.js";

/** An expression over the columns of a record. */
type OfRow = (row: string) => string;

/** How the rows of one kind of record stand in a list. */
export interface Listed {
  /** The number of the list, as in `list_rows`. */
  list: number;
  /** The field that names whom the list belongs to; absent where there is one list for all. */
  parent?: string;
  /** Whose list it is, where that is not the parent, since the list is narrowed. */
  owner?: OfRow;
  /** The field that names the row within the list. */
  id: string;
  key: OfRow;
  /** Which rows are listed; all where it is absent. */
  condition?: OfRow;
  /** What keywords are looked for in beside the ID, by the joined profile. */
  name?: OfRow;
}

const account = {
  id: "userID",
  condition: (row: string) => `${row}.app_manger_level >= 3`,
  name: (row: string) => `${row}.nickname`,
};

const request = {
  list: 4,
  parent: "groupID",
  id: "userID",
  key: (row: string) => `im_admin.request_key(${row}.req_time, ${row}.group_id, ${row}.user_id)`,
};

/** The lists that each kind of record is in. */
export const listed: Readonly<Record<RecordName, readonly Listed[]>> = {
  users: [
    { ...account, list: 5, key: (row) => `${row}.user_id` },
    { ...account, list: 6, key: (row) => `im_admin.level_key(${row}.app_manger_level, ${row}.user_id)` },
  ],
  groups: [],
  groupMembers: [
    {
      list: 1,
      parent: "groupID",
      id: "userID",
      key: (row) => `im_admin.member_key(${row}.role_level, ${row}.join_time, ${row}.user_id)`,
      name: (row) => `CASE ${row}.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE ${row}.nickname END`,
    },
    {
      list: 2,
      parent: "userID",
      id: "groupID",
      key: (row) => `im_admin.newest_first_key(${row}.join_time, ${row}.group_id)`,
    },
  ],
  blacks: [
    {
      list: 3,
      parent: "ownerUserID",
      id: "blackUserID",
      key: (row) => `im_admin.newest_first_key(${row}.create_time, ${row}.black_user_id)`,
    },
  ],
  groupRequests: [
    request,
    { ...request, owner: (row) => `im_admin.requests_of(${row}.group_id, ${row}.handle_result)` },
  ],
  conversations: [],
};
