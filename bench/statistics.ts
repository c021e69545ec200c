/** A figure over all rounds. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** The value that a share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error("there is nothing to take a quantile of");
  return value;
}

/** The one in the middle; between the two in the middle where there is no such one. */
export function median(values: readonly number[]): number {
  const reversed = values.map((value) => -value);
  return (quantile(values, 0.5) - quantile(reversed, 0.5)) / 2;
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** The ratio of two figures, round by round. A slow round slows both, and so does not change it. */
export function ratios(values: readonly number[], others: readonly number[]): Spread {
  return spread(
    values.map((value, round) => {
      const other = others[round];
      if (other === undefined) throw new Error("both figures must have the same rounds");
      return value / other;
    }),
  );
}
