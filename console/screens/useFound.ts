import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { CallFailure } from "../api/callFailure.js";

/**
 * What is found beside a list. That it cannot be found is left to the list to say.
 *
 * @param onMissing called where the server says that there is no such thing
 */
export function useFound<Found>(
  find: (signal: AbortSignal) => Promise<Found>,
  key: string,
  onMissing?: () => void,
): Found | undefined {
  const found = useSignal<Found | undefined>(undefined);
  useEffect(() => {
    const asked = new AbortController();
    found.value = undefined;
    find(asked.signal).then(
      (value) => {
        if (!asked.signal.aborted) found.value = value;
      },
      (error) => {
        if (error instanceof CallFailure && error.errCode === 1004) onMissing?.();
      },
    );
    return () => asked.abort();
  }, [key]);
  return found.value;
}
