// Upstream: k8s.io/kubernetes/pkg/registry/apiserverinternal/storageversion/strategy.go
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { listWithMore } from '../../common/list-with-more.ts';
import { resetMetadataForStatus } from '../../common/status-metadata.ts';
import { validateName, validateStatus } from './validation.ts';
import type { StorageVersionObject } from './validation.ts';

const statusType = 'io.k8s.api.apiserverinternal.v1alpha1.StorageVersionStatus';
const shownServers = 3;

export const storageVersions = defineResource<StorageVersionObject>({
  group: 'internal.apiserver.k8s.io',
  plural: 'storageversions',
  strategy: { allowUnconditionalUpdate: false, validateName },
  status: {
    prepareForUpdate: ({ metadata }, old) => resetMetadataForStatus(metadata, old.metadata),
    validateUpdate: validateStatus,
    resetFields: [['metadata'], ['spec']],
  },
  columns: [
    {
      name: 'CommonEncodingVersion',
      type: 'string',
      description: docOf(statusType, 'commonEncodingVersion'),
      cell: ({ status }) => status.commonEncodingVersion ?? '<unset>',
    },
    {
      name: 'StorageVersions',
      type: 'string',
      description: docOf(statusType, 'storageVersions'),
      cell: ({ status: { storageVersions: servers = [] } }) =>
        listWithMore(
          servers.map(({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`),
          shownServers,
        ),
    },
    ageColumn,
  ],
});
