/**
 * The calls that wait for a thread, in lines that take turns. An administrator with a thousand calls waits longer for
 * them, and nobody else does.
 */
export class WaitingCalls<Call extends { line: string }> {
  /** The first line is the next to have its turn. */
  readonly #lines = new Map<string, Set<Call>>();
  size = 0;

  add(call: Call): void {
    const line = this.#lines.get(call.line) ?? new Set();
    this.#lines.set(call.line, line.add(call));
    this.size += 1;
  }

  delete(call: Call): void {
    const line = this.#lines.get(call.line);
    if (!line?.delete(call)) return;
    this.size -= 1;
    if (line.size === 0) this.#lines.delete(call.line);
  }

  /** Takes the next call, of a line that may have its turn, and moves the line to the end. */
  next(mayBegin: (line: string) => boolean = () => true): Call | undefined {
    for (const [name, line] of this.#lines) {
      if (!mayBegin(name)) continue;
      for (const call of line) {
        this.delete(call);
        if (this.#lines.delete(name)) this.#lines.set(name, line);
        return call;
      }
    }
    return undefined;
  }

  /** The last call of the longest line. */
  last(): Call | undefined {
    let longest: Set<Call> | undefined;
    for (const line of this.#lines.values()) if (line.size > (longest?.size ?? 0)) longest = line;
    return [...(longest ?? [])].at(-1);
  }
}
