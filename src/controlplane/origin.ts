import type { ServedGroupVersion } from '../schema/resources.ts';
import { servedGroupVersions } from '../schema/resources.ts';
import type { KeyReader } from '../server/access/authn/service-account/keys.ts';
import type { Codecs } from '../server/object/codecs.ts';
import { encodingBudget } from '../server/object/encoding-cache.ts';
import { createCodecs } from '../server/object/create-codecs.ts';
import type { DiscoveredGroupVersion } from '../server/discovery/group-version.ts';
import { builtInGroupVersion } from '../server/discovery/group-version.ts';
import { kubernetesVersion } from '../server/object/kubernetes-version.ts';
import { BuiltInSource } from '../server/openapi/built-in-source.ts';
import { loadDescriptions } from '../server/openapi/load-descriptions.ts';
import type { ResourceFacts } from '../server/registry/built-in.ts';
import { resourceFacts } from '../server/registry/built-in.ts';
import type { StoredEntry } from '../server/registry/entry.ts';
import { RecentObjects } from '../server/registry/object-reader.ts';
import { enabledApis, unservedKinds } from './api-enablement.ts';
import type { ResourcesConfig } from './config.ts';
import { emulatedApis } from './emulated-apis.ts';
import { withRemovedApis } from './removed-apis.ts';
import type { ServerContext } from './server-context.ts';

/** What a server shares with copies of itself: servers of this process with the same configuration, each on a copy of its store. */
export interface Origin {
  readonly codecs: Codecs;
  /** what could be served */
  readonly known: readonly ServedGroupVersion[];
  readonly served: readonly ServedGroupVersion[];
  /** the same as discovery shows it */
  readonly discovered: readonly DiscoveredGroupVersion[];
  /** what is known of the resources that are served, or only stored */
  readonly facts: ReadonlyMap<string, ResourceFacts>;
  /** what is stored and not served */
  readonly unserved: readonly ServedGroupVersion[];
  readonly documents: BuiltInSource;
  /** entries of values that their stores have in common */
  readonly written: WeakMap<Buffer, StoredEntry>;
  readonly recent: RecentObjects;
  readonly keyReader: KeyReader;
  /** bytes; what the machine has is found out once */
  readonly encodingBudget: number;
  /** by which other servers know this one, and its copies */
  readonly identity: string;
}

export function newOrigin({ apis, version }: ResourcesConfig, { features, log, keyReader, identity }: ServerContext): Origin {
  const codecs = createCodecs({ cbor: features.enabled('CBORServingAndStorage') });
  const known = emulatedApis(withRemovedApis(servedGroupVersions(), version), version, apis, codecs.schema);
  const served = enabledApis(known, apis, features, log);
  const unserved = unservedKinds(known, served);
  return {
    codecs,
    known,
    served,
    discovered: served.map(builtInGroupVersion),
    facts: resourceFacts([...served, ...unserved]),
    unserved,
    documents: new BuiltInSource({
      schema: codecs.schema,
      served,
      info: { title: 'Kubernetes', version: `${kubernetesVersion.major}.${version.emulation}` },
      cbor: features.enabled('CBORServingAndStorage'),
      enums: features.enabled('OpenAPIEnums'),
      descriptions: loadDescriptions,
    }),
    written: new WeakMap(),
    recent: new RecentObjects(),
    keyReader,
    identity,
    encodingBudget: encodingBudget(),
  };
}
