import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GoModule } from './go-module.ts';

/** The Kubernetes release that everything here follows; `npm run upgrade` moves it. */
export interface KubernetesRelease {
  /** of k8s.io/kubernetes */
  readonly version: string;
  /** of the modules that are published from its repository: k8s.io/api and others */
  readonly modules: string;
  /** of k8s.io/kubernetes, as go.sum has it */
  readonly sum: string;
}

export const releaseFile = join(import.meta.dirname, '../kubernetes-release.json');
export const kubernetesRelease = JSON.parse(readFileSync(releaseFile, 'utf8')) as KubernetesRelease;

export const kubernetesModule: GoModule = {
  name: 'k8s.io/kubernetes',
  version: kubernetesRelease.version,
  sum: kubernetesRelease.sum,
};

/** A module that is published from the repository of Kubernetes. */
export const publishedModule = (name: string): GoModule => ({ name, version: kubernetesRelease.modules });

/** `v1.37.1` has its modules as `v0.37.1`. */
export const modulesVersion = (version: string): string => version.replace(/^v1\./, 'v0.');
