import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

function lateFunction(path: string, name: string): string {
  return `export function ${name}(...given) { return process.getBuiltinModule('${path}').${name}(...given); }`;
}

/** Modules of which nothing but functions is used: they are loaded when the first of these is called. */
const late: ReadonlySet<string> = new Set(['node:fs/promises', 'node:dns', 'node:dns/promises', 'node:timers/promises']);

/**
 * Modules of Node without `import`: for an ES module Node reads every export of what it imports, also those that load more of Node when they are
 * read. A start took a tenth longer by that. Here each name that is used is a constant; what is not used, esbuild leaves out.
 */
export const nodeModules: Plugin = {
  name: 'node modules',
  setup({ onResolve, onLoad }) {
    const known = new Set(builtinModules.map((name) => (name.startsWith('node:') ? name : `node:${name}`)));
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' && known.has(path) ? { path, namespace: 'node' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter(
        (name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default',
      );
      if (late.has(path)) return { contents: names.map((name) => lateFunction(path, name)).join('\n'), loader: 'js' };
      return {
        contents: `
const $module = process.getBuiltinModule('${path}');
export default $module;
/* @__NO_SIDE_EFFECTS__ */ function $read(name) { return $module[name]; }
${names.map((name) => `export const ${name} = /* @__PURE__ */ $read('${name}');`).join('\n')}
`,
        loader: 'js',
      };
    });
  },
};
