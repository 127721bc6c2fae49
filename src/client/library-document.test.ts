import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { configKeys } from '../controlplane/config.ts';

const root = join(import.meta.dirname, '../..');
const document = await readFile(join(root, 'docs/library.md'), 'utf8');
const modules: Readonly<Record<string, string>> = { wheelhouse: 'src/index.ts', 'wheelhouse/testing': 'src/testing/index.ts' };

/** An example as it stands, with the package's names leading to the sources. */
const runnable = (example: string): string =>
  example.replace(
    /from '(wheelhouse(?:\/testing)?)'/g,
    (_, name: string) => `from '${pathToFileURL(join(root, modules[name] ?? '')).href}'`,
  );

describe('docs/library.md', () => {
  const examples = [...document.matchAll(/^```js\n([^]*?)^```/gm)].map(([, code = '']) => code);

  for (const [index, example] of examples.entries()) {
    test(`example ${index + 1} runs`, async () => {
      const folder = await mkdtemp(join(import.meta.dirname, '.example-'));
      try {
        const file = join(folder, 'example.mjs');
        await writeFile(file, runnable(example));
        await import(pathToFileURL(file).href);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }

  test('lists every option', () => {
    const listed = [...document.slice(document.indexOf('## Options')).matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    );
    assert.deepEqual(listed.toSorted(), [...configKeys, 'address', 'apis', 'authority', 'features', 'port'].toSorted());
  });
});
