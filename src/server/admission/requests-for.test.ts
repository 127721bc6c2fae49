import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../schema/types/core-v1.ts';
import type { AdmissionAttributes, AdmissionOperation } from './admission.ts';
import { admitting, requestsFor } from './requests-for.ts';

function asked(operation: AdmissionOperation, about: string, object?: object): AdmissionAttributes {
  const [group = '', plural = '', subresource = ''] = about.split('/');
  return { operation, resource: { group, names: { plural } }, subresource, object, old: undefined } as unknown as AdmissionAttributes;
}

const cases: readonly (readonly [operation: AdmissionOperation, about: string, isMeant: boolean])[] = [
  ['CREATE', '/pods', true],
  ['UPDATE', '/pods', true],
  ['DELETE', '/pods', false],
  ['CREATE', '/pods/binding', false],
  ['UPDATE', '/pods/resize', true],
  ['CREATE', '/services', false],
  ['CREATE', 'apps/pods', false],
];

for (const [operation, about, isMeant] of cases) {
  test(`${operation} of ${about} is ${isMeant ? '' : 'not '}among writes of pods and their resizes`, () => {
    assert.equal(requestsFor<Pod>('', 'pods', '', 'resize').on(['CREATE', 'UPDATE'])(asked(operation, about)), isMeant);
  });
}

test('a condition sees only requests that are meant, with their types', () => {
  const seen: string[] = [];
  const onNode = requestsFor<Pod>('', 'pods').on(['CREATE'], ({ object }) => {
    seen.push(object.spec.nodeName ?? '');
    return object.spec.nodeName === 'n';
  });
  const pod = (nodeName: string): object => ({ metadata: {}, spec: { nodeName } });
  assert.deepEqual([onNode(asked('CREATE', '/pods', pod('n'))), onNode(asked('CREATE', '/pods', pod('m')))], [true, false]);
  assert.equal(onNode(asked('DELETE', '/pods')), false);
  assert.deepEqual(seen, ['n', 'm']);
});

test('what a plugin does with requests is typed by the requests that it is for', async () => {
  const { handles, mutate } = admitting(requestsFor<Pod>('', 'pods').on(['CREATE']), {
    mutate({ object, old }) {
      assert.equal(old satisfies undefined, undefined);
      object.spec.nodeName = 'n';
    },
  });
  const attributes = asked('CREATE', '/pods', { metadata: {}, spec: {} });
  assert.ok(handles(attributes));
  await mutate?.(attributes, { isReinvoke: false, setShouldReinvoke: () => {} });
  assert.deepEqual(attributes.object?.['spec'], { nodeName: 'n' });
});
