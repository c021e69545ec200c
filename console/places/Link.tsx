import type { ComponentChildren } from "preact";
import { go } from "./address.js";
import { formatPlace, type Place } from "./place.js";
import { refresh } from "./refresh.js";

interface LinkProps {
  to: Place;
  children: ComponentChildren;
  class?: string | undefined;
  /** Whether it leads to where the administrator is. */
  isCurrent?: boolean;
  onGo?: (() => void) | undefined;
}

/** A link within the console. It has an address, so that it may be opened in another tab or copied. */
export function Link({ to, children, class: name, isCurrent, onGo }: LinkProps) {
  return (
    <a
      href={formatPlace(to)}
      class={name}
      aria-current={isCurrent ? "page" : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        onGo?.();
        // Where somebody is already, there may be news; a form is not asked for again.
        if (isCurrent && to.screen !== "conversations") refresh();
        else go(to);
      }}
    >
      {children}
    </a>
  );
}
