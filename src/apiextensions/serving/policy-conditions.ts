// Upstream: apiextensions-apiserver pkg/controller/{apiapproval,nonstructuralschema}
import { approvalCondition } from '../definition/approval.ts';
import type { CustomResourceDefinition } from '../definition/conditions.ts';
import { findCondition, isSameCondition, setCondition } from '../definition/conditions.ts';

/** Conditions that tell whether a definition is as it should be, without consequences for serving it; in place. */
export function updatePolicyConditions(definition: CustomResourceDefinition, now: string): boolean {
  const approval = approvalCondition(definition.spec.group, definition.metadata.annotations);
  if (approval === undefined || isSameCondition(approval, findCondition(definition, approval.type))) return false;
  setCondition(definition, approval, now);
  return true;
}
