/**
 * Refuses options that are missing altogether, and those that are misspelled, since what they were to change would
 * silently stay as it is.
 *
 * @throws TypeError that names the unknown option and the known ones
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
