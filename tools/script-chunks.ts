import { basename } from 'node:path';
import { Script } from 'node:vm';

export interface BundledFile {
  readonly path: string;
  readonly text: string;
}

/** below this, compiling takes no longer than looking for what was compiled */
const smallest = 16 << 10;
const importStatement = /import(?:\{([^}]*)\}from)?"([^"]+)";/y;
const exportStatement = /export\{([^}]*)\};\s*$/;

/** the name of the script that a large chunk becomes */
export function scriptName(chunk: string): string {
  return chunk.replace(/\.js$/, '.code.js');
}

export function isLarge({ text }: BundledFile): boolean {
  return text.length >= smallest;
}

export interface ImportStatement {
  readonly text: string;
  /** undefined: it is imported for what it does */
  readonly names: string | undefined;
  readonly from: string;
}

/** The imports of a bundled file, which stand behind the banner, and where the rest begins. */
export function importsOf(text: string): { readonly banner: string; readonly imports: readonly ImportStatement[]; readonly end: number } {
  const newline = text.indexOf('\n') + 1;
  const imports: ImportStatement[] = [];
  let end = newline;
  for (importStatement.lastIndex = end; ; end = importStatement.lastIndex) {
    const found = importStatement.exec(text);
    if (found === null) return { banner: text.slice(0, newline - 1), imports, end };
    imports.push({ text: found[0], names: found[1], from: found[2] ?? '' });
  }
}

/** The names of an import statement as those of a pattern: it takes no more room than the statement did. */
export function taking({ names = '', text }: ImportStatement, value: string): string {
  return `const{${names.replaceAll(' as ', ':')}}=${value};`.padEnd(text.length);
}

export interface ScriptChunk {
  /** an expression: a function that returns what the chunk exports, given the exports of what it imports by name, a way to import late, and its URL */
  readonly script: string;
  readonly imports: readonly ImportStatement[];
  readonly exported: readonly { readonly name: string; readonly as: string }[];
}

/** A chunk as a script. Every place of it is the one that it had in the chunk, by names of the same length. */
export function scriptOf({ path, text }: BundledFile): ScriptChunk {
  const { banner, imports, end: at } = importsOf(text);
  let taken = 0;
  const statements = imports.map((one) => (one.names === undefined ? ' '.repeat(one.text.length) : taking(one, `$i[${taken++}]`)));
  const end = exportStatement.exec(text);
  if (end === null) throw new Error(`${path} does not end with what it exports`);
  const exported = (end[1] ?? '').split(',').map((one) => {
    const [name = '', as = name] = one.split(' as ');
    return { name, as };
  });
  const head = '(($i,$imprt,importMetaUrl__)=>{"use strict";';
  const body = `${statements.join('')}${text.slice(at, end.index)}`;
  const returned = `return{${exported.map(({ name, as }) => `${as}:${name}`).join(',')}}})\n`;
  const script = `${head}${needsRequire(body) ? banner : ''}\n${body}${returned}`
    .replaceAll('import.meta.url', 'importMetaUrl__')
    .replaceAll(/\bimport\((?="[^"]+"\))/g, '$imprt(');
  if (/[^\x00-\x7f]/.test(script)) throw new Error(`${path} is not ASCII`);
  // What is no script fails here, not at a start.
  new Script(script, { filename: scriptName(basename(path)) });
  return { script, imports, exported };
}

/**
 * A large chunk as two files: a script, which src/base/process/code-cache.ts runs with code compiled earlier, and a module in its place that
 * hands it what it imports, now and later, and exports what it returns. undefined: the chunk is small.
 */
export function asScript(file: BundledFile): readonly [script: BundledFile, module: BundledFile] | undefined {
  if (!isLarge(file)) return undefined;
  const { path } = file;
  const { script, imports, exported } = scriptOf(file);
  const name = scriptName(basename(path));
  const imported = imports.map(({ names, from }, index) =>
    names === undefined ? `import"${from}";` : `import*as i${index} from"${from}";`,
  );
  const given = imports.flatMap(({ names }, index) => (names === undefined ? [] : `i${index}`));
  const value = `loadScript(new URL("${name}",import.meta.url),(path)=>import(path),[${given.join(',')}])`;
  return [
    { path: path.replace(/[^/\\]+$/, name), text: script },
    { path, text: `import{loadScript}from"../code-cache.js";${imported.join('')}${exporting(exported, value)}` },
  ];
}

/** Statements that export properties of a value. */
export function exporting(exported: ScriptChunk['exported'], value: string): string {
  return (
    `const{${exported.map(({ as }, index) => `${as}:e${index}`).join(',')}}=${value};` +
    `export{${exported.map(({ as }, index) => `e${index} as ${as}`).join(',')}};\n`
  );
}

const needsRequire = (body: string): boolean => /\brequire\b/.test(body);
