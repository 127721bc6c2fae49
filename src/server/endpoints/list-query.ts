// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/get.go#listOpts, k8s.io/apiserver/pkg/storage/etcd3/store.go#GetList
import { badRequest } from '../../machinery/errors.ts';
import type { FieldSelector } from '../../machinery/fields.ts';
import { parseFieldSelector } from '../../machinery/fields.ts';
import type { ListOptions } from '../../machinery/options.ts';
import { decodeListOptions } from '../../machinery/options.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { KubeObject } from '../registry/definition.ts';
import type { StoredEntry } from '../registry/entry.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { Endpoint } from './endpoint.ts';
import { requirePlace } from './object-key.ts';
import type { ShardSelector } from './shard-selector.ts';
import { parseShardSelector } from './shard-selector.ts';

/** Which objects of a resource a list or a watch is about. */
export interface Selection {
  readonly options: ListOptions;
  /** key prefix to walk; the whole key when a single object is asked for */
  readonly prefix: string;
  readonly matches: (entry: StoredEntry) => boolean;
  /** as `matches`, whatever part is asked for */
  readonly matchesAttributes: (entry: StoredEntry) => boolean;
  /** no selector: everything below the prefix matches */
  readonly everything: boolean;
  readonly fieldEquals: Readonly<Record<string, string>>;
  /** a part of what the other options select */
  readonly shard?: ShardSelector;
  /** upstream lists it in pages, whether the client gave a limit or not */
  readonly isPaged?: boolean;
}

export function selectionOf(endpoint: Endpoint, request: AuthenticatedRequest): Selection {
  const options = decodeListOptions(request.query);
  return select(endpoint, request.info, options);
}

export function select(endpoint: Endpoint, info: RequestInfo, options: ListOptions): Selection {
  const { resource } = endpoint;
  const fieldSelector = ownLabels(endpoint, named(options.fieldSelector, info.name));
  const { labelSelector } = options;
  const matchLabels = !labelSelector.isEmpty;
  const matchFields = !fieldSelector.isEmpty;
  const { keyPrefix, namespaced } = resource;
  if (namespaced) requirePlace(resource, info.namespace);

  const namespace = info.namespace || (namespaced ? (fieldSelector.exactMatch('metadata.namespace') ?? '') : '');
  const inNamespace = namespaced && namespace !== '';
  const name = fieldSelector.exactMatch('metadata.name');
  const prefix = inNamespace
    ? name !== undefined
      ? `${keyPrefix}${namespace}/${name}`
      : `${keyPrefix}${namespace}/`
    : !namespaced && name !== undefined
      ? keyPrefix + name
      : keyPrefix;

  const shard =
    options.shardSelector !== '' && endpoint.context.features.enabled('ShardedListAndWatch')
      ? parseShardSelector(options.shardSelector)
      : undefined;
  const matchesAttributes = (entry: StoredEntry): boolean =>
    (!matchLabels || labelSelector.matches(entry.labels ?? {})) && (!matchFields || fieldSelector.matches(entry.fields));
  return {
    options,
    prefix,
    everything: !matchLabels && !matchFields && shard === undefined,
    matches: shard === undefined ? matchesAttributes : (entry) => matchesAttributes(entry) && shard.matches(entry),
    matchesAttributes,
    ...(shard !== undefined && { shard }),
    fieldEquals: Object.fromEntries(
      (resource.definition.indexedFields ?? []).flatMap((field) => {
        const value = fieldSelector.exactMatch(field);
        return value === undefined ? [] : [[field, value]];
      }),
    ),
  };
}

/** A name in the path (watch of one object) is a field selector too, and must not contradict the given one. */
function named(selector: FieldSelector, name: string): FieldSelector {
  if (name === '') return selector;
  if (selector.isEmpty) return parseFieldSelector(`metadata.name=${name}`);
  if (selector.exactMatch('metadata.name') !== name) throw badRequest("fieldSelector metadata.name doesn't match requested name");
  return selector;
}

/** Labels of this version become those of the storage version; unknown ones are refused. */
function ownLabels({ resource, versionedKind }: Endpoint, selector: FieldSelector): FieldSelector {
  if (selector.isEmpty) return selector;
  const { definition } = resource;
  const conversion =
    definition.conversions?.[`${versionedKind.group}/${versionedKind.version}`] ?? definition.conversions?.[versionedKind.version];
  return selector.transform((label, value) => {
    const own = conversion?.fieldLabels?.[label] ?? label;
    const ofMetadata =
      own === 'metadata.name' || (own === 'metadata.namespace' && (resource.namespaced || definition.unknownFieldLabel === undefined));
    if (ofMetadata || definition.selectableFields?.[own] !== undefined) return { field: own, value };
    throw badRequest(definition.unknownFieldLabel?.(label, versionedKind.apiVersion) ?? notOfMetadata(label));
  });
}

/** Whether an object that is not stored matches; it can be selected by its metadata alone. */
export function metadataMatches({ labelSelector, fieldSelector }: ListOptions): (object: KubeObject) => boolean {
  const ofMetadata = fieldSelector.transform((field, value) => {
    if (field === 'metadata.name' || field === 'metadata.namespace') return { field, value };
    throw badRequest(notOfMetadata(field));
  });
  return ({ metadata: { labels = {}, name = '', namespace = '' } }) =>
    labelSelector.matches(labels) && ofMetadata.matches({ 'metadata.name': name, 'metadata.namespace': namespace });
}

function notOfMetadata(label: string): string {
  return `${JSON.stringify(label)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}
