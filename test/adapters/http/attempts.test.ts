import { expect, it } from "vitest";
import { Attempts } from "../../../adapters/http/attempts.js";

/** One of many addresses. */
const address = (index: number) => `10.1.${index >> 8}.${index & 255}`;

it("remembers 10,000 clients, and for one more forgets the one that began first", () => {
  const attempts = new Attempts();
  for (const client of ["10.0.0.1", "10.0.0.2"]) {
    for (let count = 0; count < 10; count += 1) attempts.add(client);
  }
  for (let index = 0; index < 9_998; index += 1) attempts.add(address(index));
  expect(["10.0.0.1", "10.0.0.2"].map((client) => attempts.areTooMany(client))).toEqual([true, true]);
  // A client that is known needs no room.
  attempts.add("10.0.0.2");
  expect(attempts.areTooMany("10.0.0.1")).toBe(true);
  attempts.add(address(9_998));
  expect(["10.0.0.1", "10.0.0.2"].map((client) => attempts.areTooMany(client))).toEqual([false, true]);
});
