// Upstream: k8s.io/kubernetes/pkg/registry/certificates/certificates/strategy.go
import type { CertificateSigningRequestCondition } from '../../../schema/types/certificates-v1.ts';
import type { MetricsRegistry } from '../../../base/metrics.ts';
import type { ResourceDefinition } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { durationCounter } from './duration-metrics.ts';
import { columns } from './columns.ts';
import { anyName, validate, validateApproval, validateStatus, validateUpdate } from './validation.ts';
import type { SigningRequestObject } from './validation.ts';

export function certificateSigningRequests({ metrics }: { readonly metrics: MetricsRegistry }): ResourceDefinition {
  return defineResource<SigningRequestObject>({
    group: 'certificates.k8s.io',
    plural: 'certificatesigningrequests',
    strategy: {
      validateName: anyName,
      // Who asks is not for them to say.
      prepareForCreate({ spec }, { user }) {
        for (const field of ['username', 'uid', 'groups', 'extra'] as const) delete spec[field];
        if (user.name !== '') spec.username = user.name;
        if (user.uid !== '') spec.uid = user.uid;
        if (user.groups.length > 0) spec.groups = [...user.groups];
        const extra = Object.entries(user.extra).map(([key, values]) => [key, [...values]]);
        if (extra.length > 0) spec.extra = Object.fromEntries(extra) as NonNullable<typeof spec.extra>;
      },
      prepareForUpdate(request, old) {
        request.spec = old.spec;
      },
      resetFields: [['spec'], ['status']],
      validate,
      validateUpdate,
    },
    status: {
      prepareForUpdate(request, old, { now }) {
        request.spec = old.spec;
        for (const type of ['Approved', 'Denied']) keepConditions(request, old, type);
        fillTimes(request.status.conditions ?? [], old.status.conditions ?? [], now);
      },
      validateUpdate: validateStatus,
      written: durationCounter(metrics),
      resetFields: [['spec'], ['status', 'conditions']],
    },
    subresources: {
      approval: {
        update: {
          prepareForUpdate(request, old, { now }) {
            const { conditions = [] } = request.status;
            fillTimes(conditions, old.status.conditions ?? [], now);
            request.spec = old.spec;
            request.status = { ...old.status, conditions };
            if (conditions.length === 0) delete request.status.conditions;
          },
          validateUpdate: validateApproval,
          resetFields: [['spec'], ['status', 'certificate']],
        },
      },
    },
    selectableFields: { 'spec.signerName': ({ spec }) => spec.signerName },
    unknownFieldLabel: (label) => `field label not supported: ${label}`,
    columns,
  });
}

/** The signer writes the whole status; what was said about the approval stays, unless there is more or less of it, which is refused. */
function keepConditions(request: SigningRequestObject, old: SigningRequestObject, wanted: string): void {
  const conditions = request.status.conditions ?? [];
  const kept = (old.status.conditions ?? []).filter(({ type }) => type === wanted);
  const places = [...conditions.keys()].filter((index) => conditions[index]?.type === wanted);
  if (kept.length !== places.length) return;
  for (const [index, condition] of kept.entries()) conditions[places[index] as number] = condition;
}

function fillTimes(
  conditions: readonly CertificateSigningRequestCondition[],
  old: readonly CertificateSigningRequestCondition[],
  now: string,
): void {
  const known = new Map<string, string | undefined>();
  for (const { type, status, lastTransitionTime } of old) {
    const state = JSON.stringify([type, status]);
    if (lastTransitionTime !== null && !known.has(state)) known.set(state, lastTransitionTime);
  }
  for (const condition of conditions) {
    condition.lastUpdateTime ??= now;
    condition.lastTransitionTime ??= known.get(JSON.stringify([condition.type, condition.status])) ?? now;
  }
}
