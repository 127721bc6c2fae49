// Upstream: github.com/google/cel-go/cel/validator.go

import type { CallExpr, Expr } from './ast.ts';
import type { CheckedExpression } from './checker.ts';
import { convert } from './convert.ts';
import { compileRegex } from './regex.ts';
import { Issues } from './syntax/source.ts';
import type { CelType } from './types.ts';
import { durationType, sameType, timestampType } from './types.ts';
import type { Value } from './values.ts';
import { CelError } from './values.ts';
import { validateFormat } from './format-validator.ts';

/** Calls fn for every node, parents first. */
export function walk(expr: Expr, visit: (expr: Expr, parents: readonly Expr[]) => void, parents: readonly Expr[] = []): void {
  visit(expr, parents);
  const below = [...parents, expr];
  for (const child of children(expr)) walk(child, visit, below);
}

function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target ? [expr.target, ...expr.args] : expr.args;
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return expr.fields.map((field) => field.value);
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
    default:
      return [];
  }
}

type LiteralCheck = (value: Value) => boolean;

const literalChecks: Readonly<Record<string, LiteralCheck>> = {
  duration: (value) => !(convert(value, durationType) instanceof CelError),
  timestamp: (value) => !(convert(value, timestampType) instanceof CelError),
  // Upstream looks at the first argument also in matches(text, pattern), where it is the text.
  matches: (value) => typeof value !== 'string' || !(compileRegex(value) instanceof CelError),
};

/** Finds literals that can only fail when evaluated, and literals that mix types. */
export function validateLiterals(checked: CheckedExpression): Issues {
  const issues = new Issues();
  const report = (id: number, message: string): void => issues.report(checked.offsets[id]!, message);
  walk(checked.root, (expr, parents) => {
    if (expr.kind === 'call') checkArgument(expr, report);
    if (expr.kind === 'call' && expr.name === 'format') validateFormat(expr, checked, report);
    if (parents.some((parent) => parent.kind === 'call' && parent.name === 'format')) return;
    if (expr.kind === 'list') checkElements(expr.elements, expr.optionals, checked.types, report, true);
    if (expr.kind === 'map') {
      const optionals = expr.entries.flatMap((entry, i) => (entry.isOptional ? [i] : []));
      checkElements(
        expr.entries.map((entry) => entry.key),
        [],
        checked.types,
        report,
      );
      checkElements(
        expr.entries.map((entry) => entry.value),
        optionals,
        checked.types,
        report,
      );
    }
  });
  return issues;
}

type Report = (id: number, message: string) => void;

function checkArgument(call: CallExpr, report: Report): void {
  const isValid = literalChecks[call.name];
  const arg = call.args[0];
  if (isValid && arg?.kind === 'literal' && !isValid(arg.value)) report(arg.id, `invalid ${call.name} argument`);
}

function checkElements(
  elements: readonly Expr[],
  optionals: readonly number[],
  types: readonly CelType[],
  report: Report,
  stopsAtFirst = false,
): void {
  const typeAt = (i: number): CelType => {
    const type = types[elements[i]!.id]!;
    return optionals.includes(i) ? (type.parameters[0] ?? type) : type;
  };
  for (let i = 1; i < elements.length; i++) {
    if (sameType(typeAt(0), typeAt(i))) continue;
    report(elements[i]!.id, `expected type '${typeAt(0)}' but found '${typeAt(i)}'`);
    if (stopsAtFirst) return;
  }
}
