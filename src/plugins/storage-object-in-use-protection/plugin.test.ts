import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

const size = { storage: '1Gi' };
const kinds: readonly (readonly [kind: string, path: string, object: object, finalizer: string])[] = [
  [
    'a PersistentVolume',
    '/api/v1/persistentvolumes',
    { spec: { capacity: size, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
    'kubernetes.io/pv-protection',
  ],
  [
    'a PersistentVolumeClaim',
    '/api/v1/namespaces/a/persistentvolumeclaims',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: size } } },
    'kubernetes.io/pvc-protection',
  ],
  [
    'a VolumeAttributesClass',
    '/apis/storage.k8s.io/v1/volumeattributesclasses',
    { driverName: 'example.com', parameters: { a: 'b' } },
    'kubernetes.io/vac-protection',
  ],
];

describe('StorageObjectInUseProtection', () => {
  const server = admissionServer({ plugins: ['StorageObjectInUseProtection'] });

  for (const [kind, path, object, finalizer] of kinds) {
    test(`${kind} stays until ${finalizer} is taken away`, async () => {
      const finalizersOf = async (finalizers?: readonly string[]): Promise<readonly string[] | undefined> => {
        const created = await server.tryCreate(path, { ...object, metadata: { name: 'x', ...(finalizers && { finalizers }) } });
        assert.equal(created.message, undefined);
        return created.object.metadata.finalizers;
      };
      assert.deepEqual(await finalizersOf(), [finalizer]);
      assert.deepEqual(await finalizersOf(['example.com/a']), ['example.com/a', finalizer]);
      assert.deepEqual(await finalizersOf([finalizer, 'example.com/a']), [finalizer, 'example.com/a']);
    });

    test(`${kind} that is there does not get it back`, async () => {
      await server.given(path, { ...object, metadata: { name: 'y' } });
      const { object: patched } = await server.patch(`${path}/y`, { metadata: { finalizers: null, labels: { a: 'b' } } });
      assert.equal(patched.metadata.finalizers, undefined);
    });
  }

  test('other objects of storage are left alone', async () => {
    const { object } = await server.tryCreate('/apis/storage.k8s.io/v1/storageclasses', { metadata: { name: 'x' }, provisioner: 'p' });
    assert.equal(object.metadata.finalizers, undefined);
  });
});
