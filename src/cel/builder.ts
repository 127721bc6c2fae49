// Upstream: github.com/google/cel-go/parser/helper.go, github.com/google/cel-go/parser/macro.go

import type { Expr, MapEntry, StructField } from './ast.ts';
import { accumulatorName } from './ast.ts';
import { nowhere } from './syntax/source.ts';
import type { Value } from './values.ts';

/** What a macro returns instead of an expansion when its arguments are wrong. */
export class MacroError {
  readonly at: Expr;
  readonly message: string;

  constructor(at: Expr, message: string) {
    this.at = at;
    this.message = message;
  }
}

export type MacroExpansion = Expr | MacroError | undefined;

export interface Macro {
  readonly name: string;
  readonly isReceiver: boolean;
  readonly argCount: number;
  /** Returns undefined to leave the call as it is written. */
  readonly expand: (builder: NodeBuilder, target: Expr | undefined, args: readonly Expr[]) => MacroExpansion;
}

/** Argument count of a macro that takes any number. */
export const anyCount = -1;

export const macroKey = (name: string, argCount: number, isReceiver: boolean): string => `${name}:${argCount}:${isReceiver}`;

/** Makes nodes and remembers where in the expression each of them comes from. */
export class NodeBuilder {
  readonly offsets: number[] = [nowhere];
  /** Offset given to nodes that a macro makes. */
  #macroOffset = nowhere;

  id(offset: number): number {
    return this.offsets.push(offset) - 1;
  }

  within<T>(offset: number, make: () => T): T {
    const outer = this.#macroOffset;
    this.#macroOffset = offset;
    const made = make();
    this.#macroOffset = outer;
    return made;
  }

  #next(): number {
    return this.id(this.#macroOffset);
  }

  literal(value: Value): Expr {
    return { kind: 'literal', id: this.#next(), value };
  }

  ident(name: string): Expr {
    return { kind: 'ident', id: this.#next(), name };
  }

  accumulator(): Expr {
    return this.ident(accumulatorName);
  }

  call(name: string, ...args: Expr[]): Expr {
    return { kind: 'call', id: this.#next(), name, target: undefined, args };
  }

  memberCall(name: string, target: Expr, ...args: Expr[]): Expr {
    return { kind: 'call', id: this.#next(), name, target, args };
  }

  list(...elements: Expr[]): Expr {
    return { kind: 'list', id: this.#next(), elements, optionals: [] };
  }

  map(...entries: MapEntry[]): Expr {
    return { kind: 'map', id: this.#next(), entries };
  }

  entry(key: Expr, value: Expr): MapEntry {
    return { id: this.#next(), key, value, isOptional: false };
  }

  presenceTest(operand: Expr, field: string): Expr {
    return { kind: 'select', id: this.#next(), operand, field, testOnly: true };
  }

  fold(
    range: Expr,
    variables: readonly [string, string?],
    accumulator: string,
    parts: { init: Expr; condition: Expr; step: Expr; result: Expr },
  ): Expr {
    const [variable, variable2 = ''] = variables;
    return { kind: 'comprehension', id: this.#next(), range, variable, variable2, accumulator, ...parts };
  }

  /** A deep copy with ids of its own, for macros that use an argument twice. */
  copy(expr: Expr): Expr {
    const id = this.id(this.offsets[expr.id] ?? nowhere);
    switch (expr.kind) {
      case 'select':
        return { ...expr, id, operand: this.copy(expr.operand) };
      case 'call':
        return { ...expr, id, target: expr.target && this.copy(expr.target), args: expr.args.map((arg) => this.copy(arg)) };
      case 'list':
        return { ...expr, id, elements: expr.elements.map((element) => this.copy(element)) };
      case 'map':
        return { ...expr, id, entries: expr.entries.map((entry) => this.#copyEntry(entry)) };
      case 'struct':
        return { ...expr, id, fields: expr.fields.map((field) => this.#copyField(field)) };
      case 'comprehension':
        return {
          ...expr,
          id,
          range: this.copy(expr.range),
          init: this.copy(expr.init),
          condition: this.copy(expr.condition),
          step: this.copy(expr.step),
          result: this.copy(expr.result),
        };
      default:
        return { ...expr, id };
    }
  }

  #copyEntry(entry: MapEntry): MapEntry {
    return { ...entry, id: this.#next(), key: this.copy(entry.key), value: this.copy(entry.value) };
  }

  #copyField(field: StructField): StructField {
    return { ...field, id: this.#next(), value: this.copy(field.value) };
  }
}
