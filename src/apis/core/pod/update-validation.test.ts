import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodSpec } from '../../../schema/types/core-v1.ts';
import { defaultPod } from './defaults.ts';
import type { PodObject } from './pod-object.ts';
import { validateUpdate } from './update-validation.ts';

function pod(spec: Partial<PodSpec> = {}): PodObject {
  const object: PodObject = {
    metadata: { name: 'p', namespace: 'n' },
    spec: { containers: [{ name: 'main', image: 'i:1', resources: {} }], ...spec },
    status: {},
  };
  defaultPod(object);
  return object;
}

function messages(from: Partial<PodSpec>, to: Partial<PodSpec>): string[] {
  return validateUpdate(pod(to), pod(from), { features: { enabled: () => true }, capabilities: { allowPrivileged: true } }).map(String);
}

const main = (image: string): PodSpec['containers'] => [{ name: 'main', image, resources: {}, imagePullPolicy: 'Always' }];
const allowed: readonly (readonly [name: string, from: Partial<PodSpec>, to: Partial<PodSpec>])[] = [
  ['an image', { containers: main('i:1') }, { containers: main('i:2') }],
  ['a deadline, made shorter', { activeDeadlineSeconds: 20 }, { activeDeadlineSeconds: 10 }],
  ['a toleration more', {}, { tolerations: [{ key: 'k', operator: 'Exists' }] }],
  ['a scheduling gate less', { schedulingGates: [{ name: 'a' }, { name: 'b' }] }, { schedulingGates: [{ name: 'b' }] }],
  [
    'a node selector, while gated',
    { schedulingGates: [{ name: 'a' }] },
    { schedulingGates: [{ name: 'a' }], nodeSelector: { disk: 'ssd' } },
  ],
];

for (const [name, from, to] of allowed) {
  test(`a pod update may change ${name}`, () => {
    assert.deepEqual(messages(from, to), []);
  });
}

const refused: readonly (readonly [name: string, from: Partial<PodSpec>, to: Partial<PodSpec>, error: string])[] = [
  [
    'a longer deadline',
    { activeDeadlineSeconds: 10 },
    { activeDeadlineSeconds: 20 },
    'spec.activeDeadlineSeconds: Invalid value: 20: must be less than or equal to previous value',
  ],
  [
    'no deadline',
    { activeDeadlineSeconds: 10 },
    {},
    'spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value',
  ],
  [
    'a toleration less',
    { tolerations: [{ key: 'k', operator: 'Exists' }] },
    {},
    'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
  ],
  [
    'a scheduling gate more',
    {},
    { schedulingGates: [{ name: 'a' }] },
    "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a'",
  ],
];

for (const [name, from, to, error] of refused) {
  test(`a pod update to ${name} is refused`, () => {
    assert.deepEqual(messages(from, to), [error]);
  });
}

test('a refused update shows what changed, in the words of upstream', () => {
  const [message = '', ...others] = messages({ hostname: 'one' }, { hostname: 'two' });
  assert.deepEqual(others, []);
  assert.match(message, /^spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`/);
  assert.ok(
    message.endsWith(
      ' "ImagePullSecrets": null,\n- "Hostname": "one",\n+ "Hostname": "two",\n  "Subdomain": "",\n  "Affinity": null,\n  "SchedulerName": "default-scheduler",\n',
    ),
    message,
  );
});

test('tens of thousands of tolerations are found again one by one', { timeout: 20_000 }, () => {
  const tolerations = Array.from({ length: 100_000 }, (_, index) => ({ key: `k${index}`, operator: 'Exists' }));
  assert.deepEqual(messages({ tolerations: tolerations.toReversed() }, { tolerations }), []);
});

test('of a pod that has passed all rules before, a spec that stays as it is is not looked at again, and annotations are', () => {
  const context = { features: { enabled: () => true }, capabilities: { allowPrivileged: true } };
  const old = pod({ dnsPolicy: 'Wrong' });
  const next = (spec: PodSpec): PodObject => ({
    ...old,
    metadata: { ...old.metadata, annotations: { 'kubernetes.io/config.mirror': 'x' } },
    spec,
  });
  const fields = (spec: PodSpec, isVetted: boolean): string[] => [
    ...new Set(validateUpdate(next(spec), old, { ...context, isVetted }).map(({ field }) => field)),
  ];
  const mirror = 'metadata.annotations[kubernetes.io/config.mirror]';
  assert.deepEqual(fields(old.spec, true), [mirror]);
  assert.deepEqual(fields(old.spec, false), [mirror, 'spec.dnsPolicy']);
  assert.deepEqual(fields({ ...old.spec }, true), [mirror, 'spec.dnsPolicy']);
});
