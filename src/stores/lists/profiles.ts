import * as items from "../../items.js";
import { sources } from "./list.js";

/** The nested profile of the user whom a column names. */
export function userInfo(column: string) {
  return sources("users", items.userInfo, "profile", { userID: { column } });
}

/** The group that the column `groupID` names. */
export const group = sources("groups", items.group, "group", {
  groupID: "row",
  ownerUserID: "groupOwner",
  memberCount: "memberCount",
});
