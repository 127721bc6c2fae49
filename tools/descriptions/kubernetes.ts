import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { moduleFolder } from '../go-module.ts';
import { kubernetesModule } from '../kubernetes-release.ts';

/** The generated Go file with all definitions: every text as the upstream server sends it, those of enum values too. */
export async function definitionsOfKubernetes(signal: AbortSignal): Promise<string> {
  return readFile(join(await moduleFolder(kubernetesModule, signal), 'pkg/generated/openapi/zz_generated.openapi.go'), 'utf8');
}
