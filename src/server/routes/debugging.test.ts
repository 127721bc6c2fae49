import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { ProtoReader } from '../../base/grpc/protobuf.ts';
import { Verbosity } from '../../base/logging/verbosity.ts';
import { Profiler } from '../../base/profiling/profiler.ts';
import { DebugSocket } from '../http/debug-socket.ts';
import { notFoundHandler, PathMux } from '../http/path-mux.ts';
import { installDebugFlags } from './debug-flags.ts';
import { installLogFiles } from './log-files.ts';
import { installProfiling } from './profiling.ts';

const folder = mkdtempSync(join(tmpdir(), 'debugging-'));
after(() => rmSync(folder, { recursive: true }));

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/** A real socket with these paths, and a client of it. */
async function listen(install: (mux: PathMux) => void) {
  const path = join(mkdtempSync(join(folder, 's-')), 'debug.sock');
  const mux = new PathMux();
  install(mux);
  const socket = new DebugSocket(path, mux.handler(notFoundHandler), (error) => assert.fail(String(error)));
  await socket.listen();
  const ask = (method: string, target: string, body?: string, headers = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const asked = httpRequest({ socketPath: path, method, path: target, headers, agent: false }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }));
      });
      asked.on('error', reject);
      asked.end(body);
    });
  return { ask, path, [Symbol.asyncDispose]: () => socket.close() };
}

/** The texts of a profile: names of functions are among them. */
function textsOf(body: Buffer): string[] {
  const texts: string[] = [];
  const reader = new ProtoReader(gunzipSync(body));
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 6) texts.push(reader.string());
    else reader.skip();
  }
  return texts;
}

describe('profiles', () => {
  const installed = (mux: PathMux): void => installProfiling(mux, new Profiler());

  test('a CPU profile names the functions that ran', { timeout: 60_000 }, async () => {
    await using server = await listen(installed);
    const profile = server.ask('GET', '/debug/pprof/profile?seconds=1');
    let isOver = false;
    profile.finally(() => (isOver = true)).catch(() => {});
    // It calls itself, so that V8 cannot make it a part of its caller.
    const burnWhileProfiled = (depth: number): number => (depth < 2 ? depth : burnWhileProfiled(depth - 1) + burnWhileProfiled(depth - 2));
    while (!isOver) {
      burnWhileProfiled(22);
      await setImmediate();
    }
    const { status, body, headers } = await profile;
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/octet-stream');
    const texts = textsOf(body);
    assert.equal(texts[0], '');
    assert.ok(texts.includes('burnWhileProfiled'), texts.join('\n'));
    assert.ok(texts.includes('nanoseconds'));
  });

  test('one CPU profile is taken at a time', { timeout: 60_000 }, async () => {
    await using server = await listen(installed);
    const answers = await Promise.all([1, 2].map(() => server.ask('GET', '/debug/pprof/profile?seconds=1')));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 500]);
    const refused = answers.find(({ status }) => status === 500);
    assert.equal(refused?.body.toString(), 'Could not enable CPU profiling: cpu profiling already in use\n');
  });

  test('a heap profile names the functions that allocated', { timeout: 60_000 }, async () => {
    await using server = await listen(installed);
    await server.ask('GET', '/debug/pprof/heap?seconds=1');
    const kept: unknown[] = [];
    function allocateForTheProfile(): void {
      for (let i = 0; i < 200_000; i++) kept.push({ i, text: `kept ${i}` });
    }
    allocateForTheProfile();
    const texts = textsOf((await server.ask('GET', '/debug/pprof/heap')).body);
    assert.ok(texts.includes('allocateForTheProfile'), texts.join('\n'));
    assert.ok(texts.includes('inuse_space') && kept.length > 0);
  });

  test('what Node does not have is said', async () => {
    await using server = await listen(installed);
    assert.equal((await server.ask('GET', '/debug/pprof/trace')).status, 501);
    assert.equal((await server.ask('GET', '/debug/pprof/other')).body.toString(), 'Unknown profile\n');
    assert.equal((await server.ask('GET', '/debug/pprof/profile?seconds=100000')).status, 400);
    for (const name of ['block', 'mutex', 'threadcreate', 'goroutine']) {
      assert.equal(textsOf((await server.ask('GET', `/debug/pprof/${name}`)).body)[0], '');
    }
    assert.match((await server.ask('GET', '/debug/pprof/goroutine?debug=1')).body.toString(), /^goroutine profile: total \d+ goroutine\n/);
    const redirect = await server.ask('GET', '/debug/pprof');
    assert.deepEqual([redirect.status, redirect.headers['location']], [302, '/debug/pprof/']);
  });
});

