/** Yields the rows of a text whose cells are separated by one of these characters. */
export function* csvRows(text: string, separator: "," | ";" | "\t"): Generator<string[], void, undefined> {
  const cell = new RegExp(
    `(?: *"([^"]*(?:""[^"]*)*)"[^${separator}\\r\\n]*|([^${separator}\\r\\n]*))(${separator}|\\r\\n?|\\n|$)`,
    "y",
  );
  let row: string[] = [];
  while (cell.lastIndex < text.length || row.length > 0) {
    const [, quoted, plain = "", end] = cell.exec(text) ?? [];
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === separator) continue;
    yield row;
    row = [];
  }
}
