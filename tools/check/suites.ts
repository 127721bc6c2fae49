import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Source, Violation } from './sources.ts';

/** Scripts that are not suites: what people do with the repository. */
const deeds = new Set([
  'start',
  'build',
  'test',
  'format',
  'generate',
  'generate:flags',
  'flags',
  'metrics',
  'upgrade',
  'programs',
  'prepack',
]);

/** Every script is in the table of test/README.md, and every program below test/ and tools/ is in a script. */
export function* suitesAreListed(root: string, sources: readonly Source[]): Generator<Violation> {
  const [manifest, table] = ['package.json', 'test/README.md'].map((path) => join(root, path)) as [string, string];
  if (!existsSync(manifest) || !existsSync(table)) return;
  const { scripts = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly scripts?: Readonly<Record<string, string>> };
  const rows = new Set(Array.from(readFileSync(table, 'utf8').matchAll(/^\| `npm run ([a-z0-9:-]+)/gm), ([, name]) => name as string));
  for (const name of Object.keys(scripts)) {
    // a heading, for `npm run` without a name
    if (name.startsWith('# ')) continue;
    if (!deeds.has(name) && !rows.has(name))
      yield { path: 'package.json', line: 1, message: `script ${name} is not in the table of test/README.md` };
  }
  for (const name of rows) {
    if (!(name in scripts)) yield { path: 'test/README.md', line: 1, message: `${name} is not a script of package.json` };
  }
  const commands = Object.values(scripts).join(' ');
  const imported = new Set(sources.flatMap(({ imports }) => imports.map(({ target }) => target)));
  for (const { path } of sources) {
    const isProgram = /^(?:test|tools)\//.test(path) && !path.endsWith('.test.ts') && !imported.has(path);
    if (!isProgram || commands.includes(path)) continue;
    // A program that another one starts is named there, alone or with its folder.
    const names = [`'${basename(path)}'`, `${basename(dirname(path))}/${basename(path)}`];
    const isStarted = sources.some((other) => other.path !== path && names.some((name) => other.text.includes(name)));
    if (!isStarted) yield { path, line: 1, message: 'a program that no script of package.json starts' };
  }
}
