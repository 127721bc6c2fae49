import type { Rule, Source, Violation } from './sources.ts';

/** Bottom first. Folders of one layer do not know each other. */
const layers: readonly (readonly string[])[] = [
  ['base'],
  ['machinery'],
  ['schema'],
  ['cel', 'patch', 'openapi', 'table'],
  ['storage'],
  ['server'],
  // what kinds share, and plugins need to know of them
  ['apis/common'],
  ['apis', 'plugins', 'apiextensions', 'aggregator', 'controllers'],
  ['controlplane'],
  ['cli'],
  ['index.ts'],
  ['testing'],
];

/** Run in a browser too. */
const neutral: ReadonlySet<string> = new Set(['machinery', 'schema', 'cel', 'patch', 'openapi', 'table']);

function folderOf(path: string): string | undefined {
  return /^src\/(apis\/common|[^/]+)/.exec(path)?.[1];
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

/** Runtime imports only: types are gone before a module loads. */
export const noCycles: Rule = function* (sources) {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = function* (source: Source): Iterable<Violation> {
    trail.push(source.path);
    for (const { target, typeOnly, line } of source.imports) {
      const next = target === undefined || typeOnly ? undefined : byPath.get(target);
      if (next === undefined || done.has(next.path)) continue;
      const at = trail.indexOf(next.path);
      if (at >= 0) yield { path: source.path, line, message: `import cycle: ${[...trail.slice(at), next.path].join(' -> ')}` };
      else yield* visit(next);
    }
    trail.pop();
    done.add(source.path);
  };
  for (const source of sources) if (!done.has(source.path)) yield* visit(source);
};
