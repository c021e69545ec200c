import type { NotificationAccount } from "../../model.js";
import { ascending, list } from "./list.js";

const accounts = {
  table: "users",
  least: { field: "appMangerLevel", value: 3 },
  isSearched: true,
  item: { fields: { userID: "row", faceURL: "row", nickName: { column: "nickname" } } },
} as const;

/** Notification accounts. */
export const notificationAccounts = list<NotificationAccount, "users">({
  ...accounts,
  name: "notificationAccounts",
  order: [ascending("userID")],
});

/** The same accounts, sorted by level first. */
export const notificationAccountsByLevel = list<NotificationAccount, "users">({
  ...accounts,
  name: "notificationAccountsByLevel",
  order: [ascending("appMangerLevel"), ascending("userID")],
});
