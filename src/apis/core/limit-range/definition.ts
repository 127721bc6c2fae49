// Upstream: k8s.io/kubernetes/pkg/registry/core/limitrange/strategy.go, k8s.io/kubernetes/pkg/apis/core/v1/defaults.go#SetDefaults_LimitRangeItem
import { randomUUID } from 'node:crypto';
import type { LimitRange, LimitRangeItem } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { roundResources } from '../../common/pod-spec/defaults.ts';
import { validate } from './validation.ts';

export const limitRanges = defineResource<LimitRange & KubeObject>({
  group: '',
  plural: 'limitranges',
  strategy: {
    allowCreateOnUpdate: true,
    defaults: ({ spec }) => spec.limits?.forEach(itemDefaults),
    prepareForCreate({ metadata }) {
      metadata.name ||= randomUUID();
    },
    validate,
    validatesMetadataOnUpdate: true,
    validateUpdate: (limitRange) => [...validateMetadata(limitRange.metadata, true), ...validate(limitRange)],
  },
});

/** Containers get what is closest: the limit from the maximum, the request from the limit, or else from the minimum. */
function itemDefaults(item: LimitRangeItem): void {
  for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio]) roundResources(list);
  if (item.type !== 'Container') return;
  const limits = { ...item.max, ...item.default };
  const requests = { ...item.min, ...limits, ...item.defaultRequest };
  if (Object.keys(limits).length > 0) item.default = limits;
  if (Object.keys(requests).length > 0) item.defaultRequest = requests;
}
