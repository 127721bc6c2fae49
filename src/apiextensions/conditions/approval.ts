// Upstream: k8s.io/apiextensions-apiserver/pkg/apihelpers/helpers.go, k8s.io/apiextensions-apiserver/pkg/controller/apiapproval/apiapproval_controller.go
import { goQuote } from '../../machinery/go-format.ts';
import type { StatedCondition } from './conditions.ts';

export const approvalAnnotation = 'api-approved.kubernetes.io';

export type ApprovalState = 'invalid' | 'approved' | 'bypassed' | 'missing';

export interface Approval {
  readonly state: ApprovalState;
  readonly reason: string;
}

const reference = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** Groups of the Kubernetes community may only grow by APIs that were approved. */
export function isProtectedGroup(group: string): boolean {
  return group === 'k8s.io' || group === 'kubernetes.io' || group.endsWith('.k8s.io') || group.endsWith('.kubernetes.io');
}

export function approvalOf(annotations: Readonly<Record<string, string>> | undefined): Approval {
  const annotation = annotations?.[approvalAnnotation] ?? '';
  const needed = `protected groups must have approval annotation ${goQuote(approvalAnnotation)}`;
  if (annotation === '') return { state: 'missing', reason: `${needed}, ${reference}` };
  if (annotation.startsWith('unapproved')) return { state: 'bypassed', reason: `not approved: ${goQuote(annotation)}` };
  if (isAbsoluteUrl(annotation)) return { state: 'approved', reason: `approved in ${annotation}` };
  return { state: 'invalid', reason: `${needed} with either a URL or a reason starting with "unapproved", ${reference}` };
}

const conditionReasons: Readonly<Record<ApprovalState, string>> = {
  invalid: 'InvalidAnnotation',
  missing: 'MissingAnnotation',
  approved: 'ApprovedAnnotation',
  bypassed: 'UnapprovedAnnotation',
};

/** Undefined for groups that are open to every user. */
export function approvalCondition(group: string, annotations: Readonly<Record<string, string>> | undefined): StatedCondition | undefined {
  if (!isProtectedGroup(group)) return undefined;
  const { state, reason } = approvalOf(annotations);
  return {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: state === 'approved' ? 'True' : 'False',
    reason: conditionReasons[state],
    message: reason,
  };
}

function isAbsoluteUrl(text: string): boolean {
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#\s]+/.test(text) && URL.canParse(text);
}
