/**
 * Checks an object of options. A misspelled option would otherwise be ignored without notice.
 *
 * @throws TypeError if `options` is no object, or has an unknown option; it names the known ones
 */
export function requireKnown(name: string, options: object, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`${name} must be given an object of options: ${known.join(", ")}`);
  }
  for (const option of Object.keys(options)) {
    if (!known.includes(option)) {
      throw new TypeError(`${name} does not know the option "${option}"; it takes ${known.join(", ")}`);
    }
  }
}
