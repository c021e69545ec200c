import * as v from "valibot";
import {
  blackListSchema,
  groupMemberListSchema,
  joinedGroupListSchema,
  notificationAccountListSchema,
  receivedGroupApplicationListSchema,
} from "../../src/answers/lists.js";
import type { ErrorName } from "../../src/errors.js";
import type { Limited } from "../../src/limits.js";
import type { Operation, OperationName } from "../../src/operation.js";
import { blackList } from "../../src/operations/getBlackList.js";
import { groupMemberList } from "../../src/operations/getGroupMemberList.js";
import { joinedGroupList } from "../../src/operations/getJoinedGroupList.js";
import { receivedGroupApplicationList } from "../../src/operations/getReceivedGroupApplicationList.js";
import { notificationAccountList } from "../../src/operations/searchNotificationAccount.js";
import { conversationsSetting } from "../../src/operations/setConversations.js";
import { paths } from "../http/paths.js";
import { docstringOf } from "./described.js";
import { examples } from "./examples.js";

/** An operation and its description. */
export interface DescribedOperation {
  name: string;
  path: string;
  text: string;
  /** Whether only an administrator may call it. */
  needsToken: boolean;
  /** The limit of its body, if it has one of its own. The lower limit counts. */
  bodyBytes?: number;
  input: Limited<v.GenericSchema>;
  /** The name of its data; undefined if its data is null. */
  dataName?: string;
  data: v.GenericSchema;
  /** The schemas of the items in its data that no other operation has, by their names. */
  items?: Readonly<Record<string, v.GenericSchema>>;
  example: { input: object; data: unknown };
  /** The errors that it may answer. */
  failures: readonly ErrorName[];
}

/** The errors that each of the six functions may answer. */
export const commonFailures: readonly ErrorName[] = [
  "ArgsError",
  "NoPermissionError",
  "TokenExpiredError",
  "TokenMalformedError",
  "TokenNotValidYetError",
  "TokenUnknownError",
  "TokenKickedError",
  "TokenNotExistError",
  "ServerInternalError",
];

const byName: Readonly<Record<OperationName, DescribedOperation>> = {
  getGroupMemberList: described(groupMemberList, "GroupMemberList", groupMemberListSchema, ["RecordNotFoundError"]),
  getBlackList: described(blackList, "BlackList", blackListSchema, ["RecordNotFoundError"]),
  getJoinedGroupList: described(joinedGroupList, "JoinedGroupList", joinedGroupListSchema, ["RecordNotFoundError"]),
  getReceivedGroupApplicationList: described(
    receivedGroupApplicationList,
    "ReceivedGroupApplicationList",
    receivedGroupApplicationListSchema,
    ["RecordNotFoundError"],
  ),
  searchNotificationAccount: described(
    notificationAccountList,
    "NotificationAccountList",
    notificationAccountListSchema,
    [],
  ),
  setConversations: described(conversationsSetting, undefined, v.null(), [
    "RecordNotFoundError",
    "DismissedAlreadyError",
  ]),
};

/** The six functions. */
export const functions = Object.values(byName);

function described<Data>(
  { name, schema }: Operation<Data>,
  dataName: string | undefined,
  data: v.GenericSchema<Data>,
  failures: readonly ErrorName[],
): DescribedOperation {
  return {
    name,
    path: paths[name],
    text: docstringOf(name),
    needsToken: true,
    input: schema,
    ...(dataName && { dataName }),
    data,
    example: examples[name],
    failures: [...commonFailures, ...failures],
  };
}
