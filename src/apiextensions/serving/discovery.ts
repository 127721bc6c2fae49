// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_discovery_controller.go
import { append } from '../../machinery/append.ts';
import { createHash } from 'node:crypto';
import type { CustomResourceDefinitionVersion } from '../../schema/types/apiextensions-v1.ts';
import type { DiscoveredResource } from '../../server/discovery/group-version.ts';
import { customResourcePriorities } from '../../server/discovery/group-version.ts';
import type { DiscoveryRegistry } from '../../server/discovery/registry.ts';
import type { CustomResourceDefinition } from '../conditions/conditions.ts';
import { isConditionTrue } from '../conditions/conditions.ts';
import { customVerbs } from './custom-resource.ts';

const subresourceVerbs = ['get', 'patch', 'update'];
const terminatingVerbs = ['delete', 'deletecollection', 'get', 'list', 'watch'];

/** Shows the group as its established definitions make it, version by version; `definitions` are the group's. */
export function publishGroup(registry: DiscoveryRegistry, group: string, definitions: readonly CustomResourceDefinition[]): void {
  const established = definitions
    .filter((definition) => isConditionTrue(definition, 'Established'))
    .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  const versions = new Map<string, DiscoveredResource[]>();
  for (const definition of established) {
    for (const version of definition.spec.versions ?? []) {
      if (!version.served) continue;
      const resources = versions.get(version.name);
      if (resources === undefined) versions.set(version.name, discovered(definition, version));
      else append(resources, discovered(definition, version));
    }
  }
  for (const { group: known, version } of registry.from('custom')) {
    if (known === group && !versions.has(version)) registry.remove({ group, version }, 'custom');
  }
  for (const [version, resources] of versions) registry.put({ group, version, origin: 'custom', ...customResourcePriorities, resources });
}

function discovered(definition: CustomResourceDefinition, { subresources }: CustomResourceDefinitionVersion): DiscoveredResource[] {
  const { spec, status } = definition;
  const { plural, singular = '', kind, shortNames, categories } = status.acceptedNames;
  const namespaced = spec.scope === 'Namespaced';
  const stored = spec.versions?.find((one) => one.storage && one.served);
  const below = { singular: '', namespaced, verbs: subresourceVerbs };
  return [
    {
      name: plural,
      singular,
      namespaced,
      kind,
      verbs: isConditionTrue(definition, 'Terminating') ? terminatingVerbs : customVerbs,
      ...(shortNames !== undefined && { shortNames }),
      ...(categories !== undefined && { categories }),
      ...(stored !== undefined && { storageVersionHash: storageVersionHash(spec.group, stored.name, spec.names.kind) }),
    },
    ...(subresources?.status === undefined ? [] : [{ name: `${plural}/status`, kind, ...below }]),
    ...(subresources?.scale === undefined
      ? []
      : [{ name: `${plural}/scale`, group: 'autoscaling', version: 'v1', kind: 'Scale', ...below }]),
  ];
}

/** Changes when objects are stored in another version, which is all that clients do with it. */
function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}
