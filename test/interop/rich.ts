// Upstream: k8s.io/api/testdata/HEAD
// Read at run time, never copied.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Findings, Site } from './exchange.ts';
import { firstDifference, same } from './exchange.ts';

/**
 * An object with every field filled, put into etcd as upstream stores it: both servers must read the same from it.
 * No server would create such objects, since their values are nonsense; older releases and newer ones store just as strange ones.
 */
export async function readRich(
  { servers, etcd }: Site,
  apiTestdata: string,
  kind: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
    readonly collection: string;
    readonly keyPrefix: string;
  },
): Promise<Findings | 'no sample'> {
  const file = join(apiTestdata, `${kind.group === '' ? 'core' : kind.group}.${kind.version}.${kind.kind}.pb`);
  if (!existsSync(file)) return 'no sample';
  const key = `${kind.keyPrefix}/nameValue`;
  await etcd.transact([{ type: 'put', key, value: readFileSync(file) }]);
  try {
    const path = `${kind.collection}/nameValue`;
    const [ours, reference] = await Promise.all([
      servers.ours.request('GET', `${path}?resourceVersion=`),
      servers.reference.request('GET', path),
    ]);
    if (reference.status !== 200)
      return `${reference.status}` === `${ours.status}` ? [] : [`rich: ours ${ours.status}, reference ${reference.status}`];
    if (ours.status !== 200) return [`rich: ours ${ours.status} ${ours.body.slice(0, 200)}`];
    return same(reference.body, ours.body) ? [] : [`rich: ${firstDifference(JSON.parse(reference.body), JSON.parse(ours.body))}`];
  } finally {
    await etcd.transact([{ type: 'delete', key }]);
  }
}
