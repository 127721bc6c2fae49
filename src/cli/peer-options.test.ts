import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFeatureGates } from '../controlplane/feature-gates.ts';
import { serverFlags } from './flags/index.ts';
import { parseFlags } from './parse-flags.ts';
import { validatePeers } from './peer-options.ts';

const problems = (args: readonly string[], gates: readonly string[] = []): string[] => [
  ...validatePeers(parseFlags(serverFlags, args).values, createFeatureGates(new Map([['', gates]])).gates),
];

test('flags about other servers take their feature gate, and the times of leases have an order', () => {
  assert.deepEqual(problems([]), []);
  assert.deepEqual(problems(['--peer-advertise-ip=10.0.0.1', '--peer-advertise-port=443']), []);
  assert.deepEqual(problems(['--peer-ca-file=x', '--peer-advertise-ip=10.0.0.1'], ['UnknownVersionInteroperabilityProxy=false']), [
    '--peer-ca-file requires UnknownVersionInteroperabilityProxy feature to be turned on',
    '--peer-advertise-ip requires UnknownVersionInteroperabilityProxy feature to be turned on',
  ]);
  assert.deepEqual(problems(['--coordinated-leadership-lease-duration=1s', '--coordinated-leadership-renew-deadline=1s']), [
    '--coordinated-leadership-lease-duration must be greater than --coordinated-leadership-renew-deadline',
    '--coordinated-leadership-renew-deadline must be greater than --coordinated-leadership-retry-period',
  ]);
});

test('requests can be passed on to other servers only with a client certificate, and to ports', () => {
  assert.deepEqual(problems(['--peer-ca-file=x']), ['error building peer proxy handler, proxy-cert-file not specified']);
  assert.deepEqual(problems(['--peer-ca-file=x', '--proxy-client-cert-file=y']), [
    'error building peer proxy handler, proxy-key-file not specified',
  ]);
  assert.deepEqual(problems(['--peer-ca-file=x', '--proxy-client-cert-file=y', '--proxy-client-key-file=z']), []);
  assert.deepEqual(problems(['--peer-advertise-port=http']), ['--peer-advertise-port: "http" is not a port']);
});
