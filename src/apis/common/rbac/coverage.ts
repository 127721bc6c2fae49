// Upstream: k8s.io/component-helpers/auth/rbac/validation/policy_comparator.go, k8s.io/kubernetes/pkg/registry/rbac/validation/policy_compact.go
import { Pace } from '../../../base/pace.ts';
import { append } from '../../../machinery/append.ts';
import { goQuoteList } from '../../../machinery/go-format.ts';
import type { PolicyRule } from '../../../schema/types/rbac-v1.ts';

/** As roles store it and as the authorizer tells it. */
export type Rule = { readonly [K in keyof PolicyRule]: K extends 'verbs' ? readonly string[] | null : readonly string[] };

/** A rule with one verb on one resource (and name), or on one URL. */
export interface Permission {
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  readonly resourceName?: string;
  readonly url?: string;
}

/** Permissions that are missing: all of them, or the first so many where all of them would make too long a message. */
export interface Missing {
  readonly permissions: readonly Permission[];
  /** how many more there are */
  readonly untold: number;
}

/** More permissions, or more text, are left out. Upstream lists all, which for a role of a few kilobytes may be gigabytes. */
const mostTold = 10_000;
const mostText = 1024 * 1024;
/** More than this and a role counts as not covered: no real role comes near, one that is made for it could go on for hours. */
const mostSteps = 20_000_000;

/** What the wanted rules allow and the held ones do not. */
export async function missingPermissions(held: readonly Rule[], wanted: readonly Rule[]): Promise<Missing> {
  const search = new Search(held);
  const blocks: Block[] = [];
  for (const [index, rule] of wanted.entries()) {
    for (const whole of blocksOf(rule, index)) append(blocks, await search.uncovered(whole));
  }
  return tell(blocks);
}

/** One side of a block: positions in one of a rule's lists. */
interface Side {
  readonly list: readonly string[];
  readonly at: readonly number[];
}

/**
 * The permissions that a rule grants are all combinations of what its lists name: a block with a side for each list. What a held rule covers
 * of a block is a block again, and what it leaves are a few others. So rules are compared without ever naming the combinations, of which a
 * small role may have billions.
 */
interface Block {
  readonly rule: number;
  readonly of: 'resources' | 'urls';
  /** groups, resources, verbs, names; or URLs, verbs: in the order in which upstream goes through them */
  readonly sides: readonly Side[];
}

/** Stands for the resource as such, without a name. */
const nameless: readonly string[] = [''];

