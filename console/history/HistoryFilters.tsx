import { fieldNames, groupConversationID } from "../conversations/draft.js";
import { fieldName } from "../conversations/fieldText.js";
import { messages } from "../language/language.js";
import { unquoted } from "../parts/pasted.js";
import { go } from "../places/address.js";
import { type PlaceOf, startOf } from "../places/place.js";

/** The fields that this console does not set. */
const otherNames = ["minSeq", "maxSeq", "groupAtType", "isMsgDestruct", "msgDestructTime"] as const;

/** Which settings the history shows. Each filter is in the address. */
export function HistoryFilters({ at }: { at: PlaceOf<"history"> }) {
  const { history } = messages.value;
  const choose = (changes: Partial<PlaceOf<"history">>) => go({ ...startOf(at), ...changes });
  return (
    <div class="toolbar">
      {(["conversation", "user", "admin"] as const).map((name) => (
        <input
          key={name}
          type="search"
          class="search"
          aria-label={history[name]}
          placeholder={history[name]}
          value={at[name] ?? ""}
          maxLength={255}
          spellcheck={false}
          onChange={({ currentTarget }) => {
            const id = unquoted(currentTarget.value);
            choose({ [name]: name === "conversation" && !/^s[gin]_/.test(id) ? groupConversationID(id) : id });
          }}
        />
      ))}
      <input
        type="date"
        aria-label={history.day}
        value={at.day ?? ""}
        onChange={({ currentTarget }) => choose({ day: currentTarget.value })}
      />
      <select
        aria-label={history.field}
        value={at.field ?? ""}
        onChange={({ currentTarget }) => choose({ field: currentTarget.value })}
      >
        <option value="">{history.allFields}</option>
        {[...fieldNames, ...otherNames].map((name) => (
          <option key={name} value={name}>
            {fieldName(name)}
          </option>
        ))}
      </select>
    </div>
  );
}
