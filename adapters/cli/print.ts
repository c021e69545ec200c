/** Writes a line to standard error. It replaces control characters, which the line may quote from a file. */
export function print(line: string): void {
  process.stderr.write(`${withoutPassword(line).replace(/\p{Cc}/gu, "\ufffd")}\n`);
}

/** Hides the passwords of all URLs in a text. */
export function withoutPassword(text: string): string {
  return text
    .replace(/((?:\w:\/\/|postgres(?:ql)?:\/*)[^\s:/@]*:)\S*@/gi, "$1***@")
    .replace(/([?&]password=)[^\s&]*/gi, "$1***");
}
