// Upstream: github.com/google/cel-go/parser/parser.go#unnest
// And the accessors of generated contexts.

import type { RuleName } from './grammar.ts';
import type { Token, TokenKind } from './lexer.ts';
import type { EntryTree, FieldTree, OptionalTree, Tree } from './tree.ts';

/** A rule as the recovering parser read it; parts that were not found are missing. */
export interface ParseNode {
  readonly rule: RuleName;
  readonly start: Token;
  /** Alternative taken, from one; 0 when none was found, -1 for an operator around its left side. */
  alt: number;
  readonly children: (ParseNode | Token | undefined)[];
}

const missingNode: Tree = { kind: 'missing' };

const isNode = (child: ParseNode | Token | undefined): child is ParseNode => child !== undefined && 'rule' in child;
const isToken = (child: ParseNode | Token | undefined): child is Token => child !== undefined && !('rule' in child);

const nodes = (node: ParseNode, rule?: RuleName): ParseNode[] =>
  node.children.filter(isNode).filter((child) => rule === undefined || child.rule === rule);
const tokens = (node: ParseNode, ...kinds: TokenKind[]): Token[] =>
  node.children.filter(isToken).filter((token) => kinds.includes(token.kind));

/** The tree of a broken expression, as far as it was understood. */
export function toTree(node: ParseNode | undefined): Tree {
  if (!node) return missingNode;
  switch (node.rule) {
    case 'start':
    case 'optExpr':
      return toTree(nodes(node, 'expr')[0]);
    case 'expr':
      return conditional(node);
    case 'conditionalOr':
      return logic(node, '||');
    case 'conditionalAnd':
      return logic(node, '&&');
    case 'relation':
    case 'calc':
      return binary(node);
    case 'unary':
      return unary(node);
    case 'member':
      return node.children.length > 1 ? member(node) : toTree(nodes(node)[0]);
    case 'primary':
      return primary(node);
    case 'literal':
      return literal(node);
    default:
      return missingNode;
  }
}

function conditional(node: ParseNode): Tree {
  const [op] = tokens(node, '?');
  const [condition, then] = nodes(node, 'conditionalOr');
  if (!op) return toTree(condition);
  return { kind: 'conditional', condition: toTree(condition), op, then: toTree(then), otherwise: toTree(nodes(node, 'expr')[0]) };
}

function logic(node: ParseNode, op: '||' | '&&'): Tree {
  const ops = tokens(node, op);
  const terms = nodes(node);
  if (ops.length === 0) return toTree(terms[0]);
  return { kind: 'logic', start: node.start.start, ops, terms: terms.map(toTree) };
}

function binary(node: ParseNode): Tree {
  const [left, right] = nodes(node);
  const op = node.children.find(isToken);
  if (!op) return toTree(left);
  return { kind: 'binary', op, left: toTree(left), right: toTree(right) };
}

function unary(node: ParseNode): Tree {
  const ops = tokens(node, '!', '-');
  const operand = toTree(nodes(node, 'member')[0]);
  if (node.alt === 0) return { kind: 'broken', start: node.start.start };
  return ops.length === 0 ? operand : { kind: 'prefix', ops, operand };
}

function member(node: ParseNode): Tree {
  const [operandNode] = nodes(node);
  const operand = toTree(operandNode);
  const start = node.start.start;
  const isOptional = tokens(node, '?').length > 0;
  const [bracket] = tokens(node, '[');
  if (bracket) return { kind: 'index', operand, op: bracket, isOptional, index: toTree(nodes(node, 'expr')[0]) };
  const [dot] = tokens(node, '.');
  if (!dot) return { kind: 'broken', start };
  const [open] = tokens(node, '(');
  if (open) return { kind: 'memberCall', start, operand, name: tokens(node, 'identifier')[0], open, args: args(node) };
  const [name] = nodes(node, 'escapeIdent');
  return { kind: 'select', start, operand, op: dot, isOptional, field: name && fieldName(name, name.start.start) };
}

const fieldName = (node: ParseNode | undefined, place: number): Token | { readonly brokenAt: number } =>
  (node && tokens(node, 'identifier', 'escaped')[0]) ?? { brokenAt: place };

function args(node: ParseNode): Tree[] {
  const [list] = nodes(node, 'exprList');
  return list ? nodes(list, 'expr').map(toTree) : [];
}

function primary(node: ParseNode): Tree {
  const start = node.start.start;
  const names = tokens(node, 'identifier');
  const leadingDot = isToken(node.children[0]) && node.children[0].kind === '.';
  switch (node.alt) {
    case 1:
      return { kind: 'ident', start, leadingDot, name: names[0] };
    case 2: {
      const [open] = tokens(node, '(');
      return open ? { kind: 'call', start, leadingDot, name: names[0], open, args: args(node) } : { kind: 'broken', start };
    }
    case 3:
      return toTree(nodes(node, 'expr')[0]);
    case 4: {
      const [open] = tokens(node, '[');
      return open ? { kind: 'list', open, elements: elements(nodes(node, 'listInit')[0]) } : { kind: 'broken', start };
    }
    case 5: {
      const [open] = tokens(node, '{');
      return open ? { kind: 'map', open, entries: entries(nodes(node, 'mapInitializerList')[0]) } : { kind: 'broken', start };
    }
    case 6: {
      const [open] = tokens(node, '{');
      const fields = fieldTrees(nodes(node, 'fieldInitializerList')[0]);
      return open ? { kind: 'message', leadingDot, names, open, fields } : { kind: 'broken', start };
    }
    case 7:
      return toTree(nodes(node, 'literal')[0]);
    default:
      return missingNode;
  }
}

const hasMark = (node: ParseNode): boolean => tokens(node, '?').length > 0;

function elements(node: ParseNode | undefined): OptionalTree[] {
  return node ? nodes(node, 'optExpr').map((element) => ({ isOptional: hasMark(element), tree: toTree(element) })) : [];
}

function entries(node: ParseNode | undefined): EntryTree[] {
  if (!node) return [];
  const keys = nodes(node, 'optExpr');
  const values = nodes(node, 'expr');
  const colons = tokens(node, ':');
  if (colons.length > keys.length || colons.length > values.length) return [];
  return colons.map((colon, i) => ({ isOptional: hasMark(keys[i]!), key: toTree(keys[i]), colon, value: toTree(values[i]) }));
}

function fieldTrees(node: ParseNode | undefined): FieldTree[] {
  if (!node) return [];
  const names = nodes(node, 'optField');
  const values = nodes(node, 'expr');
  const colons = tokens(node, ':');
  if (names.length > colons.length || names.length > values.length) return [];
  return names.map((name, i) => ({
    isOptional: hasMark(name),
    name: fieldName(nodes(name, 'escapeIdent')[0], node.start.start),
    colon: colons[i]!,
    value: toTree(values[i]),
  }));
}

function literal(node: ParseNode): Tree {
  const token = node.children.filter(isToken).find(({ kind }) => kind !== '-');
  if (!token || token.text === '<missing>') return missingNode;
  return { kind: 'literal', start: node.start.start, isNegative: tokens(node, '-').length > 0, token };
}
