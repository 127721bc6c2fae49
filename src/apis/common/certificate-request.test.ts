import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import * as der from '../../base/tls/der.ts';
import { readCertificateRequest } from './certificate-request.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const organization = '2.5.4.10';

function retagged(tag: number, content: Buffer): Buffer {
  const element = der.octetString(content);
  element[0] = tag;
  return element;
}

function requestOf(attributes: readonly Buffer[], extensions: readonly Buffer[] = []): Buffer {
  const info = der.sequence(
    der.unsignedInteger(Buffer.from([0])),
    der.sequence(...attributes.map((one) => der.setOf(one))),
    publicKey.export({ type: 'spki', format: 'der' }),
    der.tagged(0, ...extensions.map((one) => der.sequence(der.objectIdentifier('1.2.840.113549.1.9.14'), der.setOf(der.sequence(one))))),
  );
  return der.sequence(info, der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2')), der.bitString(sign('sha256', info, privateKey)));
}

const attribute = (tag: number, content: Buffer, type = organization): Buffer =>
  der.sequence(der.objectIdentifier(type), retagged(tag, content));
const masters = Buffer.from('system:masters');
const wide = Buffer.from('system:masters', 'utf16le').swap16();

/** What Go reads of an organization, by the tag of its text; undefined: it reads no request at all. */
const texts: readonly (readonly [what: string, tag: number, content: Buffer, organizations: readonly string[] | undefined])[] = [
  ['UTF8String', 0x0c, masters, ['system:masters']],
  ['PrintableString', 0x13, masters, ['system:masters']],
  ['IA5String', 0x16, masters, ['system:masters']],
  ['T61String', 0x14, masters, ['system:masters']],
  ['T61String beyond ASCII', 0x14, Buffer.from([0xe4]), ['ä']],
  ['BMPString', 0x1e, wide, ['system:masters']],
  ['BMPString with a NUL behind it', 0x1e, Buffer.concat([wide, Buffer.alloc(2)]), ['system:masters']],
  ['BMPString of an odd length', 0x1e, wide.subarray(1), undefined],
  ['NumericString', 0x12, Buffer.from('12 3'), ['12 3']],
  ['NumericString of letters', 0x12, masters, undefined],
  ['UTF8String of other bytes', 0x0c, Buffer.from([0xff]), undefined],
  ['UniversalString, which is not read', 0x1c, wide, []],
  ['VisibleString, which is not read', 0x1a, masters, []],
  ['UTF8String in parts, which is not read', 0x2c, retagged(0x0c, masters), []],
];

for (const [what, tag, content, organizations] of texts) {
  test(`an organization may be a ${what}`, () => {
    const request = readCertificateRequest(requestOf([attribute(tag, content)]));
    assert.deepEqual(request?.organizations, organizations);
    if (request !== undefined) assert.equal(request.isSigned, true);
  });
}

test('of several common names the last counts, wherever it stands', () => {
  const name = (text: string): Buffer => attribute(0x0c, Buffer.from(text), '2.5.4.3');
  assert.equal(readCertificateRequest(requestOf([name('a'), attribute(0x0c, masters), name('b')]))?.commonName, 'b');
});

test('a request with names that cannot be read is none', () => {
  const names = (...addresses: Buffer[]): Buffer =>
    der.sequence(der.objectIdentifier('2.5.29.17'), der.octetString(der.sequence(...addresses.map((one) => der.taggedPrimitive(7, one)))));
  assert.ok(readCertificateRequest(requestOf([], [names(Buffer.alloc(4))])));
  assert.equal(readCertificateRequest(requestOf([], [names(Buffer.alloc(5))])), undefined);
  assert.equal(readCertificateRequest(requestOf([], [names(Buffer.alloc(4)), names(Buffer.alloc(4))])), undefined);
});

test('bytes that have been changed or cut are refused, or were not signed', () => {
  const whole = requestOf([attribute(0x0c, masters)]);
  for (let at = 0; at < whole.length; at++) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] as number) ^ 0x41;
    assert.notEqual(readCertificateRequest(changed)?.isSigned, true, `byte ${at}`);
    assert.equal(readCertificateRequest(whole.subarray(0, at)), undefined);
  }
});
