import type { Black } from "../../model.js";
import { ascending, descending, list, row } from "./list.js";
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
    fields: {
      ownerUserID: row("ownerUserID"),
      createTime: row("createTime"),
      blackUserInfo: userInfo("blackUserID"),
      addSource: row("addSource"),
      operatorUserID: row("operatorUserID"),
      ex: row("ex"),
    },
  },
});
