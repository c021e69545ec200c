import { expect, it } from "vitest";
import { inSlices } from "../../console/conversations/inSlices.js";

function* numbers() {
  for (let number = 0; ; number++) yield number;
}

it("lets other work run in between, and ends when it is given up", async () => {
  const request = new AbortController();
  let taken = 0;
  // It would never run if all values were taken in one turn.
  setTimeout(() => request.abort(new Error("given up")));
  const taking = inSlices(
    numbers(),
    () => {
      taken += 1;
    },
    request.signal,
  );
  expect(taken).toBeGreaterThan(0);
  await expect(taking).rejects.toThrow("given up");
});

it("takes all values in order", async () => {
  const taken: number[] = [];
  await inSlices([3, 1, 2], (value) => taken.push(value));
  expect(taken).toEqual([3, 1, 2]);
});
