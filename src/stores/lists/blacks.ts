import type { Black } from "../../model.js";
import { ascending, descending, type ListDefinition, list } from "./list.js";
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
      ownerUserID: "row",
      createTime: "row",
      blackUserInfo: userInfo("blackUserID"),
      addSource: "row",
      operatorUserID: "row",
      ex: "row",
    },
  },
});

/** The blacklist as the operation answers it. `createTime` is in seconds there, as in the reference server. */
export const answeredBlacks: ListDefinition<Black> = {
  ...blacks,
  item: { ...blacks.item, fields: { ...blacks.item.fields, createTime: "seconds" } },
};
