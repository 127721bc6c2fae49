import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../../base/log.ts';
import { metricsText } from '../../../../base/exposition/text.ts';
import { MetricsRegistry } from '../../../../base/metrics.ts';
import { ManualClock } from '../../../../testing/index.ts';
import type { ObjectReader } from '../../../registry/object-reader.ts';
import type { TokenHolder } from '../../../registry/tokens.ts';
import { LegacyTokenTracking } from './legacy-token-tracking.ts';
import { legacyTokenValidator } from './legacy-token.ts';

const lastUsed = 'kubernetes.io/legacy-token-last-used';
const claims = {
  sub: 'system:serviceaccount:n:a',
  'kubernetes.io/serviceaccount/namespace': 'n',
  'kubernetes.io/serviceaccount/secret.name': 's',
  'kubernetes.io/serviceaccount/service-account.name': 'a',
  'kubernetes.io/serviceaccount/service-account.uid': 'u',
};

interface Use {
  readonly holder: Omit<TokenHolder, 'audiences'> | undefined;
  readonly error: string | undefined;
  /** labels that were written */
  readonly written: readonly object[];
  readonly metrics: string;
}

async function use(labels: Record<string, string>, secrets: readonly object[] = []): Promise<Use> {
  const objects: Readonly<Record<string, unknown>> = {
    secrets: { metadata: { name: 's', namespace: 'n', uid: 'w', labels }, data: { token: Buffer.from('token').toString('base64') } },
    serviceaccounts: { metadata: { name: 'a', namespace: 'n', uid: 'u' }, secrets },
  };
  const reader = { get: async (_group: string, plural: string) => objects[plural] } as unknown as ObjectReader;
  const metrics = new MetricsRegistry();
  const written: object[] = [];
  const clock = new ManualClock(Date.parse('2026-11-17T23:00:00Z'));
  const tracking = new LegacyTokenTracking({ clock, metrics, log: silentLogger });
  tracking.writeWith(async (secret, changed) => void written.push({ uid: secret.metadata.uid, ...changed }));
  const validate = legacyTokenValidator(true, tracking);
  let holder: Use['holder'];
  let error: string | undefined;
  try {
    holder = await validate(claims, 'token', reader);
  } catch (thrown) {
    error = (thrown as Error).message;
  }
  return { holder, error, written, metrics: metricsText(metrics) };
}

test('the day on which a legacy token was used is written into its secret, once', async () => {
  const { holder, written, metrics } = await use({});
  assert.equal(holder?.user.name, 'system:serviceaccount:n:a');
  assert.equal(holder?.warnings, undefined);
  assert.deepEqual(written, [{ uid: 'w', [lastUsed]: '2026-11-17' }]);
  assert.match(metrics, /^serviceaccount_legacy_manual_token_uses_total 1$/m);
  for (const day of ['2026-11-17', '2026-11-18']) assert.deepEqual((await use({ [lastUsed]: day })).written, []);
  assert.equal((await use({ [lastUsed]: '2026-11-16' })).written.length, 1);
});

test('a token that its account names is warned about', async () => {
  const { holder, metrics } = await use({}, [{ name: 's' }]);
  assert.match(holder?.warnings?.join() ?? '', /^Use tokens from the TokenRequest API/);
  assert.match(metrics, /^serviceaccount_legacy_auto_token_uses_total 1$/m);
});

test('a token that is marked as invalid is refused, and its use is noted all the same', async () => {
  const { error, written, metrics } = await use({ 'kubernetes.io/legacy-token-invalid-since': '2026-11-01' });
  assert.match(error ?? '', /has been marked invalid/);
  assert.deepEqual(written, [{ uid: 'w', [lastUsed]: '2026-11-17' }]);
  assert.match(metrics, /^serviceaccount_invalid_legacy_auto_token_uses_total 1$/m);
});
