import { administrator, signOut } from "../api/session.js";
import { messages } from "../language/language.js";
import { Avatar } from "./Avatar.js";
import { Until } from "./Until.js";

/** Who is signed in, and until when. */
export function Account() {
  const holder = administrator.value;
  const { shell, session } = messages.value;
  return (
    <div class="account">
      <Avatar name={holder?.userID ?? "?"} />
      <p>
        <bdi class="name">{holder?.userID ?? shell.signedIn}</bdi>
        {holder && (
          <span class="faint">
            <Until holder={holder} />
          </span>
        )}
      </p>
      <button type="button" class="quiet" onClick={() => signOut()}>
        {session.signOut}
      </button>
    </div>
  );
}
