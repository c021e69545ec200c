import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type CallFailure, hasFailed } from "../api/callFailure.js";
import { useNewest } from "../api/useNewest.js";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import type { ListPage } from "../list/pages.js";
import { RefreshButton } from "../list/RefreshButton.js";
import { useRefresh } from "../list/useRefresh.js";
import { FailureNote } from "../parts/FailureNote.js";
import { go, stay } from "../places/address.js";
import type { PlaceOf } from "../places/place.js";
import { refresh } from "../places/refresh.js";
import { isKept, type KeptSetting, listSettings, settingsPerPage } from "./history.js";
import { KeptActions } from "./KeptActions.js";
import { SettingCard } from "./SettingCard.js";

/** Pages count from 1. */
const nothingShown: ListPage<KeptSetting> & { page: number } = { total: 0, items: [], page: 0 };

/** The settings that the server has kept, a page at a time. */
export function KeptHistory({ at }: { at: PlaceOf<"history"> }) {
  const { history, lists } = messages.value;
  const page = Math.ceil(at.row / settingsPerPage);
  const shown = useSignal(nothingShown);
  const failure = useSignal<CallFailure | undefined>(undefined);
  const isLoading = useSignal(false);
  const begin = useNewest();

  async function load(): Promise<void> {
    const signal = begin();
    isLoading.value = true;
    try {
      const found = await listSettings(page, settingsPerPage, signal);
      if (found.items.length === 0 && found.total > 0) return stay({ ...at, row: found.total });
      shown.value = { ...found, page };
      failure.value = undefined;
      isKept.value = true;
    } catch (error) {
      if (!hasFailed(error, signal)) return;
      if (error.status === 404) isKept.value = false;
      failure.value = error;
    }
    isLoading.value = false;
  }

  useEffect(() => {
    void load();
  }, [page]);
  useRefresh(() => void load());

  // Until another page has come, the earlier one is shown.
  const { total, items, page: shownPage } = shown.value;
  const isKnown = shownPage > 0;
  const before = (shownPage - 1) * settingsPerPage;
  const to = (row: number) => () => go({ screen: "history", row });
  return (
    <section class="history">
      <div class="list-head">
        <h1>{history.title}</h1>
        <p class="total" role="status">
          {isKnown && history.total(formatCount(total))}
        </p>
        <RefreshButton isLoading={isLoading.value} />
      </div>
      {failure.value && <FailureNote failure={failure.value} onRetry={refresh} />}
      {isKnown && total === 0 && <p class="faint">{history.none}</p>}
      <ol class="settings" aria-label={history.title}>
        {items.map((setting) => (
          <SettingCard
            key={setting.settingID}
            setting={setting}
            users={history.changed(formatCount(setting.changed), formatCount(setting.users))}
          >
            <KeptActions setting={setting} at={at} />
          </SettingCard>
        ))}
      </ol>
      {(page > 1 || settingsPerPage < total) && (
        <p class="actions">
          <button type="button" disabled={page === 1} onClick={to((page - 2) * settingsPerPage + 1)}>
            {history.newer}
          </button>
          <button type="button" disabled={page * settingsPerPage >= total} onClick={to(page * settingsPerPage + 1)}>
            {history.older}
          </button>
          <span class="faint">
            {items.length > 0 &&
              lists.rows(formatCount(before + 1), formatCount(before + items.length), formatCount(total))}
          </span>
        </p>
      )}
    </section>
  );
}
