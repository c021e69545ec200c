import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
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
  useEffect(() => {
    found.value = undefined;
  }, [key]);
  useEffect(() => {
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
