// Upstream: std/net/http/header.go, std/net/url#PathUnescape
import { headerText } from './header-text.ts';
import type { RequestSource } from './request.ts';

/** Name and value of each header line in turn, as they came. */
export type HeaderLines = readonly string[];

/**
 * The header lines of a request. Node joins lines of one name with commas, and a comma may be part of a value: identity must be read
 * from here.
 */
export function headerLines({ lines, headers }: RequestSource): HeaderLines {
  return lines ?? Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().flatMap((one) => [name, one]));
}

/** The texts of all lines with this name (lower case), in order. */
export function headerValues(lines: HeaderLines, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    if ((lines[at] as string).toLowerCase() === name) values.push(headerText(lines[at + 1] as string));
  }
  return values;
}

/** The text of the first line with this name, even if it is empty and a later one is not; '' when there is none. */
export function firstHeaderValue(lines: HeaderLines, name: string): string {
  for (let at = 0; at < lines.length; at += 2) {
    if ((lines[at] as string).toLowerCase() === name) return headerText(lines[at + 1] as string);
  }
  return '';
}

/** What follows the prefix in the names of headers, each with the texts of its lines. The rest of a name may be percent-encoded. */
export function prefixedHeaderValues(lines: HeaderLines, prefixes: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const prefix of prefixes) {
    for (let at = 0; at < lines.length; at += 2) {
      const name = (lines[at] as string).toLowerCase();
      if (!name.startsWith(prefix)) continue;
      const key = unescapeKey(name.slice(prefix.length));
      const values = found.get(key);
      const value = headerText(lines[at + 1] as string);
      if (values === undefined) found.set(key, [value]);
      else values.push(value);
    }
  }
  return found;
}

/** Malformed escapes are kept as they are: nothing that is said is lost. */
function unescapeKey(key: string): string {
  if (!key.includes('%') || /%(?![0-9A-Fa-f]{2})/.test(key)) return key;
  return headerText(key.replaceAll(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))));
}
