import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { tables } from '../src/schema/generated/index.ts';
import type { TableSource } from '../src/schema/generated/index.ts';
import { schemaTables } from './schema-tables.ts';

test('in the bundle the tables of the schema come from a file beside it, and are the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-schema-tables-'));
  try {
    const { plugin, file } = await schemaTables(join(import.meta.dirname, '..'), folder);
    writeFileSync(file.path, file.text);
    const outfile = join(folder, 'tables.mjs');
    await build({
      stdin: { contents: "export { tables } from './src/schema/generated/index.ts';", resolveDir: join(import.meta.dirname, '..') },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      plugins: [plugin],
    });
    const bundled = (await import(pathToFileURL(outfile).href)) as { readonly tables: readonly TableSource[] };
    assert.deepEqual(
      bundled.tables.map((table) => ({ ...table })),
      tables.map((table) => ({ ...table })),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
