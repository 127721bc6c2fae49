import { request } from 'node:https';
import type { ApiServerProcess } from '../servers/api-server-process.ts';
import { Administrator } from '../clients/administrator.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const space = '/api/v1/namespaces/judge';
const json = 'application/json';
const merge = 'application/merge-patch+json';

const pod = (name: string): object => ({ metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } });
const configMap = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: 'b' } });
const deployment = {
  metadata: { name: 'd' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};
const definition = {
  metadata: { name: 'widgets.judge.example.com' },
  spec: {
    group: 'judge.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'integer' } }, 'x-kubernetes-validations': [{ rule: 'self.size < 10' }] },
            },
          },
        },
      },
    ],
  },
};
const policy = {
  metadata: { name: 'judge' },
  spec: {
    failurePolicy: 'Fail',
    matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] }] },
    validations: [{ expression: "object.metadata.name != 'refused'", message: 'no' }],
  },
};
const binding = { metadata: { name: 'judge' }, spec: { policyName: 'judge', validationActions: ['Deny', 'Audit'] } };
const webhook = (name: string, failurePolicy: string, resource: string): object => ({
  metadata: { name },
  webhooks: [
    {
      name: `${name}.judge.example.com`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy,
      timeoutSeconds: 2,
      clientConfig: { url: 'https://127.0.0.1:1/none' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] }],
    },
  ],
});

type Step = readonly [method: string, path: string, body?: unknown, type?: string];

/** What upstream needs a while to act on, and writes more objects for. */
const preparation: readonly Step[] = [
  ['POST', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', policy],
  ['POST', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings', binding],
  ['POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', webhook('open', 'Ignore', 'limitranges')],
  ['POST', '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', webhook('closed', 'Fail', 'podtemplates')],
  ['POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition],
];

const steps: readonly Step[] = [
  ['POST', '/api/v1/namespaces', { metadata: { name: 'judge' } }],
  ['POST', `${space}/serviceaccounts`, { metadata: { name: 'default' } }],
  ...['a', 'b', 'c'].map((name): Step => ['POST', `${space}/configmaps`, configMap(name)]),
  ['POST', `${space}/configmaps`, configMap('a')],
  ['POST', `${space}/configmaps?dryRun=All`, configMap('dry')],
  ['POST', `${space}/configmaps?dryRun=nonsense`, configMap('dry')],
  ['POST', `${space}/configmaps?fieldValidation=Strict`, { ...configMap('x'), bogus: 1 }],
  ['POST', `${space}/configmaps`, { metadata: { name: 'Not a Name' } }],
  ['GET', `${space}/configmaps/a`],
  ['GET', `${space}/configmaps/none`],
  ['GET', `${space}/configmaps`],
  ['GET', `${space}/configmaps?limit=1`],
  ['GET', `${space}/configmaps?fieldSelector=metadata.name%3Da`],
  ['GET', '/api/v1/configmaps?labelSelector=none%3Dof'],
  ['PUT', `${space}/configmaps/a`, { ...configMap('a'), data: { a: 'c' } }],
  ['PUT', `${space}/configmaps/none`, configMap('none')],
  ['PATCH', `${space}/configmaps/a`, { data: { b: 'd' } }, merge],
  ['PATCH', `${space}/configmaps/a`, [{ op: 'add', path: '/data/x', value: 'y' }], 'application/json-patch+json'],
  ['PATCH', `${space}/configmaps/applied?fieldManager=judge`, configMap('applied'), 'application/apply-patch+yaml'],
  ['POST', `${space}/pods`, pod('p')],
  ['GET', `${space}/pods/p/status`],
  ['PATCH', `${space}/pods/p/status`, { status: { phase: 'Running' } }, merge],
  ['GET', '/api/v1/pods'],
  ['POST', '/apis/apps/v1/namespaces/judge/deployments', deployment],
  ['GET', '/apis/apps/v1/namespaces/judge/deployments/d/scale'],
  ['PATCH', '/apis/apps/v1/namespaces/judge/deployments/d/scale', { spec: { replicas: 2 } }, merge],
  ['GET', '/apis/apps/v1/deployments'],
  ['GET', `${space}/endpoints`],
  ['GET', `${space}/configmaps?watch=1&timeoutSeconds=1`],
  ['GET', `${space}/configmaps?watch=1&timeoutSeconds=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`],
];

const later: readonly Step[] = [
  ['POST', `${space}/secrets`, { metadata: { name: 'allowed' } }],
  ['POST', `${space}/secrets`, { metadata: { name: 'refused' } }],
  ['POST', `${space}/limitranges`, { metadata: { name: 'open' }, spec: { limits: [] } }],
  ['POST', `${space}/podtemplates`, { metadata: { name: 'closed' }, template: pod('x') }],
  ['POST', '/apis/judge.example.com/v1/namespaces/judge/widgets', widget('w', 1)],
  ['POST', '/apis/judge.example.com/v1/namespaces/judge/widgets', widget('v', 11)],
  ['GET', '/apis/judge.example.com/v1/namespaces/judge/widgets'],
  ['GET', '/apis/judge.example.com/v1/namespaces/judge/widgets/w/status'],
  ['DELETE', '/apis/judge.example.com/v1/namespaces/judge/widgets/w'],
  ['POST', `${space}/serviceaccounts/default/token`, { spec: {} }],
  ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { spec: { resourceAttributes: { resource: 'pods', verb: 'get' } } }],
  ['DELETE', `${space}/configmaps/b`],
  ['DELETE', `${space}/configmaps/none`],
  ['DELETE', `${space}/configmaps?labelSelector=none%3Dof`],
  ['GET', '/healthz'],
  ['GET', '/livez'],
  ['GET', '/readyz'],
  ['GET', '/readyz/ping'],
  ['GET', '/version'],
  ['GET', '/openapi/v3'],
  ['GET', '/openapi/v3/api/v1'],
  ['GET', '/apis'],
  ['GET', '/api/v1'],
  ['GET', '/statusz'],
  ['GET', '/nothing/here'],
  ['GET', '/apis/none.example.com/v1/things'],
  ['GET', `${space}/nothings`],
];

function widget(name: string, size: number): object {
  return { apiVersion: 'judge.example.com/v1', kind: 'Widget', metadata: { name }, spec: { size } };
}

/** The same requests, one after the other. Returns their status codes. */
export async function playSession(server: ApiServerProcess): Promise<number[]> {
  const codes = await play(server, [...steps, ...later]);
  const { body } = await server.request('POST', `${space}/serviceaccounts/default/token`, { spec: {} });
  const { token } = (JSON.parse(body) as { status: { token: string } }).status;
  // Of a token that is right and of one that is not; the second time both are remembered.
  for (const one of [token, 'none', token, 'none']) codes.push(await statusWithToken(server, `${space}/configmaps`, one));
  return codes;
}

/** Policies, webhooks and definitions, and time for them to take effect. */
export async function prepareSession(server: ApiServerProcess): Promise<void> {
  await play(server, preparation);
  await sleep(6000);
}

function statusWithToken(server: ApiServerProcess, path: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const asked = request(`${server.url}${path}`, { ca: server.credentials.ca, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    asked.on('error', reject).end();
  });
}

async function play(server: ApiServerProcess, requests: readonly Step[]): Promise<number[]> {
  const admin = new Administrator(server);
  const codes: number[] = [];
  for (const [method, path, body, type = json] of requests) codes.push(await admin.status(method, path, body, type));
  return codes;
}
