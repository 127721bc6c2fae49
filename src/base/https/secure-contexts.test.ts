import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuthority } from '../tls/certificate.ts';
import { SecureContexts } from './secure-contexts.ts';

test('a context is made once for the same trust and client certificate, and no other gets it', () => {
  const validity = { from: new Date(), to: new Date(Date.now() + 86_400_000) };
  const [one, other] = ['one', 'other'].map((commonName) => createAuthority({ commonName }, validity));
  assert.ok(one && other);
  const contexts = new SecureContexts();
  const trusts = [
    { authorities: undefined, insecure: false, client: undefined },
    { authorities: undefined, insecure: true, client: undefined },
    { authorities: one.certificate, insecure: false, client: undefined },
    { authorities: other.certificate, insecure: false, client: undefined },
    { authorities: one.certificate, insecure: false, client: one },
    { authorities: one.certificate, insecure: false, client: other },
  ];
  const made = trusts.map((trust) => contexts.of(trust));
  assert.equal(new Set(made).size, trusts.length);
  assert.deepEqual(
    trusts.map((trust) => made.indexOf(contexts.of({ ...trust }))),
    trusts.keys().toArray(),
  );
});
