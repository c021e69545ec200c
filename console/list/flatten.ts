/** The fields of an item, its own first, then those of what is nested in it, with both names: `userInfo.nickname`. */
export function flatten(item: object): [name: string, value: unknown][] {
  const fields = Object.entries(item);
  const nested = fields.flatMap(([name, value]): [string, unknown][] =>
    isNested(value) ? flatten(value).map(([inner, innerValue]) => [`${name}.${inner}`, innerValue]) : [],
  );
  return [...fields.filter(([, value]) => !isNested(value)), ...nested];
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
