export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Change of `values` for each step, by least squares. */
export function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = sum(values) / values.length;
  const deviation = (index: number): number => index - middle;
  const over = sum(values.map((value, index) => deviation(index) * (value - mean)));
  return over / sum(values.map((_, index) => deviation(index) ** 2));
}

const widths = [42, 12, 12];

/** A line of a table; the first cell is its title. */
export function line(title: string, ...cells: readonly (number | string)[]): string {
  const shown = cells.map((cell) =>
    (typeof cell === 'string' ? cell : cell.toFixed(Math.abs(cell) < 100 ? 2 : 0)).padStart(widths[1] as number),
  );
  return `${title.padEnd(widths[0] as number)}${shown.join('')}`;
}
