import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { UpstreamModules } from '../breadcrumbs/upstream-modules.ts';

/** Things of a release that have names, each with what is worth comparing about it. */
export type Facts = ReadonlyMap<string, string>;

/** What a release publishes about itself, by topic. */
export async function factsOf(modules: UpstreamModules): Promise<Readonly<Record<string, Facts>>> {
  const kubernetes = await modules.folder('k8s.io/kubernetes');
  const read = (path: string): string => {
    const file = join(kubernetes, path);
    if (!existsSync(file)) throw new Error(`${file} is not there: has Kubernetes moved it?`);
    return readFileSync(file, 'utf8');
  };
  const { definitions, paths } = JSON.parse(read('api/openapi-spec/swagger.json')) as Swagger;
  return {
    types: typesIn(definitions),
    paths: new Map(Object.entries(paths).map(([path, methods]) => [path, Object.keys(methods).toSorted().join(' ')])),
    gates: gatesIn(read('test/compatibility_lifecycle/reference/versioned_feature_list.yaml')),
    metrics: await metricsIn(modules),
    flags: await flagsIn(modules),
    markers: await markersIn(modules),
  };
}

interface Swagger {
  readonly definitions: Readonly<
    Record<string, { readonly properties?: Readonly<Record<string, object>>; readonly required?: readonly string[] }>
  >;
  readonly paths: Readonly<Record<string, object>>;
}

/** A type is its fields with their types, formats and extensions; prose is left out. */
function typesIn(definitions: Swagger['definitions']): Facts {
  const types = new Map<string, string>();
  for (const [name, { properties = {}, required = [] }] of Object.entries(definitions)) {
    types.set(name, required.join(' '));
    for (const [field, schema] of Object.entries(properties))
      types.set(`${name} .${field}`, JSON.stringify({ ...schema, description: undefined }));
  }
  return types;
}

function gatesIn(yaml: string): Facts {
  const list = load(yaml) as { readonly name: string; readonly versionedSpecs: readonly object[] }[];
  return new Map(list.map(({ name, versionedSpecs }) => [name, JSON.stringify(versionedSpecs)]));
}

const metricFiles: readonly (readonly [module: string, pattern: string])[] = [
  ['k8s.io/kubernetes', '{pkg,plugin}/**/*.go'],
  ...['apiserver', 'apiextensions-apiserver', 'kube-aggregator', 'component-base', 'client-go'].map(
    (name) => [`k8s.io/${name}`, '**/*.go'] as const,
  ),
];

/** Metrics by their options in the sources; names of constants stay as they are written. */
async function metricsIn(modules: UpstreamModules): Promise<Facts> {
  const metrics = new Map<string, string>();
  for (const text of await sourcesOf(modules, metricFiles)) {
    for (const [, kind = '', options = ''] of text.matchAll(/(\w+)Opts\{\n((?:\t+[^\n]*\n)+?)\t*\}/g)) {
      const optionOf = (key: string): string | undefined => new RegExp(`\\b${key}:\\s*"?([\\w.]+)`).exec(options)?.[1];
      const name = optionOf('Name');
      if (name === undefined || !options.includes('Help:')) continue;
      const level = optionOf('StabilityLevel') ?? 'ALPHA';
      metrics.set(
        [optionOf('Namespace'), optionOf('Subsystem'), name].filter(Boolean).join('_'),
        `${kind} ${level} ${optionOf('DeprecatedVersion') ?? ''}`,
      );
    }
  }
  return metrics;
}

const optionFiles: readonly (readonly [module: string, pattern: string])[] = [
  ['k8s.io/kubernetes', 'cmd/kube-apiserver/app/**/*.go'],
  ['k8s.io/kubernetes', 'pkg/{controlplane/apiserver/options,kubeapiserver/options}/*.go'],
  ['k8s.io/apiserver', 'pkg/{server/options,server/options/**,util/feature}/*.go'],
  ['k8s.io/component-base', '{logs/api/v1,metrics,compatibility,version/verflag,cli/globalflag}/*.go'],
];

/** Names of flags, by the calls that define them. */
async function flagsIn(modules: UpstreamModules): Promise<Facts> {
  const flags = new Map<string, string>();
  for (const text of await sourcesOf(modules, optionFiles)) {
    for (const [, kind = '', name = '', rest = ''] of text.matchAll(/\.(\w*Var\w*)\((?:[^"\n]*?)"([a-z][a-z0-9-]+)",([^"\n]*)/g))
      flags.set(name, `${kind}${rest}`);
  }
  return flags;
}

/** Declared rules and defaults (`+k8s:...`, `+default`, `+listType` and others), by the file and the type or field below them. */
async function markersIn(modules: UpstreamModules): Promise<Facts> {
  const markers = new Map<string, string>();
  const folder = await modules.folder('k8s.io/api');
  for (const file of globSync('**/types.go', { cwd: folder })) {
    let owner = '';
    let pending: string[] = [];
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const marker =
        /^\s*\/\/ (\+(?:k8s:|default|listType|listMapKey|patch|structType|mapType|optional|required|enum|union|featureGate)\S*.*)/.exec(
          line,
        )?.[1];
      if (marker !== undefined) pending.push(marker);
      if (marker !== undefined || /^\s*(?:\/\/.*)?$/.test(line)) continue;
      const type = /^type (\w+)/.exec(line)?.[1];
      owner = type ?? owner;
      const field = /^\t(\w+)/.exec(line)?.[1];
      if (pending.length > 0) markers.set(`${file} ${type ?? `${owner}.${field ?? ''}`}`, pending.join(' | '));
      pending = [];
    }
  }
  return markers;
}

async function sourcesOf(modules: UpstreamModules, patterns: readonly (readonly [string, string])[]): Promise<string[]> {
  const texts: string[] = [];
  for (const [module, pattern] of patterns) {
    const folder = await modules.folder(module);
    for (const file of globSync(pattern, { cwd: folder }).toSorted())
      if (!file.endsWith('_test.go')) texts.push(readFileSync(join(folder, file), 'utf8'));
  }
  return texts;
}
