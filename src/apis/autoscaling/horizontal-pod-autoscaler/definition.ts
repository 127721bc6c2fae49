// Upstream: k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go
import { deepCopy } from '../../../machinery/deep-copy.ts';
import { FieldPath } from '../../../machinery/field.ts';
import { validateNonNegative } from '../../../machinery/object-meta-validation.ts';
import type { HorizontalPodAutoscaler } from '../../../schema/types/autoscaling-v2.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { dropCarried } from './v1-annotations.ts';
import { columns } from './columns.ts';
import { conversionV1 } from './v1-conversion.ts';
import { specDefaults } from './defaults.ts';
import { validate } from './validation.ts';

type Autoscaler = HorizontalPodAutoscaler & KubeObject;

const statusPath = FieldPath.root('status');

export const horizontalPodAutoscalers = defineResource<Autoscaler>({
  group: 'autoscaling',
  plural: 'horizontalpodautoscalers',
  strategy: {
    generation: true,
    generationFeature: 'HPAGeneration',
    defaults(autoscaler, version) {
      if (version === 'v1') normalizeV1(autoscaler);
      else {
        dropCarried(autoscaler.metadata);
        specDefaults(autoscaler.spec);
      }
    },
    prepareForCreate: (autoscaler, { features }) => dropDisabledFields(autoscaler, undefined, features),
    prepareForUpdate: (autoscaler, old, { features }) => dropDisabledFields(autoscaler, old, features),
    // Who scales to zero already may go on doing so.
    declaredOptions: (_, old, { features }) => ({
      HPAScaleToZero: features.enabled('HPAScaleToZero') || old?.spec.minReplicas === 0,
    }),
    validate: (autoscaler) => validate(autoscaler),
    validateUpdate: (autoscaler, old) => validate(autoscaler, old),
  },
  status: {
    validateUpdate: ({ status: { conditions = [], currentReplicas = 0, desiredReplicas } }) => [
      ...conditions.flatMap(({ observedGeneration }, index) =>
        validateNonNegative(observedGeneration, statusPath.child('conditions').index(index).child('observedGeneration')),
      ),
      ...validateNonNegative(currentReplicas, statusPath.child('currentReplicas')),
      ...validateNonNegative(desiredReplicas, statusPath.child('desiredReplicas')),
    ],
  },
  conversions: { v1: conversionV1 },
  columns,
});

/** What v1 cannot say has defaults too; they show in its own fields and annotations once it has been there and back. */
function normalizeV1(object: Autoscaler): void {
  object.spec.minReplicas ??= 1;
  Object.assign(object, conversionV1.fromStorage(conversionV1.toStorage(deepCopy(object))));
}

function dropDisabledFields({ spec }: Autoscaler, old: Autoscaler | undefined, features: FeatureGates): void {
  if (features.enabled('HPAConfigurableTolerance') || hasTolerance(old)) return;
  delete spec.behavior?.scaleDown?.tolerance;
  delete spec.behavior?.scaleUp?.tolerance;
}

function hasTolerance(autoscaler: Autoscaler | undefined): boolean {
  const { scaleUp, scaleDown } = autoscaler?.spec.behavior ?? {};
  return scaleUp?.tolerance !== undefined || scaleDown?.tolerance !== undefined;
}
