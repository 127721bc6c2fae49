import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecureContext } from 'node:tls';
import { offeredSuites } from './cipher-suites.ts';

test('every suite that is offered without being asked for has ephemeral keys, and OpenSSL knows it', () => {
  const suites = offeredSuites().split(':');
  assert.deepEqual(
    suites.filter((suite) => !/^(TLS_|ECDHE-)/.test(suite)),
    [],
  );
  for (const suite of suites) createSecureContext({ ciphers: suite });
});

test('suites that are asked for come in the order of preference, and those of TLS 1.3 always', () => {
  assert.equal(
    offeredSuites(['AES128-SHA', 'ECDHE-RSA-AES256-SHA', 'ECDHE-RSA-AES128-GCM-SHA256', 'TLS_AES_128_GCM_SHA256']),
    'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-SHA:AES128-SHA',
  );
});
