import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { admissionServer } from '../../../test/support/admission-server.ts';

interface Claim {
  readonly spec: { readonly storageClassName?: string };
}

const claims = '/api/v1/namespaces/a/persistentvolumeclaims';
const storageClasses = '/apis/storage.k8s.io/v1/storageclasses';
const stable = 'storageclass.kubernetes.io/is-default-class';
const beta = 'storageclass.beta.kubernetes.io/is-default-class';
const claim = (spec: object = {}, annotations: object = {}): object => ({
  metadata: { name: 'c', annotations },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const storageClass = (name: string, annotations: object = { [stable]: 'true' }): object => ({
  metadata: { name, annotations },
  provisioner: 'example.com/p',
});

describe('DefaultStorageClass', () => {
  const clock = new ManualClock(Date.now());
  const server = admissionServer({ plugins: ['DefaultStorageClass'], clock });
  const classOf = async (object: object): Promise<string | undefined> => {
    const { object: created, message } = await server.tryCreate<Claim>(claims, object);
    assert.equal(message, undefined);
    return created.spec.storageClassName;
  };
  const classes = async (...given: readonly object[]): Promise<void> => {
    await server.remove(storageClasses);
    for (const one of given) {
      await server.given(storageClasses, one);
      clock.advance(1000);
    }
  };

  test('without a default a claim stays as it is', async () => {
    await classes(storageClass('a', {}), storageClass('b', { [stable]: 'false' }));
    assert.equal(await classOf(claim()), undefined);
  });

  for (const annotation of [stable, beta]) {
    test(`a claim that names no class gets the one with ${annotation}`, async () => {
      await classes(storageClass('a', {}), storageClass('b', { [annotation]: 'true' }));
      assert.equal(await classOf(claim()), 'b');
    });
  }

  test('of several defaults the newest counts', async () => {
    await classes(storageClass('old'), storageClass('new'), storageClass('newest', {}));
    assert.equal(await classOf(claim()), 'new');
  });

  test('of defaults of the same second the first by name counts', async () => {
    await server.remove(storageClasses);
    for (const name of ['b', 'a', 'c']) await server.given(storageClasses, storageClass(name));
    assert.equal(await classOf(claim()), 'a');
  });

  test('a claim that names a class keeps it, also where that is no class at all', async () => {
    await classes(storageClass('b'));
    assert.equal(await classOf(claim({ storageClassName: 'mine' })), 'mine');
    assert.equal(await classOf(claim({ storageClassName: '' })), '');
    assert.equal(await classOf(claim({}, { 'volume.beta.kubernetes.io/storage-class': 'mine' })), undefined);
  });

  test('a claim that is there gets none', async () => {
    await classes();
    await server.given(claims, claim());
    await classes(storageClass('b'));
    const { object } = await server.patch<Claim>(`${claims}/c`, { metadata: { labels: { a: 'b' } } });
    assert.equal(object.spec.storageClassName, undefined);
  });
});
