import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

const claims = '/api/v1/namespaces/a/persistentvolumeclaims';
const storageClasses = '/apis/storage.k8s.io/v1/storageclasses';
const unsupported = 'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
const storageClass = (name: string, more: object): object => ({ metadata: { name }, provisioner: 'example.com/p', ...more });
const sized = (storage: string): object => ({ resources: { requests: { storage } } });

type Case = readonly [
  name: string,
  what: string,
  claim: { readonly className?: string; readonly annotation?: string; readonly phase?: string },
  size: string,
  problem: string | undefined,
];
const cases: readonly Case[] = [
  ['grows', 'of a class that lets claims grow', { className: 'growing', phase: 'Bound' }, '2Gi', undefined],
  ['annotated', 'of such a class by annotation', { annotation: 'growing', phase: 'Bound' }, '2Gi', undefined],
  ['fixed', 'of a class that does not', { className: 'fixed', phase: 'Bound' }, '2Gi', unsupported],
  ['silent', 'of a class that does not say', { className: 'silent', phase: 'Bound' }, '2Gi', unsupported],
  ['missing', 'of a class that is not there', { className: 'missing', phase: 'Bound' }, '2Gi', unsupported],
  ['classless', 'of no class', { className: '', phase: 'Bound' }, '2Gi', unsupported],
  ['same', 'of a class that does not, to the size that it has', { className: 'fixed', phase: 'Bound' }, '1024Mi', undefined],
];

describe('PersistentVolumeClaimResize', () => {
  const server = admissionServer({
    plugins: ['PersistentVolumeClaimResize'],
    objects: [
      [storageClasses, storageClass('growing', { allowVolumeExpansion: true })],
      [storageClasses, storageClass('fixed', { allowVolumeExpansion: false })],
      [storageClasses, storageClass('silent', {})],
    ],
  });

  for (const [name, what, { className, annotation, phase }, size, problem] of cases) {
    test(`a claim ${what} ${problem === undefined ? 'grows' : 'does not grow'}`, async () => {
      await server.given(claims, {
        metadata: { name, ...(annotation && { annotations: { 'volume.beta.kubernetes.io/storage-class': annotation } }) },
        spec: {
          accessModes: ['ReadWriteOnce'],
          volumeName: 'v',
          ...(className !== undefined && { storageClassName: className }),
          ...sized('1Gi'),
        },
      });
      if (phase !== undefined) await server.patch(`${claims}/${name}/status`, { status: { phase, capacity: { storage: '1Gi' } } });
      const { message } = await server.patch(`${claims}/${name}`, { spec: sized(size) });
      assert.equal(message, problem && `persistentvolumeclaims "${name}" is forbidden: ${problem}`);
    });
  }

  test('a claim that is not bound does not grow: that is for validation to say, which comes first', async () => {
    const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'growing', ...sized('1Gi') };
    await server.given(claims, { metadata: { name: 'pending' }, spec });
    const { message } = await server.patch(`${claims}/pending`, { spec: sized('2Gi') });
    assert.match(
      message ?? '',
      /spec is immutable after creation except resources\.requests and volumeAttributesClassName for bound claims/,
    );
  });
});
