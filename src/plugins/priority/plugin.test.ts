import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

interface Prioritized {
  readonly spec: { readonly priority?: number; readonly priorityClassName?: string; readonly preemptionPolicy?: string };
}

const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
const pods = '/api/v1/namespaces/a/pods';
const pod = (spec: object = {}, name = 'p'): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const priorityClass = (name: string, value: number, more: object = {}): object => ({ metadata: { name }, value, ...more });
const given = [
  [classes, priorityClass('high', 1000)],
  [classes, priorityClass('polite', 2000, { preemptionPolicy: 'Never' })],
] as const;

const computed = (from: object): object => ({ preemptionPolicy: 'PreemptLowerPriority', ...from });
const cases: readonly (readonly [what: string, spec: object, expected: object | string])[] = [
  ['without a class', {}, computed({ priority: 0 })],
  ['of a class', { priorityClassName: 'high' }, computed({ priority: 1000, priorityClassName: 'high' })],
  [
    'of a class whose pods wait',
    { priorityClassName: 'polite' },
    { priority: 2000, priorityClassName: 'polite', preemptionPolicy: 'Never' },
  ],
  [
    'of a class of the system',
    { priorityClassName: 'system-node-critical' },
    computed({ priority: 2000001000, priorityClassName: 'system-node-critical' }),
  ],
  ['of a class that is not there', { priorityClassName: 'gone' }, 'no PriorityClass with name gone was found'],
  ['with the number of its class', { priorityClassName: 'high', priority: 1000 }, computed({ priority: 1000, priorityClassName: 'high' })],
  [
    'with a number of its own',
    { priorityClassName: 'high', priority: 1001 },
    'the integer value of priority (1001) must not be provided in pod spec; priority admission controller computed 1000 from the given PriorityClass name',
  ],
  [
    'with a number and no class',
    { priority: 5 },
    'the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
  ],
  [
    'with a policy of its own',
    { priorityClassName: 'polite', preemptionPolicy: 'PreemptLowerPriority' },
    'the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name',
  ],
];

describe('Priority, in a cluster without a default', () => {
  const server = admissionServer({ plugins: ['Priority'], objects: given });

  for (const [what, spec, expected] of cases) {
    test(`a pod ${what} ${typeof expected === 'string' ? 'is refused' : `gets ${JSON.stringify(expected)}`}`, async () => {
      const { object, message } = await server.tryCreate<Prioritized>(pods, pod(spec));
      if (typeof expected === 'string') assert.equal(message, `pods "p" is forbidden: ${expected}`);
      else {
        const { priority, priorityClassName, preemptionPolicy } = object.spec;
        assert.deepEqual({ priority, preemptionPolicy, ...(priorityClassName && { priorityClassName }) }, expected);
      }
    });
  }

  test('an update that leaves the priority out keeps it', async () => {
    await server.given(pods, pod({ priorityClassName: 'high' }));
    const updated = pod({ priorityClassName: 'high', enableServiceLinks: true, tolerations: [{ operator: 'Exists' }] });
    const { object, message } = await server.update<Prioritized>(`${pods}/p`, updated);
    assert.equal(message, undefined);
    assert.deepEqual([object.spec.priority, object.spec.preemptionPolicy], [1000, 'PreemptLowerPriority']);
  });
});

describe('Priority, in a cluster with a default', () => {
  const server = admissionServer({ plugins: ['Priority'], objects: given });
  const standard = { globalDefault: true, preemptionPolicy: 'Never' };

  before(() => server.given(classes, priorityClass('standard', 10, standard)));

  test('pods without a class are of the default', async () => {
    const { object } = await server.tryCreate<Prioritized>(pods, pod());
    const { priority, priorityClassName, preemptionPolicy } = object.spec;
    assert.deepEqual([priority, priorityClassName, preemptionPolicy], [10, 'standard', 'Never']);
  });

  test('there is no second default, neither a new one nor one that becomes it', async () => {
    const refusal = (name: string): string =>
      `priorityclasses.scheduling.k8s.io "${name}" is forbidden: PriorityClass standard is already marked as default. Only one default can exist`;
    const created = await server.create(classes, priorityClass('second', 20, { globalDefault: true }));
    assert.deepEqual([created.status, created.message], [403, refusal('second')]);
    const changed = await server.patch(`${classes}/high`, { globalDefault: true });
    assert.deepEqual([changed.status, changed.message], [403, refusal('high')]);
  });

  test('the default itself may change', async () => {
    const { message } = await server.patch(`${classes}/standard`, { description: 'd' });
    assert.equal(message, undefined);
  });
});
