import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { call } from "../api/call.js";
import { CallFailure } from "../api/callFailure.js";
import { refusal, signIn } from "../api/session.js";
import { messages } from "../language/language.js";
import { Brand } from "../parts/Brand.js";
import { Choices } from "../parts/Choices.js";
import { FailureNote } from "../parts/FailureNote.js";

/** Asks for a token, and lets the administrator in if the server accepts it. */
export function SignInScreen() {
  const given = useSignal("");
  const isChecking = useSignal(false);
  const failure = useSignal<CallFailure | undefined>(undefined);
  const field = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const texts = messages.value.session;
  const shown = failure.value ?? refusal.value;

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    // A token that was copied from a terminal may be broken into lines.
    const token = given.value.replace(/\s/g, "");
    isChecking.value = true;
    failure.value = undefined;
    try {
      const pagination = { pageNumber: 1, showNumber: 1 };
      await call("searchNotificationAccount", { pagination }, { given: token, read: () => undefined });
      signIn(token);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      failure.value = error;
    } finally {
      isChecking.value = false;
    }
  }

  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <p class="brand">
          <Brand />
        </p>
        <h1>{texts.title}</h1>
        <p class="faint">{texts.lead}</p>
        <label for={field}>{texts.token}</label>
        <input
          id={field}
          ref={input}
          type="password"
          autoComplete="off"
          required
          value={given.value}
          aria-invalid={shown?.isOfToken}
          onInput={({ currentTarget }) => {
            given.value = currentTarget.value;
          }}
        />
        {shown && <FailureNote failure={shown} />}
        <button type="submit" class="primary" disabled={isChecking.value}>
          {isChecking.value ? texts.checking : texts.submit}
        </button>
        <p class="faint">{texts.where}</p>
      </form>
      <Choices />
    </main>
  );
}
