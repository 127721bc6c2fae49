import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Client } from '../common/client.ts';
import { Collector } from './collector.ts';
import { Graph } from './graph.ts';
import type { Identity } from './identity.ts';
import { Kinds } from './kinds.ts';

const identityOf = (name: string): Identity => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'here', name, uid: name });
const configMaps = { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true, verbs: ['get', 'delete'] };

test('the dependents of an owner are released some at a time', async () => {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'owner' }];
  let [underWay, most] = [0, 0];
  const released = new Set<string>();
  const client = {
    async get(path: string) {
      most = Math.max(most, ++underWay);
      await turn();
      underWay--;
      const uid = path.slice(path.lastIndexOf('/') + 1);
      return { metadata: { name: uid, uid, resourceVersion: '1', ...(uid !== 'owner' && { ownerReferences }) } };
    },
    async patch(path: string, patch: unknown) {
      if ((patch as { metadata: { ownerReferences?: null } }).metadata.ownerReferences === null) released.add(path);
    },
  } as unknown as Client;
  const graph = new Graph({ attemptToDelete() {}, attemptToOrphan() {}, reportForeignOwner() {} });
  graph.observe(identityOf('owner'), {});
  for (let index = 0; index < 200; index++) graph.observe(identityOf(`d${index}`), { ownerReferences });
  const kinds = new Kinds({ resources: [configMaps as never], unknown: [] });
  const owner = graph.node('owner');
  assert.ok(owner !== undefined);
  await new Collector(
    client,
    graph,
    () => kinds,
    () => {},
  ).orphan(owner);
  assert.equal(released.size, 200);
  assert.ok(most <= 20, `${most} requests at a time`);
});
