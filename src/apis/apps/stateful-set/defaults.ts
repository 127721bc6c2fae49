// Upstream: k8s.io/kubernetes/pkg/apis/apps/v1/{defaults,zz_generated.defaults,conversion}.go
import { defaultPodTemplate, roundResources } from '../../common/pod-spec/defaults.ts';
import type { StatefulSetObject } from './definition.ts';

const revisionHistoryLimit = 10;

export function defaultStatefulSet({ spec }: StatefulSetObject, defaultsMaxUnavailable: boolean): void {
  defaultPodTemplate(spec.template);
  spec.podManagementPolicy ||= 'OrderedReady';
  const strategy = (spec.updateStrategy ??= {});
  if (!strategy.type) {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate !== undefined) {
    strategy.rollingUpdate.partition ??= 0;
    if (defaultsMaxUnavailable) strategy.rollingUpdate.maxUnavailable ??= 1;
  }
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
  retention.whenDeleted ||= 'Retain';
  retention.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= revisionHistoryLimit;
  for (const claim of spec.volumeClaimTemplates ?? []) {
    // Claims within a set have always carried these.
    claim.kind = 'PersistentVolumeClaim';
    claim.apiVersion = 'v1';
    claim.spec ??= {} as typeof claim.spec;
    claim.spec.volumeMode ??= 'Filesystem';
    claim.status = { ...claim.status, phase: claim.status?.phase || 'Pending' };
    roundResources(claim.spec.resources?.limits);
    roundResources(claim.spec.resources?.requests);
    roundResources(claim.status.capacity);
    roundResources(claim.status.allocatedResources);
  }
}
