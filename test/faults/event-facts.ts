import type { Item, ItemContent } from '../../src/storage/cache/behaviour/fixture.ts';
import type { Selection } from './event-client.ts';

/** A write as its writer knows it. */
export interface Fact {
  readonly revision: number;
  /** below the prefix of the resource */
  readonly path: string;
  /** undefined: deleted */
  readonly after: ItemContent | undefined;
}

const root = '/registry/things/';

export function selects({ prefix, color, node }: Selection, path: string, content: ItemContent | undefined): boolean {
  if (content === undefined || !(root + path).startsWith(prefix)) return false;
  return (color === undefined || content.labels?.['color'] === color) && (node === undefined || content.node === node);
}

/** A selected object as it is compared: `path color node`. */
export function shown(path: string, content: ItemContent): string {
  return `${path} ${content.labels?.['color']} ${content.node}`;
}

export function shownItem(item: Item): string {
  const content = { labels: item.labels ?? {}, node: item.fields['spec.nodeName'] ?? '' };
  return shown(item.key.slice(root.length), content);
}

/** Selected objects at a revision, in key order; `facts` are in order of revision. */
export function stateAt(facts: readonly Fact[], revision: number, selection: Selection): string[] {
  const state = new Map<string, ItemContent | undefined>();
  for (const fact of facts) if (fact.revision <= revision) state.set(fact.path, fact.after);
  return [...state]
    .filter(([path, content]) => selects(selection, path, content))
    .map(([path, content]) => shown(path, content as ItemContent))
    .toSorted();
}

/** The events between two revisions that a watch of the selection gets. */
export function expectedEvents(facts: readonly Fact[], range: { after: number; upTo: number }, selection: Selection): string[] {
  const state = new Map<string, ItemContent | undefined>();
  const events: string[] = [];
  for (const { revision, path, after } of facts) {
    if (revision > range.upTo) break;
    const before = state.get(path);
    state.set(path, after);
    if (revision <= range.after) continue;
    const [was, is] = [selects(selection, path, before), selects(selection, path, after)];
    if (is) events.push(`${was ? 'MODIFIED' : 'ADDED'} ${shown(path, after as ItemContent)} @${revision}`);
    else if (was) events.push(`DELETED ${shown(path, before as ItemContent)} @${revision}`);
  }
  return events;
}
