import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import type { TableSource } from '../src/schema/generated/index.ts';
import type { BundledFile } from './script-chunks.ts';

/**
 * Tables of API types as a file beside the chunks. In the bundle each was there twice, as part of its source and as a constant, and every start found both in its
 * cache of compiled code; most are never read.
 */
export async function schemaTables(root: string, folder: string): Promise<{ readonly plugin: Plugin; readonly file: BundledFile }> {
  const source = join(root, 'src/schema/generated/index.ts');
  const { tables } = (await import(pathToFileURL(source).href)) as { readonly tables: readonly TableSource[] };
  const text = tables.map((table) => table.text).join('');
  if (/[^\x00-\x7f]/.test(text)) throw new Error('tables of the schema are not ASCII');
  const name = `tables-${createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase()}.txt`;
  let at = 0;
  const entries = tables.map(({ text: { length }, ...table }) => {
    at += length;
    return `{...${JSON.stringify(table)},get text(){return bytes.latin1Slice(${at - length},${at})}}`;
  });
  const contents = `
import { readFileSync } from 'node:fs';
const bytes = readFileSync(new URL('${name}', import.meta.url));
export const tables = [${entries.join(',\n')}];
`;
  const plugin: Plugin = {
    name: 'schema tables',
    setup: ({ onLoad }) => onLoad({ filter: /src[\\/]schema[\\/]generated[\\/]index\.ts$/ }, () => ({ contents, loader: 'js' })),
  };
  return { plugin, file: { path: join(folder, name), text } };
}
