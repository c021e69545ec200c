import type { PlaceOf } from "../places/place.js";
import { isKept } from "./history.js";
import { KeptHistory } from "./KeptHistory.js";
import { OwnHistory } from "./OwnHistory.js";

/** What administrators have set, or, where the server does not keep it, what this tab has set. */
export function HistoryScreen({ at }: { at: PlaceOf<"history"> }) {
  return isKept.value === false ? <OwnHistory /> : <KeptHistory at={at} />;
}
