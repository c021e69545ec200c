import { messages } from "../language/language.js";
import { OpenForm } from "../parts/OpenForm.js";
import { Link } from "../places/Link.js";

/** Where an administrator begins. */
export function StartScreen() {
  const { start } = messages.value;
  return (
    <section class="start">
      <h1>{start.title}</h1>
      <p class="faint">{start.lead}</p>
      <OpenForm />
      <div class="ways">
        <Link to={{ screen: "accounts", keyword: "", level: 0, row: 1 }}>
          <strong>{start.accounts}</strong>
          <span>{start.accountsLead}</span>
        </Link>
        <Link to={{ screen: "conversations", groupID: "" }}>
          <strong>{start.conversations}</strong>
          <span>{start.conversationsLead}</span>
        </Link>
      </div>
    </section>
  );
}
