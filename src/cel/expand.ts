// Upstream: github.com/google/cel-go/parser/parser.go#Visit
// The visitor that turns the syntax tree into expressions.

import type { Expr, MapEntry, StructField } from './ast.ts';
import type { Macro } from './builder.ts';
import { anyCount, MacroError, macroKey, NodeBuilder } from './builder.ts';
import { toInt } from './numbers.ts';
import type { Issues } from './syntax/source.ts';
import { nowhere } from './syntax/source.ts';
import type { Token } from './syntax/lexer.ts';
import type { EntryTree, FieldTree, Tree } from './syntax/tree.ts';
import { UnescapeError, unescapeBytes, unescapeString } from './syntax/unescape.ts';
import type { Value } from './values.ts';
import { CelError, Double, Uint } from './values.ts';

const depthLimit = 250;

const reserved: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(' '),
);

const operators: Readonly<Record<string, string>> = {
  '+': '_+_',
  '-': '_-_',
  '*': '_*_',
  '/': '_/_',
  '%': '_%_',
  '<': '_<_',
  '<=': '_<=_',
  '>': '_>_',
  '>=': '_>=_',
  '==': '_==_',
  '!=': '_!=_',
  in: '@in',
};

const unsupportedName = 'unsupported ident kind';

/** Thrown when an expression nests too deep for the visitor. */
export class ExpansionTooDeep {
  static readonly message = 'max recursion depth exceeded';
}

export interface Syntax {
  readonly macros: ReadonlyMap<string, Macro>;
  /** Whether `.?field`, `[?index]` and `?element` are allowed. */
  readonly optionals: boolean;
}

/** Turns a syntax tree into an expression with its macros expanded. Issues it finds go to `issues`. */
export function expand(tree: Tree, syntax: Syntax, issues: Issues): { root: Expr; offsets: readonly number[] } {
  const expander = new Expander(syntax, issues);
  return { root: expander.visit(tree), offsets: expander.build.offsets };
}

class Expander {
  readonly build = new NodeBuilder();
  readonly #syntax: Syntax;
  readonly #issues: Issues;
  #depth = 0;

  constructor(syntax: Syntax, issues: Issues) {
    this.#syntax = syntax;
    this.#issues = issues;
  }

