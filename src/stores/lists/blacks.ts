import type { Black } from "../../model.js";
import { ascending, descending, type ListDefinition, list, row } from "./list.js";
import { userInfo } from "./profiles.js";

/** The blacklist of a user, as stores list it. */
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

/** The blacklist as the operation answers it: the reference server gives this time in seconds. */
export const answeredBlacks: ListDefinition<Black> = {
  ...blacks,
  item: { ...blacks.item, fields: { ...blacks.item.fields, createTime: { from: "seconds", column: "createTime" } } },
};
