import type { Rule } from './sources.ts';

/** A kind, a plugin, a controller or a driver; `common` folders are what leaves share. */
function leafOf(path: string): string | undefined {
  return /^src\/(?:apis\/(?!common\/)[^/]+\/(?!common\/)[^/]+|(?:plugins|controllers|storage\/drivers)\/(?!common\/)[^/]+)(?=\/)/.exec(
    path,
  )?.[0];
}

/** The file that a list in src/controlplane takes from a leaf. */
const listed =
  /^src\/(?:apis\/(?!common\/)[^/]+\/(?!common\/)[^/]+\/definition|plugins\/(?!common\/)[^/]+\/plugin|controllers\/(?!common\/)[^/]+\/controller)\.ts$/;

export const leavesStandAlone: Rule = function* (sources) {
  for (const source of sources) {
    const leaf = leafOf(source.path);
    if (leaf === undefined || source.isTest) continue;
    for (const { target, line } of source.imports) {
      const other = target === undefined ? undefined : leafOf(target);
      if (other !== undefined && other !== leaf)
        yield { path: source.path, line, message: `the leaf ${leaf} must not import the leaf ${other}` };
    }
  }
};

export const leavesAreListedOnce: Rule = function* (sources) {
  const uses = new Map<string, string[]>();
  for (const source of sources) {
    if (!source.path.startsWith('src/controlplane/') || source.isTest) continue;
    for (const { target, typeOnly } of source.imports)
      if (target !== undefined && !typeOnly) uses.set(target, [...(uses.get(target) ?? []), source.path]);
  }
  for (const { path } of sources) {
    if (!listed.test(path)) continue;
    const by = uses.get(path) ?? [];
    if (by.length === 0) yield { path, line: 1, message: 'is in no list of src/controlplane' };
    else if (by.length > 1) yield { path, line: 1, message: `is listed more than once: ${by.join(', ')}` };
  }
};
