import type { Messages } from "../language/messages.js";
import { shownName } from "../parts/shownName.js";
import { nameOf } from "./names.js";
import type { Place } from "./place.js";

/** The title of a place. */
export function titleOf(place: Place, messages: Messages): string {
  switch (place.screen) {
    case "start":
      return messages.navigation.label;
    case "members":
    case "groupRequests":
      return shownName(nameOf("group", place.groupID), place.groupID);
    case "groups":
    case "requests":
    case "blacklist":
      return shownName(nameOf("user", place.userID), place.userID);
    case "accounts":
      return messages.accounts.title;
    case "conversations":
      return messages.conversations.title;
    case "history":
      return messages.history.title;
  }
}
