/** The fields of an item: first its own, then those of nested objects, with both names, such as `userInfo.nickname`. */
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
