import { expect, it } from "vitest";
import { formatPlace, parsePlace } from "../../console/places/place.js";

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

it.each(["#/history", "#/history?row=51", "#/history?row=51&open=a%26b", "#/history?open=%3Ci%3E"])(
  "reads and writes the address of the history: %s",
  (address) => {
    const place = parsePlace(address);
    expect([place.screen, formatPlace(place)]).toEqual(["history", address]);
  },
);

it.each([
  ["#/conversations/g1?members=0", { screen: "conversations", groupID: "g1", members: { filter: 0, keyword: "" } }],
  [
    "#/conversations/g1?members=5&keyword=a%26b",
    { screen: "conversations", groupID: "g1", members: { filter: 5, keyword: "a&b" } },
  ],
] as const)("has for which members the form is in its address: %s", (address, place) => {
  expect(parsePlace(address)).toEqual(place);
  expect(formatPlace(place)).toBe(address);
});

it.each([
  ["#/conversations/g1?keyword=a", "g1"],
  ["#/conversations?members=0", ""],
])("finds no members in %s", (address, groupID) => {
  expect(parsePlace(address)).toEqual({ screen: "conversations", groupID });
});