test('/debug/flags/v sets the verbosity, in upstream’s words', async () => {
  const verbosity = new Verbosity(1);
  await using server = await listen((mux) => installDebugFlags(mux, verbosity));
  const put = async (body: string): Promise<[number, string]> => {
    const answer = await server.ask('PUT', '/debug/flags/v', body);
    return [answer.status, answer.body.toString()];
  };
  assert.deepEqual(await put('5'), [200, 'successfully set klog.logging.verbosity to 5\n']);
  assert.equal(verbosity.level, 5);
  assert.deepEqual(await put('x'), [400, 'strconv.ParseUint: parsing "x": invalid syntax\n']);
  assert.deepEqual(await put('4294967295'), [
    400,
    'failed set klog.logging.verbosity 4294967295: strconv.ParseInt: parsing "4294967295": value out of range\n',
  ]);
  assert.equal(verbosity.level, 5);
  assert.equal((await put('9'.repeat(5000)))[0], 400);
  assert.equal((await server.ask('GET', '/debug/flags/v')).status, 406);
  assert.match((await server.ask('GET', '/debug/flags/')).body.toString(), /<tr>v<br>/);
});

describe('/logs', () => {
  const logs = join(folder, 'log');
  mkdirSync(join(logs, 'pods'), { recursive: true });
  writeFileSync(join(logs, 'a.log'), '0123456789');
  writeFileSync(join(logs, 'b&b.bin'), Buffer.from([0, 1, 2]));
  writeFileSync(join(folder, 'secret'), 'outside');
  symlinkSync('a.log', join(logs, 'link.log'));
  const installed = (mux: PathMux): void => installLogFiles(mux, logs);

  test('files and folders are served, nothing above them', async () => {
    await using server = await listen(installed);
    const get = async (path: string, headers = {}): Promise<[number, string]> => {
      const { status, body } = await server.ask('GET', path, undefined, headers);
      return [status, body.toString()];
    };
    assert.deepEqual(await get('/logs/a.log'), [200, '0123456789']);
    assert.deepEqual(await get('/logs/link.log'), [200, '0123456789']);
    assert.deepEqual(await get('/logs/a.log', { range: 'bytes=2-4' }), [206, '234']);
    assert.deepEqual(await get('/logs/a.log', { range: 'bytes=-3' }), [206, '789']);
    assert.deepEqual(await get('/logs/a.log', { range: 'bytes=10-' }), [416, 'invalid range: failed to overlap\n']);
    assert.deepEqual(await get('/logs/none.log'), [404, '404 page not found\n']);
    assert.deepEqual(await get(`/logs/${'x'.repeat(300)}`), [404, 'file not found\n']);
    assert.match(
      (await get('/logs/'))[1],
      /<a href="b%26b.bin">b&amp;b.bin<\/a>\n<a href="link.log">link.log<\/a>\n<a href="pods\/">pods\/<\/a>/,
    );
    assert.equal((await get('/logs/pods'))[0], 301);
    for (const path of ['/logs/../secret', '/logs/%2e%2e/secret', '/logs/pods/../../secret', '/logs/..%2fsecret']) {
      assert.deepEqual(await get(path), [400, 'invalid URL path\n'], path);
    }
    assert.equal((await server.ask('GET', '/logs/b&b.bin')).headers['content-type'], 'application/octet-stream');
    assert.equal((await server.ask('GET', '/logs/a.log')).headers['content-type'], 'text/plain; charset=utf-8');
  });
});

test('a socket that an earlier process left is replaced, a file is not', async () => {
  const path = join(folder, 'left.sock');
  const left = createServer().listen(path);
  await new Promise((resolve) => left.once('listening', resolve));
  const first = new DebugSocket(path, notFoundHandler, (error) => assert.fail(String(error)));
  await first.listen();
  await first.close();
  await new Promise((resolve) => left.close(resolve));
  writeFileSync(path, 'a file');
  await assert.rejects(new DebugSocket(path, notFoundHandler, (error) => assert.fail(String(error))).listen(), { code: 'EADDRINUSE' });
});
