import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { BundledFile, ImportStatement, ScriptChunk } from './script-chunks.ts';
import { asScript, exporting, importsOf, isLarge, scriptName, scriptOf, taking } from './script-chunks.ts';

/** what runs scripts: `src/base/process/code-cache.ts` */
const loader = 'code-cache.js';

export interface ChunkGraph {
  /** all files, with what has taken the place of the chunks and of imports of them */
  readonly files: readonly BundledFile[];
  /** of chunks that are in the file of the graph now: that file, and by how many lines they have moved */
  readonly moved: ReadonlyMap<string, { readonly file: string; readonly lines: number }>;
}

/**
 * What the library imports, as one module: Node takes half a millisecond for each that it resolves, reads, links and evaluates. The chunks are functions of it that
 * run a chunk when its exports are first asked for; large ones are scripts of their own. A module for each chunk is left for what is imported late.
 */
export function chunkGraph(files: readonly BundledFile[], entries: readonly string[], folder: string): ChunkGraph {
  const byName = new Map(files.map((file) => [basename(file.path), file]));
  const order = inOrder(byName, entries);
  const call = (name: string): string => `c${order.indexOf(name)}()`;
  const moved = new Map<string, { readonly file: string; readonly lines: number }>();
  const scripts: BundledFile[] = [];
  const chunks = new Map<string, ScriptChunk>();
  let code = 'const late=(path)=>import(path),url=(name)=>new URL(name,import.meta.url);\n';
  const places = new Map<string, number>();
  for (const [index, name] of order.entries()) {
    const file = byName.get(name) as BundledFile;
    const chunk = scriptOf(file);
    chunks.set(name, chunk);
    const given = chunk.imports.flatMap(({ names, from }) => (names === undefined ? [] : call(basename(from))));
    const first = chunk.imports.map(({ from }) => `${call(basename(from))},`).join('');
    let run = `${call(loader)}.loadScript(url("${scriptName(name)}"),late,[${given.join(',')}])`;
    if (isLarge(file)) scripts.push({ path: join(folder, scriptName(name)), text: chunk.script });
    else {
      places.set(name, code.split('\n').length - 1);
      code += `const f${index}=${chunk.script.trimEnd()};\n`;
      run = `f${index}([${given.join(',')}],late,url("${name}").href)`;
    }
    code += `let v${index};export const c${index}=()=>v${index}??=(${first}${run});\n`;
  }
  const graph = `graph-${createHash('sha256').update(code).digest('hex').slice(0, 8).toUpperCase()}.js`;
  for (const [name, lines] of places) moved.set(name, { file: graph, lines });
  const others = files.flatMap((file): readonly BundledFile[] => {
    const name = basename(file.path);
    const chunk = chunks.get(name);
    if (chunk === undefined) {
      return (dirname(file.path) === folder && asScript(file)) || [importingGraph(file, order, pathTo(graph, file, folder))];
    }
    const one = call(name).slice(0, -2);
    return [{ path: file.path, text: `import{${one}}from"${pathTo(graph, file, folder)}";${exporting(chunk.exported, call(name))}` }];
  });
  return { files: [{ path: join(folder, graph), text: code }, ...scripts, ...others], moved };
}

function pathTo(graph: string, from: BundledFile, folder: string): string {
  return dirname(from.path) === folder ? `./${graph}` : `./${basename(folder)}/${graph}`;
}

/** What runs scripts, and chunks that the entries import, each behind those that it imports itself. */
function inOrder(files: ReadonlyMap<string, BundledFile>, entries: readonly string[]): string[] {
  const order: string[] = [];
  const begun = new Set<string>();
  const visit = (name: string): void => {
    if (order.includes(name)) return;
    if (begun.has(name)) throw new Error(`${name} imports itself`);
    begun.add(name);
    for (const { from } of importsOf(files.get(name)?.text ?? '').imports) visit(basename(from));
    if (!entries.includes(name)) order.push(name);
  };
  for (const name of [loader, ...entries]) visit(name);
  return order;
}

/** The same file with imports from the graph, every place of it where it was: what is new stands on the first line. */
function importingGraph(file: BundledFile, order: readonly string[], graph: string): BundledFile {
  const { banner, imports, end } = importsOf(file.text);
  const indexOf = ({ from }: ImportStatement): number => order.indexOf(basename(from));
  if (imports.every((one) => indexOf(one) < 0)) return file;
  const functions = [...new Set(imports.map(indexOf).filter((index) => index >= 0))].map((index) => `c${index}`);
  const statements = imports.map((one) => {
    const index = indexOf(one);
    if (index < 0) return one.text;
    return one.names === undefined ? `c${index}();`.padEnd(one.text.length) : taking(one, `c${index}()`);
  });
  return { path: file.path, text: `import{${functions.join(',')}}from"${graph}";${banner}\n${statements.join('')}${file.text.slice(end)}` };
}
