import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { temporaryFolder } from "../../../helpers/stores.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The keys that WebDriver names by a character of its own. */
const keys = {
  Enter: "\uE007",
  Escape: "\uE00C",
  End: "\uE010",
  Home: "\uE011",
  ArrowUp: "\uE013",
  ArrowDown: "\uE015",
};

/** A tab of Firefox. */
export interface Firefox {
  /** The errors of its pages so far. */
  errors: readonly string[];
  goTo(url: string): Promise<unknown>;
  resize(width: number, height: number): Promise<unknown>;
  /** The value of an expression in the page. */
  evaluate<Value>(expression: string): Promise<Value>;
  press(...names: (keyof typeof keys)[]): Promise<unknown>;
  type(text: string): Promise<unknown>;
  /** Clicks in the middle of the first visible element that matches a selector and contains a text. */
  click(selector: string, text?: string): Promise<unknown>;
  /** The violations that axe finds. */
  violations(): Promise<string[]>;
}

interface Message {
  id?: number;
  method?: string;
  result?: unknown;
  error?: string;
  message?: string;
  params?: { level?: string; text?: string };
}

/** Starts Firefox. Playwright drives only a Firefox of its own, so this speaks WebDriver BiDi. */
export async function launchFirefox(): Promise<Firefox> {
  const profile = temporaryFolder();
  const flags = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
  const child = spawn("firefox-esr", flags, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HOME: profile },
  });
  onTestFinished(async () => {
    const ended = once(child, "exit");
    if (child.kill()) await ended;
  });
  let written = "";
  let address: string | undefined;
  for await (const text of child.stderr.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    written += text;
    address = /listening on (ws:\S+)/.exec(written)?.[1];
    if (address !== undefined) break;
  }
  if (address === undefined) throw new Error(`Firefox ended: ${written}`);
  child.stderr.resume();

  const socket = new WebSocket(`${address}/session`);
  await once(socket, "open");
  const errors: string[] = [];
  const answers = new Map<number, (message: Message) => void>();
  socket.on("message", (data) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) answers.get(message.id)?.(message);
    else if (message.params?.level === "error") errors.push(message.params.text ?? "");
  });
  let sent = 0;
  async function send<Result>(method: string, params: object): Promise<Result> {
    const id = ++sent;
    const answer = new Promise<Message>((resolve) => answers.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error, message } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${error}: ${message}`);
    return result as Result;
  }

  await send("session.new", { capabilities: {} });
  await send("session.subscribe", { events: ["log.entryAdded"] });
  const { contexts } = await send<{ contexts: { context: string }[] }>("browsingContext.getTree", {});
  const context = contexts[0]?.context;

  async function evaluate<Value>(expression: string): Promise<Value> {
    type Evaluated = { result?: { value?: string }; exceptionDetails?: { text: string } };
    const { result, exceptionDetails } = await send<Evaluated>("script.evaluate", {
      expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
      target: { context },
      awaitPromise: true,
    });
    if (result?.value === undefined) throw new Error(`${expression}: ${exceptionDetails?.text}`);
    return JSON.parse(result.value);
  }
  const act = (id: string, type: string, actions: object[]) =>
    send("input.performActions", { context, actions: [{ type, id, actions }] });
  const type = (text: string) =>
    act(
      "keyboard",
      "key",
      [...text].flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value }))),
    );

  return {
    errors,
    goTo: (url) => send("browsingContext.navigate", { context, url, wait: "complete" }),
    resize: (width, height) => send("browsingContext.setViewport", { context, viewport: { width, height } }),
    evaluate,
    press: (...names) => type(names.map((name) => keys[name]).join("")),
    type,
    async click(selector, text = "") {
      const found = `[...document.querySelectorAll(${JSON.stringify(selector)})]
        .find((element) => element.checkVisibility({ visibilityProperty: true }) && element.textContent.includes(${JSON.stringify(text)}))`;
      const [x, y] = await evaluate<[number, number]>(`(() => {
        const element = ${found};
        element.scrollIntoView({ block: "nearest" });
        const { x, y, width, height } = element.getBoundingClientRect();
        return [Math.round(x + width / 2), Math.round(y + height / 2)];
      })()`);
      const press = ["pointerDown", "pointerUp"].map((type) => ({ type, button: 0 }));
      await act("mouse", "pointer", [{ type: "pointerMove", x, y }, ...press]);
    },
    async violations() {
      await evaluate(`(() => { ${axe} })()`);
      return evaluate(`axe.run().then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`);
    },
  };
}
