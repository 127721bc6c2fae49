import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { moduleFolder } from './go-module.ts';
import { kubernetesModule, kubernetesRelease } from './kubernetes-release.ts';

/** Lines for a go.mod: the modules of Kubernetes' own repository are required as v0.0.0 by its go.mod, which only stands for something inside it. */
export async function stagingReplacements(): Promise<string> {
  const goMod = readFileSync(join(await moduleFolder(kubernetesModule), 'go.mod'), 'utf8');
  return Array.from(goMod.matchAll(/^\t(\S+) v0\.0\.0$/gm), ([, name]) => `replace ${name} => ${name} ${kubernetesRelease.modules}\n`).join(
    '',
  );
}
