import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type CallFailure, hasFailed } from "../api/callFailure.js";
import { useNewest } from "../api/useNewest.js";
import { fieldName } from "../conversations/fieldText.js";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { CopyButton } from "../parts/CopyButton.js";
import { FailureNote } from "../parts/FailureNote.js";
import { shownName } from "../parts/shownName.js";
import { Link } from "../places/Link.js";
import { nameOf } from "../places/names.js";
import { placeOf } from "../places/subjects.js";
import { FieldList } from "./FieldList.js";
import type { KeptSetting } from "./history.js";
import { nothingRead, readBefore } from "./readBefore.js";

/** The users whom a setting has changed, by what was there before. */
export function BeforeTable({ setting }: { setting: KeptSetting }) {
  const { conversations, history } = messages.value;
  const { settingID, requests, changed, setsBack, cut = [] } = setting;
  const summary = useSignal(nothingRead);
  const failure = useSignal<CallFailure | undefined>(undefined);
  const begin = useNewest();
  async function read(): Promise<void> {
    const signal = begin();
    failure.value = undefined;
    try {
      for await (const found of readBefore(setting, signal)) summary.value = found;
    } catch (error) {
      if (hasFailed(error, signal)) failure.value = error;
    }
  }
  useEffect(() => {
    void read();
    // Requests may join a setting later.
  }, [settingID, requests, changed]);

  const { kinds, others, read: count, fields } = summary.value;
  if (failure.value !== undefined) return <FailureNote failure={failure.value} onRetry={read} />;
  // Setting back gives each user other values.
  const after = setsBack === undefined && <FieldList fields={fields} />;
  return (
    <>
      {count < requests && <p role="status">{history.reading(formatCount(count), formatCount(requests))}</p>}
      {kinds.length === 0 && count === requests && changed > 0 && <p class="faint">{history.notTold}</p>}
      {kinds.length === 0 && after}
      {cut.map((name) => (
        <p key={name}>
          <CopyButton isLoud label={history.copyWhole(fieldName(name))} text={() => String(fields[name])} />
        </p>
      ))}
      <table class="requests" aria-label={history.before} hidden={kinds.length === 0}>
        <thead>
          <tr>
            <th scope="col">{history.before}</th>
            {after && <th scope="col">{history.after}</th>}
            <th scope="col">{history.users}</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map(({ before, users, named }) => (
            <tr key={JSON.stringify(before)}>
              <td>
                <FieldList fields={before} />
              </td>
              {after && <td>{after}</td>}
              <td>
                <details>
                  <summary>{conversations.count(formatCount(users))}</summary>
                  <ul class="named">
                    {named.map((id) => (
                      <li key={id}>
                        <Link to={placeOf({ kind: "user", id })}>
                          <bdi>{shownName(nameOf("user", id), id)}</bdi>
                        </Link>
                      </li>
                    ))}
                  </ul>
                  {users > named.length && <p class="faint">{history.more(formatCount(users - named.length))}</p>}
                </details>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {others > 0 && <p class="faint">{history.otherValues(formatCount(others))}</p>}
    </>
  );
}
