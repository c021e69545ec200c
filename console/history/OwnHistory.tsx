import type { Setting } from "../conversations/setting.js";
import { messages } from "../language/language.js";
import { CsvDownload } from "../list/csvDownload.js";
import { beginTask } from "../tasks/task.js";
import { nameOfSetting } from "./nameOfSetting.js";
import { ownSettings } from "./ownSettings.js";
import { rowsInParts } from "./rowsInParts.js";
import { SettingRow, SettingTable } from "./SettingTable.js";

/** What this tab has set, as far as it knows from the answers. */
export function OwnHistory() {
  const { history } = messages.value;
  return (
    <section class="history">
      <h1>{history.title}</h1>
      <p class="faint">{history.own}</p>
      {ownSettings.value.length === 0 && <p class="faint">{history.noneOwn}</p>}
      {ownSettings.value.length > 0 && (
        <SettingTable label={history.title}>
          {ownSettings.value.map((setting) => (
            <OwnSetting key={setting.operationID} setting={setting} />
          ))}
        </SettingTable>
      )}
    </section>
  );
}

const outcomes = { running: "unknown", stopped: "done", done: "done", failed: "failed" } as const;

function OwnSetting({ setting }: { setting: Setting }) {
  const { history } = messages.value;
  const { conversation, place } = setting;
  const { conversationID, conversationType: _, ...rest } = conversation;
  const { userID, groupID, ...fields } = { userID: "", groupID: "", ...rest };
  const { count, batches } = setting.usersWith("changed");
  const { time, adminUserID, operationID } = setting;
  const subject = { conversationID, userID: userID ?? "", groupID: groupID ?? "" };
  const outcome = outcomes[setting.state.value];
  const load = rowsInParts(count, batches.length, async (part) => (batches[part] ?? []).map((userID) => ({ userID })));
  return (
    <SettingRow
      setting={{ time, adminUserID, operationID, ...subject, fields, outcome, users: count }}
      users={setting.outcome(messages.value)}
      action={
        count > 0 && (
          <button
            type="button"
            onClick={() =>
              beginTask(new CsvDownload({ name: conversationID, title: () => nameOfSetting(subject), place, load }))
            }
          >
            {history.download}
          </button>
        )
      }
    />
  );
}
