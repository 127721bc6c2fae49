import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MetricsRegistry } from '../../base/metrics.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { WebhookClient } from '../../server/webhook/webhook-client.ts';
import { UnavailableError } from '../../storage/storage.ts';
import { ConversionMetrics, conversionFamilies } from './conversion-metrics.ts';
import { WebhookConverter } from './webhook-converter.ts';

interface Request {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly Record<string, unknown>[];
}

type Answer = (request: Request) => unknown;

/** A webhook with this response. */
const answering = (answer: Answer): WebhookClient =>
  ({
    post: (_target: object, { body }: { body: string }) => {
      const { request, apiVersion } = JSON.parse(body) as { request: Request; apiVersion: string };
      const review = { kind: 'ConversionReview', apiVersion, ...(answer(request) as object) };
      return Promise.resolve(Buffer.from(JSON.stringify(review)));
    },
  }) as unknown as WebhookClient;

const converted =
  (change: object | ((object: Record<string, unknown>) => object) = {}): Answer =>
  ({ uid, desiredAPIVersion, objects }) => {
    const made = objects.map((object) => ({
      ...object,
      apiVersion: desiredAPIVersion,
      ...(typeof change === 'function' ? change(object) : change),
    }));
    return { response: { uid, result: { status: 'Success' }, convertedObjects: made } };
  };

const original = (): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'x', namespace: 'n', uid: 'u', generation: 3, labels: { a: 'b' } },
  spec: { size: 1 },
});

const convert = (answer: Answer, versions: readonly string[] = ['v1']): Promise<KubeObject> =>
  new WebhookConverter({ url: 'https://x' }, versions, answering(answer)).convert(original(), 'example.com/v2');

const metadata = (change: object): Answer => converted((object) => ({ metadata: { ...(object['metadata'] as object), ...change } }));

const failures: readonly (readonly [answer: Answer, message: string])[] = [
  [() => ({}), 'failed: no response provided'],
  [
    () => ({ kind: 'Other' }),
    'failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got apiextensions.k8s.io/v1, Kind=Other',
  ],
  [({ uid }) => ({ response: { uid, result: { status: 'Failure', message: 'I cannot' } } }), 'failed: I cannot'],
  [({ uid }) => ({ response: { uid, result: { status: 'Failure' } } }), "failed: response.result.status was 'Failure', not 'Success'"],
  [({ uid }) => ({ response: { uid } }), "failed: response.result.status was '', not 'Success'"],
  [({ uid }) => ({ response: { uid, result: { status: 'Success' } } }), 'returned 0 objects, expected 1'],
  [
    converted({ apiVersion: 'example.com/v3' }),
    'returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v3)',
  ],
  [converted({ kind: 'Gadget' }), 'returned invalid object at index 0: invalid kind (expected Widget, received Gadget)'],
  [metadata({ name: 'y' }), 'returned invalid object: must have the same name: x != y'],
  [metadata({ namespace: 'm' }), 'returned invalid object: must have the same namespace: n != m'],
  [metadata({ uid: 'v' }), 'returned invalid object: must have the same UID: u != v'],
  [metadata({ labels: { a: 1 } }), 'returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object'],
  [metadata({ labels: ['a'] }), 'returned invalid metadata: invalid metadata.labels of type []interface {} in converted object'],
];

describe('a webhook that converts', () => {
  test('may change everything but what an object is', async () => {
    const answer = metadata({ labels: { c: 'd' }, annotations: { e: 'f' }, generation: 77, finalizers: ['z'] });
    const { metadata: meta, ...rest } = await convert((request) => {
      const { response } = answer(request) as { response: { convertedObjects: object[] } };
      return { response: { ...response, convertedObjects: response.convertedObjects.map((one) => ({ ...one, spec: { length: 1 } })) } };
    });
    assert.deepEqual(meta, { name: 'x', namespace: 'n', uid: 'u', generation: 3, labels: { c: 'd' }, annotations: { e: 'f' } });
    assert.deepEqual(rest, { apiVersion: 'example.com/v2', kind: 'Widget', spec: { length: 1 } });
  });

  test('may drop labels', async () => {
    assert.equal((await convert(metadata({ labels: undefined }))).metadata.labels, undefined);
  });

  for (const [answer, message] of failures) {
    test(`is not believed: ${message}`, async () => {
      await assert.rejects(convert(answer), new UnavailableError(`conversion webhook for example.com/v1, Kind=Widget ${message}`));
    });
  }

  test('is asked in a version that it understands', async () => {
    await assert.rejects(convert(converted(), ['v0']), new UnavailableError('no supported conversion review versions'));
    const lax: Answer = (request) => ({ ...(converted()(request) as object), kind: 'Any' });
    assert.equal((await convert(lax, ['v1beta1'])).apiVersion, 'example.com/v2');
  });
});

test('conversions are counted by how they end, and by definition', async () => {
  const registry = new MetricsRegistry();
  const { requests, seconds, perDefinition } = conversionFamilies(registry);
  const metrics = new ConversionMetrics(registry, 'widgets.example.com');
  const unreachable = { post: () => Promise.reject(new Error('refused')) } as unknown as WebhookClient;
  const webhooks = [
    answering(converted()),
    unreachable,
    answering(() => ({})),
    answering(({ uid }) => ({ response: { uid, result: { status: 'Success' } } })),
    answering(converted({ kind: 'Gadget' })),
  ];
  for (const webhook of webhooks) {
    const converter = new WebhookConverter({ url: 'https://x' }, ['v1'], webhook, metrics);
    await Promise.allSettled([converter.convert(original(), 'example.com/v2')]);
  }
  const failures = ['call', 'malformed_response', 'partial_response', 'invalid_converted_object'];
  const names = failures.map((failure) => `conversion_webhook_${failure}_failure`);
  assert.deepEqual(
    names.map((name) => [requests.with('failure', name).value, seconds.with('failure', name).total]),
    names.map(() => [1, 1]),
  );
  assert.equal(requests.with('success', '').value, 1);
  assert.equal(perDefinition.with('widgets.example.com', 'v1', 'v2', 'true').total, 1);
  assert.equal(perDefinition.with('widgets.example.com', 'v1', 'v2', 'false').total, 4);
});
