/**
 * Checks an object of options. A misspelled option would otherwise be ignored without notice.
 *
 * @throws TypeError if `options` is no object, or has an unknown option; it names the known ones
 */
export function requireKnown(name: string, options: object, known: readonly string[]): void {
  const isObject = typeof options === "object" && options !== null;
  const unknown = isObject ? Object.keys(options).find((option) => !known.includes(option)) : undefined;
  // A pool or a database has fields of its own: it was given in place of the options.
  if (!isObject || (unknown !== undefined && isInstance(options))) {
    throw new TypeError(`${name} must be given an object of options: ${known.join(", ")}`);
  }
  if (unknown !== undefined) {
    throw new TypeError(`${name} does not know the option "${unknown}"; it takes ${known.join(", ")}`);
  }
}

/** Whether an object was made by a class. The prototype of a plain object has no prototype, in any realm. */
function isInstance(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}
