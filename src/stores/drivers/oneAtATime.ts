/** Lets one call run at a time. Whoever calls meanwhile waits for its result. */
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
