import { expect, it } from "vitest";
import { parsePlace } from "../../console/places/place.js";

it.each([
  ["1200", 1_200],
  ["-5", 1],
  ["x", 1],
  ["2147483647", 2_147_483_647],
  ["2147483648", 2_147_483_647],
  ["1e999", 2_147_483_647],
  ["-1e999", 1],
])("reads the row of an address: %s", (given, row) => {
  expect(parsePlace(`#/users/u1/groups?row=${given}`)).toEqual({ screen: "groups", userID: "u1", row });
});
