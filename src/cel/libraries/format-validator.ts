import type { CallExpr } from '../ast.ts';
import type { CheckedExpression } from '../checker.ts';

export function validateFormat(_call: CallExpr, _checked: CheckedExpression, _report: (id: number, message: string) => void): void {}
