import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createAuthority, issueCertificate } from '../base/tls/certificate.ts';
import { parseJson } from '../machinery/codec/json/parse.ts';
import { stringify, writeSorted } from '../machinery/codec/json/write.ts';
import { startTestServer } from './index.ts';
import { RawClient } from '../../test/support/raw-client.ts';

const validity = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion?: string;
    readonly objects?: readonly object[];
    readonly object?: { readonly spec: Readonly<Record<string, unknown>> };
  };
}

/** Converts by name, and patches a copy of `spec.a` into what it admits. */
async function startWebhook(): Promise<AsyncDisposable & { readonly clientConfig: object }> {
  const authority = createAuthority({ commonName: 'webhooks' }, validity);
  const { certificate, key } = issueCertificate(authority, {
    subject: { commonName: 'webhook' },
    uses: ['server'],
    names: ['127.0.0.1'],
    validity,
  });
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => response.end(stringify(answerTo(parseJson(Buffer.concat(parts).toString()) as Review))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    clientConfig: { url: `https://127.0.0.1:${port}/x`, caBundle: Buffer.from(authority.certificate).toString('base64') },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerTo({ apiVersion, kind, request: { uid, desiredAPIVersion, objects = [], object } }: Review): object {
  if (kind === 'ConversionReview') {
    const convertedObjects = objects.map((one) => ({ ...one, apiVersion: desiredAPIVersion }));
    return { apiVersion, kind, response: { uid, result: { status: 'Success' }, convertedObjects } };
  }
  const patch = Buffer.from(stringify([{ op: 'add', path: '/spec/admitted', value: object?.spec['a'] }])).toString('base64');
  return { apiVersion, kind, response: { uid, allowed: true, patchType: 'JSONPatch', patch } };
}

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function definition(plural: string, kind: string, conversion: object): object {
  const version = (name: string, storage: boolean): object => ({
    name,
    storage,
    served: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } },
    subresources: { status: {} },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [version('v1', true), version('v2', false)],
      conversion,
    },
  };
}

/** What clients write: int64s, and floats as JavaScript and Go write them alike. */
const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 53n, 0n, 1n),
);
const float = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(2 ** 63, 2 ** 64, 1e21, 1e-7, -0, 1e15 + 0.5));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    int64,
    float,
    fc.constantFrom('9223372036854775807', ':9223372036854775807 ', null, true),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('b', 'c', '1', '9007199254740993'), tie('tree'), { maxKeys: 3 }),
  ),
}));

const namespace = 'namespaces/default';
const mergePatch = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const applyPatch = 'application/apply-patch+yaml';

