import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { messages } from "../language/language.js";
import { go } from "../places/address.js";

/** Opens a group or a user by its ID. */
export function OpenForm({ onGo }: { onGo?: (() => void) | undefined }) {
  const id = useSignal("");
  const field = useId();
  const { open } = messages.value;

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const given = id.value.trim();
    if (given === "") return;
    const isUser = event.submitter?.getAttribute("name") === "user";
    onGo?.();
    id.value = "";
    if (isUser) go({ screen: "groups", userID: given, row: 1 });
    else go({ screen: "members", groupID: given, keyword: "", filter: 0, row: 1 });
  }

  return (
    <form class="open" onSubmit={submit}>
      <label for={field}>{open.label}</label>
      <input
        id={field}
        value={id.value}
        required
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        onInput={({ currentTarget }) => {
          id.value = currentTarget.value;
        }}
      />
      <div class="pair">
        <button type="submit" name="group">
          {open.group}
        </button>
        <button type="submit" name="user">
          {open.user}
        </button>
      </div>
    </form>
  );
}
