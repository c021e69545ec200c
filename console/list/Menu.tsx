import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

interface MenuProps {
  label: string;
  isDisabled?: boolean;
  isPrimary?: boolean;
  /** Buttons and links. */
  children: ComponentChildren;
}

const entries = "button, a";

/** A button that opens a menu. The browser closes the menu on Escape, and on a click elsewhere. */
export function Menu({ label, isDisabled, isPrimary, children }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const items = useRef<HTMLDivElement>(null);
  const id = useId();
  const isOpen = useSignal(false);

  function place(event: ToggleEvent): void {
    const box = button.current?.getBoundingClientRect();
    const { current } = items;
    if (event.newState !== "open" || box === undefined || current === null) return;
    current.style.top = `${box.bottom + 4}px`;
    current.style.left = `${Math.max(8, Math.min(box.left, innerWidth - current.offsetWidth - 8))}px`;
    current.querySelector<HTMLElement>(entries)?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = [...(items.current?.querySelectorAll<HTMLElement>(entries) ?? [])];
    const at = all.findIndex((item) => item.matches(":focus"));
    if (way === undefined) return;
    all.at((at + way) % all.length)?.focus();
    event.preventDefault();
    // This menu may be in another one.
    event.stopPropagation();
  }

  return (
    <>
      <button
        type="button"
        class={isPrimary ? "primary" : ""}
        ref={button}
        popovertarget={id}
        disabled={isDisabled}
        aria-haspopup="true"
      >
        {label} <span aria-hidden="true">▾</span>
      </button>
      <div
        ref={items}
        id={id}
        class="menu-items"
        popover="auto"
        role="group"
        aria-label={label}
        onBeforeToggle={({ newState }) => {
          isOpen.value = newState === "open";
        }}
        onToggle={place}
        onKeyDown={onKeyDown}
      >
        {isOpen.value && children}
      </div>
    </>
  );
}
