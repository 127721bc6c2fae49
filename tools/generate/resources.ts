import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServedGroupVersion, ServedResource, ServedSubresource } from '../../src/schema/resource-format.ts';

interface DiscoveredResource {
  readonly name: string;
  readonly singularName: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly group?: string;
  readonly version?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

interface Storage {
  readonly prefix: string;
  readonly gvk?: readonly [group: string, version: string, kind: string];
}

/** What the server publishes about its resources, in the order of `/apis`, and how it stores them. */
export function readResources(kubernetes: string): readonly ServedGroupVersion[] {
  const priorities = readPriorities(kubernetes);
  const storage = readStorage(kubernetes);
  checkServedByDefault(kubernetes);
  return readGroupVersions(kubernetes).map(([group, version]) => {
    const priority = priorities.get(`${group}/${version}`);
    const listed = readDiscovery(kubernetes, group, version);
    return {
      group,
      version,
      servedByDefault: isStable(version),
      ...(priority !== undefined && { groupPriority: priority[0], versionPriority: priority[1] }),
      resources: listed.filter(({ name }) => !name.includes('/')).map((found) => describe(group, version, found, listed, storage)),
    };
  });
}

function readGroupVersions(kubernetes: string): [string, string][] {
  const text = readFileSync(join(kubernetes, 'api/discovery/apis.json'), 'utf8');
  const { groups } = JSON.parse(text) as { groups: { name: string; versions: { version: string }[] }[] };
  const found: [string, string][] = [['', 'v1']];
  for (const { name, versions } of groups) for (const { version } of versions) found.push([name, version]);
  const files = readdirSync(join(kubernetes, 'api/discovery')).filter((file) => /__v\d\w*\.json$/.test(file));
  if (files.length !== found.length) throw new Error(`${files.length} discovery documents for ${found.length} group versions`);
  return found;
}

function readDiscovery(kubernetes: string, group: string, version: string): readonly DiscoveredResource[] {
  const file = group === '' ? `api__${version}.json` : `apis__${group}__${version}.json`;
  return (JSON.parse(readFileSync(join(kubernetes, 'api/discovery', file), 'utf8')) as { resources: DiscoveredResource[] }).resources;
}

function describe(
  group: string,
  version: string,
  found: DiscoveredResource,
  listed: readonly DiscoveredResource[],
  storage: ReadonlyMap<string, Storage>,
): ServedResource {
  const { name, singularName, kind, namespaced, verbs, shortNames, categories, storageVersionHash } = found;
  const subresources = listed.filter((other) => other.name.startsWith(`${name}/`)).map(describeSubresource);
  const stored = storage.get(`${group}/${version}/${name}`);
  const [storageGroup, storageVersion, storageKind] = stored?.gvk ?? [group, version, kind];
  return {
    name,
    singular: singularName,
    kind,
    namespaced,
    verbs,
    ...(shortNames !== undefined && { shortNames }),
    ...(categories !== undefined && { categories }),
    ...(storageVersionHash !== undefined && { storageVersionHash }),
    ...(subresources.length > 0 && { subresources }),
    ...(stored !== undefined && {
      storage: { prefix: stored.prefix, group: storageGroup, version: storageVersion, kind: storageKind },
    }),
  };
}

function describeSubresource({ name, kind, group, version, verbs }: DiscoveredResource): ServedSubresource {
  return {
    name: name.slice(name.indexOf('/') + 1),
    kind,
    ...(group !== undefined && { group }),
    ...(version !== undefined && { version }),
    verbs,
  };
}

function readPriorities(kubernetes: string): Map<string, [group: number, version: number]> {
  const found = new Map<string, [number, number]>();
  for (const file of ['pkg/controlplane/apiserver/aggregator.go', 'cmd/kube-apiserver/app/aggregator.go']) {
    const text = readFileSync(join(kubernetes, file), 'utf8');
    const row = /\{Group: "([^"]*)", Version: "([^"]*)"\}:\s*\{Group: (\d+), Version: (\d+)\}/g;
    for (const [, group, version, groupPriority, versionPriority] of text.matchAll(row)) {
      found.set(`${group}/${version}`, [Number(groupPriority), Number(versionPriority)]);
    }
  }
  if (found.size < 20) throw new Error('the table of API service priorities has another form than expected');
  return found;
}

/** Keys and storage versions, from the table that upstream tests its storage against. */
function readStorage(kubernetes: string): Map<string, Storage> {
  const text = readFileSync(join(kubernetes, 'test/integration/etcd/data.go'), 'utf8');
  const found = new Map<string, Storage>();
  const entry = /gvr\("([^"]*)", "([^"]*)", "([^"]*)"\): \{\n(.*?)\n\t\t\},/gs;
  for (const [, group, version, resource, body = ''] of text.matchAll(entry)) {
    const path = /ExpectedEtcdPath:\s*"\/registry\/([^"]*)"(?: \+ namespace)?/.exec(body)?.[1];
    if (path === undefined) continue;
    const gvk = /ExpectedGVK:\s*gvkP\("([^"]*)", "([^"]*)", "([^"]*)"\)/.exec(body);
    found.set(`${group}/${version}/${resource}`, {
      prefix: path.slice(0, path.lastIndexOf('/')),
      ...(gvk !== null && { gvk: [gvk[1] as string, gvk[2] as string, gvk[3] as string] }),
    });
  }
  if (found.size < 50) throw new Error('the table of storage paths has another form than expected');
  return found;
}

function isStable(version: string): boolean {
  return /^v\d+$/.test(version);
}

/** Stable versions are on, the others off: no exceptions in this release. */
function checkServedByDefault(kubernetes: string): void {
  const text = readFileSync(join(kubernetes, 'pkg/controlplane/instance.go'), 'utf8');
  const lists = [...text.matchAll(/(\w*APIGroupVersions(Enabled|Disabled)ByDefault) = \[\]schema\.GroupVersion\{\n(.*?)\n\t\}/gs)];
  if (lists.length !== 6) throw new Error(`${lists.length} lists of default group versions instead of 6`);
  for (const [, list, state, body = ''] of lists) {
    for (const [, alias = ''] of body.matchAll(/(\w+)\.SchemeGroupVersion/g)) {
      if (isStable(alias.slice(alias.search(/v\d\w*$/))) !== (state === 'Enabled')) throw new Error(`${alias} in ${list}`);
    }
  }
}
