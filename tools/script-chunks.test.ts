import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, test } from 'node:test';
import { asScript } from './script-chunks.ts';

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-script-chunks-'));
after(() => rmSync(folder, { recursive: true }));

const filler = `/*${'x'.repeat(20 << 10)}*/`;
const text = `const require = 1;
import"./other.js";import{one,two as three}from"./numbers.js";${filler}function place(){return new Error().stack}var sum=one+three;
async function late(){let{four}=await import("./late.js");return four}var url=import.meta.url;export{sum,late as later,place,url as default};
`;

test('a small chunk stays a module', () => {
  assert.equal(asScript({ path: 'chunks/a.js', text: 'const require=1;\nexport{};\n' }), undefined);
});

test('a large chunk becomes a script with every place where it was, and a module that exports the same', async () => {
  const [script, module] = asScript({ path: join(folder, 'chunks/a.js'), text })!;
  assert.equal(script.path, join(folder, 'chunks/a.code.js'));
  for (const part of ['function place', 'var sum=', 'async function late', 'let{four}'])
    assert.equal(
      script.text.split('\n').findIndex((line) => line.includes(part)),
      text.split('\n').findIndex((line) => line.includes(part)),
    );
  const column = (code: string): number => code.split('\n')[1]!.indexOf('new Error');
  assert.equal(column(script.text), column(text));
  assert.ok(!script.text.includes('const require'));

  mkdirSync(join(folder, 'chunks'));
  writeFileSync(script.path, script.text);
  writeFileSync(module.path, module.text);
  const put = (name: string, code: string): void => writeFileSync(join(folder, name), code);
  put('package.json', '{"type":"module"}');
  put('code-cache.js', `export { loadScript } from ${JSON.stringify(new URL('../src/base/process/code-cache.ts', import.meta.url).href)};`);
  put('chunks/other.js', '');
  put('chunks/numbers.js', 'export const one = 1, two = 2;');
  put('chunks/late.js', 'export const four = 4;');
  const exported = (await import(pathToFileURL(module.path).href)) as {
    readonly sum: number;
    readonly later: () => Promise<number>;
    readonly place: () => string;
    readonly default: string;
  };
  assert.equal(exported.sum, 3);
  assert.equal(await exported.later(), 4);
  assert.equal(exported.default, pathToFileURL(script.path).href);
  assert.match(exported.place(), new RegExp(`a\\.code\\.js:2:${column(text) + 1}`));
});

test('what is no script, or not in ASCII, fails the build', () => {
  assert.throws(() => asScript({ path: 'a.js', text: text.replace('var sum', 'import x from "y";var sum') }), SyntaxError);
  assert.throws(() => asScript({ path: 'a.js', text: text.replace('var sum', 'var é=1,sum') }), /not ASCII/);
  assert.throws(() => asScript({ path: 'a.js', text: text.slice(0, text.indexOf('export{')) }), /does not end with/);
});
