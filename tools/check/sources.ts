import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface Import {
  readonly line: number;
  readonly specifier: string;
  /** path of the imported source; undefined for packages and node's own modules */
  readonly target: string | undefined;
  readonly typeOnly: boolean;
}

export interface Source {
  /** from the root, with forward slashes */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  readonly isTest: boolean;
  /** written by a tool, or a table of cases: not measured */
  readonly isTable: boolean;
}

export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

export type Rule = (sources: readonly Source[]) => Iterable<Violation>;

export function readSources(root: string): Source[] {
  return ['src', 'tools', 'test'].flatMap((folder) => typescriptFiles(root, folder)).map((path) => readSource(root, path));
}

function typescriptFiles(root: string, folder: string): string[] {
  try {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    return files.filter((file) => file.endsWith('.ts')).map((file) => posix.join(folder, file.replaceAll('\\', '/')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const statement = /^[ \t]*(?:import|export)\s+(type\s+)?(?:[^'";=()]*?\sfrom\s+)?['"]([^'"\n]+)['"]/gm;
const dynamic = /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g;

function readSource(root: string, path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const imported = (index: number, specifier: string, typeOnly: boolean): Import => ({
    line: lineAt(text, index),
    specifier,
    target: specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined,
    typeOnly,
  });
  return {
    path,
    text,
    imports: [
      ...text.matchAll(statement).map((match) => imported(match.index, match[2] as string, match[1] !== undefined)),
      ...text.matchAll(dynamic).map((match) => imported(match.index, match[1] as string, false)),
    ],
    isTest: /\.test\.ts$/.test(path) || path.startsWith('test/') || /^src\/[^/]+\/(.*\/)?behaviour\//.test(path),
    isTable: /\.(cases|generated)\.ts$|\/generated\/|^src\/schema\/types\/|\/upstream-flags\.ts$/.test(path),
  };
}

export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
