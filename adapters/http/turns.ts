/** A body of so many bytes or more is large: parsing and checking it takes milliseconds. */
const large = 16_384;

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Goes on in a new turn of the event loop. Between two turns the event loop handles other requests, also if many
 * requests go on at the same time.
 */
export function inTurn(goOn: () => void): void {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  lastTurn.then(goOn);
}

/** Goes on with a complete body: at once, or in a new turn if the body is large. */
export function inTurnIfLarge(bytes: number, goOn: () => void): void {
  if (bytes < large) goOn();
  else inTurn(goOn);
}
