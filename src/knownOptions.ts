/**
 * Checks the names in an object of options or of records. A misspelled one would otherwise be ignored without notice.
 *
 * @throws TypeError if `given` is no object, or has an unknown name; it names the known ones
 */
export function requireKnown(what: string, given: object, known: readonly string[]): void {
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  const unknown = isObject ? Object.keys(given).find((name) => !known.includes(name)) : undefined;
  // A pool or a database has fields of its own: it was given in place of the options.
  if (!isObject || (unknown !== undefined && isInstance(given))) {
    throw new TypeError(`${what} must be given an object of ${known.join(", ")}`);
  }
  if (unknown !== undefined) {
    throw new TypeError(`${what} does not know "${unknown}"; it takes ${known.join(", ")}`);
  }
}

/** Whether an object was made by a class. The prototype of a plain object has no prototype, in any realm. */
function isInstance(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}
