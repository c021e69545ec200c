/** Lets one call run at a time. The calls meanwhile wait for its result. */
export function oneAtATime<Given extends unknown[], Result>(
  run: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  let running: Promise<Result> | undefined;
  return (...given) => {
    running ??= run(...given).finally(() => {
      running = undefined;
    });
    return running;
  };
}
