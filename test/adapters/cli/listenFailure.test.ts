import { expect, it } from "vitest";
import { listenFailure } from "../../../adapters/cli/listenFailure.js";

// Not every system reserves ports, and root may use them.
it("says what to do about a port that is reserved", () => {
  const error = Object.assign(new Error("listen EACCES: permission denied 127.0.0.1:80"), { code: "EACCES" });
  expect(listenFailure(error, "127.0.0.1", 80)).toEqual(
    new Error("this user may not listen on port 80: choose one above 1023 with --port"),
  );
});

it("returns other errors unchanged", () => {
  const error = new TypeError("cors must be true or a list of origins");
  expect(listenFailure(error, "127.0.0.1", 80)).toBe(error);
});
