// The types of the package: what tsc declares for the sources, reduced to what the entry points reach, one file for each.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A name as a file sees it: declared there, taken from another file or package, or standing for all that another file exports. */
type Binding = { readonly statements: string[] } | { readonly from: string; readonly name: string } | { readonly namespace: string };

interface DeclarationFile {
  readonly scope: Map<string, Binding>;
  readonly exported: Map<string, Binding>;
}

/** What a name stands for in the end. */
interface Target {
  readonly file: string;
  readonly name: string;
}

/** The text of `wheelhouse` and `wheelhouse/testing`, which takes from the former what that exports. */
export function bundleDeclarations(): { readonly index: string; readonly testing: string } {
  const folder = mkdtempSync(join(tmpdir(), 'declarations-'));
  try {
    const project = join(folder, 'tsconfig.json');
    const entries = ['src/index.ts', 'src/testing/index.ts'].map((file) => join(root, file));
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: join(root, 'src'),
      outDir: folder,
      typeRoots: [join(root, 'node_modules/@types')],
    };
    writeFileSync(project, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files: entries }));
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', project], { stdio: ['ignore', 'inherit', 'inherit'] });
    const index = join(folder, 'index.d.ts');
    const bundle = new Bundle();
    const published = bundle.exportsOf(index);
    return { index: bundle.render(index, new Map()), testing: bundle.render(join(folder, 'testing/index.d.ts'), published) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

class Bundle {
  readonly #files = new Map<string, DeclarationFile>();

  /** By target, the name under which an entry exports it. */
  exportsOf(entry: string): Map<string, string> {
    return new Map([...this.#read(entry).exported.keys()].map((name) => [keyOf(this.#resolve(entry, name, 'exported')), name]));
  }

  render(entry: string, elsewhere: ReadonlyMap<string, string>): string {
    const names = new Map<string, string>();
    const taken = new Set<string>();
    const imports = new Map<string, Set<string>>();
    const declarations: string[] = [];
    const nameOf = (target: Target, wanted = target.name): string => {
      const key = keyOf(target);
      const known = names.get(key);
      if (known !== undefined) return known;
      let name = wanted;
      for (let number = 2; taken.has(name); number++) name = `${wanted}${number}`;
      names.set(key, name);
      taken.add(name);
      return name;
    };
    const include = (target: Target, isExported: boolean): string => {
      const isNew = !names.has(keyOf(target)) || isExported;
      const name = nameOf(target);
      const source = elsewhere.has(keyOf(target)) ? './index.js' : isExternal(target.file) ? target.file : undefined;
      if (source !== undefined) {
        const original = elsewhere.get(keyOf(target)) ?? target.name;
        const list = imports.get(source) ?? new Set();
        imports.set(source, list.add(original === name ? name : `${original} as ${name}`));
      } else if (isNew) {
        const { scope } = this.#read(target.file);
        const { statements } = scope.get(target.name) as { statements: string[] };
        const place = declarations.push('') - 1;
        const renamed = statements.map((statement) =>
          replaceIdentifiers(statement, (word, member) => {
            const binding = scope.get(word);
            if (binding === undefined) return word + member;
            if ('namespace' in binding) return include(this.#resolve(binding.namespace, member.slice(1), 'exported'), false);
            return include(this.#resolve(target.file, word, 'scope'), false) + member;
          }),
        );
        declarations[place] = renamed
          .map((text) => (isExported ? text.replace(/^(declare|interface|type) /m, 'export $1 ') : text))
          .join('\n');
      }
      return name;
    };
    const exported = [...this.exportsOf(entry)].map(([key, name]) => ({ target: targetOf(key), name }));
    for (const { target, name } of exported) nameOf(target, name);
    for (const { target } of exported) include(target, true);
    const lines = [...imports].map(([from, list]) => `import type { ${[...list].toSorted().join(', ')} } from '${from}';`);
    const uses = (word: RegExp): boolean => word.test(declarations.join('\n')) || lines.some((line) => line.includes("'node:"));
    const references = [
      '/// <reference lib="esnext.disposable" />',
      ...(uses(/\b(Buffer|NodeJS)\b/) ? ['/// <reference types="node" />'] : []),
    ];
    const again = exported.filter(({ target }) => elsewhere.has(keyOf(target))).map(({ name }) => name);
    return `${[...references, ...lines.toSorted(), ...declarations, `export {${again.length > 0 ? ` type ${again.join(', type ')} ` : ''}};`].join('\n')}\n`;
  }

  #resolve(file: string, name: string, where: keyof DeclarationFile): Target {
    const binding = this.#read(file)[where].get(name);
    if (binding === undefined || 'namespace' in binding) throw new Error(`${file} does not have ${name}`);
    if ('statements' in binding) return { file, name };
    if (isExternal(binding.from)) return { file: binding.from, name: binding.name };
    const inner = this.#read(binding.from);
    return this.#resolve(binding.from, binding.name, inner.exported.has(binding.name) ? 'exported' : 'scope');
  }

  #read(file: string): DeclarationFile {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const parsed = parseDeclarations(file);
    this.#files.set(file, parsed);
    return parsed;
  }
}

const isExternal = (file: string): boolean => !file.startsWith('/');
const keyOf = ({ file, name }: Target): string => `${file}#${name}`;
function targetOf(key: string): Target {
  const hash = key.lastIndexOf('#');
  return { file: key.slice(0, hash), name: key.slice(hash + 1) };
}

/** Reads what tsc writes: every statement begins in the first column. */
function parseDeclarations(file: string): DeclarationFile {
  const scope = new Map<string, Binding>();
  const exported = new Map<string, Binding>();
  for (const statement of statementsOf(readFileSync(file, 'utf8'))) {
    const code = statement.replace(/^(\/\*[^]*?\*\/\s*|\/\/.*\n)+/, '');
    const from = /^(?:import|export)\b[^;]*? from ['"]([^'"]+)['"];$/.exec(code)?.[1];
    const declared = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|function|const|let|enum) ([\w$]+)/.exec(code)?.[1];
    const list = /\{([^}]*)\}/.exec(code)?.[1] ?? '';
    if (from !== undefined) {
      const target = from.startsWith('.') ? join(dirname(file), from.replace(/\.[tj]s$/, '.d.ts')) : from;
      for (const [original, name] of listedNames(list))
        (code.startsWith('import') ? scope : exported).set(name, { from: target, name: original });
      const namespace = /^import type \* as ([\w$]+) from/.exec(code)?.[1];
      if (namespace !== undefined) scope.set(namespace, { namespace: target });
      else if (/^export (?:type )?\* from/.test(code))
        for (const name of parseDeclarations(target).exported.keys()) exported.set(name, { from: target, name });
      else if (list === '') throw new Error(`${relative(root, file)}: cannot bundle ${code}`);
    } else if (declared !== undefined) {
      const before = scope.get(declared);
      const text = statement.replace(/^export (?=declare |interface |type )/m, '');
      if (before !== undefined && 'statements' in before) before.statements.push(text);
      else scope.set(declared, { statements: [text] });
      if (code.startsWith('export ')) exported.set(declared, scope.get(declared) as Binding);
    } else if (/^export (?:type )?\{/.test(code)) {
      for (const [original, name] of listedNames(list)) exported.set(name, scope.get(original) as Binding);
    } else throw new Error(`${relative(root, file)}: cannot bundle ${code}`);
  }
  return { scope, exported };
}

/** `A, type B as C` as pairs of the name there and the name here. */
function listedNames(list: string): (readonly [string, string])[] {
  return list
    .split(',')
    .map((item) => item.trim().replace(/^type /, ''))
    .filter((item) => item !== '')
    .map((item) => item.split(' as '))
    .map(([original = '', name = original]) => [original, name] as const);
}

function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let current = '';
  for (const line of text.split('\n')) {
    current += current === '' ? line : `\n${line}`;
    const code = current.replace(notCode, '').trim();
    const depth = code.replace(/[^{([]/g, '').length - code.replace(/[^})\]]/g, '').length;
    const ends = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|class|enum) /.test(code) ? '}' : ';';
    if (code !== '' && depth === 0 && code.endsWith(ends)) {
      statements.push(current);
      current = '';
    }
  }
  return statements;
}

const notCode = /\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;

/** Leaves comments, strings, and the names of members as they are. */
function replaceIdentifiers(text: string, replace: (word: string, member: string) => string): string {
  const words = new RegExp(`(${notCode.source})|(?<![\\w$.#])([A-Za-z_$][\\w$]*)(?!\\??:|[\\w$])(\\.[A-Za-z_$][\\w$]*)?`, 'g');
  return text.replace(words, (all: string, skipped: string | undefined, word: string, member = '') =>
    skipped === undefined ? replace(word, member) : all,
  );
}

/** The same for CommonJS. */
export function asCommonJs(declarations: string): string {
  return declarations.replaceAll("'./index.js'", "'./index.cjs'");
}
