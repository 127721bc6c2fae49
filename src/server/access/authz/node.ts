// Upstream: k8s.io/kubernetes/plugin/pkg/auth/authorizer/node/node_authorizer.go
import { parseFieldSelector } from '../../../machinery/fields.ts';
import type { FeatureGates } from '../../registry/features.ts';
import type { Attributes, Authorizer, Decision } from '../../request/authorizer.ts';
import type { NodeRelations, RelatedKind } from './node-relations.ts';
import { nodeIdentity } from './node-identity.ts';
import type { PolicyRule } from './policy-rule.ts';
import { ruleAllows } from './policy-rule.ts';

export interface NodeAuthorizerOptions {
  readonly relations: NodeRelations;
  readonly features: FeatureGates;
  /** what every node may do whatever runs on it */
  readonly rules: () => readonly PolicyRule[];
}

type Answer = Decision | Promise<Decision>;
type Rule = (node: string, attributes: Attributes, options: NodeAuthorizerOptions) => Answer;

const allow: Decision = { decision: 'allow', reason: '' };
const noOpinion = (reason = ''): Decision => ({ decision: 'no-opinion', reason });
const leaseNamespace = 'kube-node-lease';

/** A kubelet reads what the pods on its node need, and writes about its own node and pods. */
export function nodeAuthorizer(options: NodeAuthorizerOptions): Authorizer {
  return {
    authorize(attributes) {
      const node = nodeIdentity(attributes.user);
      if (node === undefined) return noOpinion();
      if (node === '') return noOpinion(`unknown node for user ${JSON.stringify(attributes.user.name)}`);
      const rule = attributes.isResource ? rules[`${attributes.group}/${attributes.resource}`] : undefined;
      if (rule !== undefined) return rule(node, attributes, options);
      return options.rules().some((one) => ruleAllows(one, attributes)) ? allow : noOpinion();
    },
    rulesFor(user) {
      const none = { resourceRules: [], nonResourceRules: [] };
      if (nodeIdentity(user) === undefined) return { ...none, incomplete: false };
      return { ...none, incomplete: true, evaluationError: 'node authorizer does not support user rule resolution' };
    },
  };
}

/** Reason strings begin with the authorizer's name where a union reports them. */
const rules: Readonly<Record<string, Rule>> = {
  '/secrets': read('secret'),
  '/configmaps': read('configmap'),
  '/persistentvolumeclaims': (node, attributes, options) =>
    attributes.subresource === 'status' ? updateStatus(node, attributes, options) : get('pvc')(node, attributes, options),
  '/persistentvolumes': get('pv'),
  'resource.k8s.io/resourceclaims': get('resourceclaim'),
  'storage.k8s.io/volumeattachments': get('volumeattachment'),
  '/serviceaccounts': serviceAccount,
  'coordination.k8s.io/leases': lease,
  'storage.k8s.io/csinodes': csiNode,
  'resource.k8s.io/resourceslices': resourceSlice,
  '/nodes': ownNode,
  '/pods': pod,
  'certificates.k8s.io/podcertificaterequests': podCertificateRequest,
};

async function related(
  node: string,
  kind: RelatedKind,
  { namespace, name }: Attributes,
  { relations }: NodeAuthorizerOptions,
): Promise<Decision> {
  if (await relations.has(node, kind, namespace, name)) return allow;
  return noOpinion(`no relationship found between node '${node}' and this object`);
}

function named(node: string, kind: RelatedKind, attributes: Attributes, options: NodeAuthorizerOptions): Answer {
  return attributes.name === '' ? noOpinion('No Object name found') : related(node, kind, attributes, options);
}

function read(kind: RelatedKind): Rule {
  return (node, attributes, options) => {
    const { verb, subresource, namespace } = attributes;
    if (verb !== 'get' && verb !== 'list' && verb !== 'watch') return noOpinion('can only read resources of this type');
    if (subresource !== '') return noOpinion('cannot read subresource');
    if (namespace === '') return noOpinion('can only read namespaced object of this type');
    return named(node, kind, attributes, options);
  };
}

function get(kind: RelatedKind): Rule {
  return (node, attributes, options) => {
    if (attributes.verb !== 'get') return noOpinion('can only get individual resources of this type');
    if (attributes.subresource !== '') return noOpinion('cannot get subresource');
    return named(node, kind, attributes, options);
  };
}

function updateStatus(node: string, attributes: Attributes, options: NodeAuthorizerOptions): Answer {
  const { verb } = attributes;
  if (verb !== 'update' && verb !== 'patch') return noOpinion('can only get/update/patch this type');
  return named(node, 'pvc', attributes, options);
}

