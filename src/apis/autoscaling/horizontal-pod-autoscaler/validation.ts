// Upstream: k8s.io/kubernetes/pkg/apis/autoscaling/validation/validation.go
// Upstream: k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go#options
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, required } from '../../../machinery/field.ts';
import type { HorizontalPodAutoscaler } from '../../../schema/types/autoscaling-v2.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateBehavior } from './behavior-validation.ts';
import { validateMetrics } from './metric-validation.ts';
import type { ReferenceRules } from './reference-validation.ts';
import { apiVersionProblem, validateReference } from './reference-validation.ts';

type Autoscaler = HorizontalPodAutoscaler & KubeObject;

interface Options {
  readonly scaleTarget: ReferenceRules;
  readonly describedObjects: ReferenceRules;
}

const specPath = FieldPath.root('spec');

export function validate(autoscaler: Autoscaler, old?: Autoscaler): FieldError[] {
  return validateSpec(autoscaler, optionsFor(autoscaler, old));
}

function validateSpec({ spec }: Autoscaler, { scaleTarget, describedObjects }: Options): FieldError[] {
  const { scaleTargetRef, minReplicas, maxReplicas, metrics = [], behavior } = spec;
  const errors: FieldError[] = [];
  if (!maxReplicas) errors.push(required(specPath.child('maxReplicas'), 'must be set and greater than 0'));
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    errors.push(invalid(specPath.child('maxReplicas'), maxReplicas, 'must be greater than or equal to `minReplicas`'));
  }
  return [
    ...errors,
    ...validateReference(scaleTargetRef, specPath.child('scaleTargetRef'), scaleTarget),
    ...validateMetrics(metrics, specPath.child('metrics'), minReplicas, describedObjects),
    ...validateBehavior(behavior, specPath.child('behavior')),
  ];
}

/** What was stored under older rules may stay as it is. */
function optionsFor({ spec }: Autoscaler, old: Autoscaler | undefined): Options {
  const { kind, apiVersion } = spec.scaleTargetRef;
  const sameTarget = old?.spec.scaleTargetRef.kind === kind && old.spec.scaleTargetRef.apiVersion === apiVersion;
  return {
    // ReplicationController is the only scalable kind of the core group.
    scaleTarget: { allowInvalid: sameTarget, allowCoreGroup: kind === 'ReplicationController' },
    describedObjects: { allowInvalid: hasInvalidObjectMetric(old), allowCoreGroup: true },
  };
}

function hasInvalidObjectMetric(old: Autoscaler | undefined): boolean {
  return (old?.spec.metrics ?? []).some(
    ({ type, object }) =>
      type === 'Object' &&
      object !== undefined &&
      apiVersionProblem(object.describedObject, { allowInvalid: false, allowCoreGroup: true }) !== undefined,
  );
}
