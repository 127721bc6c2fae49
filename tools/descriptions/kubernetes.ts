import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GoModule } from '../go-module.ts';
import { moduleFolder } from '../go-module.ts';

/** What Kubernetes itself is built from: every text as the upstream server sends it, those of enum values too. */
const kubernetes: GoModule = {
  name: 'k8s.io/kubernetes',
  version: 'v1.37.1',
  sum: 'h1:LTUzSbp9n0W7649oVKBYfC48zcoD3vCk++1PZQn28q8=',
};

/** The generated Go file with all definitions. */
export async function definitionsOfKubernetes(signal: AbortSignal): Promise<string> {
  return readFile(join(await moduleFolder(kubernetes, signal), 'pkg/generated/openapi/zz_generated.openapi.go'), 'utf8');
}
