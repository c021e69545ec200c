import { useEffect, useRef } from "preact/hooks";
import { refreshes } from "../places/refresh.js";

/** Calls a function each time the view must ask the server again. */
export function useRefresh(again: () => void): void {
  const seen = useRef(refreshes.value);
  useEffect(() => {
    if (seen.current !== refreshes.value) again();
    seen.current = refreshes.value;
  }, [refreshes.value]);
}
