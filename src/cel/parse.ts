// Upstream: github.com/google/cel-go/parser/parser.go

import type { ParsedExpression } from './ast.ts';
import { expand, ExpansionTooDeep } from './expand.ts';
import type { Syntax } from './expand.ts';
import { Issues, nowhere } from './syntax/source.ts';
import { tokenize } from './syntax/lexer.ts';
import { parseTokens, TooDeepError, UnexpectedTokenError } from './syntax/parser.ts';
import { recover } from './syntax/recovery.ts';
import type { Tree } from './syntax/tree.ts';
import { stringSize } from './values.ts';

const sizeLimit = 100_000;

/** Parses an expression and expands its macros. */
export function parse(expression: string, syntax: Syntax): ParsedExpression | Issues {
  const issues = new Issues();
  const size = stringSize(expression);
  if (size > sizeLimit) {
    issues.report(nowhere, `expression code point size exceeds limit: size: ${size}, limit ${sizeLimit}`);
    return issues;
  }
  const tree = parseTree(expression, issues);
  if (!tree) return issues;
  try {
    const { root, offsets } = expand(tree, syntax, issues);
    return issues.count > 0 ? issues : { expression, root, offsets };
  } catch (cause) {
    if (!(cause instanceof ExpansionTooDeep)) throw cause;
    issues.report(nowhere, ExpansionTooDeep.message);
    return issues;
  }
}

function parseTree(expression: string, issues: Issues): Tree | undefined {
  const { tokens, errors } = tokenize(expression);
  for (const error of errors) issues.report(error.offset, `Syntax error: ${error.message}`);
  try {
    return parseTokens(tokens);
  } catch (cause) {
    if (cause instanceof TooDeepError) {
      issues.report(nowhere, TooDeepError.message);
      return undefined;
    }
    if (cause !== UnexpectedTokenError.instance) throw cause;
  }
  return recover(expression, tokens, errors, issues);
}
