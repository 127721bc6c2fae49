import assert from 'node:assert/strict';
import type { Case } from './subject.ts';

export const scaleCases: readonly Case[] = [
  {
    name: 'takes values of 1.5 MB',
    async run(s) {
      const value = Buffer.alloc(1_500_000);
      for (let i = 0; i < value.length; i++) value[i] = (i * 31) & 0xff;
      const revision = await s.put('/registry/big', value);
      assert.ok((await s.get('/registry/big'))?.value.equals(value));
      const [change] = await s.changes('/registry/', 1, { revision: revision - 1 });
      assert.ok(change?.type === 'put' && change.kv.value.equals(value));
    },
  },
  {
    name: 'holds 100,000 keys under one prefix',
    async run(s) {
      const all = Array.from({ length: 100_000 }, (_, i) => `/registry/x/${String(i).padStart(6, '0')}`);
      const start = await s.storage.currentRevision();
      await s.fill(all);
      await s.put('/registry/y', '');
      assert.equal(await s.storage.count('/registry/x/'), 100_000);
      const { items, total } = await s.storage.list('/registry/x/');
      assert.equal(total, 100_000);
      assert.ok(items.every(({ key }, i) => key === all[i]));
      const page = await s.storage.list('/registry/x/', { from: all[99_000]!, limit: 500 });
      assert.equal(page.total, 1000);
      assert.deepEqual([page.items[0]?.key, page.items.length], [all[99_000], 500]);
      const changes = await s.changes('/registry/x/', 100_000, { revision: start });
      assert.ok(changes.every((change) => change.type === 'put'));
      assert.equal(new Set(changes.map((change) => (change.type === 'put' ? change.kv.key : ''))).size, 100_000);
    },
  },
];
