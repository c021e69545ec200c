/** How tall an element may be, in pixels: browsers limit it, Firefox to about 17 million. */
const mostPixels = 4_000_000;
/** How far from both ends the scrollbar moves by as much as the rows, in heights of the view. */
const endViews = 20;

/**
 * How the scrollbar of a list stands for its rows. A list that is taller than an element may be has a shorter scrollbar,
 * on which large moves count in proportion, and small ones, as those of a wheel, as they are. Near both ends all of them
 * count as they are, so that a wheel reaches the first and the last row.
 */
export class ScrollMap {
  readonly total: number;
  readonly rowHeight: number;
  readonly viewHeight: number;
  /** The height of all rows. */
  readonly contentHeight: number;
  /** The height of what is scrolled in their place. */
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

  /** A distance from the first row, kept within the list. */
  clamp(top: number): number {
    return Math.min(Math.max(0, top), this.lastTop);
  }

  /** The distance of the view from the first row after the scrollbar has moved. */
  moved(top: number, from: number, to: number): number {
    const isStep = Math.abs(to - from) < 2 * this.viewHeight;
    return this.clamp(isStep ? top + (to - from) : this.topOf(to));
  }

  /** The distance of the view from the first row for a place of the scrollbar. */
  topOf(scrollTop: number): number {
    return mapped(scrollTop, this.lastScrollTop, this.lastTop, this.#end);
  }

  /** The place of the scrollbar for a distance of the view from the first row. */
  scrollTopOf(top: number): number {
    return mapped(top, this.lastTop, this.lastScrollTop, this.#end);
  }

  /** The height of each end; both leave half of the scrollbar to what lies between. */
  get #end(): number {
    return Math.min(endViews * this.viewHeight, this.lastScrollTop / 4);
  }

  /** The index of the row that a distance lies in. */
  rowAt(top: number): number {
    return Math.floor(top / this.rowHeight);
  }
}

/** Maps 0 to `from` on 0 to `to`: within `end` of both ends by the same distance from them, and in proportion between. */
function mapped(value: number, from: number, to: number, end: number): number {
  if (value <= end) return value;
  if (from - value <= end) return to - (from - value);
  return end + ((value - end) * (to - 2 * end)) / (from - 2 * end);
}
