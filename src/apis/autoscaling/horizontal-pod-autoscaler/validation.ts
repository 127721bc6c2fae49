// Upstream: pkg/apis/autoscaling/validation/validation.go, pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go (options)
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, required } from '../../../machinery/field.ts';
import type { HorizontalPodAutoscaler } from '../../../schema/types/autoscaling-v2.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { Findings } from '../../common/findings.ts';
import { validateBehavior } from './behavior-validation.ts';
import { validateMetrics } from './metric-validation.ts';
import type { ReferenceRules } from './reference-validation.ts';
import { apiVersionProblem, validateReference } from './reference-validation.ts';

type Autoscaler = HorizontalPodAutoscaler & KubeObject;

interface Options {
  readonly minReplicasLowerBound: 0 | 1;
  readonly scaleTarget: ReferenceRules;
  readonly describedObjects: ReferenceRules;
}

const specPath = FieldPath.root('spec');

export function validate(autoscaler: Autoscaler, context: WriteContext): FieldError[] {
  return validateSpec(autoscaler, optionsFor(autoscaler, undefined, context));
}

export function validateUpdate(autoscaler: Autoscaler, old: Autoscaler, context: WriteContext): FieldError[] {
  return validateSpec(autoscaler, optionsFor(autoscaler, old, context));
}

function validateSpec({ spec }: Autoscaler, { minReplicasLowerBound, scaleTarget, describedObjects }: Options): FieldError[] {
  const { scaleTargetRef, minReplicas, maxReplicas, metrics = [], behavior } = spec;
  const findings = new Findings();
  if (minReplicas !== undefined && minReplicas < minReplicasLowerBound) {
    findings.declare(atLeast('minReplicas', minReplicas, String(minReplicasLowerBound)));
  }
  if (maxReplicas === 0) findings.declare(required(specPath.child('maxReplicas'), ''));
  else if (maxReplicas < 0) findings.declare(atLeast('maxReplicas', maxReplicas, '1'));
  if (minReplicas !== undefined && maxReplicas < minReplicas) findings.add(atLeast('maxReplicas', maxReplicas, '`minReplicas`'));
  findings.add(
    ...validateReference(scaleTargetRef, specPath.child('scaleTargetRef'), scaleTarget),
    ...validateMetrics(metrics, specPath.child('metrics'), minReplicas, describedObjects),
    ...validateBehavior(behavior, specPath.child('behavior')),
  );
  return findings.errors;
}

function atLeast(field: string, value: number, least: string): FieldError {
  return invalid(specPath.child(field), value, `must be greater than or equal to ${least}`);
}

/** What was stored under older rules may stay as it is. */
function optionsFor({ spec }: Autoscaler, old: Autoscaler | undefined, { features }: WriteContext): Options {
  const scalesToZero = features.enabled('HPAScaleToZero') || old?.spec.minReplicas === 0;
  const { kind, apiVersion } = spec.scaleTargetRef;
  const sameTarget = old?.spec.scaleTargetRef.kind === kind && old.spec.scaleTargetRef.apiVersion === apiVersion;
  return {
    minReplicasLowerBound: scalesToZero ? 0 : 1,
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
