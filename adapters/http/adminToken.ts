import { call } from "../../src/call.js";
import { OperationError } from "../../src/errors.js";
import { id, object, text } from "../../src/fields.js";
import { limited } from "../../src/limits.js";
import { signAdminToken } from "../auth.js";
import { defaultExpiresInSeconds, requireLifetime, secretComparison } from "../secrets.js";
import type { AdminTokenOptions } from "./handlerOptions.js";
import type { Route } from "./routes.js";

/** Wrong secrets and unknown administrators that are answered in a minute; further attempts are refused, right or wrong. */
const failuresPerMinute = 10;

const schema = limited((limits) => object({ secret: text("must be a string"), userID: id(limits) }));

/** The route that gives a token to whoever knows the secret. */
export function adminTokenRoute(path: string, options: AdminTokenOptions): Route {
  const { secret, adminUserIDs, expiresInSeconds = defaultExpiresInSeconds } = options;
  if (typeof secret !== "string" || secret === "") throw new TypeError("adminToken.secret must be a non-empty string");
  if (!Array.isArray(adminUserIDs)) throw new TypeError("adminToken.adminUserIDs must be a list of user IDs");
  requireLifetime(expiresInSeconds);
  const isSecret = secretComparison(secret);
  const failures = countFailures();

  return {
    path,
    operation: "getAdminToken",
    needsToken: false,
    run: (input, callOptions) =>
      call("getAdminToken", schema, input, callOptions, async (request) => {
        const known = isSecret(request.secret);
        // From here to the count nothing is awaited, so that no burst of attempts slips through.
        if (failures.areTooMany()) {
          throw new OperationError("NoPermissionError", "too many wrong attempts; try again in a minute");
        }
        if (!known || !adminUserIDs.includes(request.userID)) {
          failures.add();
          throw new OperationError("NoPermissionError", "secret or userID is wrong");
        }
        const token = await signAdminToken({ secret, userID: request.userID, expiresInSeconds });
        return { token, expireTimeSeconds: expiresInSeconds };
      }),
  };
}

const minute = 60_000;

/** Counts failures in the minute that begins with the first of them. */
function countFailures() {
  let began = -minute;
  let count = 0;
  return {
    areTooMany: () => count >= failuresPerMinute && performance.now() - began < minute,
    add(): void {
      if (performance.now() - began >= minute) {
        began = performance.now();
        count = 0;
      }
      count += 1;
    },
  };
}
