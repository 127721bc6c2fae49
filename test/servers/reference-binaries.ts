import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { kubernetesRelease } from '../../tools/kubernetes-release.ts';

export type ReferenceProgram =
  | 'e2e.test'
  | 'etcd'
  | 'etcdctl'
  | 'helm'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kubectl'
  | 'kubectl-convert'
  | 'kwok'
  | 'sample-apiserver';

/** The programs of Kubernetes that ours is compared with. */
export function referenceFolder(): string {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return process.env['REF_BIN'] ?? join(cache, 'kubernetes-reference', kubernetesRelease.version);
}

/** Throws when the program is not there: a comparison that leaves one side out is none. */
export function findReference(program: ReferenceProgram): string {
  const file = join(referenceFolder(), program);
  try {
    accessSync(file, constants.X_OK);
  } catch (error) {
    const hint = 'npm run programs builds it (needs Go); REF_BIN names another folder';
    throw new Error(`no ${file}: ${hint}`, { cause: error });
  }
  return file;
}
