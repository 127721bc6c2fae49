import { create, describeKind, merge, replace } from '../../../../test/support/kind-suite.ts';

const source = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' };
const claim = (spec: object = {}): object => ({
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});

describeKind('a PersistentVolumeClaim', {
  path: '/api/v1/namespaces/{ns}/persistentvolumeclaims',
  cases: [
    [
      'has a source of a group that can be',
      [create(claim({ dataSourceRef: { ...source, apiGroup: '../up' } }))],
      {
        causes: ['dataSource', 'dataSourceRef'].map(
          (field) => new RegExp(`^spec\\.${field}\\.apiGroup: Invalid value: "\\.\\./up": a lowercase RFC 1123 subdomain must`),
        ),
      },
    ],
    [
      'that had a source of some group may have one of any group, as far as groups go',
      [create(claim({ dataSource: source })), merge({ spec: { dataSource: { apiGroup: ' ' } } })],
      {
        causes: [
          'spec: Invalid value: {}: must match dataSourceRef',
          /^spec: Forbidden: spec is immutable after creation .*\n- {2}"APIGroup": "snapshot\.storage\.k8s\.io",\n\+ {2}"APIGroup": " ",\n/s,
        ],
      },
    ],
    [
      'shows limits that were given as empty',
      [create(claim()), replace({ spec: { accessModes: ['ReadOnlyMany'], resources: { limits: {} } } })],
      { causes: [/^spec: Forbidden: .*\n- {2}"Limits": null,\n\+ {2}"Limits": \{\},\n/s] },
    ],
    [
      'is not changed by limits that are empty',
      [create(claim()), replace({ spec: { resources: { limits: {} } } })],
      { fields: { spec: { resources: { limits: undefined, requests: { storage: '1Gi' } } } } },
    ],
  ],
});
