// Upstream: k8s.io/apiserver/pkg/server/{options/api_enablement.go,resourceconfig/helpers.go}
import type { ApiPreferences } from '../controlplane/api-enablement.ts';
import { apiLevels } from '../controlplane/api-enablement.ts';
import { goQuote } from '../machinery/go-format.ts';
import { createSchema } from '../schema/index.ts';
import type { ServerOptions } from './flags/index.ts';
import { parseBool } from '../machinery/go-values.ts';

type RuntimeConfig = ServerOptions['runtime-config'];

/** Groups whose types are not registered with any server. */
const unregistered: ReadonlySet<string> = new Set(['apidiscovery.k8s.io', 'audit.k8s.io', 'meta.k8s.io']);

/** What can be said against --runtime-config from its keys alone. */
export function* validateRuntimeConfig(given: RuntimeConfig): Iterable<string> {
  const config = completed(given);
  if (config.size === 1 && config.get('api/all') === 'false') {
    yield 'invalid runtime-config with only api/all=false';
    return;
  }
  const keys = [...config.keys()].filter((key) => !apiLevels.includes(key));
  const malformed = keys.find((key) => !/^[^/]*\/[^/]*(\/[^/]*)?$/.test(key));
  if (malformed !== undefined) {
    yield `runtime-config invalid key ${malformed}`;
    return;
  }
  if (keys.length === 0) return;
  const known = registeredVersions();
  const unknown = keys.map(partsOf).filter(([group]) => !known.has(group));
  if (unknown.length > 0)
    yield `unknown api groups ${[...new Set(unknown.map(([group, version]) => `${group}/${version}`))].toSorted().join(',')}`;
}

/** Priority and fairness reads its own kinds at v1. */
export function* validateFairnessApis({ 'runtime-config': given, 'enable-priority-and-fairness': fair }: ServerOptions): Iterable<string> {
  if (!fair) return;
  for (const key of ['flowcontrol.apiserver.k8s.io/v1', 'api/ga', 'api/all']) {
    const value = given.get(key);
    if (value === 'false') yield `--runtime-config=${key}=false conflicts with --enable-priority-and-fairness=true`;
    if (value === 'false' || value === 'true') return;
  }
}

/** --runtime-config with its values read; throws for what is not registered or no truth value. */
export function apiPreferences(given: RuntimeConfig): ApiPreferences {
  const config = completed(given);
  const preferences = new Map<string, boolean>();
  for (const key of apiLevels) {
    const value = config.get(key);
    if (value === undefined) continue;
    if (value !== 'true' && value !== 'false') throw new Error(`invalid value ${key}=${value}`);
    preferences.set(key, value === 'true');
  }
  const specific = [...config].filter(([key]) => !apiLevels.includes(key));
  if (specific.length === 0) return preferences;
  const known = registeredVersions();
  for (const [key, value] of specific) {
    const [group, version, resource] = partsOf(key);
    if (known.get(group)?.has(version) !== true) {
      throw new Error(`group version ${group === '' ? version : `${group}/${version}`} that has not been registered`);
    }
    preferences.set(key, value === '' || truth(key, value));
    if (resource.toLowerCase() !== resource) {
      throw new Error(`invalid key ${key}: group/version/resource and resource is always lowercase plural, not ${goQuote(resource)}`);
    }
  }
  return preferences;
}

function truth(key: string, value: string): boolean {
  try {
    return parseBool(value);
  } catch (error) {
    throw new Error(`invalid value of ${key}: ${value}, err: ${(error as Error).message}`, { cause: error });
  }
}

function partsOf(key: string): [group: string, version: string, resource: string] {
  const [group = '', version = '', resource = ''] = key.split('/');
  return [group, version, resource];
}

/** Kept for compatibility: what is said about a resource of `v1` is said about the whole core group, and `api/legacy` says nothing. */
function completed(given: RuntimeConfig): RuntimeConfig {
  const entries = [...given].filter(([key]) => key !== 'api/legacy');
  return new Map(entries.map(([key, value]) => [/^(api\/)?v1(\/|$)/.test(key) ? '/v1' : key, value]));
}

/** Versions by group, whether or not they can still be served. */
function registeredVersions(): ReadonlyMap<string, ReadonlySet<string>> {
  const registered = createSchema()
    .groupVersions()
    .filter(({ group }) => !unregistered.has(group));
  return new Map(
    Object.entries(Object.groupBy(registered, ({ group }) => group)).map(([group, versions = []]) => [
      group,
      new Set(versions.map(({ version }) => version)),
    ]),
  );
}
