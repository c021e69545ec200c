import { messages } from "../language/language.js";
import { CopyButton } from "../parts/CopyButton.js";

interface HeadingProps {
  kind: "group" | "user";
  name: string;
  id: string;
}

/** The name of a group or a user, as far as it is known, and its ID. */
export function Heading({ kind, name, id }: HeadingProps) {
  return (
    <div class="heading">
      <span class="faint">{messages.value.open[kind]}</span>
      <h1>
        <bdi>{name || id}</bdi>
      </h1>
      {name !== "" && <bdi class="id">{id}</bdi>}
      <CopyButton label={messages.value.failure.copy} text={() => id} />
    </div>
  );
}
