import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { signOut } from "../api/session.js";
import { messages } from "../language/language.js";
import { place } from "../places/address.js";
import { Link } from "../places/Link.js";
import { formatPlace } from "../places/place.js";
import { recentPlaces } from "../places/recent.js";
import { titleOf } from "../places/titles.js";
import { TaskBar } from "../tasks/TaskBar.js";
import { Choices } from "./Choices.js";
import { OpenForm } from "./OpenForm.js";

/** What stands around every screen: the ways to others. */
export function Shell({ children }: { children: ComponentChildren }) {
  const isOpen = useSignal(false);
  const close = () => {
    isOpen.value = false;
  };
  const texts = messages.value;
  const { navigation, open, session } = texts;
  const at = place.value;

  return (
    <div class="shell">
      <header class={isOpen.value ? "side opened" : "side"}>
        <div class="brand">
          <Link to={{ screen: "start" }} onGo={close}>
            im-admin
          </Link>
          <button
            type="button"
            class="menu quiet"
            aria-expanded={isOpen.value}
            onClick={() => {
              isOpen.value = !isOpen.value;
            }}
          >
            {navigation.menu}
          </button>
        </div>
        <div class="side-body">
          <OpenForm onGo={close} />
          <nav aria-label={navigation.label}>
            <Link
              to={{ screen: "accounts", keyword: "", level: 0, row: 1 }}
              isCurrent={at.screen === "accounts"}
              onGo={close}
            >
              {navigation.accounts}
            </Link>
            <Link to={{ screen: "conversations", groupID: "" }} isCurrent={at.screen === "conversations"} onGo={close}>
              {navigation.conversations}
            </Link>
          </nav>
          {recentPlaces.value.length > 0 && (
            <nav aria-label={open.recent}>
              <h2>{open.recent}</h2>
              {recentPlaces.value.map((recent) => (
                <Link key={formatPlace(recent)} to={recent} isCurrent={isOf(recent, at)} onGo={close}>
                  {titleOf(recent, texts)}
                </Link>
              ))}
            </nav>
          )}
          <div class="side-end">
            <Choices />
            <button type="button" class="quiet" onClick={() => signOut()}>
              {session.signOut}
            </button>
          </div>
        </div>
        <TaskBar />
      </header>
      <main>{children}</main>
    </div>
  );
}

function isOf(recent: typeof place.value, at: typeof place.value): boolean {
  if (recent.screen === "members") return at.screen === "members" && at.groupID === recent.groupID;
  return "userID" in recent && "userID" in at && at.userID === recent.userID;
}
