// Upstream: k8s.io/apimachinery/pkg/labels/selector.go
import { FieldPath, aggregateMessage, invalid, notSupported, typedValue } from './field.ts';
import type { FieldError } from './field.ts';
import { asInt64 } from './go-number.ts';
import { checkLabelValue, checkQualifiedName } from './names.ts';

export type Labels = Readonly<Record<string, string>>;

export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

export const binaryOperators = ['in', 'notin', '=', '==', '!=', 'gt', 'lt'] as const;
const allOperators = [...binaryOperators, 'exists', '!'] as const;

const symbols: Readonly<Record<LabelOperator, string>> = {
  '=': '=',
  '==': '==',
  '!=': '!=',
  in: ' in ',
  notin: ' notin ',
  gt: '>',
  lt: '<',
  exists: '',
  '!': '',
};

export class LabelSelectorError extends Error {
  override readonly name = 'LabelSelectorError';
}

/** One condition on one label. Build it with `requirement()`, which checks it. */
export class Requirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
  readonly #bound: bigint | undefined;
  /** for lists so long that looking through them takes time */
  readonly #known: ReadonlySet<string> | undefined;

  constructor(key: string, operator: LabelOperator, values: readonly string[]) {
    this.key = key;
    this.operator = operator;
    this.values = values;
    this.#bound = operator === 'gt' || operator === 'lt' ? asInt64(values[0] ?? '') : undefined;
    this.#known = values.length > 16 ? new Set(values) : undefined;
  }

  matches(labels: Labels): boolean {
    const value = Object.hasOwn(labels, this.key) ? labels[this.key] : undefined;
    switch (this.operator) {
      case 'exists':
        return value !== undefined;
      case '!':
        return value === undefined;
      case '=':
      case '==':
      case 'in':
        return value !== undefined && this.#has(value);
      case '!=':
      case 'notin':
        return value === undefined || !this.#has(value);
      case 'gt':
      case 'lt':
        return value !== undefined && this.#compares(value);
    }
  }

  #has(value: string): boolean {
    return this.#known === undefined ? this.values.includes(value) : this.#known.has(value);
  }

  #compares(value: string): boolean {
    const actual = asInt64(value);
    if (actual === undefined || this.#bound === undefined) return false;
    return this.operator === 'gt' ? actual > this.#bound : actual < this.#bound;
  }

  toString(): string {
    if (this.operator === '!') return `!${this.key}`;
    const values = this.values.length > 1 ? this.values.toSorted().join(',') : (this.values[0] ?? '');
    const list = this.operator === 'in' || this.operator === 'notin';
    return this.key + symbols[this.operator] + (list ? `(${values})` : values);
  }
}

/** A checked requirement; throws a LabelSelectorError that lists everything wrong with it. */
export function requirement(key: string, operator: LabelOperator, values: readonly string[], path?: FieldPath): Requirement {
  const errors = validateRequirement(key, operator, values, path);
  if (errors.length > 0) throw new LabelSelectorError(aggregateMessage(errors));
  return new Requirement(key, operator, values);
}

export function validateRequirement(key: string, operator: LabelOperator, values: readonly string[], path?: FieldPath): FieldError[] {
  const at = (name: string): FieldPath => (path === undefined ? FieldPath.root(name) : path.child(name));
  const errors: FieldError[] = [];
  const keyProblems = checkQualifiedName(key);
  if (keyProblems.length > 0) errors.push(invalid(at('key'), key, keyProblems.join('; ')));
  const count = wrongCount(operator, values.length);
  if (count !== undefined) errors.push(invalid(at('values'), values.length === 0 ? null : values, count));
  if (operator === 'gt' || operator === 'lt') {
    values.forEach((value, index) => {
      if (asInt64(value) !== undefined) return;
      errors.push(invalid(at('values').index(index), value, "for 'Gt', 'Lt' operators, the value must be an integer"));
    });
  } else if (!allOperators.includes(operator)) {
    errors.push(notSupported(at('operator'), typedValue(operator), allOperators));
  }
  values.forEach((value, index) => {
    const problems = checkLabelValue(value);
    if (problems.length > 0) errors.push(invalid(at('values').index(index).key(key), value, problems.join('; ')));
  });
  return errors;
}

function wrongCount(operator: LabelOperator, count: number): string | undefined {
  switch (operator) {
    case 'in':
    case 'notin':
      return count === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case '=':
    case '==':
    case '!=':
      return count === 1 ? undefined : 'exact-match compatibility requires one single value';
    case 'exists':
    case '!':
      return count === 0 ? undefined : 'values set must be empty for exists and does not exist';
    case 'gt':
    case 'lt':
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
    default:
      return undefined;
  }
}

/** A conjunction of requirements, ordered by key; or nothing at all. */
export class Selector {
  static readonly everything = new Selector([]);
  /** Matches no object; `requirements` is empty, `isEmpty` is false. */
  static readonly nothing = new Selector([], true);

  readonly requirements: readonly Requirement[];
  readonly matchesNothing: boolean;

  constructor(requirements: readonly Requirement[], matchesNothing = false) {
    this.requirements = requirements.toSorted((left, right) => (left.key < right.key ? -1 : Number(left.key > right.key)));
    this.matchesNothing = matchesNothing;
  }

  /** Exactly these labels, taken as they are. */
  static fromLabels(labels: Labels): Selector {
    return new Selector(Object.entries(labels).map(([key, value]) => new Requirement(key, '=', [value])));
  }

  /** Whether it selects everything. */
  get isEmpty(): boolean {
    return this.requirements.length === 0 && !this.matchesNothing;
  }

  matches(labels: Labels): boolean {
    if (this.matchesNothing) return false;
    // Of every object of a list: `every` would take twice as long.
    for (let at = 0; at < this.requirements.length; at++) if (!this.requirements[at]!.matches(labels)) return false;
    return true;
  }

  and(...requirements: readonly Requirement[]): Selector {
    return this.matchesNothing ? this : new Selector([...this.requirements, ...requirements]);
  }

  /** The value that the label must have, if the selector pins it to one. */
  exactMatch(key: string): string | undefined {
    const found = this.requirements.find((condition) => condition.key === key);
    if (found === undefined || found.values.length !== 1) return undefined;
    return found.operator === '=' || found.operator === '==' || found.operator === 'in' ? found.values[0] : undefined;
  }

  toString(): string {
    return this.requirements.join(',');
  }
}
