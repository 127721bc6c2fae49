import { create, describeKind, merge, replace, send, table } from '../../../../test/support/kind-suite.ts';

const revision = (fields: object = {}): object => ({ revision: 1, data: { spec: { any: ['thing'] } }, ...fields });
const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u-1', controller: true };

describeKind('a ControllerRevision', {
  path: '/apis/apps/v1/namespaces/{ns}/controllerrevisions',
  cases: [
    ['holds any object', [create(revision())], { fields: { revision: 1, data: { spec: { any: ['thing'] } } } }],
    ['needs its data', [create({ revision: 1 })], { causes: ['data: Required value: data is mandatory'] }],
    [
      'has no data that is no object',
      [create(revision({ data: 'text' }))],
      { status: 422, message: 'ControllerRevision.apps "{name}" is invalid: data: Required value: data must be a valid JSON object' },
    ],
    ['is revision zero unless it says otherwise', [create({ data: {} })], { fields: { revision: 0 } }],
    [
      'has no revision below zero',
      [create(revision({ revision: -1 }))],
      { causes: ['revision: Invalid value: -1: must be greater than or equal to 0'] },
    ],
    [
      'keeps its data',
      [create(revision()), replace({ data: { spec: null, other: 1 } })],
      { causes: ['data: Invalid value: {"other":1}: field is immutable'] },
    ],
    [
      'gets another revision',
      [create(revision()), merge({ revision: 2 })],
      { fields: { revision: 2, metadata: { generation: undefined } } },
    ],
    [
      'is replaced without a precondition',
      [
        create(revision()),
        send('PUT', '/apis/apps/v1/namespaces/{ns}/controllerrevisions/{name}', {
          metadata: { name: '{name}' },
          ...revision({ revision: 3 }),
        }),
      ],
      { fields: { revision: 3 } },
    ],
    [
      'shows whose it is',
      [create({ ...revision(), metadata: { ownerReferences: [owner] } }), table],
      { cells: { Name: '{name}', Controller: 'statefulset.apps/web', Revision: 1, Age: /./ } },
    ],
    [
      'has its keys in order where a patch has touched them',
      [create(revision()), merge({ data: { a: 1 } })],
      { causes: ['data: Invalid value: {"a":1,"spec":{"any":["thing"]}}: field is immutable'] },
    ],
  ],
});
