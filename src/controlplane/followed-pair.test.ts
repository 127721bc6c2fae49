import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import { FollowedTexts } from '../base/followed-text.ts';
import { createAuthority } from '../base/tls/certificate.ts';
import { until } from '../../test/support/eventually.ts';
import { followedAuthorities } from './followed-pair.ts';

const root = mkdtempSync(join(tmpdir(), 'followed-'));
after(() => rmSync(root, { recursive: true }));

const validity = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 3_600_000) };
const pem = (): string => createAuthority({ commonName: 'ca' }, validity).certificate;

for (const [what, text] of [
  ['empty', ''],
  ['half-written', pem().slice(0, 300)],
  ['something else', 'nonsense: []\n'],
] as const) {
  test(`authorities stay what they were while their file is ${what}, which is reported once`, async () => {
    const file = join(root, 'ca.crt');
    const put = (next: string): void => {
      writeFileSync(`${file}.new`, next);
      renameSync(`${file}.new`, file);
    };
    const [first, second] = [pem(), pem()];
    put(first);
    const errors: string[] = [];
    using texts = new FollowedTexts({ clock: systemClock, onError: ({ message }) => void errors.push(message) });
    const authorities = followedAuthorities({ file }, texts);
    assert.equal(authorities(), first);
    put(text);
    await until('it is reported', async () => errors.length > 0);
    assert.equal(authorities(), first);
    put(second);
    await until('the next ones are used', async () => authorities() === second);
    assert.equal(errors.length, 1);
  });
}
