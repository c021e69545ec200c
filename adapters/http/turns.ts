/** From how many bytes on a body is large: to parse and to check it takes milliseconds. */
const large = 16_384;

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Goes on with a body that has come whole: at once, or where it is large, in a turn of the event loop of its own. Between
 * two large ones the event loop sees to all other requests, however many large ones have come at the same time.
 */
export function inTurn(bytes: number, goOn: () => void): void {
  if (bytes < large) {
    goOn();
  } else {
    lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
    lastTurn.then(goOn);
  }
}
