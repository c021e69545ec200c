/** What can be exported: the five lists, with the flags that each of them takes. */
import { black, group, groupMember, groupRequest, itemWith, notificationAccount } from "../../../src/items.js";
import type { Operation } from "../../../src/operation.js";
import { blackList } from "../../../src/operations/getBlackList.js";
import { groupMemberList } from "../../../src/operations/getGroupMemberList.js";
import { joinedGroupList } from "../../../src/operations/getJoinedGroupList.js";
import { receivedGroupApplicationList } from "../../../src/operations/getReceivedGroupApplicationList.js";
import { notificationAccountList } from "../../../src/operations/searchNotificationAccount.js";
import type { ListData } from "../../client/eachPage.js";
import type { Values } from "../flags.js";

/** The flags that say which rows of a list are wanted. */
export interface Filters {
  group?: Values;
  user?: string;
  keyword?: string;
  filter?: string;
  handleResult?: Values;
  appManagerLevel?: string;
}

export const filterNames = ["group", "user", "keyword", "filter", "handleResult", "appManagerLevel"] as const;

/** A list that can be exported. */
export interface ExportedList {
  operation: Operation<ListData>;
  /** Its item with every field, and no values. */
  item: object;
  /** The flag that says whose list it is. */
  needs?: keyof Filters;
  /** Further flags. */
  takes: readonly (keyof Filters)[];
  /** The fields in which a keyword may occur. */
  searched?: readonly string[];
  /** The input of the operation, without its page and the keyword. */
  input(filters: Filters): object;
}

/** The lists, by the names that they have in answers. */
export const exportedLists: Readonly<Record<string, ExportedList>> = {
  members: {
    operation: groupMemberList,
    item: itemWith(groupMember, {}),
    needs: "group",
    takes: ["keyword", "filter"],
    searched: ["userID", "nickname"],
    input: ({ group, filter }) => ({ groupID: group?.[0], filter: numberOf(filter) }),
  },
  blacks: {
    operation: blackList,
    item: itemWith(black, {}),
    needs: "user",
    takes: [],
    input: ({ user }) => ({ userID: user }),
  },
  groups: {
    operation: joinedGroupList,
    item: itemWith(group, {}),
    needs: "user",
    takes: [],
    input: ({ user }) => ({ fromUserID: user }),
  },
  groupRequests: {
    operation: receivedGroupApplicationList,
    item: itemWith(groupRequest, {}),
    needs: "user",
    takes: ["group", "handleResult"],
    input: ({ user, group, handleResult }) => ({
      fromUserID: user,
      groupIDs: group,
      handleResults: handleResult?.map(Number),
    }),
  },
  notificationAccounts: {
    operation: notificationAccountList,
    item: itemWith(notificationAccount, {}),
    takes: ["keyword", "appManagerLevel"],
    searched: ["userID", "nickName"],
    input: ({ appManagerLevel }) => ({ appManagerLevel: numberOf(appManagerLevel) }),
  },
};

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
