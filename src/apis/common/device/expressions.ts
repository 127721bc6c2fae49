// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#validateSelector, #validateCELExpression
import type { Steps } from '../../../base/steps.ts';
import type { DeviceExpressionUse } from '../../../cel/kubernetes/devices.ts';
import { DeviceExpressions } from '../../../cel/kubernetes/devices.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { forbidden, internalError, invalid, required, tooLong } from '../../../machinery/field.ts';
import { isLongerThan } from '../../../machinery/names.ts';
import type { DeviceSelector } from '../../../schema/types/resource-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import { validateListInSteps } from './lists.ts';

const maxExpressionLength = 10 * 1024;
const maxExpressionCost = 1_000_000;
const maxSelectors = 32;

/** Checks the expressions of one object; the compiler is made when the first is met. */
export class ExpressionRules {
  readonly #features: FeatureGates;
  #compiler: DeviceExpressions | undefined;
  /** of all computed attributes so far */
  attributeCost = 0;

  constructor(features: FeatureGates) {
    this.#features = features;
  }

  validateSelectors(selectors: readonly DeviceSelector[] | undefined, path: FieldPath): Steps<FieldError[]> {
    return validateListInSteps(selectors, path.child('selectors'), (selector, at) => this.#validateSelector(selector, at), {
      declaredMax: maxSelectors,
    });
  }

  #validateSelector({ cel }: DeviceSelector, path: FieldPath): FieldError[] {
    const at = path.child('cel');
    return cel === undefined ? [required(at, '')] : this.#validate(cel.expression, at.child('expression'), 'selector');
  }

  validateAttribute(expression: string, path: FieldPath): FieldError[] {
    return this.#validate(expression, path, 'attribute');
  }

  #validate(expression: string, path: FieldPath, use: DeviceExpressionUse): FieldError[] {
    if (isLongerThan(expression, maxExpressionLength)) return [tooLong(path, maxExpressionLength)];
    const compiled = this.#compile(expression, use);
    if ('invalid' in compiled) return [invalid(path, expression, compiled.invalid)];
    if ('internal' in compiled) return [internalError(path, compiled.internal)];
    if (use === 'attribute') this.attributeCost += compiled.maxCost;
    return compiled.maxCost > maxExpressionCost ? [forbidden(path, 'too complex, exceeds cost limit')] : [];
  }

  #compile(expression: string, use: DeviceExpressionUse): ReturnType<DeviceExpressions['compile']> {
    this.#compiler ??= new DeviceExpressions({
      consumableCapacity: this.#features.enabled('DRAConsumableCapacity'),
      listTypeAttributes: this.#features.enabled('DRAListTypeAttributes'),
    });
    return this.#compiler.compile(expression, use);
  }
}
