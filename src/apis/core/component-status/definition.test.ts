import { describeKind, send } from '../../../../test/support/kind-suite.ts';

const path = '/api/v1/componentstatuses';

describeKind('a ComponentStatus', {
  path,
  cases: [
    ['is deprecated', [send('GET', `${path}/etcd-0`)], { warnings: ['v1 ComponentStatus is deprecated in v1.19+'] }],
    [
      'says that the store is healthy',
      [send('GET', `${path}/etcd-0`)],
      {
        fields: { kind: 'ComponentStatus', metadata: { name: 'etcd-0' }, conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }] },
      },
    ],
    [
      'says of a scheduler that is not on this machine that it is not',
      [send('GET', `${path}/scheduler`)],
      {
        fields: {
          conditions: [
            {
              type: 'Healthy',
              status: 'False',
              message: 'Get "https://127.0.0.1:10259/healthz": dial tcp 127.0.0.1:10259: connect: connection refused',
            },
          ],
        },
      },
    ],
    ['is of components that are known', [send('GET', `${path}/none`)], { status: 404, message: 'componentstatus "none" not found' }],
    ['is listed', [send('GET', path)], { fields: { kind: 'ComponentStatusList' } }],
    [
      'is listed if it has what is asked for, and no component has labels',
      [send('GET', `${path}?labelSelector=a%3Db`)],
      { fields: { items: [] } },
    ],
    [
      'is listed by its name',
      [send('GET', `${path}?fieldSelector=metadata.name%3Detcd-0`, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' })],
      { cells: { Name: 'etcd-0', Status: 'Healthy', Message: 'ok', Error: '' } },
    ],
    [
      'is not selected by anything else',
      [send('GET', `${path}?fieldSelector=a%3Db`)],
      { status: 400, message: /"a" is not a known field selector: only "metadata.name", "metadata.namespace"$/ },
    ],
    [
      'is not made',
      [send('POST', path, { metadata: { name: 'x' } })],
      { status: 405, message: 'the server does not allow this method on the requested resource' },
    ],
    [
      'shows what is healthy',
      [send('GET', `${path}/etcd-0`, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' })],
      { cells: { Name: 'etcd-0', Status: 'Healthy', Message: 'ok', Error: '' } },
    ],
  ],
});
