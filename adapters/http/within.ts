/**
 * What a promise resolves to. Rejects where that takes longer, in milliseconds; without a time, it waits for ever.
 *
 * @param tooLate what it rejects with then: an error, or its message
 */
export function within<Result>(
  milliseconds: number | undefined,
  promise: Promise<Result>,
  tooLate: string | Error,
): Promise<Result> {
  if (milliseconds === undefined) return promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate instanceof Error ? tooLate : new Error(tooLate)), milliseconds);
  });
  return Promise.race([promise, isLate]).finally(() => clearTimeout(timer));
}
