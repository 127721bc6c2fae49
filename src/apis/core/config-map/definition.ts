// Upstream: k8s.io/kubernetes/pkg/registry/core/configmap/strategy.go
import type { ConfigMap } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { fillNulls, hasNulls } from '../../common/keyed-data.ts';
import { validate, validateUpdate } from './validation.ts';

const size = (map: object | undefined): number => Object.keys(map ?? {}).length;

export const configMaps = defineResource<ConfigMap & KubeObject>({
  group: '',
  plural: 'configmaps',
  strategy: {
    defaults: ({ binaryData }) => fillNulls(binaryData),
    isReadOtherwise: ({ binaryData }) => hasNulls(binaryData),
    validate,
    validateUpdate,
  },
  columns: [
    {
      name: 'Data',
      type: 'string',
      description: docOf('io.k8s.api.core.v1.ConfigMap', 'data'),
      cell: ({ data, binaryData }) => size(data) + size(binaryData),
    },
    ageColumn,
  ],
});
