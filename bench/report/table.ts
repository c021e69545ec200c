export type Row = readonly string[];

/** A table for a terminal: the first column to the left, figures to the right. */
export function textTable(head: Row, rows: readonly Row[], leftColumns = 1): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => width(row[column] ?? ""))));
  const line = (row: Row) =>
    row
      .map((cell, column) => {
        const space = " ".repeat((widths[column] ?? 0) - width(cell));
        return column < leftColumns ? cell + space : space + cell;
      })
      .join("  ")
      .trimEnd();
  return [line(head), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}

/** Chinese characters take two places. */
function width(text: string): number {
  return [...text].reduce((sum, character) => sum + (/[\u2e80-\u9fff\uff00-\uff60]/u.test(character) ? 2 : 1), 0);
}

export function markdownTable(head: Row, rows: readonly Row[]): string {
  const line = (row: Row) => `| ${row.join(" | ")} |`;
  return [
    line(head),
    `|${head.map((_, column) => (column === 0 ? "---|" : "---:|")).join("")}`,
    ...rows.map(line),
  ].join("\n");
}
