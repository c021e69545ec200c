import { useEffect, useRef } from "preact/hooks";
import { refreshes } from "../places/refresh.js";

/** Does something whenever what is shown is to be asked for again. */
export function useRefresh(again: () => void): void {
  const seen = useRef(refreshes.value);
  useEffect(() => {
    if (seen.current !== refreshes.value) again();
    seen.current = refreshes.value;
  }, [refreshes.value]);
}
