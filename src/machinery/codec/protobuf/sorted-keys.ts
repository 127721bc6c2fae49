import { compareUtf8 } from '../json/go-text.ts';

/** The keys of a map in the order of their UTF-8 bytes, as Go sorts strings. Most have that order. */
export function sortedKeys(map: object): string[] {
  const keys = Object.keys(map);
  for (let index = 1; index < keys.length; index++) {
    if (compareUtf8(keys[index - 1] as string, keys[index] as string) > 0) return keys.sort(compareUtf8);
  }
  return keys;
}
