import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApiServer } from '../../src/index.ts';
import { RawClient } from '../support/raw-client.ts';
import { EtcdProcess } from './etcd-process.ts';

interface Slice {
  readonly endpoints: readonly { readonly addresses: readonly string[] }[] | null;
}

test(
  'endpoints list the servers that live: one joins, is killed, and is gone when its lease in etcd has expired',
  { timeout: 120_000 },
  async () => {
    await using etcd = await EtcdProcess.start();
    const storage = { etcd: { endpoints: [etcd.endpoint] } };
    await using server = await startApiServer({ storage, controllers: false, serving: { advertiseAddress: '10.1.0.1' } });
    await using client = new RawClient(server);
    const listed = async (): Promise<string> => {
      const { status, text } = await client.call('GET', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes');
      if (status !== 200) return String(status);
      return ((JSON.parse(text) as Slice).endpoints ?? []).flatMap(({ addresses }) => addresses).join();
    };
    const untilListed = async (addresses: string): Promise<void> => {
      while ((await listed()) !== addresses) await sleep(100);
    };
    await untilListed('10.1.0.1');
    const member = spawn(process.execPath, [join(import.meta.dirname, 'member.ts'), etcd.endpoint, '10.1.0.2'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(member.stdout, 'data');
      await untilListed('10.1.0.1,10.1.0.2');
    } finally {
      member.kill('SIGKILL');
    }
    await once(member, 'exit');
    assert.equal(await listed(), '10.1.0.1,10.1.0.2');
    await untilListed('10.1.0.1');
  },
);
