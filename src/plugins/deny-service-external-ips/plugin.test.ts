import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginHarness } from '../common/plugin-harness.ts';
import { denyServiceExternalIps } from './plugin.ts';

const service = (...externalIPs: readonly string[]): object => ({ metadata: { name: 's' }, spec: { externalIPs } });
const refused = 'services "s" is forbidden: Use of external IPs is denied by admission control';
const cases: readonly (readonly [name: string, object: object, old: object | undefined, result: string | undefined])[] = [
  ['none', service(), undefined, undefined],
  ['one on create', service('1.2.3.4'), undefined, refused],
  ['one more on update', service('1.2.3.4', '5.6.7.8'), service('1.2.3.4'), refused],
  ['fewer on update', service('1.2.3.4'), service('1.2.3.4', '5.6.7.8'), undefined],
];
for (const [name, object, old, expected] of cases) {
  test(`external addresses, ${name}: ${expected === undefined ? 'admitted' : 'refused'}`, async () => {
    const plugin = new PluginHarness(denyServiceExternalIps);
    assert.equal(await plugin.ask({ about: '/services', object, ...(old && { old }) }), expected);
    assert.equal(await plugin.ask({ about: '/services/status', object, ...(old && { old }) }), undefined);
  });
}
