import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HTTPIngressPath, IngressSpec } from '../../../schema/types/networking-v1.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import { validate } from './validation.ts';

const backend = { service: { name: 's', port: { number: 80 } } };
const errorsOf = (spec: IngressSpec): string[] =>
  validate({ metadata: { name: 'i' }, spec, status: { loadBalancer: {} } }, testContext()).map(String);
const path = (fields: Partial<HTTPIngressPath>): IngressSpec => ({
  rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...fields }] } }],
});
const at = 'spec.rules[0].http.paths[0]';

const cases: readonly (readonly [what: string, spec: IngressSpec, errors: readonly string[]])[] = [
  ['a default backend is enough', { defaultBackend: backend }, []],
  ['nothing to serve is refused', {}, ['spec: Invalid value: null: either `defaultBackend` or `rules` must be specified']],
  ['a path must be absolute', path({ path: 'a' }), [`${at}.path: Invalid value: "a": must be an absolute path`]],
  ['a path must not climb', path({ path: '/a/..' }), [`${at}.path: Invalid value: "/a/..": cannot end with '/..'`]],
  ['an implementation may take any path but a relative one', path({ path: '', pathType: 'ImplementationSpecific' }), []],
  [
    'a service needs one port',
    path({ backend: { service: { name: 's', port: { name: 'p', number: 1 } } } }),
    [`${at}.backend: Invalid value: "": cannot set both port name & port number`],
  ],
  [
    'a host is no address',
    { rules: [{ host: '10.0.0.1' }] },
    ['spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address'],
  ],
];

for (const [what, spec, errors] of cases) test(`Ingress: ${what}`, () => assert.deepEqual(errorsOf(spec), errors));