function blocksOf({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: Rule, rule: number): Block[] {
  const side = (list: readonly string[]): Side => ({ list, at: list.map((_, position) => position) });
  const names = resourceNames.length === 0 ? nameless : resourceNames;
  const blocks: Block[] = [
    { rule, of: 'resources', sides: [side(apiGroups), side(resources), side(verbs ?? []), side(names)] },
    { rule, of: 'urls', sides: [side(nonResourceURLs), side(verbs ?? [])] },
  ];
  return blocks.filter((block) => countOf(block) > 0);
}

function countOf({ sides }: Block): number {
  return sides.reduce((product, { at }) => product * at.length, 1);
}

/** How a held rule covers the items of each side. */
type Covers = (item: string, list: readonly string[]) => boolean;

class Search {
  readonly #held: readonly { readonly resources: readonly Covers[]; readonly urls: readonly Covers[] }[];
  readonly #pace = new Pace();
  #steps = 0;

  constructor(held: readonly Rule[]) {
    this.#held = held.map(({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }) => {
      const verb = oneOf(verbs ?? []);
      const known = new Set(resourceNames);
      // a rule for names does not cover the whole
      const named: Covers = (name, names) => known.size === 0 || (names !== nameless && known.has(name));
      return {
        resources: [oneOf(apiGroups), oneOfResources(resources), verb, named],
        // as upstream, names that a rule for URLs has for no reason leave it covering nothing
        urls: [resourceNames.length > 0 ? () => false : oneOfUrls(nonResourceURLs), verb],
      };
    });
  }

  /** What no held rule covers. */
  async uncovered(whole: Block): Promise<readonly Block[]> {
    let left: readonly Block[] = [whole];
    for (const covers of this.#held) {
      const next: Block[] = [];
      for (const block of left) {
        if (this.#steps > mostSteps) return left;
        if (this.#pace.isDue) await this.#pace.rest();
        append(next, this.#without(block, covers[block.of]));
      }
      if (next.length === 0) return next;
      left = next;
    }
    return left;
  }

  /** A block without what a held rule covers of it, in blocks that do not overlap. */
  #without(block: Block, covers: readonly Covers[]): readonly Block[] {
    const covered: Side[] = [];
    const rests: Side[] = [];
    for (const [index, { list, at }] of block.sides.entries()) {
      const inside: number[] = [];
      const outside: number[] = [];
      for (const position of at) (covers[index]!(list[position]!, list) ? inside : outside).push(position);
      this.#steps += at.length;
      if (inside.length === 0) return [block];
      covered.push({ list, at: inside });
      rests.push({ list, at: outside });
    }
    return rests.flatMap((rest, index) =>
      rest.at.length === 0 ? [] : [{ ...block, sides: [...covered.slice(0, index), rest, ...block.sides.slice(index + 1)] }],
    );
  }
}

function oneOf(items: readonly string[]): Covers {
  const known = new Set(items);
  return known.has('*') ? () => true : (item) => known.has(item);
}

function oneOfResources(items: readonly string[]): Covers {
  if (items.includes('*')) return () => true;
  const known = new Set(items);
  return (wanted) => {
    if (known.has(wanted)) return true;
    const slash = wanted.indexOf('/');
    return slash >= 0 && known.has(`*${wanted.slice(slash)}`);
  };
}

/** Not by a pattern, which would look at every run of stars again from each of them. */
function withoutStars(item: string): string {
  let end = item.length;
  while (item[end - 1] === '*') end--;
  return item.slice(0, end);
}

function oneOfUrls(items: readonly string[]): Covers {
  const known = new Set(items);
  const prefixes = new Set(items.filter((item) => item.endsWith('*')).map(withoutStars));
  const lengths = [...new Set([...prefixes].map((prefix) => prefix.length))];
  return (wanted) => known.has(wanted) || lengths.some((length) => length <= wanted.length && prefixes.has(wanted.slice(0, length)));
}

/** The permissions of blocks, in the order in which upstream takes rules apart. */
function tell(blocks: readonly Block[]): Missing {
  const found: { readonly order: readonly number[]; readonly permission: Permission }[] = [];
  let room = mostText;
  let count = 0;
  for (const block of blocks) {
    count += countOf(block);
    for (const positions of combinations(block.sides)) {
      if (found.length >= mostTold || (room < 0 && found.length > 0)) break;
      const values = block.sides.map(({ list }, index) => list[positions[index]!]!);
      room -= values.reduce((length, value) => length + value.length, 0);
      found.push({ order: [block.rule, block.of === 'urls' ? 1 : 0, ...positions], permission: permissionOf(block, values) });
    }
  }
  found.sort((one, other) => compareInTurn(one.order, other.order));
  return { permissions: found.map(({ permission }) => permission), untold: count - found.length };
}

function* combinations(sides: readonly Side[]): Generator<readonly number[]> {
  const [first, ...others] = sides;
  if (first === undefined) return yield [];
  for (const position of first.at) for (const rest of combinations(others)) yield [position, ...rest];
}

function permissionOf({ of, sides }: Block, values: readonly string[]): Permission {
  if (of === 'urls') return { url: values[0]!, verb: values[1]! };
  const [group, resource, verb, resourceName] = values as [string, string, string, string];
  return sides[3]!.list === nameless ? { group, resource, verb } : { group, resource, verb, resourceName };
}

function compareInTurn(one: readonly number[], other: readonly number[]): number {
  for (const [index, position] of one.entries()) if (position !== other[index]) return position - other[index]!;
  return 0;
}

/** Permissions put together again by what they are for, one line each, in alphabetical order. */
export function describePermissions({ permissions, untold }: Missing): string {
  const lines: string[] = [];
  const verbsByTarget = new Map<string, string[]>();
  for (const permission of permissions) {
    const target = describeTarget(permission);
    const verbs = verbsByTarget.get(target);
    // permissions on URLs stay apart, as in upstream
    if (permission.url !== undefined) lines.push(`{${target}, Verbs:${goQuoteList([permission.verb])}}`);
    else if (verbs === undefined) verbsByTarget.set(target, [permission.verb]);
    else verbs.push(permission.verb);
  }
  for (const [target, verbs] of verbsByTarget) lines.push(`{${target}, Verbs:${goQuoteList(verbs)}}`);
  const shown = [...new Set(lines)].sort().join('\n');
  return untold === 0 ? shown : `${shown}\n... and ${untold} more`;
}

function describeTarget({ group, resource, resourceName, url }: Permission): string {
  if (url !== undefined) return `NonResourceURLs:${goQuoteList([url])}`;
  const target = `APIGroups:${goQuoteList([group as string])}, Resources:${goQuoteList([resource as string])}`;
  return resourceName === undefined ? target : `${target}, ResourceNames:${goQuoteList([resourceName])}`;
}
