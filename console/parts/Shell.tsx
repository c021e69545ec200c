import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isKept } from "../history/history.js";
import { ownSettings } from "../history/ownSettings.js";
import { messages } from "../language/language.js";
import { place } from "../places/address.js";
import { Link } from "../places/Link.js";
import { pinned, recentSubjects, subjectOf } from "../places/subjects.js";
import { TaskBar } from "../tasks/TaskBar.js";
import { Account } from "./Account.js";
import { Brand } from "./Brand.js";
import { Choices } from "./Choices.js";
import { Icon } from "./Icon.js";
import { OpenField } from "./OpenField.js";
import { SubjectLinks } from "./SubjectLinks.js";

/** The frame of every screen, with links to the others. */
export function Shell({ children }: { children: ComponentChildren }) {
  const isOpen = useSignal(false);
  const main = useRef<HTMLElement>(null);
  const close = () => {
    isOpen.value = false;
  };
  const { accounts, conversations, history, navigation, open, shell } = messages.value;
  const at = place.value;
  const current = subjectOf(at);
  // A new screen has the focus, unless the address has brought it, or details in it have the focus already.
  const screen = `${at.screen} ${current?.id}`;
  const shown = useRef(screen);
  useEffect(() => {
    if (shown.current !== screen && !main.current?.contains(document.activeElement)) {
      main.current?.focus({ preventScroll: true });
    }
    shown.current = screen;
  }, [screen]);

  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {shell.skip}
      </button>
      <header class={isOpen.value ? "side opened" : "side"}>
        <div class="brand">
          <Link to={{ screen: "start" }} onGo={close}>
            <Brand />
          </Link>
        </div>
        {/* The start screen has a large one. An answer to an earlier screen must not lead away from a later one. */}
        {at.screen !== "start" && <OpenField key={screen} onGo={close} />}
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
        <div class="side-body">
          <nav aria-label={navigation.label}>
            <Link
              to={{ screen: "accounts", keyword: "", level: 0, row: 1 }}
              isCurrent={at.screen === "accounts"}
              onGo={close}
            >
              <Icon name="bell" />
              {accounts.title}
            </Link>
            <Link to={{ screen: "conversations", groupID: "" }} isCurrent={at.screen === "conversations"} onGo={close}>
              <Icon name="sliders" />
              {conversations.title}
            </Link>
            {(isKept.value || ownSettings.value.length > 0) && (
              <Link to={{ screen: "history", row: 1 }} isCurrent={at.screen === "history"} onGo={close}>
                <Icon name="clock" />
                {history.title}
              </Link>
            )}
          </nav>
          <SubjectLinks label={shell.pinned} subjects={pinned.value} current={current} onGo={close} />
          <SubjectLinks label={open.recent} subjects={recentSubjects.value} current={current} onGo={close} />
          <div class="side-end">
            <Account />
            <Choices />
          </div>
        </div>
        <TaskBar />
      </header>
      <main ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
