/** A process that follows, and that a trial kills. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export class FollowerProcess {
  readonly #url: string;
  readonly #file: string;
  #child: ChildProcess | undefined;
  #told = "";

  constructor(url: string, file: string) {
    this.#url = url;
    this.#file = file;
  }

  start(): void {
    const ours = Object.entries(process.env).filter(([name]) => !name.startsWith("IM_ADMIN_"));
    const main = fileURLToPath(new URL("./main.js", import.meta.url));
    this.#told = "";
    this.#child = spawn(process.execPath, [main, "follow", "--db", this.#file, "--yes"], {
      env: { ...Object.fromEntries(ours), IM_ADMIN_FROM: this.#url },
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text) => {
      this.#told = `${this.#told}${text}`.slice(-2_000);
    });
  }

  /** What it has said last, which has no host and no password. */
  get lastWords(): string {
    return (this.#told.trim().split("\n").at(-1) ?? "").replace("im-admin: ", "");
  }

  get hasEnded(): boolean {
    return this.#child !== undefined && (this.#child.exitCode !== null || this.#child.signalCode !== null);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || this.hasEnded) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
}
