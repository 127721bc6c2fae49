import { readdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ModuleDirectories, ModuleName } from './modules.ts';

export interface ApiPackage {
  /** name of the table and of the TypeScript file, e.g. `core-v1` */
  readonly id: string;
  readonly path: string;
  readonly directory: string;
  readonly version: string;
}

const beyondApi: readonly (readonly [module: ModuleName, directory: string])[] = [
  ['k8s.io/apimachinery', 'pkg/apis/meta/v1'],
  ['k8s.io/apimachinery', 'pkg/apis/meta/v1beta1'],
  ['k8s.io/apiextensions-apiserver', 'pkg/apis/apiextensions/v1'],
  ['k8s.io/apiextensions-apiserver', 'pkg/apis/apiextensions/v1beta1'],
  ['k8s.io/kube-aggregator', 'pkg/apis/apiregistration/v1'],
  ['k8s.io/kube-aggregator', 'pkg/apis/apiregistration/v1beta1'],
  ['k8s.io/apiserver', 'pkg/apis/audit/v1'],
  ['k8s.io/apimachinery', 'pkg/version'],
];

/** Packages that only lend names to others: their types are resolved, not written. */
export const lenders: readonly (readonly [module: ModuleName, directory: string])[] = [['k8s.io/apimachinery', 'pkg/types']];

export function apiPackages(modules: ModuleDirectories): readonly ApiPackage[] {
  const api = modules['k8s.io/api'];
  const found: ApiPackage[] = [];
  for (const group of directories(api)) {
    for (const version of directories(join(api, group))) {
      if (existsSync(join(api, group, version, 'types.go'))) found.push(describe(modules, 'k8s.io/api', `${group}/${version}`));
    }
  }
  for (const [module, directory] of beyondApi) found.push(describe(modules, module, directory));
  return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function describe(modules: ModuleDirectories, module: ModuleName, directory: string): ApiPackage {
  const [group, version] = directory.split('/').slice(-2) as [string, string];
  return { id: `${group}-${version}`, path: `${module}/${directory}`, directory: join(modules[module], directory), version };
}

function directories(parent: string): string[] {
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
}
