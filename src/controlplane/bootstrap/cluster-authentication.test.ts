import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuthority } from '../../base/tls/certificate.ts';
import { combine, dataOf } from './cluster-authentication.ts';

const day = 24 * 3600 * 1000;
const now = Date.now();
const authority = (commonName: string, ends = now + day): string =>
  createAuthority({ commonName }, { from: new Date(now - day), to: new Date(ends) })
    .certificate.trimEnd()
    .concat('\n');
const [ours, theirs] = [authority('ours'), authority('theirs')];
const frontProxy = {
  authorities: ours,
  allowedNames: ['front-proxy-client'],
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: [],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
};

test('a server without authorities publishes nothing', () => {
  assert.deepEqual(dataOf({ clientAuthorities: '' }), {});
});

test('a server publishes whom it trusts, and how others may speak for a user', () => {
  assert.deepEqual(dataOf({ clientAuthorities: ours, frontProxy }), {
    'client-ca-file': ours,
    'requestheader-allowed-names': '["front-proxy-client"]',
    'requestheader-client-ca-file': ours,
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  });
});

test('what another server has published stays, and ours is added once', () => {
  const published = { 'client-ca-file': theirs, 'requestheader-allowed-names': '["other","front-proxy-client"]' };
  const combined = combine(published, dataOf({ clientAuthorities: ours, frontProxy }), now);
  assert.equal(combined['client-ca-file'], theirs + ours);
  assert.equal(combined['requestheader-allowed-names'], '["other","front-proxy-client"]');
  assert.deepEqual(combine(combined, dataOf({ clientAuthorities: ours, frontProxy }), now), combined);
});

test('an authority that has ended is left out', () => {
  const ended = authority('ended', now - day / 2);
  assert.equal(combine({ 'client-ca-file': ended }, { 'client-ca-file': ours }, now)['client-ca-file'], ours);
});
