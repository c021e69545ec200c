import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { CallFailure } from "../api/callFailure.js";
import { refreshes } from "../places/refresh.js";

/**
 * Finds something in addition to a list, and again each time the view is refreshed. If this fails, the list shows the failure.
 *
 * @param onMissing called if the server answers that the group or user does not exist
 */
export function useFound<Found>(
  find: (signal: AbortSignal) => Promise<Found>,
  key: string,
  onMissing?: () => void,
): Found | undefined {
  const found = useSignal<Found | undefined>(undefined);
  useLayoutEffect(() => {
    found.value = undefined;
  }, [key]);
  // It asks before a timer can ask the same for a name.
  useLayoutEffect(() => {
    const asked = new AbortController();
    find(asked.signal).then(
      (value) => {
        if (!asked.signal.aborted) found.value = value;
      },
      (error) => {
        if (error instanceof CallFailure && error.errCode === 1004) onMissing?.();
      },
    );
    return () => asked.abort();
  }, [key, refreshes.value]);
  return found.value;
}
