import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What Kubernetes itself is built from: every text as the original server sends it, those of enum values too. */
const kubernetes = {
  name: 'k8s.io/kubernetes',
  version: 'v1.37.1',
  sum: 'h1:LTUzSbp9n0W7649oVKBYfC48zcoD3vCk++1PZQn28q8=',
  file: 'pkg/generated/openapi/zz_generated.openapi.go',
} as const;

/** The file with all descriptions, from the module cache or downloaded into it; fails where there is no `go`. */
export async function definitionsOfKubernetes(signal: AbortSignal): Promise<string> {
  const { name, version, sum, file } = kubernetes;
  // Outside of any module, so that nothing but the module itself is looked at.
  const { stdout } = await run('go', ['mod', 'download', '-json', `${name}@${version}`], { cwd: tmpdir(), signal });
  const { Dir: directory, Sum: actual } = JSON.parse(stdout) as { readonly Dir: string; readonly Sum: string };
  if (actual !== sum) throw new Error(`${name}@${version} is not what it was when it was chosen`);
  return readFile(join(directory, file), 'utf8');
}
