// Upstream: pkg/registry/resource/devicetaintrule/strategy.go, pkg/apis/resource/v1/defaults.go
import type { DeviceTaintRule } from '../../../schema/types/resource-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';

type DeviceTaintRuleObject = DeviceTaintRule & KubeObject;

export const deviceTaintRules = defineResource<DeviceTaintRuleObject>({
  group: 'resource.k8s.io',
  plural: 'devicetaintrules',
  strategy: {
    generation: true,
    prepareForCreate: ({ spec }, { now }) => taintedSince(spec, now),
    prepareForUpdate: ({ spec }, _old, { now }) => taintedSince(spec, now),
  },
});

function taintedSince(spec: DeviceTaintRuleObject['spec'] | undefined, now: string): void {
  if (spec?.taint !== undefined) spec.taint.timeAdded ??= now;
}
