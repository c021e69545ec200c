import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { CsvDownload } from "../list/csvDownload.js";
import { go, stay } from "../places/address.js";
import type { PlaceOf } from "../places/place.js";
import { beginTask, tasks } from "../tasks/task.js";
import { BeforeTable } from "./BeforeTable.js";
import { type KeptSetting, readChanged } from "./history.js";
import { rowsInParts } from "./rowsInParts.js";
import { SetBackTask } from "./setBackTask.js";

/** Shows what was there before a setting, saves it, and sets it back. */
export function KeptActions({ setting, at }: { setting: KeptSetting; at: PlaceOf<"history"> }) {
  const { history } = messages.value;
  const { settingID, operationID, conversationID, requests, changed } = setting;
  const isAsking = useSignal(false);
  // Where it was just set, the page knows the operation ID alone.
  const isOpen = at.open !== "" && (at.open === settingID || at.open === operationID);
  const first = useRef<HTMLButtonElement>(null);
  const isUnderWay = tasks.value.some(
    (task) => task instanceof SetBackTask && task.setting.settingID === settingID && task.state.value === "running",
  );
  if (changed === 0) return null;
  const count = formatCount(changed);

  /** Closes the question. The button that had the focus is gone. */
  function close(): void {
    isAsking.value = false;
    first.current?.focus();
  }

  return (
    <>
      <p class="actions">
        <button
          type="button"
          ref={first}
          aria-expanded={isOpen}
          onClick={() => (isOpen ? stay({ ...at, open: "" }) : go({ ...at, open: settingID }))}
        >
          {history.show}
        </button>
        <button
          type="button"
          onClick={() => {
            beginTask(new CsvDownload({ name: conversationID, place: at, load: changedRows(setting) }));
          }}
        >
          {history.download}
        </button>
        <button
          type="button"
          aria-expanded={isAsking.value}
          disabled={isUnderWay}
          onClick={() => {
            isAsking.value = !isAsking.value;
            if (isAsking.value && !isOpen) stay({ ...at, open: settingID });
          }}
        >
          {history.setBack}
        </button>
      </p>
      {isAsking.value && (
        <div class="preview">
          <p>{history.preview(count)}</p>
          {requests > 1 && <p class="faint">{history.inRequests(formatCount(requests))}</p>}
          <p class="actions">
            <button
              type="button"
              class="primary"
              disabled={isUnderWay}
              onClick={() => {
                close();
                beginTask(new SetBackTask(setting, at));
              }}
            >
              {history.confirm(count)}
            </button>
            <button type="button" onClick={close}>
              {history.cancel}
            </button>
          </p>
        </div>
      )}
      {isOpen && <BeforeTable setting={setting} />}
    </>
  );
}

/** Loads the users whom a setting has changed, with the values that were there before, if these are known. */
function changedRows({ settingID, requests, changed }: KeptSetting) {
  return rowsInParts(changed, requests, async (request, signal) => {
    const parts = await readChanged(settingID, request, signal);
    return parts.flatMap(({ before, userIDs }) => userIDs.map((userID) => ({ userID, ...before })));
  });
}
