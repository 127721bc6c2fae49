import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Builds the bundle and lays it out in `folder` as an installed package has it; returns the executable.
 * Without sources beside it the launcher takes the bundle, whatever is edited in this clone meanwhile.
 */
export function installOurs(folder: string): string {
  execFileSync(process.execPath, [join(root, 'tools/build.ts'), '--if-needed'], { stdio: 'inherit' });
  mkdirSync(folder, { recursive: true });
  for (const part of ['bin', 'dist', 'package.json']) {
    if (existsSync(join(root, part))) cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  return join(folder, 'bin/kube-apiserver');
}
