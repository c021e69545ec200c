/** Fails a case if two values differ in anything but the order of their keys. The error shows both. */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const difference = firstDifference(actual, expected, "");
  if (difference === undefined) return;
  const [got, wanted] = [JSON.stringify(actual) ?? "undefined", JSON.stringify(expected) ?? "undefined"];
  // Show short values as a whole, and long ones from the first difference on.
  const isShort = got.length <= shortLength && wanted.length <= shortLength;
  throw new Error(`${what}${isShort ? `: expected ${wanted}, and got ${got}` : difference}`);
}

const shortLength = 200;

/** Fails a case if a condition is false. */
export function expectTrue(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

function firstDifference(actual: unknown, expected: unknown, path: string): string | undefined {
  if (Object.is(actual, expected)) return undefined;
  if (isObject(actual) && isObject(expected) && Array.isArray(actual) === Array.isArray(expected)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const difference = firstDifference(actual[key], expected[key], `${path}.${key}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  const where = path === "" ? "" : ` (at ${path.slice(1)})`;
  return `${where}: expected ${JSON.stringify(expected)}, and got ${JSON.stringify(actual)}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
