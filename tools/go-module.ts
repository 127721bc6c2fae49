import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface GoModule {
  readonly name: string;
  readonly version: string;
  /** where it matters that it is what it was when it was chosen: as go.sum has it */
  readonly sum?: string;
}

/** The folder of a public Go module in Go's module cache, downloaded when it is missing. Fails where there is no `go`. */
export async function moduleFolder({ name, version, sum }: GoModule, signal?: AbortSignal): Promise<string> {
  const { Dir: folder, Sum: actual } = await download(name, version, signal);
  if (sum !== undefined && actual !== sum) throw new Error(`${name}@${version} is not what it was when it was chosen`);
  return folder;
}

/** As go.sum has it. */
export async function moduleSum(name: string, version: string): Promise<string> {
  return (await download(name, version)).Sum;
}

async function download(name: string, version: string, signal?: AbortSignal): Promise<{ readonly Dir: string; readonly Sum: string }> {
  const { stdout } = await run('go', ['mod', 'download', '-json', `${name}@${version}`], {
    // Outside of any module, so that nothing but the module itself is looked at; and no other Go is downloaded for its sake.
    cwd: tmpdir(),
    env: { ...process.env, GOTOOLCHAIN: 'local' },
    ...(signal && { signal }),
  });
  return JSON.parse(stdout) as { readonly Dir: string; readonly Sum: string };
}
