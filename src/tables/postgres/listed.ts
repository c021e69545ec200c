/** The lists in PostgreSQL, with SQL for their rows and keys. The schema has the functions that this SQL calls. */
import type { RecordName } from "../../records.js";

/** An expression over the columns of a record. */
type OfRow = (row: string) => string;

/** Describes one list of a kind of record. */
export interface Listed {
  /** The number of the list, as in `list_rows`. */
  list: number;
  /** The field with the parent, the group or user of the list; undefined for the one list of all accounts. */
  parent?: string;
  /** The owner of the list, if it is not the parent alone: requests with one result have a list of their own. */
  owner?: OfRow;
  /** The field that names the row within the list. */
  id: string;
  key: OfRow;
  /** Which rows are listed; undefined for all. */
  condition?: OfRow;
  /** The nickname that keywords are searched in, beside the ID. It may use the joined profile. */
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