describe('numbers of clients', () => {
  test('come back as they went in, whichever way they go', { timeout: 120_000 }, async () => {
    await using webhook = await startWebhook();
    await using server = await startTestServer({ controllers: false });
    await using client = new RawClient(server);
    const post = (path: string, body: object) => client.call('POST', path, { body });
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await post(definitions, definition('plains', 'Plain', { strategy: 'None' }));
    const review = { clientConfig: webhook.clientConfig, conversionReviewVersions: ['v1'] };
    await post(definitions, definition('converteds', 'Converted', { strategy: 'Webhook', webhook: review }));
    await post('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'w' },
      webhooks: [
        {
          name: 'w.example.com',
          clientConfig: webhook.clientConfig,
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          objectSelector: { matchLabels: { admit: 'yes' } },
          rules: [{ apiGroups: ['example.com'], apiVersions: ['*'], operations: ['CREATE'], resources: ['*'] }],
        },
      ],
    });

    let count = 0;
    const check = async (a: unknown, others: unknown, kind: 'Plain' | 'Converted', version: 'v1' | 'v2'): Promise<void> => {
      const name = `x${count++}`;
      const path = (of: string): string => `/apis/example.com/${of}/${namespace}/${kind.toLowerCase()}s`;
      const own = `${path(version)}/${name}`;
      const object = (spec: string, labels = '{}'): string =>
        `{"apiVersion":"example.com/${version}","kind":"${kind}","metadata":{"name":"${name}","labels":${labels}},"spec":${spec}}`;
      const holds = (what: string, { status, text }: { readonly status: number; readonly text: string }, expected: string): void => {
        assert.ok(status < 300, `${what}: ${status} ${text}`);
        assert.ok(text.includes(expected), `${what}: ${expected} is not in ${text}`);
      };
      const value = writeSorted(a);
      const spec = `{"a":${value},"o":${writeSorted(others)}}`;
      const send = (method: string, at: string, type: string, body: string) =>
        client.call(method, at, { body, headers: { 'content-type': type } });
      holds('created', await send('POST', path(version), 'application/json', object(spec)), `"spec":${spec}`);
      holds('read as v1', await client.call('GET', `${path('v1')}/${name}`), `"spec":${spec}`);
      holds('read as v2', await client.call('GET', `${path('v2')}/${name}`), `"spec":${spec}`);
      holds('listed', await client.call('GET', path('v2')), `"spec":${spec}`);
      const watch = `${path('v1')}?watch=1&resourceVersion=0&fieldSelector=metadata.name%3D${name}`;
      holds('watched', await client.call('GET', watch, { until: `"spec":${spec}` }), `"spec":${spec}`);
      const merged = `{"a":${value},"m":${value},"o":${writeSorted(others)}}`;
      holds('merged', await send('PATCH', own, mergePatch, `{"spec":{"m":${value}}}`), `"m":${value}`);
      const operations = `[{"op":"test","path":"/spec/m","value":${value}},{"op":"copy","from":"/spec/m","path":"/spec/n"}]`;
      const patched = await send('PATCH', own, jsonPatch, operations);
      holds('patched', patched, `"n":${value}`);
      const revision = /"resourceVersion":"\d+"/.exec(patched.text)?.[0] ?? '';
      const update = object(merged).replace('"labels"', `${revision},"labels"`);
      holds('updated', await send('PUT', own, 'application/json', update), `"spec":${merged}`);
      const status = `{"status":{"s":${value}}}`;
      holds('with status', await send('PATCH', `${own}/status`, mergePatch, status), `"s":${value}`);
      holds('applied', await send('PATCH', `${own}?fieldManager=f&force=true`, applyPatch, object(spec)), `"a":${value}`);
      holds('applied again', await send('PATCH', `${own}?fieldManager=f`, applyPatch, object(spec)), `"a":${value}`);
      holds('deleted', await send('DELETE', own, 'application/json', ''), '');
      const admitted = await send('POST', path(version), 'application/json', object(spec, '{"admit":"yes"}'));
      holds('admitted', admitted, `"admitted":${value}`);
    };
    await fc.assert(
      fc.asyncProperty(fc.oneof(int64, float), tree, fc.constantFrom('Plain', 'Converted'), fc.constantFrom('v1', 'v2'), check),
      { numRuns: 25, seed: 13 },
    );
  });

  test('of built-in kinds survive every patch', { timeout: 60_000 }, async () => {
    await using server = await startTestServer({ controllers: false });
    await using client = new RawClient(server);
    const revisions = `/apis/apps/v1/${namespace}/controllerrevisions`;
    const large = '9007199254740993';
    const body = `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"r"},"revision":${large},"data":{"n":${large}}}`;
    const sends: readonly (readonly [method: string, path: string, type: string, body: string])[] = [
      ['POST', revisions, 'application/json', body],
      ['PATCH', `${revisions}/r`, mergePatch, '{"metadata":{"labels":{"a":"1"}}}'],
      ['PATCH', `${revisions}/r`, jsonPatch, '[{"op":"add","path":"/metadata/labels/b","value":"1"}]'],
      ['PATCH', `${revisions}/r`, 'application/strategic-merge-patch+json', '{"metadata":{"labels":{"c":"1"}}}'],
      ['PATCH', `${revisions}/r?fieldManager=f`, applyPatch, body],
      ['PUT', `${revisions}/r`, 'application/json', body],
    ];
    for (const [method, path, type, sent] of sends) {
      const { text } = await client.call(method, path, { body: sent, headers: { 'content-type': type } });
      assert.ok(text.includes(`"revision":${large}`) && text.includes(`"data":{"n":${large}}`), `${method} ${type}: ${text}`);
    }
  });
});
