import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { bytes, EtcdApi } from '../support/etcd-api.ts';
import type { Plain } from '../support/etcd-api.ts';
import { ourEtcd } from './our-etcd.ts';

const writers = 32;

/** Kills the server while many write, starts it again on the same folder, and looks for everything that was acknowledged. */
export async function killRounds(rounds: number, report: (line: string) => void): Promise<number> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'etcd-kill-'));
  /** value and revision by key; those whose outcome is unknown are in neither */
  const acknowledged = new Map<string, { value: string; revision: string }>();
  const leases = new Set<string>();
  let lost = 0;
  try {
    await using etcd = await EtcdProcess.prepare({ binary: ourEtcd, dataFolder, fsync: true });
    for (let round = 0; round < rounds; round++) {
      await etcd.start();
      using api = new EtcdApi(etcd.endpoint);
      lost += await missing(api, acknowledged, leases, report);
      let isOver = false;
      const write = async (writer: number): Promise<void> => {
        for (let i = 0; !isOver; i++) {
          const key = `w${writer}/${i % 50}`;
          const value = `${round}.${i}`;
          const before = acknowledged.get(key);
          try {
            // Until the response comes, either may be there.
            acknowledged.delete(key);
            const response = await api.call('Txn', {
              compare: [{ key: bytes(key), target: 0, result: 1, version: -1 }],
              success: [{ put: { key: bytes(key), value: bytes(value) } }, { put: { key: bytes(`${key}/other`), value: bytes(value) } }],
            });
            acknowledged.set(key, { value, revision: String((response['header'] as Plain)['revision']) });
            if (i % 20 === 0) leases.add(String((await api.call('LeaseGrant', { TTL: 100_000 }))['ID']));
          } catch {
            if (before === undefined) acknowledged.delete(key);
            return;
          }
        }
      };
      const work = Array.from({ length: writers }, (_, writer) => write(writer));
      await sleep(50 + Math.random() * 400);
      await etcd.stop('SIGKILL');
      isOver = true;
      await Promise.all(work);
    }
    await etcd.start();
    using api = new EtcdApi(etcd.endpoint);
    lost += await missing(api, acknowledged, leases, report);
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
  report(`kill -9: ${rounds} rounds, ${acknowledged.size} keys and ${leases.size} leases acknowledged at the end, ${lost} lost or wrong`);
  return lost;
}

async function missing(
  api: EtcdApi,
  acknowledged: ReadonlyMap<string, { value: string; revision: string }>,
  leases: ReadonlySet<string>,
  report: (line: string) => void,
): Promise<number> {
  let wrong = 0;
  const response = await api.call('Range', { key: bytes('\0'), range_end: bytes('\0') });
  const found = new Map(((response['kvs'] ?? []) as Plain[]).map((kv) => [String(kv['key']), kv]));
  for (const [key, { value, revision }] of acknowledged) {
    const kv = found.get(key);
    const other = found.get(`${key}/other`);
    if (kv?.['value'] === value && kv['mod_revision'] === revision && other?.['value'] === value && other['mod_revision'] === revision)
      continue;
    wrong++;
    report(`${key}: ${value} of revision ${revision} was acknowledged, there is ${JSON.stringify([kv, other])}`);
  }
  const granted = new Set((((await api.call('LeaseLeases'))['leases'] ?? []) as Plain[]).map(({ ID }) => String(ID)));
  for (const id of leases) {
    if (granted.has(id)) continue;
    wrong++;
    report(`lease ${id} was granted and is not there`);
  }
  return wrong;
}
