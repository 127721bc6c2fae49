import type { Choice, Json } from './choice.ts';

export interface Request {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** below the object: empty, `/status`, `/scale` */
  readonly subresource: string;
  readonly type: string;
  readonly force?: boolean;
  readonly body: unknown;
}

/** A kind to write to: what its writers send. */
export interface Subject {
  readonly name: string;
  readonly collection: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** A whole object, good to be created; or the part of one that an applier cares about. */
  object(choice: Choice, whole: boolean): { readonly metadata: Json; readonly spec: Json };
  status?(choice: Choice): Json;
  mergePatch(choice: Choice): Json;
  /** built-in kinds only */
  strategicPatch?(choice: Choice): Json;
  jsonPatch(choice: Choice): readonly Json[];
  /** has a scale */
  readonly scale?: boolean;
}

/** Stands for the resource version that the server which is asked has. */
export const currentMark = '@current';

const applied = 'application/apply-patch+yaml';
const merged = 'application/merge-patch+json';

/** The next write to an object of which the server has this, if anything. */
export function nextRequest(subject: Subject, choice: Choice, name: string, current: Json | undefined): Request {
  const identity = { apiVersion: subject.apiVersion, kind: subject.kind };
  const named = (whole: boolean): Json => {
    const { metadata, spec } = subject.object(choice, whole);
    return { ...identity, metadata: { ...metadata, name }, spec };
  };
  const main = { subresource: '' };
  const apply = (body: unknown, subresource = ''): Request => ({
    method: 'PATCH',
    subresource,
    type: applied,
    force: choice.chance(0.4),
    body,
  });
  if (current === undefined) {
    if (choice.chance(0.5)) return { ...main, method: 'POST', type: 'application/json', body: named(true) };
    return apply(named(true));
  }
  switch (choice.below(14)) {
    case 0:
    case 1:
      return { ...main, method: 'PUT', type: 'application/json', body: changed(choice, current, named(true)) };
    case 2:
      return { ...main, method: 'PATCH', type: merged, body: subject.mergePatch(choice) };
    case 3:
      if (subject.strategicPatch === undefined) return { ...main, method: 'PATCH', type: merged, body: subject.mergePatch(choice) };
      return { ...main, method: 'PATCH', type: 'application/strategic-merge-patch+json', body: subject.strategicPatch(choice) };
    case 4:
      return { ...main, method: 'PATCH', type: 'application/json-patch+json', body: subject.jsonPatch(choice) };
    case 5:
    case 6:
      if (subject.status === undefined) break;
      return statusRequest(choice, current, identity, name, subject.status(choice), apply);
    case 7:
      if (subject.scale !== true) break;
      return scaleRequest(choice, name, apply);
    case 8:
      if (!choice.chance(0.4)) break;
      return { ...main, method: 'DELETE', type: 'application/json', body: { kind: 'DeleteOptions', apiVersion: 'v1' } };
    default:
      break;
  }
  return apply(choice.chance(0.08) ? { ...named(false), status: subject.status?.(choice) ?? {} } : named(choice.chance(0.2)));
}

/** What is there with another spec or other labels. */
function changed(choice: Choice, current: Json, whole: Json): Json {
  const { uid: _, ...found } = current['metadata'] as Json;
  const kept = { ...found, resourceVersion: choice.chance(0.8) ? currentMark : undefined };
  const { labels = {} } = whole['metadata'] as Json;
  if (choice.chance(0.1)) return { ...current, metadata: { ...kept, managedFields: [] } };
  if (choice.chance(0.5)) return { ...current, metadata: { ...kept, labels } };
  return { ...current, metadata: kept, spec: { ...(current['spec'] as Json), ...(whole['spec'] as Json) } };
}

function statusRequest(
  choice: Choice,
  current: Json,
  identity: Json,
  name: string,
  status: Json,
  apply: (body: unknown, subresource: string) => Request,
): Request {
  const subresource = '/status';
  switch (choice.below(3)) {
    case 0: {
      const { uid: _, ...found } = current['metadata'] as Json;
      const metadata = { ...found, resourceVersion: choice.chance(0.8) ? currentMark : undefined };
      return { method: 'PUT', subresource, type: 'application/json', body: { ...current, metadata, status } };
    }
    case 1:
      return { method: 'PATCH', subresource, type: merged, body: { status, ...choice.maybe(0.2, () => ({ spec: { replicas: 9 } })) } };
    default:
      return apply({ ...identity, metadata: { name, ...choice.maybe(0.2, () => ({ labels: choice.labels() })) }, status }, subresource);
  }
}

function scaleRequest(choice: Choice, name: string, apply: (body: unknown, subresource: string) => Request): Request {
  const subresource = '/scale';
  const spec = { replicas: choice.below(4) };
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name }, spec };
  switch (choice.below(3)) {
    case 0:
      return { method: 'PUT', subresource, type: 'application/json', body: { ...scale, metadata: { name, namespace: 'default' } } };
    case 1:
      return { method: 'PATCH', subresource, type: merged, body: { spec } };
    default:
      return apply(scale, subresource);
  }
}
