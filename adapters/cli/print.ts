/** Writes a line to standard error. What it quotes from files may hold control characters, which no terminal gets. */
export function print(line: string): void {
  process.stderr.write(`${line.replace(/\p{Cc}/gu, "\ufffd")}\n`);
}
