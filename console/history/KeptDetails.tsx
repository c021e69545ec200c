import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { CsvDownload } from "../list/csvDownload.js";
import type { PlaceOf } from "../places/place.js";
import { beginTask, tasks } from "../tasks/task.js";
import { BeforeTable } from "./BeforeTable.js";
import { type KeptSetting, readRequest } from "./history.js";
import { nameOfSetting } from "./nameOfSetting.js";
import { rowsInParts } from "./rowsInParts.js";
import { SetBackTask } from "./setBackTask.js";

/** What was there before a setting, which can be saved, and given back unless it was given back already. */
export function KeptDetails({ setting, at }: { setting: KeptSetting; at: PlaceOf<"history"> }) {
  const { history } = messages.value;
  const { settingID, conversationID, requests, changed, setBackBy } = setting;
  const isAsking = useSignal(false);
  const first = useRef<HTMLButtonElement>(null);
  const isUnderWay = tasks.value.some(
    (task) => task instanceof SetBackTask && task.setting.settingID === settingID && task.state.value === "running",
  );
  const count = formatCount(changed);

  /** Closes the question. The button that had the focus is gone. */
  function close(): void {
    isAsking.value = false;
    first.current?.focus();
  }

  return (
    <div class="details">
      <BeforeTable setting={setting} />
      {changed > 0 && (
        <p class="actions">
          <button
            type="button"
            ref={first}
            onClick={() => {
              beginTask(
                new CsvDownload({
                  name: conversationID,
                  title: () => nameOfSetting(setting),
                  place: at,
                  load: changedRows(setting),
                }),
              );
            }}
          >
            {history.download}
          </button>
          {(setBackBy?.users ?? 0) < changed && (
            <button
              type="button"
              aria-expanded={isAsking.value}
              disabled={isUnderWay}
              onClick={() => {
                isAsking.value = !isAsking.value;
              }}
            >
              {history.setBack}
            </button>
          )}
        </p>
      )}
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
    </div>
  );
}

/** Loads the users whom a setting has changed, with the values that were there before, if these are known. */
function changedRows({ settingID, requests, changed }: KeptSetting) {
  return rowsInParts(changed, requests, async (request, signal) => {
    const parts = (await readRequest(settingID, request, signal)).changed ?? [];
    return parts.flatMap(({ before, userIDs }) => userIDs.map((userID) => ({ userID, ...before })));
  });
}
