/** What is done to the objects that API servers keep right by themselves. One object suffers one act in a round, and rounds follow each other. */

/** A request as administrator, or a change in etcd behind the back of the server. */
export type Step =
  | readonly [method: string, path: string, body?: object]
  | { readonly deleteKey: string }
  | { readonly putKey: string; readonly value: object };

export interface Act {
  readonly name: string;
  readonly steps: readonly Step[];
  /** what is looked at afterwards: objects by their paths, or keys of etcd */
  readonly look: readonly string[];
}

const core = '/api/v1';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const flow = '/apis/flowcontrol.apiserver.k8s.io/v1';
const registration = '/apis/apiregistration.k8s.io/v1/apiservices';
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const service = `${core}/namespaces/default/services/kubernetes`;
const endpoints = `${core}/namespaces/default/endpoints/kubernetes`;
const slice = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';
const serviceCidr = '/apis/networking.k8s.io/v1/servicecidrs/kubernetes';
const addresses = '/apis/networking.k8s.io/v1/ipaddresses';
const priorityClasses = '/apis/scheduling.k8s.io/v1/priorityclasses';
const authentication = `${core}/namespaces/kube-system/configmaps/extension-apiserver-authentication`;
const tracking = `${core}/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking`;
const masterLeases = '/registry/masterleases/';

