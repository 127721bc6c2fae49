// Upstream: k8s.io/apiserver/pkg/admission/plugin/cel/condition.go#CreateAdmissionRequest, #CreateNamespaceObject
import type { GroupVersionKind, GroupVersionResource } from '../../../machinery/type-model.ts';
import type { UserInfo } from '../../request/user.ts';
import type { KubeObject } from '../../registry/definition.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { requestKind, requestNamespace } from '../matching/endpoint-kind.ts';
import type { Match } from '../matching/match-criteria.ts';

/** admission.k8s.io AdmissionRequest without its objects: the variable `request`, and what webhooks are sent. */
export interface AdmissionRequest {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  readonly requestKind: GroupVersionKind;
  readonly requestResource: GroupVersionResource;
  readonly requestSubResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: string;
  readonly userInfo: Readonly<Record<string, unknown>>;
  readonly dryRun: boolean;
  /** null: the operation has none */
  readonly options: Readonly<Record<string, unknown>> | null;
}

/** What is empty is left out, as everywhere. */
export function admissionRequest(attributes: AdmissionAttributes, match: Match): AdmissionRequest {
  const { subresource, name, operation, dryRun, user, resource, version } = attributes;
  const namespace = requestNamespace(attributes);
  const { group, plural } = resource.names;
  return {
    kind: match.kind,
    resource: { group: match.resource.names.group, version: match.version, resource: match.resource.names.plural },
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: requestKind(attributes),
    requestResource: { group, version, resource: plural },
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: userInfo(user),
    dryRun,
    options: operationOptions(attributes),
  };
}

/** authentication.k8s.io UserInfo. */
function userInfo({ name, uid, groups, extra }: UserInfo): Readonly<Record<string, unknown>> {
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

const optionKinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const;

function operationOptions({ operation, options }: AdmissionAttributes): Readonly<Record<string, unknown>> | null {
  if (operation === 'CONNECT') return null;
  const { kind: _kind, apiVersion: _apiVersion, force: _force, ...rest } = options;
  const stated = Object.entries(rest).filter(([, value]) => !isEmpty(value));
  return { kind: optionKinds[operation], apiVersion: 'meta.k8s.io/v1', ...Object.fromEntries(stated) };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

const shownMetadata = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'finalizers',
] as const;

/** The variable `namespaceObject`: what expressions may see of a namespace. */
export function namespaceObject({ metadata, ['spec']: spec = {}, ['status']: status = {} }: KubeObject): Readonly<Record<string, unknown>> {
  const shown = shownMetadata.filter((field) => metadata[field] !== undefined).map((field) => [field, metadata[field]]);
  return { metadata: Object.fromEntries(shown), spec, status };
}
