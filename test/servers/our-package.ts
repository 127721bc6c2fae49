import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Builds the bundle and lays it out in `folder` as an installed package has it; returns the executable.
 * Without sources beside it the launcher takes the bundle, whatever is edited in this clone meanwhile.
 */
export function installOurs(folder: string): string {
  const run = (...tool: string[]): void => void execFileSync(process.execPath, tool, { stdio: 'inherit', cwd: root });
  run(join(root, 'tools/build.ts'), '--if-needed');
  // Without prose, documents and tables differ from upstream's.
  if (!existsSync(join(root, 'dist/descriptions.json'))) run(join(root, 'tools/descriptions/main.ts'));
  mkdirSync(folder, { recursive: true });
  for (const part of ['bin', 'dist', 'package.json']) {
    if (existsSync(join(root, part))) cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  const executable = join(folder, 'bin/kube-apiserver');
  const { WHEELHOUSE_TEST_WORKERS: workers } = process.env;
  if (workers === undefined) return executable;
  const threaded = join(folder, 'bin/kube-apiserver-threads');
  writeFileSync(threaded, `#!/bin/sh\nexec '${executable}' "$@" --workers=${workers}\n`, { mode: 0o755 });
  return threaded;
}
