// Upstream: github.com/google/cel-go/parser/gen/CEL.g4
// The parser rules.

import type { Token } from './lexer.ts';

/**
 * The concrete syntax, with chains of single-child rules already collapsed. Trees of broken expressions have
 * `missing` nodes and absent tokens where error recovery found nothing.
 */
export type Tree =
  | { readonly kind: 'missing' }
  | { readonly kind: 'broken'; readonly start: number; readonly message?: string }
  | { readonly kind: 'conditional'; readonly condition: Tree; readonly op: Token; readonly then: Tree; readonly otherwise: Tree }
  | { readonly kind: 'logic'; readonly start: number; readonly ops: readonly Token[]; readonly terms: readonly Tree[] }
  | { readonly kind: 'binary'; readonly op: Token; readonly left: Tree; readonly right: Tree }
  | { readonly kind: 'prefix'; readonly ops: readonly Token[]; readonly operand: Tree }
  | {
      readonly kind: 'select';
      readonly start: number;
      readonly operand: Tree;
      readonly op: Token;
      readonly isOptional: boolean;
      /** A place where a name should stand, when there is something else. */
      readonly field: Token | { readonly brokenAt: number } | undefined;
    }
  | {
      readonly kind: 'memberCall';
      readonly start: number;
      readonly operand: Tree;
      readonly name: Token | undefined;
      readonly open: Token;
      readonly args: readonly Tree[];
    }
  | { readonly kind: 'index'; readonly operand: Tree; readonly op: Token; readonly isOptional: boolean; readonly index: Tree }
  | { readonly kind: 'ident'; readonly start: number; readonly leadingDot: boolean; readonly name: Token | undefined }
  | {
      readonly kind: 'call';
      readonly start: number;
      readonly leadingDot: boolean;
      readonly name: Token | undefined;
      readonly open: Token;
      readonly args: readonly Tree[];
    }
  | { readonly kind: 'list'; readonly open: Token; readonly elements: readonly OptionalTree[] }
  | { readonly kind: 'map'; readonly open: Token; readonly entries: readonly EntryTree[] }
  | {
      readonly kind: 'message';
      readonly leadingDot: boolean;
      readonly names: readonly Token[];
      readonly open: Token;
      readonly fields: readonly FieldTree[];
    }
  | { readonly kind: 'literal'; readonly start: number; readonly isNegative: boolean; readonly token: Token };

export interface OptionalTree {
  readonly isOptional: boolean;
  readonly tree: Tree;
}

export interface EntryTree {
  readonly isOptional: boolean;
  readonly key: Tree;
  readonly colon: Token;
  readonly value: Tree;
}

export interface FieldTree {
  readonly isOptional: boolean;
  readonly name: Token | { readonly brokenAt: number };
  readonly colon: Token;
  readonly value: Tree;
}