  #report(offset: number, message: string): Expr {
    this.#issues.report(offset, message);
    return this.#unspecified(offset);
  }

  #unspecified(offset: number): Expr {
    return { kind: 'unspecified', id: this.build.id(offset) };
  }

  #deeper(visit: () => Expr): Expr {
    if (++this.#depth > depthLimit) throw new ExpansionTooDeep();
    const expr = visit();
    this.#depth--;
    return expr;
  }

  visit(tree: Tree): Expr {
    switch (tree.kind) {
      case 'missing':
        return this.#missing();
      case 'broken':
        return tree.message === undefined ? this.#unspecified(tree.start) : this.#report(tree.start, tree.message);
      case 'conditional':
        return this.#deeper(() => {
          const condition = this.visit(tree.condition);
          const id = this.build.id(tree.op.start);
          const then = this.visit(tree.then);
          return this.#globalCall(id, '_?_:_', [condition, then, this.visit(tree.otherwise)]);
        });
      case 'logic':
        return this.#logic(tree);
      case 'binary':
        return this.#deeper(() => {
          const left = this.visit(tree.left);
          const id = this.build.id(tree.op.start);
          return this.#globalCall(id, operators[tree.op.text]!, [left, this.visit(tree.right)]);
        });
      case 'prefix':
        return this.#prefix(tree.ops, tree.operand);
      case 'select':
        return this.#deeper(() => this.#select(tree));
      case 'memberCall':
        return this.#deeper(() => {
          const operand = this.visit(tree.operand);
          if (!tree.name) return this.#unspecified(tree.start);
          const id = this.build.id(tree.open.start);
          const args = tree.args.map((arg) => this.visit(arg));
          return this.#expandMacro(id, tree.name.text, operand, args) ?? { kind: 'call', id, name: tree.name.text, target: operand, args };
        });
      case 'index':
        return this.#deeper(() => this.#index(tree));
      case 'ident':
        return this.#ident(tree);
      case 'call':
        return this.#call(tree);
      case 'list':
        return this.#list(tree);
      case 'map':
        return this.#map(tree.open, tree.entries);
      case 'message':
        return this.#message(tree);
      case 'literal':
        return this.#literal(tree);
    }
  }

  #missing(): Expr {
    if (this.#issues.list.length === 0) return this.#report(nowhere, 'unknown parse element encountered: <<nil>>');
    return this.#unspecified(nowhere);
  }

  #logic(tree: Tree & { kind: 'logic' }): Expr {
    const name = tree.ops[0]!.kind === '||' ? '_||_' : '_&&_';
    const terms = [this.visit(tree.terms[0]!)];
    const ids: number[] = [];
    for (const [i, op] of tree.ops.entries()) {
      const term = tree.terms[i + 1];
      if (!term) return this.#report(tree.start, `unexpected character, wanted '${op.kind}'`);
      terms.push(this.visit(term));
      ids.push(this.build.id(op.start));
    }
    return balance(name, terms, ids, 0, ids.length - 1);
  }

  #prefix(ops: readonly Token[], operand: Tree): Expr {
    if (ops.length % 2 === 0) return this.visit(operand);
    const id = this.build.id(ops[0]!.start);
    return this.#globalCall(id, ops[0]!.kind === '!' ? '!_' : '-_', [this.visit(operand)]);
  }

  #select(tree: Tree & { kind: 'select' }): Expr {
    const operand = this.visit(tree.operand);
    if (!tree.field) return this.#unspecified(tree.start);
    if ('brokenAt' in tree.field) this.#report(tree.field.brokenAt, unsupportedName);
    const field = 'brokenAt' in tree.field ? '' : identifierText(tree.field);
    if (!tree.isOptional) return { kind: 'select', id: this.build.id(tree.op.start), operand, field, testOnly: false };
    if (!this.#syntax.optionals) return this.#report(tree.op.start, "unsupported syntax '.?'");
    const name: Expr = {
      kind: 'literal',
      id: this.build.id('brokenAt' in tree.field ? tree.field.brokenAt : tree.field.start),
      value: field,
    };
    return { kind: 'call', id: this.build.id(tree.op.start), name: '_?._', target: undefined, args: [operand, name] };
  }

  #index(tree: Tree & { kind: 'index' }): Expr {
    const operand = this.visit(tree.operand);
    const id = this.build.id(tree.op.start);
    const index = this.visit(tree.index);
    if (tree.isOptional && !this.#syntax.optionals) return this.#report(tree.op.start, "unsupported syntax '[?'");
    return this.#globalCall(id, tree.isOptional ? '_[?_]' : '_[_]', [operand, index]);
  }

  #ident(tree: Tree & { kind: 'ident' }): Expr {
    if (!tree.name) return this.#unspecified(tree.start);
    if (reserved.has(tree.name.text)) return this.#report(tree.start, `reserved identifier: ${tree.name.text}`);
    return { kind: 'ident', id: this.build.id(tree.name.start), name: (tree.leadingDot ? '.' : '') + tree.name.text };
  }

  #call(tree: Tree & { kind: 'call' }): Expr {
    if (!tree.name) return this.#unspecified(tree.start);
    if (reserved.has(tree.name.text)) return this.#report(tree.start, `reserved identifier: ${tree.name.text}`);
    const id = this.build.id(tree.open.start);
    const args = tree.args.map((arg) => this.visit(arg));
    return this.#globalCall(id, (tree.leadingDot ? '.' : '') + tree.name.text, args);
  }

  #list(tree: Tree & { kind: 'list' }): Expr {
    const id = this.build.id(tree.open.start);
    const optionals: number[] = [];
    const elements = tree.elements.map((element, i) => {
      const expr = this.visit(element.tree);
      if (element.isOptional && !this.#syntax.optionals) this.#report(this.build.offsets[expr.id]!, "unsupported syntax '?'");
      else if (element.isOptional) optionals.push(i);
      return expr;
    });
    return { kind: 'list', id, elements, optionals };
  }

  #map(open: Token, trees: readonly EntryTree[]): Expr {
    const id = this.build.id(open.start);
    const entries: MapEntry[] = [];
    for (const tree of trees) {
      const entryId = this.build.id(tree.colon.start);
      if (tree.isOptional && !this.#syntax.optionals) {
        this.#report(tree.colon.start, "unsupported syntax '?'");
        continue;
      }
      const key = this.visit(tree.key);
      entries.push({ id: entryId, key, value: this.visit(tree.value), isOptional: tree.isOptional });
    }
    return { kind: 'map', id, entries };
  }

  #message(tree: Tree & { kind: 'message' }): Expr {
    const typeName = (tree.leadingDot ? '.' : '') + tree.names.map((name) => name.text).join('.');
    const id = this.build.id(tree.open.start);
    const fields: StructField[] = [];
    for (const field of tree.fields) this.#field(field, fields);
    return { kind: 'struct', id, typeName, fields };
  }

  #field(tree: FieldTree, fields: StructField[]): void {
    const id = this.build.id(tree.colon.start);
    if (tree.isOptional && !this.#syntax.optionals) {
      this.#report(tree.colon.start, "unsupported syntax '?'");
      return;
    }
    if ('brokenAt' in tree.name) {
      this.#report(tree.name.brokenAt, unsupportedName);
      return;
    }
    fields.push({ id, name: identifierText(tree.name), value: this.visit(tree.value), isOptional: tree.isOptional });
  }

  #literal(tree: Tree & { kind: 'literal' }): Expr {
    const value = literalValue(tree.token, tree.isNegative);
    if (value instanceof CelError) return this.#report(tree.start, value.message);
    if (value instanceof UnescapeError) {
      this.#report(tree.start, value.message);
      return { kind: 'literal', id: this.build.id(tree.start), value: tree.token.text };
    }
    return { kind: 'literal', id: this.build.id(tree.start), value };
  }

  #globalCall(id: number, name: string, args: readonly Expr[]): Expr {
    return this.#expandMacro(id, name, undefined, args) ?? { kind: 'call', id, name, target: undefined, args };
  }

  #expandMacro(id: number, name: string, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
    const { macros } = this.#syntax;
    const isReceiver = target !== undefined;
    const macro = macros.get(macroKey(name, args.length, isReceiver)) ?? macros.get(macroKey(name, anyCount, isReceiver));
    if (!macro) return undefined;
    const expansion = this.build.within(this.build.offsets[id]!, () => macro.expand(this.build, target, args));
    if (expansion instanceof MacroError) return this.#report(this.build.offsets[expansion.at.id]!, expansion.message);
    return expansion;
  }
}

