import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useMemo, useRef } from "preact/hooks";
import { paths } from "../../adapters/http/paths.js";
import { call, callPath } from "../api/call.js";
import { type CallFailure, hasFailed } from "../api/callFailure.js";
import { refusal, signIn } from "../api/session.js";
import { givesTokens } from "../api/settings.js";
import { messages } from "../language/language.js";
import { Brand } from "../parts/Brand.js";
import { Choices } from "../parts/Choices.js";
import { FailureNote } from "../parts/FailureNote.js";

/** Lets the administrator in with a user ID and the secret, if the server gives tokens, or with a token. */
export function SignInScreen() {
  const isBySecret = useSignal(givesTokens);
  const texts = messages.value.session;
  return (
    <main class="sign-in">
      <SignInForm key={String(isBySecret.value)} isBySecret={isBySecret.value}>
        {givesTokens && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              isBySecret.value = !isBySecret.value;
            }}
          >
            {isBySecret.value ? texts.byToken : texts.bySecret}
          </button>
        )}
      </SignInForm>
      <Choices />
    </main>
  );
}

interface SignInFormProps {
  isBySecret: boolean;
  children: ComponentChildren;
}

/** One of both ways to sign in. */
function SignInForm({ isBySecret, children }: SignInFormProps) {
  const isChecking = useSignal(false);
  const failure = useSignal<CallFailure | undefined>(undefined);
  const form = useRef<HTMLFormElement>(null);
  const leaving = useMemo(() => new AbortController(), []);
  useEffect(() => {
    form.current?.querySelector("input")?.focus();
    // An answer that comes late must not replace a token that another tab has given meanwhile.
    return () => leaving.abort();
  }, [leaving]);
  const texts = messages.value.session;
  const isOfSecret = useSignal(false);
  const shown = failure.value ?? refusal.value;
  const isRefused = shown?.kind === "refused" && (isOfSecret.value || shown.isOfToken);

  async function submit(event: Event & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    const entries = new FormData(event.currentTarget);
    const entry = (name: string) => String(entries.get(name) ?? "");
    const { signal } = leaving;
    isChecking.value = true;
    failure.value = undefined;
    isOfSecret.value = isBySecret;
    try {
      const given = isBySecret
        ? await tokenFor(entry("userID").trim(), entry("secret"), signal)
        : // A token that was copied from a terminal may be broken into lines.
          entry("token").replace(/\s/g, "");
      isOfSecret.value = false;
      const pagination = { pageNumber: 1, showNumber: 1 };
      await call("searchNotificationAccount", { pagination }, { given, signal, read: () => undefined });
      signIn(given);
    } catch (error) {
      if (hasFailed(error, signal)) failure.value = error;
    } finally {
      isChecking.value = false;
    }
  }

  return (
    <form ref={form} method="post" onSubmit={submit}>
      <p class="brand">
        <Brand />
      </p>
      <h1>{texts.title}</h1>
      <p class="faint">{isBySecret ? texts.leadBySecret : texts.lead}</p>
      {isBySecret ? (
        <>
          <Entry name="userID" label={texts.userID} autoComplete="username" isRefused={isRefused} />
          <Entry name="secret" label={texts.secret} autoComplete="current-password" isRefused={isRefused} />
        </>
      ) : (
        <Entry name="token" label={texts.token} autoComplete="off" isRefused={isRefused} />
      )}
      {shown && (
        <FailureNote
          failure={shown}
          meaning={isRefused && isOfSecret.value ? [texts.secretRefused, texts.secretRefusedLead] : undefined}
        />
      )}
      <button type="submit" class="primary" disabled={isChecking.value}>
        {isChecking.value ? texts.checking : texts.submit}
      </button>
      {!isBySecret && <p class="faint">{texts.where}</p>}
      {children}
    </form>
  );
}

interface EntryProps {
  name: "userID" | "secret" | "token";
  label: string;
  /** What a password manager may fill in. */
  autoComplete: string;
  isRefused: boolean;
}

function Entry({ name, label, autoComplete, isRefused }: EntryProps) {
  const id = useId();
  const type = name === "userID" ? ({ type: "text" } as const) : ({ type: "password" } as const);
  return (
    <>
      <label for={id}>{label}</label>
      <input {...type} {...{ id, name, autoComplete }} required autoCapitalize="none" aria-invalid={isRefused} />
    </>
  );
}

/** Asks the server for a token. */
function tokenFor(userID: string, secret: string, signal: AbortSignal): Promise<string> {
  const read = (data: unknown) => {
    const { token } = data as { token: unknown };
    if (typeof token === "string") return token;
    throw new TypeError("the answer has no token");
  };
  return callPath(paths.getAdminToken, { secret, userID }, { given: "", signal, read });
}
