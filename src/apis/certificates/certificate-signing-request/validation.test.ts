import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SigningRequestObject } from './validation.ts';
import { validate } from './validation.ts';

function faultsOf(der: Buffer): string[] {
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  const spec = { request: Buffer.from(pem).toString('base64'), signerName: 'example.com/x', usages: ['client auth'] };
  return validate({ metadata: { name: 'a' }, spec } as SigningRequestObject)
    .filter(({ field }) => field === 'spec.request')
    .map(({ detail }) => detail);
}

const cases: readonly [name: string, der: string, fault: string][] = [
  ['nothing', '', 'asn1: syntax error: sequence truncated'],
  ['an empty sequence', '3000', 'asn1: syntax error: sequence truncated'],
  ['a sequence that was cut', '30820100', 'asn1: syntax error: data truncated'],
  ['something after the sequence', '300000', 'asn1: syntax error: trailing data'],
];

for (const [name, der, fault] of cases) {
  test(`a request that holds ${name} is refused`, () => assert.deepEqual(faultsOf(Buffer.from(der, 'hex')), [fault]));
}
