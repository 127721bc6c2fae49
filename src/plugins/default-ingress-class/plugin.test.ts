import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { admissionServer } from '../../../test/support/admission-server.ts';

interface Ingress {
  readonly spec: { readonly ingressClassName?: string };
}

const group = '/apis/networking.k8s.io/v1';
const ingresses = `${group}/namespaces/a/ingresses`;
const ingress = (spec: object = {}, annotations: object = {}): object => ({
  metadata: { name: 'i', annotations },
  spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } }, ...spec },
});
const ingressClass = (name: string, isDefault: string): object => ({
  metadata: { name, annotations: { 'ingressclass.kubernetes.io/is-default-class': isDefault } },
  spec: { controller: 'example.com/c' },
});

describe('DefaultIngressClass', () => {
  const clock = new ManualClock(Date.now());
  const server = admissionServer({ plugins: ['DefaultIngressClass'], clock });
  const classOf = async (object: object): Promise<string | undefined> => {
    const { object: created, message } = await server.tryCreate<Ingress>(ingresses, object);
    assert.equal(message, undefined);
    return created.spec.ingressClassName;
  };
  const classes = async (...given: readonly object[]): Promise<void> => {
    await server.remove(`${group}/ingressclasses`);
    for (const one of given) {
      await server.given(`${group}/ingressclasses`, one);
      clock.advance(1000);
    }
  };

  test('without a default an ingress stays as it is', async () => {
    await classes(ingressClass('a', 'false'), ingressClass('b', 'yes'));
    assert.equal(await classOf(ingress()), undefined);
  });

  test('an ingress that names no class gets the default', async () => {
    await classes(ingressClass('a', 'false'), ingressClass('b', 'true'));
    assert.equal(await classOf(ingress()), 'b');
  });

  test('of several defaults the newest counts', async () => {
    await classes(ingressClass('old', 'true'), ingressClass('new', 'true'), ingressClass('newest', 'false'));
    assert.equal(await classOf(ingress()), 'new');
  });

  test('of defaults of the same second the first by name counts', async () => {
    await server.remove(`${group}/ingressclasses`);
    for (const name of ['b', 'a', 'c']) await server.given(`${group}/ingressclasses`, ingressClass(name, 'true'));
    assert.equal(await classOf(ingress()), 'a');
  });

  test('an ingress that names a class, by field or by annotation, keeps it', async () => {
    await classes(ingressClass('b', 'true'));
    assert.equal(await classOf(ingress({ ingressClassName: 'mine' })), 'mine');
    assert.equal(await classOf(ingress({}, { 'kubernetes.io/ingress.class': 'mine' })), undefined);
  });

  test('an ingress that is there gets none', async () => {
    await classes();
    await server.given(ingresses, ingress());
    await classes(ingressClass('b', 'true'));
    const { object } = await server.patch<Ingress>(`${ingresses}/i`, { metadata: { labels: { a: 'b' } } });
    assert.equal(object.spec.ingressClassName, undefined);
  });
});
