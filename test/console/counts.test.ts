import { expect, it } from "vitest";
import { countsOf } from "../../console/conversations/counts.js";

it("adds the counts of several requests", () => {
  const answers = [
    {
      changing: 4,
      values: [
        { field: "isPinned", value: false, users: 4 },
        { field: "isPinned", value: true, users: 6 },
        { field: "burnDuration", value: 0, users: 10 },
      ],
    },
    {
      changing: 5,
      values: [
        { field: "isPinned", value: false, users: 5 },
        { field: "burnDuration", value: 30, users: 5 },
      ],
    },
  ];
  const values = [
    { value: false, users: 9 },
    { value: true, users: 6 },
  ];
  const durations = [
    { value: 0, users: 10 },
    { value: 30, users: 5 },
  ];
  expect(countsOf(answers, [10, 5])).toEqual({
    changing: 9,
    fields: [
      { field: "isPinned", values, others: 0, isLeast: false },
      { field: "burnDuration", values: durations, others: 0, isLeast: false },
    ],
  });
});

it("says what is not certain, since a request names its most frequent values only", () => {
  const first = ["a", "b", "c", "d", "e"].map((value, index) => ({ field: "ex", value, users: 10 - index }));
  const second = [{ field: "ex", value: "f", users: 20 }];
  const answers = [
    { changing: 50, values: first },
    { changing: 20, values: second },
  ];
  // Ten users of the first request have values that it does not name, and "f" may be among them.
  expect(countsOf(answers, [50, 20]).fields).toEqual([
    {
      field: "ex",
      values: [
        { value: "f", users: 20 },
        { value: "a", users: 10 },
        { value: "b", users: 9 },
        { value: "c", users: 8 },
        { value: "d", users: 7 },
      ],
      others: 16,
      isLeast: true,
    },
  ]);
  expect(countsOf(answers.slice(0, 1), [50]).fields).toMatchObject([{ others: 10, isLeast: false }]);
});
