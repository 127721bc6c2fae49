import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const root = mkdtempSync(join(tmpdir(), 'wheelhouse-code-cache-'));
after(() => rmSync(root, { recursive: true }));
const script = join(root, 'a.code.js');
let cache = '';
let round = 0;

beforeEach(() => {
  cache = join(root, `cache-${round++}`);
  write('sum(1,2)');
});

/** `work` is the result. */
function write(work: string): void {
  writeFileSync(script, `((i,l,url)=>{function sum(a,b){return a+b}return{result:${work}}})//${'.'.repeat(100 << 10)}`);
}

/** What a process says that loads the script, and whether it found compiled code. */
function load(environment: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: cache }, flags: readonly string[] = []): string {
  const code = `
    import { Script } from 'node:vm';
    import { loadScript } from ${JSON.stringify(new URL('code-cache.ts', import.meta.url).href)};
    const read = Object.getOwnPropertyDescriptor(Script.prototype, 'runInThisContext').value;
    let found = 'compiled';
    Script.prototype.runInThisContext = function () { if (this.cachedDataRejected === false) found = 'kept'; return read.call(this); };
    const { result } = loadScript(new URL(${JSON.stringify(pathToFileURL(script).href)}), async () => ({}), []);
    console.log(found, result);`;
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, '--input-type=module', '--eval', code], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...environment },
  });
  assert.equal(status, 0, stderr);
  assert.equal(stderr, '');
  return stdout.trim();
}

function keptFiles(): string[] {
  return readdirSync(cache, { recursive: true, encoding: 'utf8' })
    .map((name) => join(cache, name))
    .filter((path) => statSync(path).isFile());
}

test('loadScript() finds what an earlier process has compiled', () => {
  assert.equal(load(), 'compiled 3');
  assert.equal(load(), 'kept 3');
  assert.equal(statSync(keptFiles()[0]!).mode & 0o777, 0o600);
});

test('code that was compiled from another source of the same length is not run', () => {
  load();
  write('sum(2,2)');
  assert.equal(load(), 'compiled 4');
  assert.equal(load(), 'kept 4');
});

test('half a file, other bytes and an empty file are compiled anew and replaced', () => {
  load();
  const [path = ''] = keptFiles();
  const whole = readFileSync(path);
  const changed = Buffer.from(whole);
  changed[whole.length >> 1]! ^= 0xff;
  for (const bytes of [whole.subarray(0, whole.length >> 1), changed, Buffer.alloc(0), Buffer.alloc(9)]) {
    writeFileSync(path, bytes);
    assert.equal(load(), 'compiled 3');
    assert.equal(load(), 'kept 3');
  }
});

test('what others may write is not run', () => {
  load();
  chmodSync(keptFiles()[0]!, 0o666);
  assert.equal(load(), 'compiled 3');
  assert.equal(load(), 'kept 3');
});

test('other flags have compiled code of their own', () => {
  load();
  assert.equal(load(undefined, ['--no-lazy']), 'compiled 3');
  assert.equal(load(undefined, ['--no-lazy']), 'kept 3');
  assert.equal(load(), 'kept 3');
});

test('nothing is kept where that is not possible, or not wanted', () => {
  const file = join(root, 'a-file');
  writeFileSync(file, '');
  for (const environment of [
    { NODE_COMPILE_CACHE: file },
    { HOME: file },
    { NODE_COMPILE_CACHE: cache, NODE_DISABLE_COMPILE_CACHE: '1' },
  ]) {
    assert.equal(load(environment), 'compiled 3');
    assert.equal(load(environment), 'compiled 3');
  }
  assert.equal(readFileSync(file, 'utf8'), '');
});

test('without a home the folder for temporary files is used, and files of old builds are removed', () => {
  assert.equal(load({ TMPDIR: root }), 'compiled 3');
  assert.equal(load({ TMPDIR: root }), 'kept 3');
  load();
  const old = join(keptFiles()[0]!, '..', 'old.code.js');
  writeFileSync(old, '');
  utimesSync(old, 1, 1);
  write('sum(5,2)');
  load();
  assert.ok(!keptFiles().includes(old));
});
