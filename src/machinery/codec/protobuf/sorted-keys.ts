/** The keys of a map in the order of their UTF-8 bytes, as Go sorts strings; JavaScript compares UTF-16 units. */
export function sortedKeys(map: object): string[] {
  const keys = Object.keys(map);
  if (keys.length < 2) return keys;
  keys.sort();
  return keys.some((key) => /[\ud800-\uffff]/.test(key)) ? keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))) : keys;
}
