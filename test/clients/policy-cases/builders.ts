/** What policies and the requests that they judge are made of. `{ns}` is the namespace of the case. */
export type PolicyRequest = readonly [method: string, path: string, body?: unknown, patch?: 'json' | 'merge' | 'apply'];
export type Step = PolicyRequest;

export interface PolicyCase {
  readonly policies: readonly PolicySpec[];
  /** what is there before the policies are */
  readonly before?: readonly { readonly path: string; readonly body: unknown }[];
  readonly steps: readonly Step[];
}

export type PolicyCases = Readonly<Record<string, PolicyCase>>;

export interface PolicySpec {
  readonly mutating?: boolean;
  readonly spec: Readonly<Record<string, unknown>> & { readonly matchConstraints: Readonly<Record<string, unknown>> };
  /** of the bindings; one that says nothing but Deny by default */
  readonly bindings?: readonly Readonly<Record<string, unknown>>[];
}

export const configMaps = '/api/v1/namespaces/{ns}/configmaps';
export const configMap = (name: string, content: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...content,
});
export const labelled = (name: string, labels: object): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });

interface Rule {
  readonly operations?: readonly string[];
  readonly groups?: readonly string[];
  readonly versions?: readonly string[];
  readonly names?: readonly string[];
}

export const rule = (resource: string, { operations = ['*'], groups = ['*'], versions = ['*'], names }: Rule = {}): object => ({
  apiGroups: groups,
  apiVersions: versions,
  operations,
  resources: [resource],
  ...(names !== undefined && { resourceNames: names }),
});
export const on = (resource: string, more: Rule = {}): { resourceRules: object[] } => ({ resourceRules: [rule(resource, more)] });

export const validating = (validations: readonly object[], more: object = {}, matchConstraints: object = on('configmaps')): PolicySpec => ({
  spec: { matchConstraints: matchConstraints as Record<string, unknown>, validations, ...more },
});
export const deny = (expression: string, more: object = {}): object => ({ expression, ...more });

/** A policy that shows values of expressions in warnings. */
export const showing = (expressions: readonly string[], matchConstraints: object, more: object = {}): PolicySpec => ({
  spec: {
    matchConstraints: matchConstraints as Record<string, unknown>,
    validations: expressions.map((expression, i) => ({
      expression: 'false',
      message: `${i} could not be shown`,
      messageExpression: `'${i} ' + string(${expression})`,
    })),
    ...more,
  },
  bindings: [{ validationActions: ['Warn', 'Audit'] }],
});

export const mutating = (mutations: readonly object[], more: object = {}, matchConstraints: object = on('configmaps')): PolicySpec => ({
  mutating: true,
  spec: { matchConstraints: matchConstraints as Record<string, unknown>, mutations, failurePolicy: 'Fail', ...more },
});
export const applying = (expression: string): object => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
export const patching = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

export const deployment = (name: string, replicas = 1): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] } },
  },
});
export const deployments = '/apis/apps/v1/namespaces/{ns}/deployments';
export const autoscaler = (version: string, name: string, metric: object): object => ({
  apiVersion: `autoscaling/${version}`,
  kind: 'HorizontalPodAutoscaler',
  metadata: { name },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 3, ...metric },
});
export const pod = (name: string, spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false, ...spec },
});

export const widgetVersion = (name: string, storage: boolean): object => ({
  name,
  served: true,
  storage,
  subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            size: { type: 'integer', default: 7 },
            color: { type: 'string' },
            replicas: { type: 'integer' },
            tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
            list: { type: 'array', items: { type: 'string' } },
          },
        },
        status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
});

export const customResources: readonly object[] = [
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.policies.example.com' },
    spec: {
      group: 'policies.example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [widgetVersion('v1', true), widgetVersion('v2', false)],
    },
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'limits.policies.example.com' },
    spec: {
      group: 'policies.example.com',
      scope: 'Cluster',
      names: { plural: 'limits', kind: 'Limit' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { max: { type: 'integer' } } } },
        },
      ],
    },
  },
];
export const widget = (name: string, spec: object = {}, version = 'v1'): object => ({
  apiVersion: `policies.example.com/${version}`,
  kind: 'Widget',
  metadata: { name },
  spec,
});
export const widgets = '/apis/policies.example.com/v1/namespaces/{ns}/widgets';
export const limit = (name: string, max: number, labels: object = {}): { path: string; body: object } => ({
  path: '/apis/policies.example.com/v1/limits',
  body: { apiVersion: 'policies.example.com/v1', kind: 'Limit', metadata: { name, labels }, max },
});
export const paramMap = (name: string, data: object, labels: object = {}): { path: string; body: object } => ({
  path: configMaps,
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data },
});
export const limitKind = { paramKind: { apiVersion: 'policies.example.com/v1', kind: 'Limit' } };
export const configMapKind = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };
export const sized = (size: number): object => ({ data: { size: String(size) } });
export const paramCheck = deny('int(object.data.size) <= params.max', { messageExpression: "'at most ' + string(params.max)" });
