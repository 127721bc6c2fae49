import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SourceMap } from 'node:module';
import type { SourceMapPayload } from 'node:module';
import type { OutputFile } from 'esbuild';

/** what of a source line is a call of a logger, beginning with the name of the method */
const logCall = /^(?:info|warn|error|v)\(/;

/**
 * Where in the sources the bundle logs: by module and place, the path and line of the source. The server names files and lines of its
 * sources in its log by this table (src/base/logging/caller.ts); whole source maps would cost it memory and a slower start.
 */
export function callerTables(files: readonly OutputFile[], root: string): Record<string, Record<string, string>> {
  const tables: Record<string, Record<string, string>> = {};
  for (const { path, text } of files.filter((one) => one.path.endsWith('.js.map'))) {
    const module = basename(path, '.map');
    const code = files.find((one) => one.path === path.slice(0, -'.map'.length))?.text ?? '';
    const table = callersIn(code, JSON.parse(text) as SourceMapPayload, join(path, '..'), root);
    if (Object.keys(table).length > 0) tables[module] = table;
  }
  return tables;
}

function callersIn(code: string, payload: SourceMapPayload, folder: string, root: string): Record<string, string> {
  const map = new SourceMap(payload);
  const sources = new Map<string, string[]>();
  const table: Record<string, string> = {};
  for (const [index, line] of code.split('\n').entries()) {
    for (const { index: column } of line.matchAll(/(?<=\.)(?:info|warn|error|v)\(/g)) {
      const entry = map.findEntry(index, column);
      if (!('originalSource' in entry) || !entry.originalSource.includes('src/')) continue;
      const path = join(folder, entry.originalSource);
      let lines = sources.get(path);
      if (lines === undefined) sources.set(path, (lines = readFileSync(path, 'utf8').split('\n')));
      if (!logCall.test((lines[entry.originalLine] ?? '').slice(entry.originalColumn))) continue;
      // V8 counts lines and columns from one.
      table[`${index + 1}:${column + 1}`] = `${path.slice(root.length + 1)}:${entry.originalLine + 1}`;
    }
  }
  return table;
}

/** The table of code that stands so many lines further down. */
export function movedBy(lines: number, table: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(table).map(([place, source]) => [place.replace(/^\d+/, (line) => String(Number(line) + lines)), source]),
  );
}
