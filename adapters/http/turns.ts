/** From how many bytes on a body is large: to parse and to check it takes milliseconds. */
const large = 16_384;

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Goes on in a turn of the event loop of its own. Between two turns the event loop sees to all other requests, however many
 * have the same to do at the same time.
 */
export function inTurn(goOn: () => void): void {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  lastTurn.then(goOn);
}

/** Goes on with a body that has come whole: at once, or where it is large, in a turn of its own. */
export function inTurnIfLarge(bytes: number, goOn: () => void): void {
  if (bytes < large) goOn();
  else inTurn(goOn);
}