const rbacAutoUpdate = (value: string): object => ({ metadata: { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': value } } });
const flowAutoUpdate = (value: string | null): object => ({ metadata: { annotations: { 'apf.kubernetes.io/autoupdate-spec': value } } });
const managed = (value: string | null): object => ({ metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': value } } });

const remove = (name: string, path: string, ...also: string[]): Act => ({
  name: `${name}: deleted`,
  steps: [['DELETE', path]],
  look: [path, ...also],
});
const merge = (name: string, path: string, ...patches: object[]): Act => ({
  name,
  steps: patches.map((patch): Step => ['PATCH', path, patch]),
  look: [path],
});
const erase = (name: string, key: string, ...look: string[]): Act => ({
  name: `${name}: erased in etcd`,
  steps: [{ deleteKey: key }],
  look,
});

function foreignLease(name: string, labels: object, spec: object): Act {
  const steps: Step[] = [['POST', leases, { metadata: { name, labels }, spec }]];
  return { name: `identity Lease of another server: ${name}`, steps, look: [`${leases}/${name}`] };
}
const identity = { 'apiserver.kubernetes.io/identity': 'kube-apiserver' };
const longAgo = { holderIdentity: 'other', leaseDurationSeconds: 3600, renewTime: '2020-01-01T00:00:00.000000Z' };
const farAhead = { holderIdentity: 'other', leaseDurationSeconds: 3600, renewTime: '2099-01-01T00:00:00.000000Z' };

function apiService(name: string, label: string, version: string, group: string): Step {
  const metadata = { name, labels: { 'kube-aggregator.kubernetes.io/automanaged': label } };
  return ['POST', registration, { metadata, spec: { group, version, groupPriorityMinimum: 10, versionPriority: 10 } }];
}

function masterLease(ip: string): Step {
  const value = { kind: 'Endpoints', apiVersion: 'v1', metadata: { creationTimestamp: null }, subsets: [{ addresses: [{ ip }] }] };
  return { putKey: `${masterLeases}${ip}`, value };
}

const widget = (plural: string, kind: string, group: string): Step => [
  'POST',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  },
];

/** What must be there before the first round. */
export const preparation: readonly Step[] = [
  widget('widgets', 'Widget', 'kept.example.com'),
  widget('gadgets', 'Gadget', 'altered.example.com'),
  widget('sprockets', 'Sprocket', 'unmarked.example.com'),
  [
    'POST',
    `${core}/namespaces/default/services`,
    { metadata: { name: 'other' }, spec: { clusterIP: '10.96.77.7', ports: [{ port: 80 }] } },
  ],
];

export function rounds(identityLease: string, advertised: string): readonly (readonly Act[])[] {
  const own = `${leases}/${identityLease}`;
  return [
    [
      remove('kubernetes Service', service),
      remove('kubernetes Endpoints', endpoints),
      remove('kubernetes EndpointSlice', slice),
      remove('Namespace kube-node-lease', `${core}/namespaces/kube-node-lease`),
      remove('Namespace kube-system', `${core}/namespaces/kube-system`),
      erase('Namespace kube-public', '/registry/namespaces/kube-public', `${core}/namespaces/kube-public`),
      remove('ClusterRole view', `${rbac}/clusterroles/view`),
      remove('ClusterRole of an aggregation', `${rbac}/clusterroles/system:aggregate-to-edit`),
      remove('ClusterRole of a controller', `${rbac}/clusterroles/system:controller:job-controller`),
      remove('ClusterRoleBinding', `${rbac}/clusterrolebindings/system:basic-user`),
      remove('Role in kube-system', `${rbac}/namespaces/kube-system/roles/extension-apiserver-authentication-reader`),
      remove('RoleBinding in kube-public', `${rbac}/namespaces/kube-public/rolebindings/system:controller:bootstrap-signer`),
      remove('system PriorityClass', `${priorityClasses}/system-node-critical`),
      erase('system PriorityClass', '/registry/priorityclasses/system-cluster-critical', `${priorityClasses}/system-cluster-critical`),
      remove('mandatory FlowSchema', `${flow}/flowschemas/exempt`),
      remove('suggested FlowSchema', `${flow}/flowschemas/system-nodes`),
      remove('mandatory PriorityLevelConfiguration', `${flow}/prioritylevelconfigurations/catch-all`),
      remove(
        'suggested PriorityLevelConfiguration',
        `${flow}/prioritylevelconfigurations/workload-high`,
        `${flow}/flowschemas/kube-scheduler`,
      ),
      erase('default ServiceCIDR', '/registry/servicecidrs/kubernetes', serviceCidr),
      remove('ConfigMap of cluster authentication', authentication),
      remove('ConfigMap of legacy tokens', tracking),
      remove('own identity Lease', own),
      foreignLease('expired', identity, longAgo),
      foreignLease('unexpired', identity, farAhead),
      foreignLease('without-times', identity, { holderIdentity: 'other' }),
      foreignLease('wrong-label', { 'apiserver.kubernetes.io/identity': 'kube-proxy' }, longAgo),
      foreignLease('without-label', {}, longAgo),
      { name: 'own master lease: erased in etcd', steps: [{ deleteKey: masterLeases + advertised }], look: [masterLeases + advertised] },
      remove('APIService of a built-in group', `${registration}/v1.apps`),
      remove('APIService of the core group', `${registration}/v1.`),
      remove('APIService of a custom resource', `${registration}/v1.kept.example.com`),
      merge('APIService of a custom resource: spec altered', `${registration}/v1.altered.example.com`, {
        spec: { groupPriorityMinimum: 7 },
      }),
      merge('APIService of a custom resource: label removed', `${registration}/v1.unmarked.example.com`, managed(null), {
        spec: { versionPriority: 7 },
      }),
      merge('APIService of a built-in group: spec altered', `${registration}/v1.batch`, { spec: { groupPriorityMinimum: 7 } }),
      merge('APIService of a built-in group: label removed, spec altered', `${registration}/v1.policy`, managed(null), {
        spec: { groupPriorityMinimum: 7 },
      }),
      {
        name: 'APIService of a group that is not there, managed always',
        steps: [apiService('v1.gone.example.com', 'true', 'v1', 'gone.example.com')],
        look: [`${registration}/v1.gone.example.com`],
      },
      {
        name: 'APIService of a group that is not there, managed at start',
        steps: [apiService('v1.leftover.example.com', 'onstart', 'v1', 'leftover.example.com')],
        look: [`${registration}/v1.leftover.example.com`],
      },
      {
        name: 'APIService of a group that is not there, with another mark',
        steps: [apiService('v1.stranger.example.com', 'false', 'v1', 'stranger.example.com')],
        look: [`${registration}/v1.stranger.example.com`],
      },
      remove('IPAddress of a Service', `${addresses}/10.96.77.7`),
    ],
    [
      merge('kubernetes Service: ports altered', service, { spec: { ports: [{ name: 'https', port: 444, targetPort: 1 }] } }),
      merge('kubernetes Endpoints: another address', endpoints, {
        subsets: [{ addresses: [{ ip: '10.9.9.9' }], ports: [{ name: 'https', port: 1 }] }],
      }),
      merge('kubernetes EndpointSlice: emptied', slice, { endpoints: [], ports: [] }),
      erase('Namespace default', '/registry/namespaces/default', `${core}/namespaces/default`),
      merge('Namespace kube-public: label altered', `${core}/namespaces/kube-public`, { metadata: { labels: { own: 'yes' } } }),
      merge('ClusterRole: rules emptied', `${rbac}/clusterroles/system:basic-user`, { rules: [] }),
      merge('ClusterRole: rules emptied, not to be updated', `${rbac}/clusterroles/system:discovery`, rbacAutoUpdate('false'), {
        rules: [],
      }),
      merge('ClusterRole: a rule more', `${rbac}/clusterroles/system:node-proxier`, {
        rules: [{ verbs: ['get'], apiGroups: ['example.com'], resources: ['things'] }],
      }),
      merge('ClusterRole: labels removed', `${rbac}/clusterroles/system:public-info-viewer`, {
        metadata: { labels: null, annotations: null },
      }),
      merge('ClusterRole: aggregation removed', `${rbac}/clusterroles/edit`, { aggregationRule: null }),
      merge('ClusterRole: another aggregation', `${rbac}/clusterroles/admin`, {
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { own: 'yes' } }] },
      }),
      merge('ClusterRoleBinding: subjects emptied', `${rbac}/clusterrolebindings/system:discovery`, { subjects: [] }),
      merge(
        'ClusterRoleBinding: subjects emptied, not to be updated',
        `${rbac}/clusterrolebindings/system:monitoring`,
        rbacAutoUpdate('false'),
        {
          subjects: [],
        },
      ),
      merge('ClusterRoleBinding: a subject more', `${rbac}/clusterrolebindings/cluster-admin`, {
        subjects: [{ kind: 'User', name: 'own', apiGroup: 'rbac.authorization.k8s.io' }],
      }),
      {
        name: 'ClusterRoleBinding: made anew for another role',
        steps: [
          ['DELETE', `${rbac}/clusterrolebindings/system:volume-scheduler`],
          [
            'POST',
            `${rbac}/clusterrolebindings`,
            {
              metadata: { name: 'system:volume-scheduler' },
              roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
              subjects: [{ kind: 'User', name: 'own', apiGroup: 'rbac.authorization.k8s.io' }],
            },
          ],
        ],
        look: [`${rbac}/clusterrolebindings/system:volume-scheduler`],
      },
      merge('Role: rules emptied', `${rbac}/namespaces/kube-system/roles/system:controller:token-cleaner`, { rules: [] }),
      merge('RoleBinding: subjects emptied', `${rbac}/namespaces/kube-system/rolebindings/system:controller:token-cleaner`, {
        subjects: [],
      }),
      merge('system PriorityClass: description altered', `${priorityClasses}/system-node-critical`, { description: 'own' }),
      merge('mandatory FlowSchema: spec altered', `${flow}/flowschemas/catch-all`, { spec: { matchingPrecedence: 9000 } }),
      merge('suggested FlowSchema: spec altered', `${flow}/flowschemas/system-nodes`, { spec: { matchingPrecedence: 501 } }),
      merge('suggested FlowSchema: spec altered, not to be updated', `${flow}/flowschemas/probes`, flowAutoUpdate('false'), {
        spec: { matchingPrecedence: 3 },
      }),
      merge('suggested FlowSchema: mark removed, spec altered', `${flow}/flowschemas/endpoint-controller`, flowAutoUpdate(null), {
        spec: { matchingPrecedence: 151 },
      }),
      merge('suggested FlowSchema: mark removed', `${flow}/flowschemas/service-accounts`, flowAutoUpdate(null)),
      merge('FlowSchema: level that is not there', `${flow}/flowschemas/kube-scheduler`, flowAutoUpdate('false'), {
        spec: { priorityLevelConfiguration: { name: 'none' } },
      }),
      {
        name: 'FlowSchema: status emptied',
        steps: [['PATCH', `${flow}/flowschemas/global-default/status`, { status: { conditions: null } }]],
        look: [`${flow}/flowschemas/global-default`],
      },
      {
        name: 'FlowSchema: status altered',
        steps: [
          [
            'PATCH',
            `${flow}/flowschemas/workload-leader-election/status`,
            { status: { conditions: [{ type: 'Dangling', status: 'True', reason: 'NotFound', message: 'own' }] } },
          ],
        ],
        look: [`${flow}/flowschemas/workload-leader-election`],
      },
      {
        name: 'FlowSchema: of an earlier release',
        steps: [
          [
            'POST',
            `${flow}/flowschemas`,
            {
              metadata: { name: 'earlier', annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } },
              spec: { priorityLevelConfiguration: { name: 'system' } },
            },
          ],
        ],
        look: [`${flow}/flowschemas/earlier`],
      },
      merge('mandatory PriorityLevelConfiguration: shares of exempt', `${flow}/prioritylevelconfigurations/exempt`, {
        spec: { exempt: { nominalConcurrencyShares: 5, lendablePercent: 20 } },
      }),
      merge('suggested PriorityLevelConfiguration: spec altered', `${flow}/prioritylevelconfigurations/workload-low`, {
        spec: { limited: { nominalConcurrencyShares: 7 } },
      }),
      {
        name: 'default ServiceCIDR: status emptied',
        steps: [['PATCH', `${serviceCidr}/status`, { status: { conditions: null } }]],
        look: [serviceCidr],
      },
      merge('ConfigMap of cluster authentication: emptied', authentication, { data: null }),
      merge('ConfigMap of legacy tokens: no date', tracking, { data: { since: 'never' } }),
      merge('own identity Lease: labels removed, another holder', own, {
        metadata: { labels: { 'apiserver.kubernetes.io/identity': null, 'kubernetes.io/hostname': 'own' } },
        spec: { holderIdentity: 'other', leaseDurationSeconds: 5 },
      }),
      {
        name: 'master lease of another server, which lives',
        steps: [masterLease('10.1.0.9')],
        look: [`${masterLeases}10.1.0.9`, endpoints, slice],
      },
      {
        name: 'IPAddress without Service',
        steps: [
          [
            'POST',
            addresses,
            {
              metadata: {
                name: '10.96.88.8',
                labels: { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io', 'ipaddress.kubernetes.io/ip-family': 'IPv4' },
              },
              spec: { parentRef: { resource: 'services', namespace: 'default', name: 'none' } },
            },
          ],
        ],
        look: [`${addresses}/10.96.88.8`],
      },
    ],
    [
      {
        name: 'kubernetes Service: a selector, labels removed',
        steps: [['PATCH', service, { metadata: { labels: null }, spec: { selector: { own: 'yes' }, sessionAffinity: 'ClientIP' } }]],
        look: [service],
      },
      {
        name: 'master lease of another server: erased in etcd',
        steps: [{ deleteKey: `${masterLeases}10.1.0.9` }],
        look: [endpoints, slice],
      },
      merge('kubernetes Endpoints: label removed', endpoints, { metadata: { labels: null } }),
      merge('kubernetes EndpointSlice: labels altered', slice, {
        metadata: { labels: { 'kubernetes.io/service-name': 'other', own: 'yes' } },
      }),
      remove('default ServiceCIDR', serviceCidr),
      merge('ConfigMap of cluster authentication: not certificates', authentication, { data: { 'client-ca-file': 'own' } }),
      merge('ConfigMap of legacy tokens: another date', tracking, { data: { since: '2020-01-02', own: 'yes' } }),
      merge('own identity Lease: spec emptied', own, { spec: null }),
      merge('Namespace kube-system: annotated', `${core}/namespaces/kube-system`, { metadata: { annotations: { own: 'yes' } } }),
      erase('Namespace kube-node-lease', '/registry/namespaces/kube-node-lease', `${core}/namespaces/kube-node-lease`),
      merge(
        'mandatory PriorityLevelConfiguration: mark set to false',
        `${flow}/prioritylevelconfigurations/catch-all`,
        flowAutoUpdate('false'),
      ),
      merge('mandatory FlowSchema: mark set to false', `${flow}/flowschemas/exempt`, flowAutoUpdate('false')),
      erase('ClusterRoleBinding of nodes', '/registry/clusterrolebindings/system:node', `${rbac}/clusterrolebindings/system:node`),
      {
        name: 'definition of an APIService that was altered: deleted',
        steps: [['DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.altered.example.com']],
        look: [`${registration}/v1.altered.example.com`],
      },
      {
        name: 'definition of an APIService without mark: deleted',
        steps: [['DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/sprockets.unmarked.example.com']],
        look: [`${registration}/v1.unmarked.example.com`],
      },
    ],
    [
      merge('ConfigMap of cluster authentication: other keys', authentication, {
        data: { 'client-ca-file': null, own: 'yes', 'requestheader-allowed-names': '["own"]' },
      }),
      remove('ConfigMap of legacy tokens, a second time', tracking),
      erase('kubernetes Service', '/registry/services/specs/default/kubernetes', service),
      erase('kubernetes Endpoints', '/registry/services/endpoints/default/kubernetes', endpoints),
      erase('kubernetes EndpointSlice', '/registry/endpointslices/default/kubernetes', slice),
      erase('own identity Lease', `/registry/leases/kube-system/${identityLease}`, own),
    ],
  ];
}

/** Lists that must be equal in the end, names only. */
export const lists: readonly string[] = [
  `${core}/namespaces`,
  `${core}/namespaces/default/services`,
  `${core}/namespaces/default/endpoints`,
  `${core}/namespaces/kube-system/configmaps`,
  `${rbac}/clusterroles`,
  `${rbac}/clusterrolebindings`,
  `${rbac}/roles`,
  `${rbac}/rolebindings`,
  `${flow}/flowschemas`,
  `${flow}/prioritylevelconfigurations`,
  registration,
  leases,
  addresses,
  priorityClasses,
];
