// Upstream: k8s.io/apiextensions-apiserver/pkg/controller/{apiapproval,nonstructuralschema}
import { append } from '../../machinery/append.ts';
import { FieldPath, aggregateMessage, invalid } from '../../machinery/field.ts';
import { approvalCondition } from '../conditions/approval.ts';
import type { CustomResourceDefinition, StatedCondition } from '../conditions/conditions.ts';
import { findCondition, isSameCondition, removeCondition, setCondition } from '../conditions/conditions.ts';
import { structuralFault, validateStructural } from '../schema-validation/structural-validation.ts';

/**
 * Conditions that tell whether a definition is as it should be, without consequences for serving it; in place.
 * @param structural what `structuralCondition` says of its spec
 */
export function updatePolicyConditions(
  definition: CustomResourceDefinition,
  structural: StatedCondition | undefined,
  now: string,
): boolean {
  const approval = approvalCondition(definition.spec.group, definition.metadata.annotations);
  const isApprovalNew = approval !== undefined && !isSameCondition(approval, findCondition(definition, approval.type));
  if (isApprovalNew) setCondition(definition, approval, now);
  return updateStructuralCondition(definition, structural, now) || isApprovalNew;
}

function updateStructuralCondition(definition: CustomResourceDefinition, stated: StatedCondition | undefined, now: string): boolean {
  const found = findCondition(definition, 'NonStructuralSchema');
  if (isSameCondition(stated, found)) return false;
  if (stated === undefined) removeCondition(definition, 'NonStructuralSchema');
  else setCondition(definition, stated, now);
  return true;
}

/** Undefined where everything is structural. Definitions from before that was asked for may be otherwise. */
export function structuralCondition({ spec }: CustomResourceDefinition): StatedCondition | undefined {
  const type = 'NonStructuralSchema';
  const errors = spec.preserveUnknownFields ? [invalid(FieldPath.root('spec', 'preserveUnknownFields'), true, 'must be false')] : [];
  for (const [i, { name, schema }] of (spec.versions ?? []).entries()) {
    if (schema?.openAPIV3Schema === undefined) continue;
    const fault = structuralFault(schema.openAPIV3Schema);
    if (fault !== undefined) {
      const message = `failed to check validation schema for version ${name}: ${fault}`;
      return { type, status: 'Unknown', reason: 'StructuralError', message };
    }
    const path = FieldPath.root('spec', 'versions').index(i).child('schema', 'openAPIV3Schema');
    append(errors, validateStructural(schema.openAPIV3Schema, path));
  }
  return errors.length === 0 ? undefined : { type, status: 'True', reason: 'Violations', message: aggregateMessage(errors) };
}
