interface Rows {
  /** The row that keys act on; -1 if there is none yet. */
  current: number;
  /** The first row in view. */
  first: number;
  /** How many rows are in view. */
  inView: number;
  rows: number;
}

/** The row that a key leads to; undefined for any other key. */
export function moveOf(key: string, { current, first, inView, rows }: Rows): number | undefined {
  const start = current < 0 ? first : current;
  const screenful = Math.max(1, inView - 1);
  const to = {
    ArrowDown: current < 0 ? first : current + 1,
    ArrowUp: start - 1,
    PageDown: start + screenful,
    PageUp: start - screenful,
    Home: 0,
    End: rows - 1,
  }[key];
  return to === undefined ? undefined : Math.min(Math.max(0, to), rows - 1);
}
