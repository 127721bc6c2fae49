// Upstream: github.com/google/cel-go/ext/formatting.go#stringFormatValidator

import type { CallExpr, Expr } from './ast.ts';
import type { CheckedExpression } from './checker.ts';
import type { TypeKind } from './types.ts';
import { complaints, FormatError, interpolate } from './format-clauses.ts';

const acceptedKinds: Readonly<Record<string, readonly TypeKind[]>> = {
  d: ['int', 'uint'],
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  x: ['int', 'uint', 'string', 'bytes'],
  o: ['int', 'uint'],
  s: ['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null'],
};

/** Checks `'...'.format([...])` when both are literals. */
export function validateFormat(call: CallExpr, checked: CheckedExpression, report: (id: number, message: string) => void): void {
  const [list] = call.args;
  if (call.target?.kind !== 'literal' || typeof call.target.value !== 'string' || list?.kind !== 'list') return;
  let used = 0;
  const result = interpolate(call.target.value, list.elements.length, undefined, ({ verb }, index) => {
    used++;
    const accepted = acceptedKinds[verb.toLowerCase()]!;
    const bad =
      verb === 's'
        ? findBadText(list.elements[index]!, checked)
        : accepts(list.elements[index]!, accepted, checked)
          ? undefined
          : list.elements[index]!;
    return bad ? new FormatError(complaints[verb.toLowerCase()]!(checked.types[bad.id]!.name), bad.id) : '';
  });
  if (result instanceof FormatError) report(result.node ?? call.id, result.message);
  else if (list.elements.length > used)
    report(call.id, `too many arguments supplied to string.format (expected ${used}, got ${list.elements.length})`);
}

function accepts(expr: Expr, kinds: readonly TypeKind[], checked: CheckedExpression): boolean {
  const { kind } = checked.types[expr.id]!;
  return kind === 'dyn' || kinds.includes(kind);
}

function findBadText(expr: Expr, checked: CheckedExpression): Expr | undefined {
  if (!accepts(expr, acceptedKinds['s']!, checked)) return expr;
  const parts = expr.kind === 'list' ? expr.elements : expr.kind === 'map' ? expr.entries.flatMap((entry) => [entry.key, entry.value]) : [];
  for (const part of parts) {
    const bad = findBadText(part, checked);
    if (bad) return bad;
  }
  return undefined;
}
