import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

interface Pod {
  readonly spec: {
    readonly containers: readonly { readonly imagePullPolicy: string }[];
    readonly initContainers?: readonly { readonly imagePullPolicy: string }[];
    readonly ephemeralContainers?: readonly { readonly imagePullPolicy: string }[];
    readonly volumes?: readonly { readonly image: { readonly pullPolicy: string } }[];
  };
}

const pods = '/api/v1/namespaces/a/pods';
const container = (name: string, image = 'a'): object => ({ name, image, imagePullPolicy: 'Never' });
const pod = {
  metadata: { name: 'p' },
  spec: {
    containers: [container('c')],
    initContainers: [container('i')],
    volumes: [{ name: 'v', image: { reference: 'r', pullPolicy: 'IfNotPresent' } }],
  },
};
const policiesOf = ({ spec }: Pod): readonly (string | undefined)[] => [
  spec.containers[0]?.imagePullPolicy,
  spec.initContainers?.[0]?.imagePullPolicy,
  spec.volumes?.[0]?.image.pullPolicy,
];

describe('AlwaysPullImages', () => {
  const server = admissionServer({ plugins: ['AlwaysPullImages'] });

  test('images of containers and volumes are pulled whenever a pod starts', async () => {
    const { object, message } = await server.create<Pod>(pods, pod);
    assert.equal(message, undefined);
    assert.deepEqual(policiesOf(object), ['Always', 'Always', 'Always']);
  });

  test('an update that brings an image is held to it', async () => {
    const [c] = pod.spec.containers;
    const current = await server.read<Pod>(`${pods}/p`);
    const containers = current.spec.containers.map((one) => ({ ...one, ...c, image: 'b', imagePullPolicy: 'Always' }));
    const { object, message } = await server.update<Pod>(`${pods}/p`, { ...current, spec: { ...current.spec, containers } });
    assert.equal(message, undefined);
    assert.deepEqual(policiesOf(object), ['Always', 'Always', 'Always']);
  });

  test('templates of pods, and containers for debugging, are left alone', async () => {
    const template = await server.tryCreate<{ template: Pod }>('/api/v1/namespaces/a/podtemplates', {
      metadata: { name: 't' },
      template: { spec: pod.spec },
    });
    assert.deepEqual(policiesOf(template.object.template), ['Never', 'Never', 'IfNotPresent']);
    const debugged = await server.patch<Pod>(`${pods}/p/ephemeralcontainers`, { spec: { ephemeralContainers: [container('e')] } });
    assert.equal(debugged.object.spec.ephemeralContainers?.[0]?.imagePullPolicy, 'Never');
  });
});
