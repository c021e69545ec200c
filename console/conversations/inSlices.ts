/** The longest time without a turn of the browser, in milliseconds. */
const slice = 8;

/** Takes many values one after the other, and lets the browser work in between. */
export async function inSlices<Value>(
  values: Iterable<Value>,
  take: (value: Value) => void,
  signal?: AbortSignal,
): Promise<void> {
  let end = performance.now() + slice;
  for (const value of values) {
    take(value);
    if (performance.now() < end) continue;
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
    end = performance.now() + slice;
  }
}
