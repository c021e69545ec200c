import * as v from "valibot";
import { adminTokenBodyBytes, adminTokenInputSchema } from "../http/adminToken.js";
import { paths } from "../http/paths.js";
import type { DescribedOperation } from "./operations.js";

const adminTokenSchema = v.object({
  token: v.string(),
  expireTimeSeconds: v.pipe(v.number(), v.integer(), v.minValue(1), v.metadata({ format: "int64" })),
});

/** The operation that gives out tokens. A server describes it if it is turned on. */
export const adminTokenOperation: DescribedOperation = {
  name: "getAdminToken",
  path: paths.getAdminToken,
  text: [
    "Gives an administrator's token to whoever knows the secret.",
    "Errors: 1001 for bad input; 1002 for a wrong secret, an unknown administrator, or too many wrong attempts.",
  ].join("\n\n"),
  needsToken: false,
  bodyBytes: adminTokenBodyBytes,
  input: adminTokenInputSchema,
  dataName: "AdminToken",
  data: adminTokenSchema,
  example: {
    input: { secret: "a secret of your own", userID: "imAdmin" },
    data: { token: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmF0dXJl", expireTimeSeconds: 7_776_000 },
  },
  failures: ["ArgsError", "NoPermissionError", "ServerInternalError"],
};
