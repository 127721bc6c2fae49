// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#ValidateDeviceClass
import type { Steps } from '../../../base/steps.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath } from '../../../machinery/field.ts';
import type { NameRule } from '../../../machinery/names.ts';
import { declarativeFormats } from '../../../machinery/names.ts';
import type { DeviceClass } from '../../../schema/types/resource-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { validateConfiguration } from '../../common/device/configuration.ts';
import { ExpressionRules } from '../../common/device/expressions.ts';
import { validateListInSteps } from '../../common/device/lists.ts';

export type DeviceClassObject = DeviceClass & KubeObject;

/** What a name is made from is not judged: the name is. */
export const validateName: NameRule = (name, prefix) => (prefix ? [] : declarativeFormats.longName(name));

const maxConfigurations = 32;
const specPath = FieldPath.root('spec');

/** Lists that have not changed were right when they were stored. */
export function* validate(
  { metadata, spec }: DeviceClassObject,
  old: DeviceClassObject | undefined,
  { features }: WriteContext,
): Steps<FieldError[]> {
  const sameSelectors = old !== undefined && semanticDeepEqual(spec.selectors, old.spec.selectors);
  const sameConfig = old !== undefined && semanticDeepEqual(spec.config, old.spec.config);
  return [
    ...(old === undefined ? [] : validateMetadata(metadata, false, validateName)),
    ...(sameSelectors ? [] : yield* new ExpressionRules(features).validateSelectors(spec.selectors, specPath)),
    ...(yield* validateListInSteps(spec.config, specPath.child('config'), (config, at) => validateConfiguration(config, at, sameConfig), {
      declaredMax: maxConfigurations,
    })),
  ];
}
