import type { Messages } from "../language/messages.js";
import { nameOf } from "./names.js";
import type { Place } from "./place.js";

/** What a place is called. */
export function titleOf(place: Place, messages: Messages): string {
  switch (place.screen) {
    case "start":
      return messages.navigation.label;
    case "members":
      return nameOf("group", place.groupID) || place.groupID;
    case "groups":
    case "requests":
    case "blacklist":
      return nameOf("user", place.userID) || place.userID;
    case "accounts":
      return messages.accounts.title;
    case "conversations":
      return messages.conversations.title;
  }
}
