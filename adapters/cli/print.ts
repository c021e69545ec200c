/** Writes a line to standard error. What it quotes from files may hold control characters, which no terminal gets. */
export function print(line: string): void {
  process.stderr.write(`${withoutPassword(line).replace(/\p{Cc}/gu, "\ufffd")}\n`);
}

/** Hides the passwords of URLs, which may stand where nobody expects one. */
export function withoutPassword(text: string): string {
  return text
    .replace(/((?:\w:\/\/|postgres(?:ql)?:\/*)[^\s:/@]*:)\S*@/gi, "$1***@")
    .replace(/([?&]password=)[^\s&]*/gi, "$1***");
}
