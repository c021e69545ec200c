/** Keeps the indentation of pieces of SQL that are composed. */

/** The texts of a template without its first line, if that is empty, and without the indentation of the next one. */
export function withoutIndentation(template: readonly string[]): readonly string[] {
  const [start] = /^\n */.exec(template[0] ?? "") ?? [];
  if (start === undefined) return template;
  const texts = template.map((text) => text.replaceAll(start, "\n"));
  texts[0] = texts[0]?.slice(1) ?? "";
  texts.push(texts.pop()?.trimEnd() ?? "");
  return texts;
}

/** A text with its lines indented like the last line of the text before it. */
export function indentedBehind(before: string, text: string): string {
  if (!text.includes("\n")) return text;
  const indentation = /[ ]*/.exec(before.slice(before.lastIndexOf("\n") + 1))?.[0] ?? "";
  return text.replaceAll("\n", `\n${indentation}`);
}
