/** A promise, and what fulfils it. */
export function deferred<Value = void>() {
  let fulfil: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    fulfil = resolve;
  });
  return { promise, fulfil: (value: Value) => fulfil(value) };
}
