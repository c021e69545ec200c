import { validate } from "../../src/call.js";
import { success } from "../../src/envelope.js";
import { OperationError } from "../../src/errors.js";
import { id, object, text } from "../../src/fields.js";
import { limited } from "../../src/limits.js";
import { signAdminToken } from "../auth.js";
import { defaultExpiresInSeconds, requireLifetime, requireUserIDs, secretComparison } from "../secrets.js";
import { Attempts } from "./attempts.js";
import type { AdminTokenOptions } from "./handlerOptions.js";
import type { HttpRequest } from "./request.js";
import type { Route } from "./route.js";

/** The limit of the body. It is short, since nobody has authenticated the client yet. */
export const adminTokenBodyBytes = 4096;

/** What a client sends for a token. */
export const adminTokenInputSchema = limited((limits) =>
  object({ secret: text("must be a string"), userID: id(limits) }),
);

/** The route that gives a token to a caller who knows the secret. */
export function adminTokenRoute(path: string, options: AdminTokenOptions): Route {
  const { secret, adminUserIDs, expiresInSeconds = defaultExpiresInSeconds, clientAddress } = options;
  if (typeof secret !== "string" || secret === "") throw new TypeError("adminToken.secret must be a non-empty string");
  requireUserIDs("adminToken.adminUserIDs", adminUserIDs);
  if (clientAddress !== undefined && typeof clientAddress !== "function") {
    throw new TypeError("adminToken.clientAddress must be a function");
  }
  requireLifetime(expiresInSeconds);
  const isSecret = secretComparison(secret);
  const attempts = new Attempts();

  /** The address of a request. All requests without a known address count as one client. */
  const addressOf = (request: HttpRequest) => (clientAddress ? clientAddress(request) : request.address) ?? "";

  function requireFewAttempts(request: HttpRequest): void {
    if (!attempts.areTooMany(addressOf(request))) return;
    throw new OperationError("NoPermissionError", "too many wrong attempts; try again in a minute");
  }

  return {
    path,
    operation: "getAdminToken",
    schema: adminTokenInputSchema,
    needsToken: false,
    bodyBytes: adminTokenBodyBytes,
    admit: requireFewAttempts,
    async run(input, { limits }, request) {
      const asked = validate(adminTokenInputSchema(limits), input);
      const known = isSecret(asked.secret);
      // Check again: many attempts may have been admitted at once. From here to the count there is no await.
      requireFewAttempts(request);
      if (!known || !adminUserIDs.includes(asked.userID)) {
        attempts.add(addressOf(request));
        throw new OperationError("NoPermissionError", "secret or userID is wrong");
      }
      const token = await signAdminToken({ secret, userID: asked.userID, expiresInSeconds });
      return JSON.stringify(success({ token, expireTimeSeconds: expiresInSeconds }));
    },
  };
}
