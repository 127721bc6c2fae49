import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chunkGraph } from './chunk-graph.ts';

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-chunk-graph-'));
after(() => rmSync(folder, { recursive: true }));

const banner = 'const require = 1;\n';
const loader = `${banner}import{readFileSync,Script}from"./chunks/node.js";function loadScript(file,late,imports){return new Script(readFileSync(file,"utf8")).runInThisContext()(imports,late,file.href)}export{loadScript};\n`;
const sources: Readonly<Record<string, string>> = {
  'code-cache.js': loader,
  'index.js': `${banner}import{sum,later}from"./chunks/large.js";import"./chunks/small.js";function place(){return new Error().stack}export{sum,later,place};\n`,
  'chunks/node.js': `${banner}var{readFileSync}=process.getBuiltinModule("node:fs"),{Script}=process.getBuiltinModule("node:vm");export{readFileSync,Script};\n`,
  'chunks/small.js': `${banner}var two=2;globalThis.ran=(globalThis.ran??0)+1;function where(){return new Error().stack}export{two,where};\n`,
  'chunks/large.js': `${banner}import{two}from"./small.js";/*${'x'.repeat(20 << 10)}*/var sum=two+1;async function later(){return import("./late.js")}export{sum,later};\n`,
  'chunks/late.js': `${banner}import{two as other,where}from"./small.js";function place(){return new Error().stack}var four=other+2;export{four,where,place};\n`,
};

test('chunks of the library are one module; each runs once, what is imported late gets the same, and every place is known', async () => {
  const given = Object.entries(sources).map(([name, text]) => ({ path: join(folder, name), text }));
  const { files, moved } = chunkGraph(given, ['index.js'], join(folder, 'chunks'));
  mkdirSync(join(folder, 'chunks'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const { path, text } of files) writeFileSync(path, text);
  const graph = files.map(({ path }) => basename(path)).find((name) => name.startsWith('graph-'));
  const index = (await import(pathToFileURL(join(folder, 'index.js')).href)) as {
    readonly sum: number;
    readonly later: () => Promise<{ readonly four: number; readonly where: () => string; readonly place: () => string }>;
    readonly place: () => string;
  };
  assert.equal(index.sum, 3);
  const late = await index.later();
  assert.equal(late.four, 4);
  assert.equal((globalThis as { ran?: number }).ran, 1);
  const column = (name: string): number => (sources[name]?.split('\n')[1] ?? '').indexOf('new Error') + 1;
  assert.match(index.place(), new RegExp(`index\\.js:2:${column('index.js')}`));
  assert.match(late.place(), new RegExp(`late\\.js:2:${column('chunks/late.js')}`));
  const { file, lines } = moved.get('small.js') ?? {};
  assert.equal(file, graph);
  assert.match(late.where(), new RegExp(`${graph}:${(lines ?? NaN) + 2}:${column('chunks/small.js')}`));
});

test('chunks that import each other in a circle fail the build', () => {
  const circle = { ...sources, 'chunks/small.js': `${banner}import{sum}from"./large.js";var two=sum;export{two};\n` };
  const given = Object.entries(circle).map(([name, text]) => ({ path: join(folder, name), text }));
  assert.throws(() => chunkGraph(given, ['index.js'], join(folder, 'chunks')), /imports itself/);
});
