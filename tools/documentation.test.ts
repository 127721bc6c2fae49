import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('docs/reference/dependencies.md and package.json name the same packages', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  const [atRunTime = '', forDevelopment = ''] = read('docs/reference/dependencies.md').split(/^## /m).slice(1);
  const named = (section: string): string[] => {
    const cells = [...section.matchAll(/^\| (`[^|]*)\|/gm)].map(([, cell = '']) => cell);
    return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)).toSorted();
  };
  assert.deepEqual(named(atRunTime), Object.keys(dependencies).toSorted());
  assert.deepEqual(named(forDevelopment), Object.keys(devDependencies).toSorted());
});

test('THIRD_PARTY_NOTICES names every package that is in the bundle', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const named = [...read('THIRD_PARTY_NOTICES').matchAll(/^-{80}\n(\S+) \(/gm)].map(([, name]) => name);
  assert.deepEqual(named, Object.keys(dependencies).toSorted());
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
    'docs/guides/running-pods.md',
  ]) {
    const text = read(page);
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g))
      assert.ok(existsSync(join(root, dirname(page), target)), `${page} links to ${target}`);
    for (const [, script = ''] of text.matchAll(/npm run ([\w:-]+)/g)) assert.ok(script in scripts, `${page} names npm run ${script}`);
  }
});
