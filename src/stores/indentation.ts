/** Keeps the indentation of pieces of SQL that are composed. */
const dedented = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The texts of a template without its first line, if that is empty, and without the indentation of all others. */
export function withoutIndentation(template: TemplateStringsArray): readonly string[] {
  let texts = dedented.get(template);
  if (texts === undefined) {
    texts = dedent(template);
    dedented.set(template, texts);
  }
  return texts;
}

function dedent(template: readonly string[]): string[] {
  if (!template[0]?.startsWith("\n")) return [...template];
  const indentations = template.join("?").match(/\n[ ]*(?=[^\s])/g) ?? [];
  const least = Math.min(...indentations.map((indentation) => indentation.length));
  const texts = template.map((text) => text.replace(/\n[ ]*/g, (start) => `\n${start.slice(least)}`));
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
