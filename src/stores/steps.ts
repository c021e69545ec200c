/** Is called after each step of a long work, with the number of done steps and of all steps. */
export type OnStep = (done: number, steps: number) => void;

/** Gives the steps one by one, and tells when each is done. */
export function* told<Step>(steps: readonly Step[], onStep: OnStep): Generator<Step, void, unknown> {
  for (const [index, step] of steps.entries()) {
    yield step;
    onStep(index + 1, steps.length);
  }
}
