import { shownName } from "../parts/shownName.js";
import { nameOf } from "../places/names.js";

/** What the conversation of a setting is called: as its group, or as the user in it. */
export function nameOfSetting({ groupID = "", userID = "" }: { groupID?: string; userID?: string }): string {
  return groupID === "" ? shownName(nameOf("user", userID), userID) : shownName(nameOf("group", groupID), groupID);
}
