import type { Case, Step } from '../parity/case.ts';
import type { Document, ManifestObject } from './documents.ts';
import type { ServedKind } from './served-kinds.ts';

/** Kinds whose objects change what is done with others: played one after the other, after all others. */
const farReaching = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'APIService',
  'PriorityClass',
  'StorageClass',
  'IngressClass',
  'FlowSchema',
  'PriorityLevelConfiguration',
]);
export const isFarReaching = ({ object }: Document): boolean => farReaching.has(object.kind);

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const reads = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', table];

/**
 * The life of a document: created, read in four formats, listed, applied by two managers, patched three ways, put back and deleted. What exists already is only
 * created, which is refused, and read.
 */
export function manifestCase(document: Document, kind: ServedKind, exists: boolean): Case {
  const { project, place, object } = document;
  const collection = kind.isNamespaced ? `${kind.prefix}/namespaces/{ns}/${kind.plural}` : `${kind.prefix}/${kind.plural}`;
  const name = `${project} ${place}`;
  const about = { name, category: project, kind: `${object.apiVersion}/${object.kind}` };
  const text = kind.isNamespaced ? inOwnNamespace(document) : document.text;
  const create: Step = {
    method: 'POST',
    path: `${collection}?fieldManager=creator`,
    headers: { 'content-type': 'application/yaml' },
    rawBody: text,
    capture: { name: '/metadata/name' },
  };
  if (!kind.verbs.includes('get')) return { ...about, steps: [create] };
  const path = `${collection}/${object.metadata.name ?? '{name}'}`;
  const read = reads.map((accept): Step => ({ method: 'GET', path, headers: { accept } }));
  if (exists) return { ...about, steps: [create, ...read.map((step) => ({ ...step, bodyCompare: 'none' as const }))] };
  const steps = [create];
  // The server itself looks whether what it names is there.
  if (object.kind === 'APIService') steps.push({ method: 'GET', path, until: { pointer: '/status/conditions/0/status' }, setup: true });
  steps.push(...read);
  if (kind.isNamespaced) steps.push({ method: 'GET', path: collection }, { method: 'GET', path: collection, headers: { accept: table } });
  steps.push(...applied(document, text, path, kind.isNamespaced), ...patched(object, path));
  steps.push(
    { method: 'PUT', path: `${path}?fieldManager=creator`, body: own(object, kind.isNamespaced, { resourceVersion: '{version}' }) },
    { method: 'DELETE', path, body: { propagationPolicy: 'Background', gracePeriodSeconds: 0 } },
    { method: 'GET', path },
  );
  return { ...about, steps };
}

function* applied({ object }: Document, text: string, path: string, isNamespaced: boolean): Generator<Step> {
  if (object.metadata.name === undefined) return;
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  yield { method: 'PATCH', path: `${path}?fieldManager=first&force=true`, headers, rawBody: text };
  const labels = { ...(object.metadata as { labels?: object }).labels, second: 'yes' };
  yield { method: 'PATCH', path: `${path}?fieldManager=second`, headers, body: own(object, isNamespaced, { labels }) };
}

function* patched(object: ManifestObject, path: string): Generator<Step> {
  const { spec, data, rules } = object;
  const part = Object.entries({ spec, data, rules }).find(([, value]) => value !== undefined);
  const [first] = Object.keys(spec ?? {});
  const send = (type: string, body: unknown): Step => ({
    method: 'PATCH',
    path: `${path}?fieldManager=${type}`,
    headers: { 'content-type': `application/${type}-patch+json` },
    body,
    capture: { version: '/metadata/resourceVersion' },
  });
  yield send('strategic-merge', { metadata: { labels: { strategic: 'yes' } }, ...(part && { [part[0]]: part[1] }) });
  yield send('merge', { metadata: { annotations: { merge: 'yes' } }, ...(first !== undefined && { spec: { [first]: null } }) });
  yield send('json', [
    { op: 'test', path: '/kind', value: object.kind },
    { op: 'add', path: '/metadata/labels', value: { json: 'yes' } },
    { op: 'copy', from: '/metadata/name', path: '/metadata/labels/copied' },
  ]);
}

const own = (object: ManifestObject, isNamespaced: boolean, more: object): unknown => ({
  ...object,
  metadata: { ...object.metadata, ...more, ...(isNamespaced && { namespace: '{ns}' }) },
});

/** Lines that name the object's namespace name that of the case instead. */
function inOwnNamespace({ text, object }: Document): string {
  const { namespace } = object.metadata;
  if (namespace === undefined) return text;
  if (text.startsWith('{')) return JSON.stringify(own(object, true, {}));
  const line = new RegExp(`^([ -]*namespace:[ ]*)(["']?)${namespace.replaceAll('.', '\\.')}\\2[ \\t]*$`, 'gm');
  return text.replaceAll(line, '$1{ns}');
}
