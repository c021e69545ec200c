import { useEffect, useRef } from "preact/hooks";

/** A function that begins work, and returns the work's signal. Newer work aborts it, and so does leaving the screen. */
export function useNewest(): () => AbortSignal {
  const newest = useRef<AbortController>(undefined);
  useEffect(() => () => newest.current?.abort(), []);
  return () => {
    newest.current?.abort();
    newest.current = new AbortController();
    return newest.current.signal;
  };
}
