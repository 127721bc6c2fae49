import { create, describeKind, send } from '../../../../test/support/kind-suite.ts';

const parentRef = { resource: 'services', namespace: 'n', name: 's' };
const address = (name: string, spec: object = { parentRef }): object => ({ metadata: { name }, spec });

const path = '/apis/networking.k8s.io/v1/ipaddresses';
const patch = (name: string, spec: object): ReturnType<typeof send> =>
  send('PATCH', `${path}/${name}`, { spec }, { 'content-type': 'application/merge-patch+json' });

describeKind('an IPAddress', {
  path,
  cases: [
    [
      'is an address that belongs to an object',
      [create(address('192.0.2.1'))],
      { fields: { metadata: { name: '192.0.2.1', generation: undefined }, spec: { parentRef } } },
    ],
    ['may be of version six', [create(address('2001:db8::1'))], { fields: { metadata: { name: '2001:db8::1' } } }],
    [
      'is named as addresses are written',
      [create(address('2001:db8:0::1'))],
      { causes: ['metadata.name: Invalid value: "2001:db8:0::1": must be in canonical form ("2001:db8::1")'] },
    ],
    [
      'is an address',
      [create(address('a'))],
      { causes: ['metadata.name: Invalid value: "a": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'] },
    ],
    ['belongs to something', [create(address('192.0.2.2', {}))], { causes: ['spec.parentRef: Required value'] }],
    [
      'belongs to something that has a resource and a name',
      [create(address('192.0.2.3', { parentRef: {} }))],
      { causes: ['spec.parentRef.resource: Required value', 'spec.parentRef.name: Required value'] },
    ],
    [
      'keeps whose it is',
      [create(address('192.0.2.4')), patch('192.0.2.4', { parentRef: { name: 'other' } })],
      { causes: ['spec.parentRef: Invalid value: null: field is immutable'] },
    ],
    [
      'shows whose it is',
      [
        create(address('192.0.2.5')),
        send('GET', `${path}/192.0.2.5`, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
      ],
      { cells: { Name: '192.0.2.5', ParentRef: 'services/n/s' } },
    ],
  ],
});
