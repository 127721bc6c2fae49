import { posix } from 'node:path';
import type { Rule, Source, Violation } from './sources.ts';

/** Bottom first. Folders of one layer do not know each other. */
const layers: readonly (readonly string[])[] = [
  ['base'],
  ['machinery'],
  ['schema'],
  ['cel', 'patch', 'openapi', 'table'],
  ['storage'],
  // `etcd` is a server of its own, beside ours
  ['server/http', 'etcd'],
  // `request` is what the chain finds out about one, `object` how kinds are read and written
  ['server/object', 'server/request', 'server/proxy'],
  ['server/registry'],
  ['server/webhook', 'server/discovery', 'server/openapi', 'server/lifecycle'],
  ['server/access/audit', 'server/access/authn', 'server/access/authz', 'server/access/flow-control'],
  ['server/admission', 'server/filters'],
  ['server/endpoints', 'server/routes'],
  // the chain, and the server that stands on it
  ['server'],
  // what kinds share, and plugins need to know of them
  ['apis/common'],
  ['apis', 'plugins', 'apiextensions', 'aggregator', 'controllers'],
  ['controlplane'],
  ['client', 'cli'],
  ['index.ts'],
  ['testing'],
];

/** Run in a browser too. */
const neutral: ReadonlySet<string> = new Set(['machinery', 'schema', 'cel', 'patch', 'openapi', 'table']);

function folderOf(path: string): string | undefined {
  return /^src\/(apis\/common|server\/(?:access\/)?[^/]+(?=\/)|[^/]+)/.exec(path)?.[1];
}

const rankOf = (folder: string): number => layers.findIndex((layer) => layer.includes(folder));

/** Imports go down only. */
export const importsGoDown: Rule = function* (sources) {
  for (const source of sources) {
    const folder = folderOf(source.path);
    if (folder === undefined) continue;
    if (rankOf(folder) < 0) yield { path: source.path, line: 1, message: `src/${folder} is not in the list of layers` };
    if (source.isTest) continue;
    for (const { target, line } of source.imports) {
      if (target === undefined) continue;
      const other = folderOf(target);
      if (other === folder) continue;
      if (other === undefined) yield { path: source.path, line, message: `imports ${target}, which is outside src` };
      else if (rankOf(other) >= rankOf(folder))
        yield { path: source.path, line, message: `${folder} must not import ${other} (${target})` };
    }
  }
};

export const noNodeInNeutralFolders: Rule = function* (sources) {
  for (const source of sources) {
    const folder = folderOf(source.path);
    if (folder === undefined || !neutral.has(folder) || source.isTest) continue;
    for (const { specifier, line } of source.imports) {
      if (specifier.startsWith('node:'))
        yield { path: source.path, line, message: `${folder} runs in browsers too and must not import ${specifier}` };
    }
  }
};

/** An `import` of node:http reads all that it exports, which loads a client that is not used here: 50 ms of every start. */
export const noImportOfHttp: Rule = function* (sources) {
  for (const { path, text, imports, isTest } of sources) {
    if (isTest || !path.startsWith('src/')) continue;
    for (const { specifier, line, typeOnly } of imports) {
      const isType = typeOnly || text.split('\n')[line - 1]?.includes("typeof import('node:http')");
      if (specifier === 'node:http' && !isType)
        yield { path, line, message: "node:http is had by process.getBuiltinModule('node:http'): an import slows the start" };
    }
  }
};

type Edges = ReadonlyMap<string, ReadonlyMap<string, Omit<Violation, 'message'>>>;

/** Runtime imports only: types are gone before a module loads. */
export const noCycles: Rule = (sources) =>
  cyclesIn(
    graph(sources, (path) => path, false),
    'import cycle',
  );

/** Folders know one another in one direction, types included: each can be read, and moved, without those above it. */
export const noFolderCycles: Rule = (sources) =>
  cyclesIn(
    graph(
      sources.filter(({ path, isTest }) => path.startsWith('src/') && !isTest),
      posix.dirname,
      true,
    ),
    'cycle of folders',
  );

function graph(sources: readonly Source[], nodeOf: (path: string) => string, withTypes: boolean): Edges {
  const known = new Set(sources.map(({ path }) => path));
  const edges = new Map<string, Map<string, Omit<Violation, 'message'>>>();
  for (const { path, imports } of sources) {
    const from = edges.get(nodeOf(path)) ?? new Map<string, Omit<Violation, 'message'>>();
    edges.set(nodeOf(path), from);
    for (const { target, typeOnly, line } of imports) {
      if (target === undefined || !known.has(target) || (typeOnly && !withTypes) || nodeOf(target) === nodeOf(path)) continue;
      if (!from.has(nodeOf(target))) from.set(nodeOf(target), { path, line });
    }
  }
  return edges;
}

function* cyclesIn(edges: Edges, what: string): Iterable<Violation> {
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = function* (node: string): Iterable<Violation> {
    trail.push(node);
    for (const [next, at] of edges.get(node) ?? []) {
      if (done.has(next)) continue;
      const start = trail.indexOf(next);
      if (start >= 0) yield { ...at, message: `${what}: ${[...trail.slice(start), next].join(' -> ')}` };
      else yield* visit(next);
    }
    trail.pop();
    done.add(node);
  };
  for (const node of edges.keys()) if (!done.has(node)) yield* visit(node);
}
