/**
 * Plays requests that admission webhooks are asked about against two servers, and compares the servers' responses and their reviews:
 *
 *   node test/clients/webhooks.ts OURS.kubeconfig REFERENCE.kubeconfig [only this case]
 *
 * Each case has a namespace of its own, labelled with its name, that its webhooks select. Leaves everything behind: start with fresh servers.
 */
import { isDeepStrictEqual } from 'node:util';
import { createAuthority } from '../../src/base/tls/certificate.ts';
import type { ApiAnswer, ApiClient } from './json-client.ts';
import { connect } from './json-client.ts';
import { normalise } from './normalise.ts';
import type { Step, WebhookSpec } from './webhook-cases.ts';
import { webhookCases } from './webhook-cases.ts';
import type { Asked, Behaviour } from './webhook-server.ts';
import { WebhookServer } from './webhook-server.ts';

const [ours, reference, only] = process.argv.slice(2);
if (ours === undefined || reference === undefined) throw new Error('give two kubeconfigs: ours and the reference');

const apiVersion = 'admissionregistration.k8s.io/v1';
const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};
const cases = Object.entries(webhookCases).filter(([name]) => only === undefined || name === only);
const pathOf = (name: string, index: number): string => `/${name}/${index}`;
const behaviours = new Map<string, Behaviour>(
  cases.flatMap(([name, { webhooks }]) => webhooks.map(({ answers }, index) => [pathOf(name, index), answers] as const)),
);
const validity = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };
const authority = (commonName: string): string => Buffer.from(createAuthority({ commonName }, validity).certificate).toString('base64');
const [otherCa, twinCa] = [authority('others'), authority('webhooks')];
await using server = new WebhookServer(behaviours);
await server.listen();

async function must(client: ApiClient, path: string, body: unknown): Promise<void> {
  const answer = await client.request('POST', path, body);
  if (answer.status > 201) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`);
}

async function prepare(client: ApiClient): Promise<void> {
  for (const name of ['services', ...cases.map(([one]) => one)]) {
    await must(client, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { case: name } } });
  }
  const service = (name: string, spec: object): Promise<void> =>
    must(client, '/api/v1/namespaces/services/services', { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec });
  await service('plain', { ports: [{ port: 443 }] });
  await service('headless', { clusterIP: 'None', ports: [{ port: 443 }] });
  await service('hook', { type: 'ExternalName', externalName: 'localhost' });
  await service('other', { type: 'ExternalName', externalName: 'localhost' });
  for (const [name, { webhooks }] of cases) {
    for (const mutating of [true, false]) {
      const own = webhooks.flatMap((one, index) => ((one.mutating ?? false) === mutating ? [webhookOf(name, index, one)] : []));
      if (own.length === 0) continue;
      const kind = `${mutating ? 'Mutating' : 'Validating'}WebhookConfiguration`;
      await must(client, `/apis/${apiVersion}/${kind.toLowerCase()}s`, { apiVersion, kind, metadata: { name }, webhooks: own });
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 2000));
}

function webhookOf(name: string, index: number, { spec = {}, clientConfig }: WebhookSpec): object {
  const path = pathOf(name, index);
  const at = (host: string): string => `https://${host}:${server.port}${path}`;
  const text = JSON.stringify(clientConfig ?? { url: '{url}', caBundle: '{ca}' })
    .replaceAll('{url}', at('127.0.0.1'))
    .replaceAll('{localhost}', at('localhost'))
    .replaceAll('{localhost6}', at('127.0.0.2'))
    .replaceAll('{ca}', server.caBundle)
    .replaceAll('{otherCa}', otherCa)
    .replaceAll('{twinCa}', twinCa)
    .replaceAll('"{port}"', String(server.port))
    .replaceAll('{path}', path)
    .replaceAll('{ns}', name);
  return {
    name: `${name}-${index}.example.com`,
    clientConfig: JSON.parse(text) as unknown,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    namespaceSelector: { matchLabels: { case: name } },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
    ...spec,
  };
}

interface Played {
  readonly answer: unknown;
  readonly asked: unknown;
}

async function play(client: ApiClient, namespace: string, step: Step): Promise<Played> {
  const [method, path, body, patch] = step;
  const text = JSON.stringify(body)?.replaceAll('{ns}', namespace);
  const given = text === undefined ? undefined : (JSON.parse(text) as unknown);
  server.takeAsked();
  const answer = await client.request(method, path.replaceAll('{ns}', namespace), given, patch && patchTypes[patch]);
  return { answer: shownAnswer(answer), asked: server.takeAsked().map(shownQuestion).toSorted() };
}

/** Who wrote what when is not what this is about. */
function shownAnswer({ status, body, warning }: ApiAnswer): unknown {
  return { status, warning: warning?.split(/, (?=299 )/), body: JSON.parse(shown(body)) as unknown };
}

function shownQuestion({ url, review }: Asked): string {
  return `${url} ${shown(review)}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value, (key, member: unknown) => (key === 'managedFields' ? undefined : member));
  return normalise(text)
    .replaceAll(/gen-[a-z0-9]{5}/g, 'gen-SUFFIX')
    .replaceAll(/"exp(iration(Seconds|Timestamp))?":("[^"]*"|\d+)/g, '"exp":0')
    .replaceAll(/(authentication\.kubernetes\.io\/credential-id|issued-credential-id)":[^,}]*/g, '$1":""');
}

const clients = [connect(ours), connect(reference)] as const;
await Promise.all(clients.map(prepare));
let answers = 0;
let differences = 0;
for (const [name, { steps }] of cases) {
  for (const step of steps) {
    const left = await play(clients[0], name, step);
    const right = await play(clients[1], name, step);
    answers++;
    if (isDeepStrictEqual(left, right)) continue;
    differences++;
    const part = isDeepStrictEqual(left.answer, right.answer) ? 'asked' : 'answer';
    console.log(
      `\n${name}: ${step[0]} ${step[1]}: ${part}\n  ours      ${JSON.stringify(left[part])}\n  reference ${JSON.stringify(right[part])}`,
    );
  }
}
console.log(`\n${answers} answers of ${cases.length} cases, ${differences} different`);
for (const client of clients) client.close();
process.exitCode = differences === 0 ? 0 : 1;
