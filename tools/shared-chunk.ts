import { join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

/** What every start loads, by the sources of its parts. */
const started = ['main', 'server-command', 'run-server'].map((name) => `src/cli/${name}.ts`);
const library = ['src/index.ts', 'src/testing/index.ts'];

/** larger chunks, and what imports them, stay by themselves: commands that need none of them do not load them */
const largest = 100 << 10;

/**
 * Sources in the small chunks that a start loads. esbuild makes a chunk for each set of entries that share sources: a start would read some
 * twenty files of a few kilobytes.
 */
export function sharedSources({ outputs }: Metafile): string[] {
  const entries = new Set([...started, ...library]);
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path) || outputs[path] === undefined) return;
    loaded.add(path);
    for (const { path: other, kind } of outputs[path].imports) if (kind === 'import-statement') load(other);
  };
  for (const [path, { entryPoint }] of Object.entries(outputs)) if (entryPoint !== undefined && entries.has(entryPoint)) load(path);
  const isLight = (path: string): boolean => {
    const { bytes = 0, imports = [] } = outputs[path] ?? {};
    return bytes < largest && imports.every((one) => one.kind !== 'import-statement' || isLight(one.path));
  };
  const small = [...loaded].filter((path) => outputs[path]?.entryPoint === undefined && isLight(path));
  return small.flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
}

/** The sources of all entries, also of those that are imported late. */
export function entrySources({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ entryPoint = '' }) => (entryPoint.startsWith('src/') ? entryPoint : []));
}

/** `import 'wheelhouse:shared'` imports these, by their names in a metafile. */
export function sharedChunk(root: string, sources: readonly string[]): Plugin {
  return {
    name: 'shared chunk',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^wheelhouse:shared$/ }, ({ path }) => ({ path, namespace: 'shared' }));
      const paths = sources.map((source) => (source.startsWith('node:') ? source.slice('node:'.length) : join(root, source)));
      onLoad({ filter: /.*/, namespace: 'shared' }, () => ({
        contents: paths.map((path) => `import ${JSON.stringify(path)};`).join('\n'),
        resolveDir: root,
      }));
    },
  };
}
