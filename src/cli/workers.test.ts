import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '../../test/support/eventually.ts';

const main = join(import.meta.dirname, 'main.ts');
const folder = mkdtempSync(join(tmpdir(), 'workers-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const requests = 24;

test(
  'threads share a port and a store: what one acknowledges all have, and the process speaks with one voice',
  { skip: process.platform !== 'linux' },
  async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const flags = [
      'dev',
      `--secure-port=${port}`,
      `--data-dir=${folder}`,
      '--workers=3',
      '--embedded-controllers=false',
      '--wheelhouse-api=snapshots',
    ];
    const refused = spawnSync(process.execPath, [main, ...flags], { encoding: 'utf8' });
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /in use by another process/, 'though threads could share it');
    server.close();

    const child = spawn(process.execPath, [main, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = once(child, 'exit') as Promise<[number | null]>;
    try {
      await until('the server is ready', () => /^ready /m.test(output));
      const call = caller(port);
      assert.match((await call('GET', '/readyz?verbose')).text, /\[\+\]workers ok\n/);
      for (let i = 0; i < requests; i++) {
        const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c${i}` }, data: { i: String(i) } };
        const { status, text } = await call('POST', '/api/v1/namespaces/default/configmaps', body);
        assert.equal(status, 201, text);
        const read = await call('GET', `/api/v1/namespaces/default/configmaps/c${i}`);
        assert.equal(read.status, 200, 'read from whichever thread');
        const { metadata } = JSON.parse((await call('GET', '/api/v1/namespaces/default/configmaps')).text) as {
          metadata: { resourceVersion: string };
        };
        const { metadata: own } = JSON.parse(text) as typeof read & { metadata: { resourceVersion: string } };
        assert.ok(Number(metadata.resourceVersion) >= Number(own.resourceVersion), 'a list is not older than a write before it');
      }
      const { id } = JSON.parse((await call('POST', '/wheelhouse/v1/snapshot')).text) as { id: string };
      for (let i = 0; i < 6; i++) {
        await call('DELETE', '/api/v1/namespaces/default/configmaps/c0');
        assert.equal((await call('POST', '/wheelhouse/v1/restore', { id: 'other' })).status, 404, 'an error of the first thread as it is');
        assert.equal((await call('POST', '/wheelhouse/v1/restore', { id })).status, 200);
        assert.equal((await call('GET', '/api/v1/namespaces/default/configmaps/c0')).status, 200, 'restored, for all threads');
      }
      const metrics = (await call('GET', '/metrics')).text;
      const counted = [...metrics.matchAll(/^apiserver_request_total\{code="201",.*resource="configmaps",.*verb="POST".*\} (\d+)$/gm)];
      assert.equal(
        counted.reduce((sum, [, count]) => sum + Number(count), 0),
        requests,
        'of all threads together',
      );
      assert.equal((await call('GET', '/healthz')).text, 'ok');
    } finally {
      child.kill('SIGTERM');
    }
    assert.deepEqual((await ended)[0], 0, output);
    assert.doesNotMatch(output, /^[EF]\d{4} /m);
  },
);

/** Each call on a connection of its own: the system chooses the thread. */
function caller(port: number): (method: string, path: string, body?: object) => Promise<{ status: number; text: string }> {
  const kubeconfig = readFileSync(join(folder, 'admin.kubeconfig'), 'utf8');
  const value = (name: string): Buffer => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(kubeconfig)?.[1] ?? '', 'base64');
  const tls = { ca: value('certificate-authority-data'), cert: value('client-certificate-data'), key: value('client-key-data') };
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const agent = new Agent({ ...tls, keepAlive: false });
      const sent = request(
        { host: '127.0.0.1', port, path, method, agent, headers: { 'content-type': 'application/json' } },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      sent.on('error', reject).end(body && JSON.stringify(body));
    });
}

test('what --workers takes', () => {
  const { status, stderr } = spawnSync(process.execPath, [main, '--workers=0'], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /it takes a number from 1 to 64, or auto/);
  const direct = spawnSync(process.execPath, [main, 'worker-thread'], { encoding: 'utf8' });
  assert.equal(direct.status, 1);
  assert.match(direct.stderr, /worker-thread is no command/);
});
