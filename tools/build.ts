// npm run build: the sources bundled into dist/, with an entry file for the executable and one for each public entry point.
// A server that runs from dist/ loads chunks late, so old chunks stay for a day (or until --clean) and entry files are replaced last.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import type { BuildOptions, Plugin } from 'esbuild';
import { callerTables, movedBy } from './callers.ts';
import { chunkGraph } from './chunk-graph.ts';
import { nodeModules } from './node-modules.ts';
import type { BundledFile } from './script-chunks.ts';
import { schemaTables } from './schema-tables.ts';
import { scriptName } from './script-chunks.ts';
import { entrySources, sharedChunk, sharedSources } from './shared-chunk.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const codeCache = 'src/base/process/code-cache.ts';

/**
 * What a server loads late, it loads when all of `assemble` is there. It imports that here, in the bundle only: esbuild makes a chunk for each
 * set of modules that load the same code, and a start would read some thirty files more. Not so the embedded store, which commands use alone.
 */
function lateWithServer(): Map<string, readonly string[]> {
  const server = join(root, 'src/controlplane/assemble.ts');
  return new Map(importedLate(join(root, 'src')).map((path) => [path, [server]]));
}

/** Sources that import more than they say. */
function importing(more: ReadonlyMap<string, readonly string[]>): Plugin {
  return {
    name: 'importing more',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const others = more.get(path);
        if (others === undefined) return undefined;
        const lines = others.map((other) => `import ${JSON.stringify(other)};`);
        return { contents: `${readFileSync(path, 'utf8')}\n${lines.join('\n')}`, loader: 'ts', resolveDir: dirname(path) };
      });
    },
  };
}

/** Sources that others than commands import when they need them. */
function importedLate(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.flatMap((name) => {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts') || name.startsWith('cli')) return [];
    const path = join(folder, name);
    const imports = [...readFileSync(path, 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, other = '']) =>
      join(dirname(path), other),
    );
    return imports.filter((other) => !other.includes(join('drivers', 'embedded')));
  });
}

const options = {
  absWorkingDir: root,
  entryPoints: {
    'kube-apiserver': 'src/cli/main.ts',
    index: 'src/index.ts',
    testing: 'src/testing/index.ts',
    'code-cache': codeCache,
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'node',
  // the oldest line that package.json names under engines
  target: 'node22',
  format: 'esm',
  // Names are kept for stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
  metafile: true,
  // Not shipped: for the table of callers.
  sourcemap: 'external',
  sourcesContent: false,
} satisfies BuildOptions;

/** Packages written for CommonJS ask for node's own modules with require, which an ES module does not have. */
const requireBanner = "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);";

/** true when dist/ is there and newer than all that goes into it */
function isCurrent(): boolean {
  try {
    const built = statSync(join(dist, 'kube-apiserver.js')).mtimeMs;
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    return [...sources.map((file) => join('src', file)), 'package-lock.json', 'tools/build.ts'].every(
      (file) => statSync(join(root, file)).mtimeMs < built,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function buildAll(): Promise<void> {
  // The packages are bundled, so that an installed executable starts fast and an installed library brings no others.
  const late = lateWithServer();
  const chunks = join(dist, 'chunks');
  const tables = await schemaTables(root, chunks);
  const alone = await build({ ...options, sourcemap: false, plugins: [nodeModules, tables.plugin, importing(late)] });
  const shared = new Map(late);
  for (const source of entrySources(alone.metafile)) {
    const path = join(root, source);
    if (source !== codeCache) shared.set(path, [...(late.get(path) ?? []), 'wheelhouse:shared']);
  }
  const sources = sharedSources(alone.metafile).filter((source) => !late.has(join(root, source)));
  const plugins = [nodeModules, tables.plugin, sharedChunk(root, sources), importing(shared)];
  const { outputFiles, metafile } = await build({ ...options, banner: { js: requireBanner }, plugins });
  const isChunk = ({ path }: BundledFile): boolean => dirname(path) === chunks;
  const callers = callerTables(outputFiles, root);
  const isMap = ({ path }: BundledFile): boolean => path.endsWith('.map');
  const code = outputFiles.filter((file) => !isMap(file));
  const graph = chunkGraph(code, ['index.js', 'testing.js'], chunks);
  const files = [tables.file, ...graph.files];
  const scripts = new Set(files.map(({ path }) => basename(path)));
  for (const [name, table] of Object.entries(callers)) {
    const { file = scripts.has(scriptName(name)) ? scriptName(name) : name, lines = 0 } = graph.moved.get(name) ?? {};
    delete callers[name];
    callers[file] = { ...callers[file], ...movedBy(lines, table) };
  }
  mkdirSync(chunks, { recursive: true });
  writeFileSync(join(dist, 'callers.json'), JSON.stringify(callers));
  for (const file of [...files.filter(isChunk), ...files.filter((one) => !isChunk(one))]) {
    writeFileSync(`${file.path}.new`, file.text);
    renameSync(`${file.path}.new`, file.path);
  }
  for (const name of ['index', 'testing'])
    writeFileSync(join(dist, `${name}.cjs`), commonJs(name, metafile.outputs[`dist/${name}.js`]?.exports ?? []));
  const current = new Set(files.map(({ path }) => basename(path)));
  const dayAgo = Date.now() - 24 * 3600 * 1000;
  for (const name of readdirSync(chunks)) {
    const path = join(chunks, name);
    if (!current.has(name) && (process.argv.includes('--clean') || statSync(path).mtimeMs < dayAgo)) rmSync(path);
  }
}

/**
 * The entry for CommonJS: the ES module by Node's own require. jest has a require of its own, which loads no ES modules, and runs tests in
 * another realm; what it hands in from Node's realm leads to Node's.
 */
function commonJs(name: string, exported: readonly string[]): string {
  return `'use strict';
const NodeFunction = process.nextTick.constructor;
const load =
  NodeFunction === Function ? require : NodeFunction('return process')().getBuiltinModule('node:module').createRequire(__filename);
const entry = load('./${name}.js');
${exported.map((one) => `exports.${one} = entry.${one};\n`).join('')}`;
}

const started = performance.now();
if (process.argv.includes('--if-needed') && isCurrent()) process.exit(0);
await buildAll();
console.error(`built dist/ in ${Math.round(performance.now() - started)} ms`);
