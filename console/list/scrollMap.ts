/** The greatest height of an element, in pixels. Browsers limit it, Firefox to about 17 million. */
const mostPixels = 4_000_000;
/** How far from both ends the scrollbar moves exactly as far as the rows, in heights of the view. */
const endViews = 20;

/**
 * Maps the scrollbar of a list to its rows. If the list is taller than an element may be, its scrollbar is shorter. A
 * large move of it then moves the rows in proportion. A small move, such as that of a wheel, moves the rows by the same
 * distance. So does each move near both ends, and a wheel reaches the first and the last row.
 */
export class ScrollMap {
  readonly total: number;
  readonly rowHeight: number;
  readonly viewHeight: number;
  /** The height of all rows. */
  readonly contentHeight: number;
  /** The height of the element that the browser scrolls. */
  readonly scrollHeight: number;

  constructor(total: number, rowHeight: number, viewHeight: number) {
    this.total = total;
    this.rowHeight = rowHeight;
    this.viewHeight = viewHeight;
    this.contentHeight = total * rowHeight;
    this.scrollHeight = Math.min(this.contentHeight, mostPixels);
  }

  /** The largest distance of the view from the first row. */
  get lastTop(): number {
    return Math.max(0, this.contentHeight - this.viewHeight);
  }

  get lastScrollTop(): number {
    return Math.max(0, this.scrollHeight - this.viewHeight);
  }

  /** Limits a distance from the first row to the list. */
  clamp(top: number): number {
    return Math.min(Math.max(0, top), this.lastTop);
  }

  /** The distance of the view from the first row after the scrollbar has moved. */
  moved(top: number, from: number, to: number): number {
    const isStep = Math.abs(to - from) < 2 * this.viewHeight;
    return this.clamp(isStep ? top + (to - from) : this.topOf(to));
  }

  /** The distance of the view from the first row for a position of the scrollbar. */
  topOf(scrollTop: number): number {
    return mapped(scrollTop, this.lastScrollTop, this.lastTop, this.#end);
  }

  /** The position of the scrollbar for a distance of the view from the first row. */
  scrollTopOf(top: number): number {
    return mapped(top, this.lastTop, this.lastScrollTop, this.#end);
  }

  /** The height of each end. Half of the scrollbar is left for the rows between them. */
  get #end(): number {
    return Math.min(endViews * this.viewHeight, this.lastScrollTop / 4);
  }

  /** The index of the row at a distance. */
  rowAt(top: number): number {
    return Math.floor(top / this.rowHeight);
  }
}

/** Maps 0 to `from` on 0 to `to`. Within `end` of an end, it keeps the distance to that end; between, the proportion. */
function mapped(value: number, from: number, to: number, end: number): number {
  if (value <= end) return value;
  if (from - value <= end) return to - (from - value);
  return end + ((value - end) * (to - 2 * end)) / (from - 2 * end);
}
