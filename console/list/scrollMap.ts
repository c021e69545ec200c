/** How tall an element may be, in pixels: browsers limit it, Firefox to about 17 million. */
const mostPixels = 4_000_000;

/**
 * How the scrollbar of a list stands for its rows. A list that is taller than an element may be has a shorter scrollbar,
 * on which large moves count in proportion, and small ones, as those of a wheel, as they are.
 */
export class ScrollMap {
  readonly rowHeight: number;
  readonly viewHeight: number;
  /** The height of all rows. */
  readonly contentHeight: number;
  /** The height of what is scrolled in their place. */
  readonly scrollHeight: number;

  constructor(total: number, rowHeight: number, viewHeight: number) {
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

  topOf(scrollTop: number): number {
    return this.lastScrollTop === 0 ? 0 : (scrollTop / this.lastScrollTop) * this.lastTop;
  }

  scrollTopOf(top: number): number {
    return this.lastTop === 0 ? 0 : (top / this.lastTop) * this.lastScrollTop;
  }

  /** The index of the row that a distance lies in. */
  rowAt(top: number): number {
    return Math.floor(top / this.rowHeight);
  }
}
