// Upstream: k8s.io/apiserver/pkg/admission/plugin/{webhook,policy}/manifest/loader/loader.go
import { allSteps } from '../../../base/steps.ts';
import { ApiError } from '../../../machinery/errors.ts';
import { readYaml } from '../../../machinery/codec/yaml/read.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import { requireKind } from '../../../server/object/configuration-kind.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { Resource } from '../../../server/registry/resource.ts';
import { beforeCreate } from '../../../server/registry/rules.ts';
import type { ServerWriter } from '../../../server/registry/server-writer.ts';
import { nameSuffix, staticManifestsGate } from './configuration.ts';
import type { ManifestFile } from './manifest-files.ts';
import { documentsOf } from './manifest-files.ts';

const apiVersion = 'admissionregistration.k8s.io/v1';

export interface StaticObjectRules {
  /** kinds that may be in the files */
  readonly resources: readonly Resource[];
  readonly writer: ServerWriter;
  /** what is wrong with an object that the API would take */
  readonly problem: (object: KubeObject, kind: string, file: string) => string | undefined;
}

/** Objects in manifests, complete and valid as if they had been created, by kind and then by name. Throws when one is not. */
export function readStaticObjects(files: readonly ManifestFile[], rules: StaticObjectRules): Map<string, KubeObject[]> {
  const found = new Map<string, KubeObject[]>(rules.resources.map(({ kind }) => [kind, []]));
  const seen = new Map<string, string>();
  for (const file of files) {
    try {
      for (const document of documentsOf(file)) {
        const { value, duplicates } = readYaml(document);
        if (duplicates.length > 0) throw new Error(`strict decoding error: yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`);
        for (const [resource, object] of objectsIn(value, rules)) {
          requireName(resource, object, file.path, seen);
          const problem = rules.problem(object, resource.kind, file.path);
          if (problem !== undefined) throw new Error(problem);
          found.get(resource.kind)?.push(object);
        }
      }
    } catch (error) {
      throw new Error(`error loading ${file.path}: ${(error as Error).message}`, { cause: error });
    }
  }
  for (const objects of found.values()) objects.sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  return found;
}

interface ListLike {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly items?: readonly unknown[];
}

function* objectsIn(value: unknown, rules: StaticObjectRules): Generator<[Resource, KubeObject]> {
  const { kind = '', apiVersion: stated = '', items = [] } = Object(value) as ListLike;
  if (kind === 'List' && stated === 'v1') {
    for (const item of items) yield* objectsIn(item, rules);
    return;
  }
  const resource = rules.resources.find((one) => stated === apiVersion && (one.kind === kind || one.names.listKind === kind));
  if (resource === undefined) {
    const [group, version = ''] = stated.split('/');
    if (group === 'admissionregistration.k8s.io') throw new Error(`unsupported resource type *${version}.${kind}`);
    requireKind(value, '', []);
    return;
  }
  if (kind === resource.kind) yield [resource, complete(resource, value, rules.writer)];
  else for (const item of items) yield [resource, complete(resource, { ...Object(item), kind: resource.kind, apiVersion }, rules.writer)];
}

/** Decoded, defaulted and validated as the API does it. */
function complete(resource: Resource, value: unknown, writer: ServerWriter): KubeObject {
  const { storage, kind } = resource;
  const { object, strictErrors } = storage.decode('json', Buffer.from(JSON.stringify(value)), true);
  if (strictErrors.length > 0) throw new Error(`strict decoding error: ${strictErrors.join(', ')}`);
  storage.applyDefaults(object);
  const { name = '' } = object.metadata;
  const context = writer.context(storage.version, '', name);
  // With the gate, the API leaves such names to files.
  const features = { enabled: (feature: string) => feature !== staticManifestsGate && context.features.enabled(feature) };
  try {
    allSteps(beforeCreate(resource, object, { ...context, features }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new Error(`${kind} ${goQuote(name)}: ${error.message.replace(/^.*? is invalid: /s, '')}`, { cause: error });
  }
  return object;
}

function requireName(resource: Resource, { metadata: { name = '' } }: KubeObject, path: string, seen: Map<string, string>): void {
  const file = goQuote(path);
  if (name === '') throw new Error(`resource in file ${file} must have a name`);
  if (!name.endsWith(nameSuffix)) throw new Error(`${goQuote(name)} in file ${file} must have a name ending with ${goQuote(nameSuffix)}`);
  const key = `${resource.kind}/${name}`;
  const earlier = seen.get(key);
  if (earlier !== undefined) {
    throw new Error(`duplicate name ${goQuote(name)} found in file ${file} (previously seen in ${goQuote(earlier)})`);
  }
  seen.set(key, path);
}
