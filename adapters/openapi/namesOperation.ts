import { namedGroupSchema, namedUserSchema, namesInput, namesPath, namesSchema } from "../http/names.js";
import { commonFailures, type DescribedOperation } from "./operations.js";

/** The operation that tells names. A server describes it if it is turned on. */
export const namesOperation: DescribedOperation = {
  name: "getNames",
  path: namesPath,
  text: [
    "Tells what groups and users are called. Those that do not exist are left out, and all of them if the store cannot tell.",
    "Errors: 1001 for bad input.",
  ].join("\n\n"),
  needsToken: true,
  input: namesInput,
  dataName: "Names",
  data: namesSchema,
  items: { NamedGroup: namedGroupSchema, NamedUser: namedUserSchema },
  example: {
    input: { groupIDs: ["2559217223"], userIDs: ["1001800006"] },
    data: {
      groups: [{ groupID: "2559217223", groupName: "全员群 Everybody", status: 0, createTime: 1687760000000 }],
      users: [{ userID: "1001800006", nickname: "李伟" }],
    },
  },
  failures: commonFailures,
};
