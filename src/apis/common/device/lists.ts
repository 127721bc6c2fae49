// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#validateSlice, #validateSet, #validateMap
import type { Steps } from '../../../base/steps.ts';
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { duplicate, tooMany } from '../../../machinery/field.ts';

interface ListRules<T> {
  readonly max?: number;
  /** a limit that the type declares: who exceeds it hears so from there, and nothing else */
  readonly declaredMax?: number;
  /** what no two items may share; left out where the type declares it */
  readonly key?: (item: T) => string;
}

export type ItemRule<T> = (item: T, path: FieldPath) => readonly FieldError[];

export function validateList<T>(
  list: readonly T[] | null | undefined,
  path: FieldPath,
  rule: ItemRule<T>,
  { max = Infinity, declaredMax = Infinity, key }: ListRules<T> = {},
): FieldError[] {
  const items = list ?? [];
  if (items.length > max) return [tooMany(path, items.length, max).withOrigin('maxItems')];
  if (items.length > declaredMax) return [];
  const errors = items.flatMap((item, index) => rule(item, path.index(index)));
  return key === undefined ? errors : [...errors, ...validateDistinct(items.map(key), path)];
}

/** The same for rules that take long: others get their turn after each item. */
export function* validateListInSteps<T>(
  list: readonly T[] | null | undefined,
  path: FieldPath,
  rule: (item: T, path: FieldPath) => readonly FieldError[] | Steps<readonly FieldError[]>,
  { declaredMax = Infinity, key }: Omit<ListRules<T>, 'max'> = {},
): Steps<FieldError[]> {
  const items = list ?? [];
  if (items.length > declaredMax) return [];
  const errors: FieldError[] = [];
  const repeated: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const at = path.index(index);
    const found = rule(item, at);
    append(errors, 'next' in found ? yield* found : found);
    if (key !== undefined) {
      if (seen.has(key(item))) repeated.push(duplicate(at, key(item)));
      seen.add(key(item));
    }
    yield;
  }
  return [...errors, ...repeated];
}

export function validateDistinct(keys: readonly string[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return keys.flatMap((key, index) => {
    const repeated = seen.has(key);
    seen.add(key);
    return repeated ? [duplicate(path.index(index), key)] : [];
  });
}

/** Errors about keys are those of the map; a long key is cut in the middle of the path. */
export function validateMap<T>(
  map: Readonly<Record<string, T>> | undefined,
  path: FieldPath,
  keyRule: (key: string, path: FieldPath) => readonly FieldError[],
  rule: ItemRule<T>,
  maxShownKeyLength: number,
): FieldError[] {
  return Object.entries(map ?? {}).flatMap(([key, item]) => [
    ...keyRule(key, path),
    ...rule(item, path.key(truncated(key, maxShownKeyLength))),
  ]);
}

function truncated(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const remaining = maxLength - 3;
  return `${text.slice(0, Math.floor((remaining + 1) / 2))}...${text.slice(text.length - Math.floor(remaining / 2))}`;
}
