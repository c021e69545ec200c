import { expect, it } from "vitest";
import { explained } from "../../src/openim/follow/failures.js";

it.each(["ENOTFOUND", "EAI_AGAIN"])("says that a host name cannot be resolved if the system tells of %s", (code) => {
  const cause = Object.assign(new Error(`getaddrinfo ${code} db.example.org`), { code });
  const error = Object.assign(new Error("timed out after 10000 ms", { cause }), { name: "MongoServerSelectionError" });
  expect(String(explained(error, false))).toBe(
    "Error: MongoDB's host name cannot be resolved: look at its URL, and whether this machine can resolve the hosts that " +
      "rs.conf() names",
  );
});
