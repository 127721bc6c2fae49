import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadWebhookCredentials } from './credentials.ts';

const folder = mkdtempSync(join(tmpdir(), 'credentials-'));
after(() => rmSync(folder, { recursive: true }));

function load(names: readonly string[], current?: string): ReturnType<typeof loadWebhookCredentials> {
  const file = join(folder, 'kubeconfig');
  const users = names.map((name) => ({ name, user: { token: name } }));
  const contexts = current === undefined ? [] : [{ name: 'c', context: { user: current } }];
  writeFileSync(file, JSON.stringify({ users, contexts, 'current-context': 'c' }));
  return loadWebhookCredentials(file);
}

const cases: readonly (readonly [target: string, expected: string])[] = [
  ['hook.ns.svc:443', 'hook.ns.svc:443'],
  ['hook.ns.svc:8443', '*.ns.svc:8443'],
  ['other.ns.svc:443', '*.svc'],
  ['hook.example.com:443', 'hook.example.com'],
  ['hook.example.com:8443', '*'],
];
for (const [target, expected] of cases) {
  test(`${target} is shown the credentials of user ${expected}`, async () => {
    const credentials = load(['hook.ns.svc:443', '*.ns.svc:8443', '*.svc', 'hook.example.com', '*']);
    assert.deepEqual(await credentials(target)?.headers(), { authorization: `Bearer ${expected}` });
  });
}

test('webhooks that no user is named for are shown the current one, if there is one', async () => {
  assert.deepEqual(await load(['me'], 'me')('a.example:443')?.headers(), { authorization: 'Bearer me' });
  assert.equal(load(['me'])('a.example:443'), undefined);
});
