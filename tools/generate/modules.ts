import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The public Go modules that the tables are made from. Moving to another Kubernetes release starts here. */
export const moduleVersions = {
  'k8s.io/api': 'v0.37.1',
  'k8s.io/apimachinery': 'v0.37.1',
  'k8s.io/apiserver': 'v0.37.1',
  'k8s.io/apiextensions-apiserver': 'v0.37.1',
  'k8s.io/kube-aggregator': 'v0.37.1',
  'k8s.io/kubernetes': 'v1.37.1',
} as const;

export type ModuleName = keyof typeof moduleVersions;
export type ModuleDirectories = Readonly<Record<ModuleName, string>>;

/** Finds the modules in Go's module cache and downloads what is missing. */
export function locateModules(): ModuleDirectories {
  const scratch = mkdtempSync(join(tmpdir(), 'generate-'));
  writeFileSync(join(scratch, 'go.mod'), 'module generate\n');
  const wanted = Object.entries(moduleVersions).map(([name, version]) => `${name}@${version}`);
  const output = execFileSync('go', ['mod', 'download', '-json', ...wanted], { cwd: scratch, encoding: 'utf8', maxBuffer: 1 << 24 });
  const found = JSON.parse(`[${output.replace(/\n}\n{/g, '\n},\n{')}]`) as { Path: ModuleName; Dir: string }[];
  return Object.fromEntries(found.map((module) => [module.Path, module.Dir])) as Record<ModuleName, string>;
}
