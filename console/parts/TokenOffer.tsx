import { useEffect, useId, useRef } from "preact/hooks";
import { readToken } from "../api/readToken.js";
import { decide, offered, token } from "../api/session.js";
import { messages } from "../language/language.js";
import { Until } from "./Until.js";

/** Asks whether the token of a link replaces the session's token. */
export function TokenOffer() {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const { offer } = messages.value;
  return (
    <dialog ref={dialog} class="offer" aria-labelledby={heading} onClose={() => decide(false)}>
      <h2 id={heading}>{offer.title}</h2>
      <Holder token={token.value} sentence={offer.now} />
      <Holder token={offered.value} sentence={offer.other} />
      <p class="actions">
        <button type="button" class="primary" onClick={() => decide(true)}>
          {offer.take}
        </button>
        <button type="button" onClick={() => decide(false)}>
          {offer.stay}
        </button>
      </p>
    </dialog>
  );
}

function Holder({ token, sentence }: { token: string; sentence(who: string): string }) {
  const holder = readToken(token);
  return (
    <p>
      {sentence(holder?.userID ?? messages.value.offer.unknown)}{" "}
      {holder && (
        <span class="faint">
          (<Until holder={holder} />)
        </span>
      )}
    </p>
  );
}
