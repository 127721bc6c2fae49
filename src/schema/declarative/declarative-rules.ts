// Upstream: k8s.io/kubernetes/pkg/apis/*/*/zz_generated.validations.go
// The markers in the tables are their source.
import type { FieldError } from '../../machinery/field.ts';
import type { StructType } from '../../machinery/type-model.ts';
import { RuleCompiler } from './rule-compiler.ts';
import type { Run } from './rule.ts';

/** The rules that types declare. Made for a type when it is first asked about; owns what it makes: keep one per server. */
export class DeclarativeRules {
  readonly #compiler: RuleCompiler;

  /** `json` shows a struct as clients read it, where a message repeats it. */
  constructor(json: (value: object, type: StructType) => string) {
    this.#compiler = new RuleCompiler(json);
  }

  /** In the order of the declaration; `old` undefined when the object is created. Types that are not `ruled` have no errors: do not ask. */
  validate(type: StructType, object: object, old: object | undefined, option: Run['option']): readonly FieldError[] {
    return this.#compiler.struct(type)({ option, update: old !== undefined }, undefined, object, old);
  }
}
