import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationNames } from './operation-id.ts';

const cases: readonly (readonly [operation: string, path: string, operationId: string, tag: string])[] = [
  ['listNamespacedPod', '/api/v1/namespaces/{namespace}/pods', 'listCoreV1NamespacedPod', 'core_v1'],
  ['deletecollectionNode', '/api/v1/nodes', 'deleteCoreV1CollectionNode', 'core_v1'],
  ['readNode', '/apis/node.k8s.io/v1beta1/x/{name}', 'readNodeV1beta1Node', 'node_v1beta1'],
  [
    'createFlowSchema',
    '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
    'createFlowcontrolApiserverV1FlowSchema',
    'flowcontrolApiserver_v1',
  ],
  ['getAPIGroup', '/apis/apps/', 'getAppsAPIGroup', 'apps'],
  ['getAPIVersions', '/apis/', 'getAPIVersions', 'apis'],
  ['getAPIVersions', '/api/', 'getCoreAPIVersions', 'core'],
  ['getCodeVersion', '/version/', 'getCodeVersion', 'version'],
  ['logFileListHandler', '/logs/', 'logFileListHandler', 'logs'],
  [
    'getServiceAccountIssuerOpenIDConfiguration',
    '/.well-known/openid-configuration/',
    'getServiceAccountIssuerOpenIDConfiguration',
    'WellKnown',
  ],
];

for (const [operation, path, operationId, tag] of cases) {
  test(`${operation} at ${path} is ${operationId}`, () => {
    assert.deepEqual(operationNames(operation, path), { operationId, tags: [tag] });
  });
}
