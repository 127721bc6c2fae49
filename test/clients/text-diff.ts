import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Lines that only one of two texts has, as diff prints them: `-` for the first, `+` for the second. */
export function textDiff(first: string, second: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-diff-'));
  try {
    writeFileSync(join(folder, 'first'), first);
    writeFileSync(join(folder, 'second'), second);
    const { stdout } = spawnSync('diff', ['-U1', join(folder, 'first'), join(folder, 'second')], { encoding: 'utf8' });
    return stdout.split('\n').slice(2).join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
