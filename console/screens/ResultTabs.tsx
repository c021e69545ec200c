import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call, type Input } from "../api/call.js";
import { formatCount } from "../language/format.js";
import { labelOf } from "../language/labels.js";
import { messages } from "../language/language.js";
import { isNarrow } from "../parts/media.js";
import { type RequestResult, requestResults } from "../places/place.js";
import { refreshes } from "../places/refresh.js";
import { Filter } from "./Filter.js";
import { handleResultOf } from "./results.js";

/** How many join requests have each result, as far as it is known. */
export type ResultTotals = Partial<Record<RequestResult, number>>;

interface ResultTabsProps {
  /** Whose groups, and which of them. */
  asked: Pick<Input<"getReceivedGroupApplicationList">, "fromUserID" | "groupIDs">;
  /** The result that the list shows. The list itself tells its total. */
  result: RequestResult;
  totals: Signal<ResultTotals>;
  onChoose(result: RequestResult): void;
}

/** The results of join requests, pending first, with the total of each. */
export function ResultTabs({ asked, result, totals, onChoose }: ResultTabsProps) {
  const texts = messages.value.requests;

  useEffect(() => {
    const request = new AbortController();
    for (const name of requestResults) {
      if (name === result) continue;
      const code = handleResultOf(name);
      const input = { ...asked, handleResults: code === undefined ? [] : [code] };
      call(
        "getReceivedGroupApplicationList",
        { ...input, pagination: { pageNumber: 1, showNumber: 1 } },
        { signal: request.signal, read: (data) => data.total },
      )
        .then((total) => {
          totals.value = { ...totals.value, [name]: total };
        })
        // The list shows the failure. The count is only an addition.
        .catch(() => {});
    }
    return () => request.abort();
  }, [JSON.stringify(asked), refreshes.value]);

  if (isNarrow.value)
    return (
      <Filter
        label={labelOf("handleResult")}
        options={requestResults.map((name) => `${texts.results[name]} ${countText(totals.value[name])}`)}
        value={requestResults.indexOf(result)}
        onChoose={(index) => onChoose(requestResults[index] ?? "all")}
      />
    );
  return (
    <fieldset class="segments" aria-label={labelOf("handleResult")}>
      {requestResults.map((name) => (
        <button type="button" key={name} aria-pressed={name === result} onClick={() => onChoose(name)}>
          {texts.results[name]} <span class="count">{countText(totals.value[name])}</span>
        </button>
      ))}
    </fieldset>
  );
}

function countText(total: number | undefined): string {
  return total === undefined ? "" : formatCount(total);
}
