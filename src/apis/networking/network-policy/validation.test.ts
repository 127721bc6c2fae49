import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkPolicySpec } from '../../../schema/types/networking-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import { networkPolicies } from './definition.ts';
import { validate } from './validation.ts';

const errorsOf = (spec: Partial<NetworkPolicySpec>): string[] =>
  validate({ metadata: { name: 'n' }, spec: { podSelector: {}, ...spec } }, testContext()).map(String);

const cases: readonly (readonly [what: string, spec: Partial<NetworkPolicySpec>, errors: readonly string[]])[] = [
  ['a rule without peers and ports takes everything', { ingress: [{}] }, []],
  ['a peer says who', { ingress: [{ from: [{}] }] }, ['spec.ingress[0].from[0]: Required value: must specify a peer']],
  [
    'addresses stand alone',
    { egress: [{ to: [{ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }] }] },
    ['spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer'],
  ],
  [
    'exceptions lie within',
    { ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/8', '11.0.0.0/9'] } }] }] },
    [
      'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`',
      'spec.ingress[0].from[0].ipBlock.except[1]: Invalid value: "11.0.0.0/9": must be a strict subset of `cidr`',
    ],
  ],
  [
    'a range of ports has a beginning',
    { ingress: [{ ports: [{ endPort: 5 }] }] },
    ['spec.ingress[0].ports[0].endPort: Invalid value: 5: may not be specified when `port` is not specified'],
  ],
];

for (const [what, spec, errors] of cases) test(`NetworkPolicy: ${what}`, () => assert.deepEqual(errorsOf(spec), errors));

test('a policy is about egress only when it has rules for it', () => {
  const policy: KubeObject & { spec: NetworkPolicySpec } = { metadata: {}, spec: { podSelector: {}, egress: [{ ports: [{ port: 1 }] }] } };
  networkPolicies.strategy?.defaults?.(policy, 'v1');
  assert.deepEqual(policy.spec.policyTypes, ['Ingress', 'Egress']);
  assert.equal(policy.spec.egress?.[0]?.ports?.[0]?.protocol, 'TCP');
});