function serviceAccount(node: string, attributes: Attributes, options: NodeAuthorizerOptions): Answer {
  const { verb, subresource, name } = attributes;
  if (verb === 'get' && subresource === '') {
    const { features } = options;
    const allowed = features.enabled('KubeletServiceAccountTokenForCredentialProviders') || features.enabled('PodCertificateRequest');
    return allowed ? read('serviceaccount')(node, attributes, options) : noOpinion('not allowed to get service accounts');
  }
  if (verb !== 'create' || name === '') return noOpinion('can only create tokens for individual service accounts');
  if (subresource !== 'token') return noOpinion('can only create token subresource of serviceaccount');
  return related(node, 'serviceaccount', attributes, options);
}

const ownVerbs: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch', 'delete']);

function lease(node: string, { verb, namespace, name }: Attributes): Decision {
  if (!ownVerbs.has(verb)) return noOpinion('can only get, create, update, patch, or delete a node lease');
  if (namespace !== leaseNamespace) return noOpinion(`can only access leases in the "${leaseNamespace}" system namespace`);
  if (verb !== 'create' && name !== node) return noOpinion('can only access node lease with the same name as the requesting node');
  return allow;
}

function csiNode(node: string, { verb, subresource, name }: Attributes, { features }: NodeAuthorizerOptions): Decision {
  if (subresource === '') {
    if (!ownVerbs.has(verb)) return noOpinion('can only get, create, update, patch, or delete a CSINode');
  } else if (subresource === 'status') {
    if (!features.enabled('CSIVolumeHealth')) return noOpinion('CSINode status access requires CSIVolumeHealth feature');
    if (verb !== 'get' && verb !== 'update' && verb !== 'patch') return noOpinion('can only get, update, or patch CSINode status');
  } else return noOpinion('cannot authorize CSINode subresources');
  if (verb !== 'create' && name !== node) return noOpinion('can only access CSINode with the same name as the requesting node');
  return allow;
}

function resourceSlice(node: string, attributes: Attributes, options: NodeAuthorizerOptions): Answer {
  const { verb, subresource } = attributes;
  if (subresource !== '') return noOpinion('cannot authorize ResourceSlice subresources');
  switch (verb) {
    case 'create':
      return allow;
    case 'get':
    case 'update':
    case 'patch':
    case 'delete':
      return named(node, 'resourceslice', attributes, options);
    case 'watch':
    case 'list':
    case 'deletecollection':
      if (selects(attributes, 'spec.nodeName', node)) return allow;
      return noOpinion('can only list/watch/deletecollection resourceslices with nodeName field selector');
    default:
      return noOpinion(
        'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
      );
  }
}

function podCertificateRequest(node: string, attributes: Attributes, options: NodeAuthorizerOptions): Answer {
  const { verb, subresource } = attributes;
  if (!options.features.enabled('PodCertificateRequest')) return noOpinion();
  if (subresource !== '') return noOpinion('nodes may not access the status subresource of PodCertificateRequests');
  if (verb === 'create') return allow;
  if (verb === 'get') return named(node, 'podcertificaterequest', attributes, options);
  if (verb !== 'list' && verb !== 'watch') return noOpinion(`nodes may not ${verb} podcertificaterequests`);
  if (selects(attributes, 'spec.nodeName', node)) return allow;
  return noOpinion('can only list/watch podcertificaterequests with nodeName field selector');
}

function ownNode(node: string, { verb, subresource, name }: Attributes): Decision {
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? allow : noOpinion();
  if (subresource !== '') return noOpinion();
  // Whose node it is that is written, admission knows.
  if (verb === 'create' || verb === 'update' || verb === 'patch') return allow;
  if (verb !== 'get' && verb !== 'list' && verb !== 'watch') return noOpinion();
  if (name === node) return allow;
  if (name === '') return noOpinion(`node '${node}' cannot read all nodes, only its own Node object`);
  return noOpinion(`node '${node}' cannot read '${name}', only its own Node object`);
}

function pod(node: string, attributes: Attributes, options: NodeAuthorizerOptions): Answer {
  const { verb, subresource, name } = attributes;
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? allow : noOpinion();
  if (subresource === 'eviction') return verb === 'create' ? allow : noOpinion();
  if (subresource !== '') return noOpinion();
  switch (verb) {
    case 'get':
      return get('pod')(node, attributes, options);
    case 'list':
    case 'watch':
      if (selects(attributes, 'spec.nodeName', node)) return allow;
      if (name !== '') return related(node, 'pod', attributes, options);
      return noOpinion('can only list/watch pods with spec.nodeName field selector');
    case 'create':
    case 'delete':
      return allow;
    default:
      return noOpinion();
  }
}

function selects({ fieldSelector }: Attributes, field: string, value: string): boolean {
  if (fieldSelector === undefined) return false;
  try {
    return parseFieldSelector(fieldSelector).exactMatch(field) === value;
  } catch {
    return false; // the handler will say what is wrong with the selector
  }
}
