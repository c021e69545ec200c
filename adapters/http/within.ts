/** What a promise resolves to. Rejects where that takes longer, in milliseconds; without a time, it waits for ever. */
export function within<Result>(
  milliseconds: number | undefined,
  promise: Promise<Result>,
  tooLate: string,
): Promise<Result> {
  if (milliseconds === undefined) return promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(tooLate)), milliseconds);
  });
  return Promise.race([promise, isLate]).finally(() => clearTimeout(timer));
}
