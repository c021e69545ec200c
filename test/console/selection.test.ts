import fc from "fast-check";
import { expect, it } from "vitest";
import { Selection } from "../../console/list/selection.js";

const row = fc.integer({ min: 0, max: 19 });
const steps = fc.array(
  fc.oneof(fc.record({ rows: fc.array(row), isTicked: fc.boolean() }), fc.record({ all: fc.boolean() })),
);

it("agrees with a set of rows, whether all rows are ticked or some", () => {
  fc.assert(
    fc.property(steps, (steps) => {
      const rows = Array.from({ length: 20 }, (_, index) => index);
      const selection = new Selection<number>(String);
      const model = new Set<number>();
      for (const step of steps) {
        if ("all" in step) {
          selection.tickAll(step.all);
          for (const row of rows) step.all ? model.add(row) : model.delete(row);
        } else {
          selection.tick(step.rows, step.isTicked);
          for (const row of step.rows) step.isTicked ? model.add(row) : model.delete(row);
        }
      }
      const snapshot = selection.snapshot();
      expect(selection.count(20)).toBe(model.size);
      expect(rows.filter((row) => selection.has(row))).toEqual(rows.filter((row) => model.has(row)));
      selection.tickAll(true);
      expect(rows.filter(snapshot)).toEqual(rows.filter((row) => model.has(row)));
    }),
  );
});
