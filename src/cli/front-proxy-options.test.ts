import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createAuthority } from '../base/tls/certificate.ts';
import type { CompletedOptions } from './complete-options.ts';
import { validateFrontProxy } from './front-proxy-options.ts';

function problems(flags: Readonly<Record<string, string | readonly string[]>>): string[] {
  const none = { 'client-ca-file': '', 'requestheader-client-ca-file': '' };
  const lists = ['username-headers', 'group-headers', 'extra-headers-prefix', 'allowed-names', 'uid-headers'].map((name) => [
    `requestheader-${name}`,
    [],
  ]);
  return [...validateFrontProxy({ flags: { ...none, ...Object.fromEntries(lists), ...flags } as unknown as CompletedOptions['flags'] })];
}

test('a front proxy has names for its headers', () => {
  assert.deepEqual(problems({ 'requestheader-extra-headers-prefix': ['X-', ' '] }), [
    'empty value in "requestheader-extra-headers-prefix"',
  ]);
  assert.match(problems({ 'requestheader-uid-headers': ['X-Uid'] })[0] ?? '', /standard X-Remote-Uid header/);
  assert.deepEqual(problems({ 'requestheader-uid-headers': ['X-Uid', 'x-remote-uid'] }), []);
});

test('those who sign for clients do not sign for front proxies, unless these are named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'front-proxy-'));
  try {
    const validity = { from: new Date(0), to: new Date(1e12) };
    const [a, b, c] = ['a', 'b', 'c'].map((commonName) => createAuthority({ commonName }, validity).certificate);
    const file = (name: string, pem: string): string => {
      writeFileSync(join(folder, name), pem);
      return join(folder, name);
    };
    const clients = { 'client-ca-file': file('clients', `${a}${b}`) };
    const shared = { ...clients, 'requestheader-client-ca-file': file('shared', `${c}${b}`) };
    assert.match(problems(shared)[0] ?? '', /contain overlapping certificates; --requestheader-allowed-names must be specified/);
    assert.deepEqual(problems({ ...shared, 'requestheader-allowed-names': ['front'] }), []);
    assert.deepEqual(problems({ ...clients, 'requestheader-client-ca-file': file('own', `${c}`) }), []);
    assert.deepEqual(problems({ ...clients, 'requestheader-client-ca-file': join(folder, 'missing') }), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
