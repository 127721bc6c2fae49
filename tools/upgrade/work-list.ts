import { breadcrumbLines, parseBreadcrumbs } from '../check/breadcrumbs.ts';
import type { Breadcrumb } from '../check/breadcrumbs.ts';
import type { Source } from '../check/sources.ts';
import type { UpstreamModules } from '../breadcrumbs/upstream-modules.ts';
import { expand, sourceOf, wordPattern } from '../breadcrumbs/upstream-modules.ts';
import { declarationsOf, textsOf } from './go-declarations.ts';
import type { Facts } from './release-facts.ts';

/** One of our files that follows something of upstream that is no longer the same. */
export interface FollowedChange {
  readonly path: string;
  readonly line: number;
  readonly place: string;
  /** declarations that came, went or changed; empty where the whole place went */
  readonly declarations: readonly string[];
  /** texts that came with them or went with them: many are messages that clients see */
  readonly texts: readonly string[];
}

export async function followedChanges(sources: readonly Source[], from: UpstreamModules, to: UpstreamModules): Promise<FollowedChange[]> {
  const changes: FollowedChange[] = [];
  for (const { path, text } of sources) {
    for (const { line, text: comment } of breadcrumbLines(text)) {
      for (const breadcrumb of parseBreadcrumbs(comment) ?? []) {
        if (breadcrumb.place.startsWith('std/')) continue;
        const change = await changeOf(breadcrumb, from, to);
        if (change !== undefined) changes.push({ path, line, place: breadcrumb.place, ...change });
      }
    }
  }
  return changes;
}

async function changeOf(
  { place, symbols }: Breadcrumb,
  from: UpstreamModules,
  to: UpstreamModules,
): Promise<Pick<FollowedChange, 'declarations' | 'texts'> | undefined> {
  const [before, after] = [await from.find(place), await to.find(place)];
  if (after.length === 0) return { declarations: [], texts: [] };
  const [old, now] = [declarationsOf(sourceOf(before)), declarationsOf(sourceOf(after))];
  const isMeant = meantBy(symbols);
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => isMeant(name) && old.get(name) !== now.get(name));
  if (names.length === 0) return undefined;
  const [oldTexts, nowTexts] = [old, now].map(
    (declarations) => new Set(names.flatMap((name) => [...textsOf(declarations.get(name) ?? '')])),
  ) as [Set<string>, Set<string>];
  return {
    declarations: names.map((name) => (old.has(name) ? (now.has(name) ? name : `-${name}`) : `+${name}`)),
    texts: [...oldTexts.difference(nowTexts)]
      .map((text) => `-${text}`)
      .concat([...nowTexts.difference(oldTexts)].map((text) => `+${text}`)),
  };
}

/** Without symbols a breadcrumb means the whole place. */
function meantBy(symbols: readonly string[]): (name: string) => boolean {
  if (symbols.length === 0) return () => true;
  const patterns = symbols
    .flatMap(expand)
    .map((symbol) => symbol.split('.').map((word) => new RegExp(`^(?:${wordPattern(word).source})$`)));
  return (name) => {
    const words = name.split('.');
    return patterns.some((pattern) =>
      pattern.length === 1 ? words.some((word) => pattern[0]?.test(word)) : pattern.every((part, index) => part.test(words[index] ?? '')),
    );
  };
}

export interface FactChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

export function factChanges(old: Facts, now: Facts): FactChanges {
  return {
    added: [...now.keys()].filter((name) => !old.has(name)).toSorted(),
    removed: [...old.keys()].filter((name) => !now.has(name)).toSorted(),
    changed: [...now.keys()].filter((name) => old.has(name) && old.get(name) !== now.get(name)).toSorted(),
  };
}
