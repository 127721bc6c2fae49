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

/**
 * A large chunk as two files: a script, which src/base/process/code-cache.ts runs with code compiled earlier, and a module in its place that
 * hands it what it imports, now and later, and exports what it returns. Every place of the script is the one that it had in the chunk, by names
 * of the same length. undefined: the chunk is small.
 */
export function asScript({ path, text }: BundledFile): readonly [script: BundledFile, module: BundledFile] | undefined {
  if (text.length < smallest) return undefined;
  const newline = text.indexOf('\n') + 1;
  const banner = text.slice(0, newline - 1);
  const imported: string[] = [];
  const statements: string[] = [];
  let at = newline;
  for (importStatement.lastIndex = at; ; at = importStatement.lastIndex) {
    const found = importStatement.exec(text);
    if (found === null) break;
    const [whole, names, from = ''] = found;
    if (names === undefined) imported.push(`import"${from}";`);
    else {
      const index = imported.filter((one) => one.includes('*')).length;
      imported.push(`import*as i${index} from"${from}";`);
      statements.push(`const{${names.replaceAll(' as ', ':')}}=$i[${index}];`.padEnd(whole.length));
      continue;
    }
    statements.push(' '.repeat(whole.length));
  }
  const end = exportStatement.exec(text);
  if (end === null) throw new Error(`${path} does not end with what it exports`);
  const exported = (end[1] ?? '').split(',').map((one) => one.split(' as ') as [string, string?]);
  const head = '(($i,$imprt,importMetaUrl__)=>{"use strict";';
  const body = `${statements.join('')}${text.slice(at, end.index)}`;
  const returned = `return{${exported.map(([name, as = name]) => `${as}:${name}`).join(',')}}})\n`;
  const script = `${head}${needsRequire(body) ? banner : ''}\n${body}${returned}`
    .replaceAll('import.meta.url', 'importMetaUrl__')
    .replaceAll(/\bimport\((?="[^"]+"\))/g, '$imprt(');
  if (/[^\x00-\x7f]/.test(script)) throw new Error(`${path} is not ASCII`);
  const name = scriptName(basename(path));
  // What is no script fails here, not at a start.
  new Script(script, { filename: name });
  const code = `new URL("${name}",import.meta.url)`;
  const locals = exported.map(([name, as = name], index) => ({ as, local: `e${index}` }));
  const module =
    `import{loadScript}from"../code-cache.js";${imported.join('')}` +
    `const{${locals.map(({ as, local }) => `${as}:${local}`).join(',')}}=loadScript(${code},(path)=>import(path),[${imported.flatMap((one) => /\bi\d+/.exec(one)?.[0] ?? []).join(',')}]);` +
    `export{${locals.map(({ as, local }) => `${local} as ${as}`).join(',')}};\n`;
  return [
    { path: path.replace(/[^/\\]+$/, name), text: script },
    { path, text: module },
  ];
}

const needsRequire = (body: string): boolean => /\brequire\b/.test(body);
