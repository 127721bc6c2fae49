import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const guides = globSync('docs/guides/*.md', { cwd: root });
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('docs/reference/dependencies.md and package.json name the same packages', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
  const { bundled, forDevelopment } = documentedPackages();
  assert.deepEqual([...bundled, ...forDevelopment].toSorted(), Object.keys(devDependencies ?? {}).toSorted());
  assert.equal(dependencies, undefined, 'what the server needs is in its bundle');
});

/** The packages of the first two tables of docs/reference/dependencies.md. */
function documentedPackages(): { readonly bundled: string[]; readonly forDevelopment: string[] } {
  const named = (section: string): string[] => {
    const cells = [...section.matchAll(/^\| (`[^|]*)\|/gm)].map(([, cell = '']) => cell);
    return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)).toSorted();
  };
  const [bundled = '', forDevelopment = ''] = read('docs/reference/dependencies.md').split(/^## /m).slice(1);
  return { bundled: named(bundled), forDevelopment: named(forDevelopment) };
}

test('THIRD_PARTY_NOTICES names every package that is in the bundle', () => {
  const named = [...read('THIRD_PARTY_NOTICES').matchAll(/^-{80}\n(\S+) \(/gm)].map(([, name]) => name);
  assert.deepEqual(named, documentedPackages().bundled);
});

test('links and npm scripts that the documents name exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const page of [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'docs/designs/interfaces.md',
    'docs/reference/dependencies.md',
    'docs/reference/words.md',
    'docs/library.md',
    'examples/README.md',
    ...guides,
    'docs/reference/metrics.md',
  ]) {
    const text = read(page);
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g))
      assert.ok(existsSync(join(root, dirname(page), target)), `${page} links to ${target}`);
    for (const [, script = ''] of text.matchAll(/npm run ([\w:-]+)/g)) assert.ok(script in scripts, `${page} names npm run ${script}`);
  }
});

test('each guide with commands is read by a suite that executes them', () => {
  // It changes the repository, to a release that is to come.
  const byHand = ['docs/guides/upgrade.md'];
  const suites = globSync('test/*/*.ts', { cwd: root }).map(read);
  const withCommands = guides.filter((page) => /^```sh$/m.test(read(page)) && !byHand.includes(page));
  assert.ok(withCommands.length > 5);
  for (const page of withCommands) {
    const name = page.replace('docs/guides/', '');
    assert.ok(
      suites.some((text) => text.includes(`'${name}'`) || text.includes(`'${page}'`)),
      page,
    );
  }
});
