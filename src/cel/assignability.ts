// Upstream: github.com/google/cel-go/checker/types.go, github.com/google/cel-go/checker/mapping.go

import { assignableTo, CelType, dynType, isDyn, listOf, mapOf, sameType, typeOfType } from './types.ts';

const isDynOrError = (type: CelType): boolean => isDyn(type) || type.kind === 'error';

const legacyNullable: ReadonlySet<string> = new Set(['opaque', 'struct', 'any', 'duration', 'timestamp']);

/** What type variables stand for, found out while checking. Attempts that fail leave no trace. */
export class Substitutions {
  readonly #bound = new Map<string, CelType>();
  readonly #trail: [string, CelType | undefined][] = [];

  bind(variable: CelType, type: CelType): void {
    this.#trail.push([variable.name, this.#bound.get(variable.name)]);
    this.#bound.set(variable.name, type);
  }

  find(type: CelType): CelType | undefined {
    return type.kind === 'param' ? this.#bound.get(type.name) : undefined;
  }

  /** Whether a value of the one type can take the place of the other, binding variables on the way. */
  isAssignable(a: CelType, b: CelType): boolean {
    return this.#attempt(() => this.#assign(a, b));
  }

  areAssignable(a: readonly CelType[], b: readonly CelType[]): boolean {
    return this.#attempt(() => this.#assignAll(a, b));
  }

  #attempt(run: () => boolean): boolean {
    const mark = this.#trail.length;
    if (run()) return true;
    while (this.#trail.length > mark) {
      const [name, before] = this.#trail.pop()!;
      if (before) this.#bound.set(name, before);
      else this.#bound.delete(name);
    }
    return false;
  }

  #assignAll(a: readonly CelType[], b: readonly CelType[]): boolean {
    return a.length === b.length && a.every((type, i) => this.#assign(type, b[i]!));
  }

  #assign(a: CelType, b: CelType): boolean {
    if (b.kind === 'param') {
      const [isValid, isBound] = this.#substitute(a, b);
      if (isValid) return true;
      if (isBound) return false;
    }
    if (a.kind === 'param') return this.#substitute(b, a)[0];
    if (isDynOrError(a) || isDynOrError(b)) return true;
    if (a.kind === 'null') return acceptsNull(b);
    if (b.kind === 'null') return acceptsNull(a);
    switch (a.kind) {
      case 'type':
        return b.kind === 'type';
      case 'opaque':
      case 'list':
      case 'map':
        return a.kind === b.kind && a.name === b.name && this.#assignAll(a.parameters, b.parameters);
      default:
        return assignableTo(b, a);
    }
  }

  /** Tries `type` for the variable: whether it fits, and whether the variable was bound before. */
  #substitute(type: CelType, variable: CelType): [isValid: boolean, isBound: boolean] {
    if (type.kind === variable.kind && sameType(type, variable)) return [true, true];
    const current = this.find(variable);
    if (current) {
      if (type.kind === current.kind && sameType(type, current)) return [true, true];
      if (!this.#assign(type, current)) return [false, true];
      const general = mostGeneral(type, current);
      if (!this.#occurs(variable, general)) this.bind(variable, general);
      return [true, true];
    }
    if (this.#occurs(variable, type)) return [false, false];
    this.bind(variable, type);
    return [true, false];
  }

  #occurs(variable: CelType, within: CelType): boolean {
    if (sameType(variable, within)) return true;
    if (within.kind === 'param') {
      const bound = this.find(within);
      return bound !== undefined && this.#occurs(variable, bound);
    }
    return within.isGeneric && within.parameters.some((parameter) => this.#occurs(variable, parameter));
  }

  /** The type with bound variables replaced; `erase` makes the unbound ones dyn. */
  apply(type: CelType, erase: boolean): CelType {
    if (!type.isGeneric) return type;
    const bound = this.find(type);
    if (bound) return this.apply(bound, erase);
    switch (type.kind) {
      case 'param':
        return erase ? dynType : type;
      case 'list':
        return listOf(this.apply(type.parameters[0]!, erase));
      case 'map':
        return mapOf(this.apply(type.parameters[0]!, erase), this.apply(type.parameters[1]!, erase));
      case 'type':
        return typeOfType(this.apply(type.parameters[0]!, erase));
      default:
        return new CelType(
          type.kind,
          type.name,
          type.parameters.map((parameter) => this.apply(parameter, erase)),
        );
    }
  }
}

const acceptsNull = (type: CelType): boolean => legacyNullable.has(type.kind) || assignableTo(type, nullType);
const nullType = new CelType('null', 'null_type');

export const mostGeneral = (a: CelType, b: CelType): CelType => (isEqualOrLessSpecific(a, b) ? a : b);

function isEqualOrLessSpecific(a: CelType, b: CelType): boolean {
  if (isDyn(a) || a.kind === 'param') return true;
  if (isDyn(b) || b.kind === 'param' || a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'opaque':
      if (a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
      return a.parameters.every((parameter, i) => isEqualOrLessSpecific(parameter, b.parameters[i]!));
    case 'list':
    case 'map':
      return a.parameters.every((parameter, i) => isEqualOrLessSpecific(parameter, b.parameters[i]!));
    case 'type':
      return true;
    default:
      return sameType(a, b);
  }
}
