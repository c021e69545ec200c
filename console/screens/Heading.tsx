import { messages } from "../language/language.js";
import { CopyButton } from "../parts/CopyButton.js";

/** The name of a group or a user, as far as it is known, and its ID. */
export function Heading({ name, id }: { name: string; id: string }) {
  return (
    <div class="heading">
      <h1>
        <bdi>{name || id}</bdi>
      </h1>
      {name !== "" && <bdi class="id">{id}</bdi>}
      <CopyButton label={messages.value.failure.copy} text={() => id} />
    </div>
  );
}
