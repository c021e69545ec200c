import { black } from "../../items.js";
import type { Black } from "../../model.js";
import { ascending, descending, list, sources } from "./list.js";
import { userInfo } from "./profiles.js";

/** The blacklist of a user. */
export const blacks = list<Black, "blacks">({
  name: "blacks",
  table: "blacks",
  owner: "ownerUserID",
  order: [descending("createTime"), ascending("blackUserID")],
  parent: "users",
  item: {
    profile: "blackUserID",
    fields: sources("blacks", black, "row", { createTime: "time", blackUserInfo: userInfo("blackUserID") }),
  },
});
