import type { Issues } from '../source.ts';
import type { Token } from './lexer.ts';
import type { Tree } from './tree.ts';

export function recover(_expression: string, tokens: readonly Token[], issues: Issues): Tree | undefined {
  issues.report(tokens[0]!.start, 'Syntax error');
  return undefined;
}
