// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#ValidateDeviceClass
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath } from '../../../machinery/field.ts';
import type { NameRule } from '../../../machinery/names.ts';
import { declarativeFormats } from '../../../machinery/names.ts';
import type { DeviceClass, DeviceClassSpec } from '../../../schema/types/resource-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { validateConfiguration } from '../../common/device/configuration.ts';
import { ExpressionRules } from '../../common/device/expressions.ts';
import { validateList } from '../../common/device/lists.ts';

export type DeviceClassObject = DeviceClass & KubeObject;

/** What a name is made from is not judged: the name is. */
export const validateName: NameRule = (name, prefix) => (prefix ? [] : declarativeFormats.longName(name));

const maxConfigurations = 32;
const specPath = FieldPath.root('spec');

export function validate({ spec }: DeviceClassObject, context: WriteContext): FieldError[] {
  return validateSpec(spec, undefined, context);
}

export function validateUpdate({ metadata, spec }: DeviceClassObject, old: DeviceClassObject, context: WriteContext): FieldError[] {
  return [...validateMetadata(metadata, false, validateName), ...validateSpec(spec, old.spec, context)];
}

/** Lists that have not changed were right when they were stored. */
function validateSpec(spec: DeviceClassSpec, old: DeviceClassSpec | undefined, { features }: WriteContext): FieldError[] {
  const sameSelectors = old !== undefined && semanticDeepEqual(spec.selectors, old.selectors);
  const sameConfig = old !== undefined && semanticDeepEqual(spec.config, old.config);
  return [
    ...(sameSelectors ? [] : new ExpressionRules(features).validateSelectors(spec.selectors, specPath)),
    ...validateList(spec.config, specPath.child('config'), (config, at) => validateConfiguration(config, at, sameConfig), {
      declaredMax: maxConfigurations,
    }),
  ];
}
