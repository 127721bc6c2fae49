/** What exists while the cases are asked: two namespaces, one with an owner, two nodes, a pod on one of them, custom resources. */
export interface Creation {
  readonly path: string;
  readonly object: object;
}

const rbacGroup = 'rbac.authorization.k8s.io';
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };

function definition(plural: string, kind: string, scope: string, subresources: object | undefined): object {
  return {
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope,
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema, ...(subresources && { subresources }) }],
    },
  };
}

const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
const inA = '/api/v1/namespaces/a';

export const estate: readonly Creation[] = [
  { path: '/api/v1/namespaces', object: { metadata: { name: 'a' } } },
  { path: '/api/v1/namespaces', object: { metadata: { name: 'b' } } },
  {
    path: `/apis/${rbacGroup}/v1/namespaces/a/rolebindings`,
    object: {
      metadata: { name: 'owner' },
      roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: rbacGroup, kind: 'User', name: 'owner' }],
    },
  },
  { path: '/api/v1/nodes', object: { metadata: { name: 'n1' } } },
  { path: '/api/v1/nodes', object: { metadata: { name: 'n2' } } },
  { path: `${inA}/serviceaccounts`, object: { metadata: { name: 'default' } } },
  { path: `${inA}/secrets`, object: { metadata: { name: 'mounted' } } },
  { path: `${inA}/secrets`, object: { metadata: { name: 'other' } } },
  { path: `${inA}/configmaps`, object: { metadata: { name: 'c' } } },
  { path: '/api/v1/namespaces/b/configmaps', object: { metadata: { name: 'c' } } },
  {
    path: `${inA}/pods`,
    object: {
      metadata: { name: 'p' },
      spec: {
        nodeName: 'n1',
        automountServiceAccountToken: false,
        containers: [{ name: 'c', image: 'i' }],
        volumes: [{ name: 'v', secret: { secretName: 'mounted' } }],
      },
    },
  },
  {
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    object: definition('widgets', 'Widget', 'Namespaced', { status: {}, scale }),
  },
  { path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', object: definition('gadgets', 'Gadget', 'Cluster', undefined) },
  {
    path: '/apis/example.com/v1/namespaces/a/widgets',
    object: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { replicas: 1 } },
  },
  { path: '/apis/example.com/v1/gadgets', object: { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' } } },
];
