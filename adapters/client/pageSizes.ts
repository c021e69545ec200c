/** A page in the interface's numbers, which has the items from an offset on. */
export interface SizedPage {
  pageNumber: number;
  showNumber: number;
}

/** The largest page of so many items at most that begins at an offset: pages begin at multiples of their length. */
export function pageFrom(offset: number, most: number): SizedPage {
  let showNumber = most;
  while (offset > 0 && offset % showNumber !== 0) showNumber--;
  return { pageNumber: offset / showNumber + 1, showNumber };
}

/** How many items fit on a page, if it was refused since so many items have too many bytes. */
export function fittingIn(errDlt: string): number | undefined {
  const [, fitting] = /pagination\.showNumber must be at most (\d+): more have over \d+ bytes$/.exec(errDlt) ?? [];
  return fitting === undefined ? undefined : Number(fitting);
}
