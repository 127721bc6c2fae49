import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginHarness } from '../common/plugin-harness.ts';
import { clusterTrustBundleAttest } from './plugin.ts';

const bundle = (signerName: string | undefined, metadata: object = {}): object => ({
  metadata: { name: 'b', ...metadata },
  spec: { ...(signerName && { signerName }) },
});
const refused = 'clustertrustbundles.certificates.k8s.io "b" is forbidden: user not permitted to attest for signerName "no.com/s"';
const about = 'certificates.k8s.io/clustertrustbundles';
const plugin = (enabled = true): PluginHarness =>
  new PluginHarness(clusterTrustBundleAttest, {
    enabled: () => enabled,
    allows: ({ verb, resource, name }) => verb === 'attest' && resource === 'signers' && name === 'ok.com/*',
  });

test('only who may speak for a signer publishes its certificates', async () => {
  assert.equal(await plugin().ask({ about, object: bundle(undefined) }), undefined);
  assert.equal(await plugin().ask({ about, object: bundle('ok.com/s') }), undefined);
  assert.equal(await plugin().ask({ about, object: bundle('no.com/s') }), refused);
  assert.equal(await plugin().ask({ about, object: bundle('no.com/s', { labels: { a: 'b' } }), old: bundle('no.com/s') }), refused);
});

test('the garbage collector may always let go', async () => {
  const old = bundle('no.com/s', { finalizers: ['a.com/b'] });
  assert.equal(await plugin().ask({ about, object: bundle('no.com/s'), old }), undefined);
});

test('nobody is asked where there are no trust bundles', async () => {
  assert.equal(await plugin(false).ask({ about, object: bundle('no.com/s') }), undefined);
});