/** Terms of a long `a && b && c ...` as a balanced tree, so that depth stays logarithmic. */
function balance(name: string, terms: readonly Expr[], ids: readonly number[], low: number, high: number): Expr {
  const middle = Math.floor((low + high + 1) / 2);
  const left = middle === low ? terms[middle]! : balance(name, terms, ids, low, middle - 1);
  const right = middle === high ? terms[middle + 1]! : balance(name, terms, ids, middle + 1, high);
  return { kind: 'call', id: ids[middle]!, name, target: undefined, args: [left, right] };
}

const identifierText = (token: Token): string => (token.kind === 'escaped' ? token.text.slice(1, -1) : token.text);

function literalValue(token: Token, isNegative: boolean): Value | UnescapeError {
  switch (token.kind) {
    case 'int': {
      const parsed = toInt(isNegative ? -BigInt(token.text) : BigInt(token.text));
      return parsed instanceof CelError ? new CelError('invalid int literal') : parsed;
    }
    case 'uint': {
      const parsed = BigInt(token.text.slice(0, -1));
      return parsed >= 2n ** 64n ? new CelError('invalid uint literal') : new Uint(parsed);
    }
    case 'float': {
      const parsed = Number(token.text);
      return Number.isFinite(parsed) ? new Double(isNegative ? -parsed : parsed) : new CelError('invalid double literal');
    }
    case 'string':
      return unescapeString(token.text);
    case 'bytes':
      return unescapeBytes(token.text.slice(1));
    case 'true':
      return true;
    case 'false':
      return false;
    default:
      return null;
  }
}
