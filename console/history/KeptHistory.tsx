import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type CallFailure, hasFailed } from "../api/callFailure.js";
import { useNewest } from "../api/useNewest.js";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { NothingHere } from "../list/NothingHere.js";
import { RefreshButton } from "../list/RefreshButton.js";
import { useRefresh } from "../list/useRefresh.js";
import { FailureNote } from "../parts/FailureNote.js";
import { go, stay } from "../places/address.js";
import type { PlaceOf } from "../places/place.js";
import { refresh } from "../places/refresh.js";
import { HistoryFilters } from "./HistoryFilters.js";
import {
  filterOf,
  findSetting,
  isKept,
  type KeptSetting,
  listSettings,
  type SettingsPage,
  settingsPerPage,
} from "./history.js";
import { KeptRow } from "./KeptRow.js";
import { SettingTable } from "./SettingTable.js";

/** Pages count from 1. A setting that the address names may be on another page. */
const nothingShown: SettingsPage & { page: number; named?: KeptSetting | undefined } = { total: 0, items: [], page: 0 };

/** The settings that the server has kept, a page at a time. */
export function KeptHistory({ at }: { at: PlaceOf<"history"> }) {
  const { history, lists } = messages.value;
  const page = Math.ceil(at.row / settingsPerPage);
  const { open = "" } = at;
  const filter = filterOf(at);
  const isFiltered = Object.keys(filter).length > 0;
  const shown = useSignal(nothingShown);
  const failure = useSignal<CallFailure | undefined>(undefined);
  const isLoading = useSignal(false);
  const begin = useNewest();
  const section = useRef<HTMLElement>(null);

  async function load(): Promise<void> {
    const signal = begin();
    isLoading.value = true;
    try {
      const found = await listSettings(page, settingsPerPage, filter, signal);
      if (found.items.length === 0 && found.total > 0) return stay({ ...at, row: found.total });
      isKept.value = true;
      if (shown.peek().page !== page) section.current?.scrollIntoView();
      shown.value = { ...found, page };
      failure.value = undefined;
      if (open !== "" && !found.items.some(({ settingID }) => settingID === open)) {
        const named = await findSetting(open, filter, signal);
        shown.value = { ...found, page, named };
        if (named.settingID !== open) stay({ ...at, open: named.settingID });
      }
    } catch (error) {
      if (!hasFailed(error, signal)) return;
      if (error.status === 404) isKept.value = false;
      failure.value = error;
    }
    isLoading.value = false;
  }

  const { total, isMore, items, page: shownPage, named } = shown.value;
  const isOpenHere = [...items, ...(named ? [named] : [])].some(({ settingID }) => settingID === open);
  useEffect(() => void load(), [page, JSON.stringify(filter)]);
  useEffect(() => {
    if (open !== "" && shownPage > 0 && !isOpenHere) void load();
  }, [open]);
  useRefresh(() => void load());

  // Until another page has come, the earlier one is shown.
  const isKnown = shownPage > 0;
  const before = (shownPage - 1) * settingsPerPage;
  const all = isMore ? history.orMore(formatCount(total)) : formatCount(total);
  const to = (row: number) => () => go({ ...at, row, open: "" });
  const rowOf = (setting: KeptSetting) => (
    <KeptRow
      key={setting.settingID}
      setting={setting}
      earlier={items.find(({ settingID }) => settingID === setting.setsBack)?.time}
      at={at}
    />
  );
  return (
    <section class="history" ref={section}>
      <div class="list-head">
        <h1>{history.title}</h1>
        <p class="total" role="status">
          {isKnown && history.total(all)}
        </p>
        <RefreshButton isLoading={isLoading.value} />
      </div>
      <HistoryFilters at={at} />
      {failure.value && <FailureNote failure={failure.value} onRetry={refresh} />}
      {named && named.settingID === open && !items.some(({ settingID }) => settingID === open) && (
        <>
          <h2>{history.linked}</h2>
          <SettingTable label={history.linked}>{rowOf(named)}</SettingTable>
        </>
      )}
      {isKnown && total === 0 && (
        <NothingHere none={history.none} onClear={isFiltered ? () => go({ screen: "history", row: 1 }) : undefined} />
      )}
      {items.length > 0 && <SettingTable label={history.title}>{items.map(rowOf)}</SettingTable>}
      {(page > 1 || settingsPerPage < total) && (
        <p class="actions">
          <button type="button" disabled={page === 1} onClick={to((page - 2) * settingsPerPage + 1)}>
            {history.newer}
          </button>
          <button type="button" disabled={page * settingsPerPage >= total} onClick={to(page * settingsPerPage + 1)}>
            {history.older}
          </button>
          <span class="faint">
            {items.length > 0 && lists.rows(formatCount(before + 1), formatCount(before + items.length), all)}
          </span>
        </p>
      )}
    </section>
  );
}
