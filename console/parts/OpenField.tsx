import { useComputed, useSignal } from "@preact/signals";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { hasFailed } from "../api/callFailure.js";
import { useNewest } from "../api/useNewest.js";
import { messages } from "../language/language.js";
import { go } from "../places/address.js";
import { kindsWith } from "../places/find.js";
import { nameOf } from "../places/names.js";
import { parsePlace } from "../places/place.js";
import { pinned, placeOf, recentSubjects, type Subject } from "../places/subjects.js";
import { failureTitle } from "./failureTitle.js";
import { Icon } from "./Icon.js";
import { PinnedSearch } from "./PinnedSearch.js";
import { cleaned, fragmentIn, idsMeant } from "./pasted.js";
import { shownName } from "./shownName.js";

/** Opens a group or a user: a known one by a part of its name or ID, or any by its whole ID. */
export function OpenField({ onGo }: { onGo?: (() => void) | undefined }) {
  const text = useSignal("");
  const isOpen = useSignal(false);
  const active = useSignal(-1);
  /** The group and the user with the ID, if both exist. */
  const found = useSignal<readonly Subject[]>([]);
  const note = useSignal("");
  /** What was sought, if it is neither an ID nor a part of a known name. */
  const missing = useSignal("");
  const field = useRef<HTMLInputElement>(null);
  const begin = useNewest();
  const listID = useId();
  const { open } = messages.value;
  const offered = useComputed(() => {
    if (found.value.length > 0) return found.value;
    const sought = folded(cleaned(text.value));
    return [...pinned.value, ...recentSubjects.value].filter(({ kind, id }) =>
      folded(`${nameOf(kind, id)} ${id}`).includes(sought),
    );
  }).value;
  useKeys(field);

  function leave(): void {
    change("");
    isOpen.value = false;
    field.current?.blur();
    onGo?.();
  }

  function show(subject: Subject): void {
    leave();
    go(placeOf(subject));
  }

  function change(given: string): void {
    // What was sought before is wanted no more.
    begin();
    text.value = given;
    active.value = -1;
    found.value = [];
    note.value = "";
    missing.value = "";
    isOpen.value = true;
  }

  async function submit(): Promise<void> {
    const chosen = offered[active.value];
    if (chosen !== undefined) return show(chosen);
    const fragment = fragmentIn(text.value);
    if (fragment !== undefined) {
      leave();
      return go(parsePlace(fragment));
    }
    const id = cleaned(text.value);
    if (id === "") return;
    const signal = begin();
    note.value = open.searching;
    try {
      const { subjects, leftOut } = await findMeant(text.value, signal);
      const [only] = subjects;
      if (only !== undefined && leftOut !== "") {
        found.value = subjects;
        note.value = open.leftOut(leftOut);
        active.value = 0;
        return;
      }
      if (only !== undefined && subjects.length === 1) return show(only);
      // Nobody has this ID. It may be a part of a name.
      const [match] = offered;
      if (only === undefined && match !== undefined && offered.length === 1) return show(match);
      found.value = subjects;
      if (only !== undefined) note.value = open.both;
      else note.value = match === undefined ? open.none(id) : open.choose;
      if (only === undefined && match !== undefined) active.value = 0;
      if (only === undefined && match === undefined) missing.value = id;
      isOpen.value = true;
    } catch (error) {
      if (hasFailed(error, signal)) note.value = failureTitle(error, messages.value);
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      if (text.value === "") field.current?.blur();
      change("");
      isOpen.value = false;
    } else if (event.key === "Enter") void submit();
    else if (event.key === "ArrowDown") active.value = Math.min(offered.length - 1, active.value + 1);
    else if (event.key === "ArrowUp") active.value = Math.max(-1, active.value - 1);
    else return;
    event.preventDefault();
  }

  const isShown = isOpen.value && (offered.length > 0 || note.value !== "");
  return (
    <search
      class="open"
      onFocusOut={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) isOpen.value = false;
      }}
    >
      <Icon name="search" />
      <input
        ref={field}
        role="combobox"
        aria-label={open.label}
        aria-expanded={isShown}
        aria-controls={listID}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active.value >= 0 ? `${listID}-${active.value}` : undefined}
        placeholder={open.hint}
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        enterkeyhint="go"
        value={text.value}
        onFocus={() => {
          isOpen.value = true;
        }}
        onInput={({ currentTarget }) => change(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
      <div class="open-list" hidden={!isShown}>
        <div role="listbox" id={listID} aria-label={open.label}>
          {offered.map((subject, index) => (
            // The field has the focus, and handles the keys.
            // biome-ignore lint/a11y/useKeyWithClickEvents: see above
            // biome-ignore lint/a11y/useFocusableInteractive: see above
            <div
              role="option"
              key={`${subject.kind} ${subject.id}`}
              id={`${listID}-${index}`}
              aria-selected={index === active.value}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => show(subject)}
            >
              <Icon name={subject.kind} />
              <bdi class="name">{shownName(nameOf(subject.kind, subject.id), subject.id)}</bdi>
              {isNamesake(subject, offered) && <bdi class="id">{subject.id}</bdi>}
              <span class="faint">{open[subject.kind]}</span>
            </div>
          ))}
        </div>
        <p role="status">{note.value}</p>
        {missing.value !== "" && <PinnedSearch key={missing.value} keyword={missing.value} onGo={leave} />}
      </div>
    </search>
  );
}

/** The group and the user that a text may mean, by their ID. */
async function findMeant(text: string, signal: AbortSignal): Promise<{ subjects: Subject[]; leftOut: string }> {
  for (const { id, leftOut } of idsMeant(text)) {
    const kinds = await kindsWith(id, signal);
    if (kinds.length > 0) return { subjects: kinds.map((kind) => ({ kind, id })), leftOut };
  }
  return { subjects: [], leftOut: "" };
}

/** A text without accents and capitals: "ipek" finds "İpek". */
function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Whether others that are offered have the same name. */
function isNamesake({ kind, id }: Subject, offered: readonly Subject[]): boolean {
  const name = nameOf(kind, id);
  return name !== "" && offered.filter((one) => nameOf(one.kind, one.id) === name).length > 1;
}

/** `/` and Ctrl-K lead into the field, unless the administrator is typing elsewhere. */
function useKeys(field: { current: HTMLInputElement | null }): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isWriting = event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
      const isShortcut = event.key === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isShortcut && (event.key !== "/" || isWriting || event.ctrlKey || event.metaKey || event.altKey)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
