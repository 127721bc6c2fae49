/** The places of values that stand in front of them too. */
export function repeatsIn(values: readonly unknown[]): ReadonlySet<number> {
  const seen = new Set<unknown>();
  const repeats = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) repeats.add(index);
    else seen.add(value);
  }
  return repeats;
}
