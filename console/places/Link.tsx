import type { ComponentChildren } from "preact";
import { go } from "./address.js";
import { formatPlace, type Place } from "./place.js";
import { refresh } from "./refresh.js";

interface LinkProps {
  to: Place;
  children: ComponentChildren;
  class?: string | undefined;
  /** Whether it leads to the present place. */
  isCurrent?: boolean;
  onGo?: (() => void) | undefined;
}

/** A link within the console. It has an address, which can be copied or opened in another tab. */
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
        // A link to the present place refreshes it, unless the place is a form.
        if (isCurrent && to.screen !== "conversations") refresh();
        else go(to);
      }}
    >
      {children}
    </a>
  );
}
