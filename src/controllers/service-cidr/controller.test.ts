import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { parseCidr, parseIp } from '../../machinery/ip.ts';
import { startTestServer } from '../../testing/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { canGive, isWithin, overlap } from './ranges.ts';

test('a range becomes ready, stays while an address of it is in use, and goes after that', { timeout: 60_000 }, async () => {
  const clock = new ManualClock(Date.now());
  await using server = await startTestServer({ clock, controllers: ['service-cidr-controller'] });
  const client = server.client();
  const ranges = client.resource('networking.k8s.io/v1', 'ServiceCIDR');
  await ranges.create({ metadata: { name: 'more' }, spec: { cidrs: ['172.20.1.0/24'] } });
  const ready = await ranges.waitFor('more', (range) => range?.status?.conditions?.[0]?.status === 'True');
  assert.deepEqual(ready?.metadata.finalizers, ['networking.k8s.io/service-cidr-finalizer']);
  const services = client.resource('v1', 'Service', 'default');
  const service = { metadata: { name: 's' }, spec: { ports: [{ port: 80 }], clusterIP: '172.20.1.7' } };
  await eventually('an address of it can be had', () => services.create(service).catch(() => undefined));
  await ranges.delete('more');
  const kept = await ranges.waitFor('more', (range) => range?.status?.conditions?.[0]?.status === 'False');
  assert.equal(kept?.status?.conditions?.[0]?.reason, 'Terminating');
  clock.advance(11_000);
  await services.delete('s');
  await ranges.waitFor('more', (range) => range === undefined);
});

test('of a range the first address is never given out, of IPv4 nor is the last', () => {
  const range = (text: string) => parseCidr(text) ?? assert.fail(text);
  const gives = (cidr: string, ip: string): boolean => canGive(range(cidr), parseIp(ip) ?? assert.fail(ip));
  assert.deepEqual(
    [
      gives('10.0.0.0/24', '10.0.0.0'),
      gives('10.0.0.0/24', '10.0.0.1'),
      gives('10.0.0.0/24', '10.0.0.255'),
      gives('10.0.0.0/24', '10.0.1.1'),
    ],
    [false, true, false, false],
  );
  assert.deepEqual([gives('fd00::/120', 'fd00::'), gives('fd00::/120', 'fd00::ff')], [false, true]);
  assert.deepEqual(
    [isWithin(range('10.0.1.0/24'), range('10.0.0.0/16')), isWithin(range('10.0.0.0/16'), range('10.0.1.0/24'))],
    [true, false],
  );
  assert.equal(overlap(range('10.0.0.0/16'), range('10.0.1.0/24')), true);
  assert.equal(overlap(range('10.0.0.0/16'), range('fd00::/120')), false);
});
