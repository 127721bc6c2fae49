import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { forbidden, tooMany } from '../../../machinery/field.ts';

/**
 * All expressions of an object are compiled when it is written, in one go. Upstream limits each (100,000 characters), and not how many
 * there are.
 */
const mostExpressions = 2000;
const mostText = 52 * 1024;
/** The compiler refuses what is longer without reading it. */
const longest = 100_000;

/** More expressions than can be compiled in a moment. */
export function validateExpressionAmount(expressions: readonly string[], path: FieldPath): FieldError[] {
  if (expressions.length > mostExpressions) return [tooMany(path, expressions.length, mostExpressions)];
  const text = expressions.reduce((sum, { length }) => sum + (length > longest ? 0 : length), 0);
  return text <= mostText ? [] : [forbidden(path, `expressions may have ${mostText} characters together, these have ${text}`)];
}

/** Every expression in lists of whatever has some. */
export function expressionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    typeof item !== 'string' ? expressionsIn(item) : /^(?:expression|messageExpression|valueExpression)$/.test(name) ? [item] : [],
  );
}
