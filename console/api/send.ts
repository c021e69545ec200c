import { refreshes } from "../places/refresh.js";
import { apiAddress } from "./settings.js";

/** A request, as the server gets it. */
export interface Sent {
  path: string;
  /** The body, as JSON. */
  body: string;
  token: string;
  operationID: string;
  /** How long each attempt may take, in milliseconds. */
  patience: number;
}

/** What came back. Without a status, nothing came; without a body, no JSON. */
export interface Answered {
  /** That of the request which was really sent. */
  operationID: string;
  status?: number;
  body?: unknown;
  isLate?: boolean;
}

/** How often a request is sent if the server asks to wait, and how long it is waited for at most, in milliseconds. */
const [mostTries, mostPause] = [4, 30_000];

/** Answers that are on their way, by their questions. */
const onTheirWay = new Map<string, { answer: Promise<Answered>; given: AbortController; askers: number }>();

/**
 * Asks a question. A screen that asks the same while the answer is on its way gets this answer; it is given up when nobody
 * waits for it any more. A refreshed view gets new answers.
 */
export function ask(sent: Sent, signal?: AbortSignal): Promise<Answered> {
  const question = JSON.stringify([refreshes.peek(), sent.path, sent.token, sent.body]);
  const found = onTheirWay.get(question) ?? begin(question, sent);
  found.askers += 1;
  return new Promise((resolve, reject) => {
    const leave = () => {
      found.askers -= 1;
      if (found.askers === 0) {
        onTheirWay.delete(question);
        found.given.abort();
      }
      reject(signal?.reason);
    };
    if (signal?.aborted) return leave();
    signal?.addEventListener("abort", leave, { once: true });
    found.answer.then(resolve, reject).finally(() => signal?.removeEventListener("abort", leave));
  });
}

function begin(question: string, sent: Sent) {
  const given = new AbortController();
  const answer = send(sent, given.signal).finally(() => {
    if (onTheirWay.get(question) === found) onTheirWay.delete(question);
  });
  const found = { answer, given, askers: 0 };
  onTheirWay.set(question, found);
  return found;
}

/** Sends a request, and again after a while if the server asks for that. */
export async function send(sent: Sent, signal?: AbortSignal): Promise<Answered> {
  const { path, body, token, operationID, patience } = sent;
  for (let tries = 1; ; tries++) {
    const late = AbortSignal.timeout(patience);
    const answered: Answered = { operationID };
    try {
      const response = await fetch(apiAddress + path, {
        method: "POST",
        headers: { "content-type": "application/json", operationID, token },
        body,
        // A redirect that is followed could take the token to another server.
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, late]) : late,
      });
      answered.status = response.status;
      const pause = pauseOf(response);
      if (pause !== undefined && tries < mostTries) {
        await waited(pause, signal);
        continue;
      }
      answered.body = await response.json();
    } catch {
      signal?.throwIfAborted();
      answered.isLate = late.aborted;
    }
    return answered;
  }
}

/** How long the server asks to wait, in milliseconds; undefined if it does not, or for too long. */
function pauseOf({ status, headers }: Response): number | undefined {
  const text = headers.get("retry-after");
  if (text === null || (status !== 429 && status !== 503)) return undefined;
  const pause = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return pause <= mostPause ? Math.max(0, pause) : undefined;
}

function waited(pause: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, pause);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
