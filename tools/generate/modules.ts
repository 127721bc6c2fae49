import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubernetesRelease } from '../kubernetes-release.ts';

const { version, modules } = kubernetesRelease;

/** The public Go modules that the tables are made from. */
export const moduleVersions = {
  'k8s.io/api': modules,
  'k8s.io/apimachinery': modules,
  'k8s.io/apiserver': modules,
  'k8s.io/apiextensions-apiserver': modules,
  'k8s.io/kube-aggregator': modules,
  'k8s.io/kubernetes': version,
} as const;

export type ModuleName = keyof typeof moduleVersions;
export type ModuleDirectories = Readonly<Record<ModuleName, string>>;

/** Finds the modules in Go's module cache and downloads what is missing. */
export function locateModules(): ModuleDirectories {
  const scratch = mkdtempSync(join(tmpdir(), 'generate-'));
  writeFileSync(join(scratch, 'go.mod'), 'module generate\n');
  const wanted = Object.entries(moduleVersions).map(([name, pinned]) => `${name}@${pinned}`);
  const output = execFileSync('go', ['mod', 'download', '-json', ...wanted], { cwd: scratch, encoding: 'utf8', maxBuffer: 1 << 24 });
  const found = JSON.parse(`[${output.replace(/\n}\n{/g, '\n},\n{')}]`) as { Path: ModuleName; Dir: string }[];
  return Object.fromEntries(found.map((module) => [module.Path, module.Dir])) as Record<ModuleName, string>;
}
