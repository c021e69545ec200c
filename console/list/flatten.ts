/** The fields of an item in their order, those of what is nested with both names: `userInfo.nickname`. */
export function flatten(item: object): [name: string, value: unknown][] {
  return Object.entries(item).flatMap(([name, value]): [string, unknown][] =>
    typeof value === "object" && value !== null
      ? flatten(value).map(([inner, innerValue]) => [`${name}.${inner}`, innerValue])
      : [[name, value]],
  );
}
