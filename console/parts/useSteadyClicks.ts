import { useRef } from "preact/hooks";

/**
 * Handlers that stop a click if what is under the pointer has changed since the button was pressed. An element may show
 * another item or another button by then.
 */
export function useSteadyClicks(...shown: readonly unknown[]) {
  const pressed = useRef(shown);
  return {
    onPointerDownCapture(): void {
      pressed.current = shown;
    },
    onClickCapture(event: MouseEvent): void {
      const isByPointer = event.detail > 0;
      if (!isByPointer || shown.every((what, index) => what === pressed.current[index])) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
