// Upstream: k8s.io/kubernetes/pkg/apis/admissionregistration/validation/validation.go#validateCELCondition
import type { Steps } from '../../../base/steps.ts';
import type { Use } from '../../../cel/kubernetes/environments.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { internalError, invalid } from '../../../machinery/field.ts';
import type { CompiledExpression, CompilerOptions, ExpressionOptions } from '../../../cel/kubernetes/expression-compiler.ts';
import { AdmissionCompiler } from '../../../cel/kubernetes/expression-compiler.ts';

/** Says what is wrong with the expressions of one object, in order: variables are known to what follows them. */
export class ExpressionCompiler {
  readonly #compiler: AdmissionCompiler;

  constructor(options: CompilerOptions) {
    this.#compiler = new AdmissionCompiler(options);
  }

  /** `shown` is how an error quotes the expression. */
  *check(expression: string, path: FieldPath, options: ExpressionOptions, shown = expression): Steps<FieldError[]> {
    return errorsOf(yield* this.#compiler.compiling(expression, options), path, shown);
  }

  *define(name: string, expression: string, path: FieldPath, use: Use): Steps<FieldError[]> {
    return errorsOf(yield* this.#compiler.defining(name, expression, use), path, expression);
  }
}

function errorsOf(compiled: CompiledExpression, path: FieldPath, shown: string): FieldError[] {
  if ('program' in compiled) return [];
  return [compiled.isInternal ? internalError(path, compiled.error) : invalid(path, shown, compiled.error)];
}
