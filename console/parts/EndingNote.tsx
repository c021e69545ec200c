import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { administrator } from "../api/session.js";
import { messages } from "../language/language.js";

/** How long before its end a token is warned of, and how often that is looked at, in milliseconds. */
const [notice, pause] = [40_000, 5_000];

/** Says that the token ends soon. */
export function EndingNote() {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now();
    }, pause);
    return () => clearInterval(timer);
  }, []);
  const left = (administrator.value?.expires ?? Number.POSITIVE_INFINITY) - now.value;
  return (
    <p class="ending" role="status">
      {left <= notice && messages.value.session.ends}
    </p>
  );
}
