import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerText } from './header-text.ts';

/** Bytes as node gives them. */
const raw = (...bytes: number[]): string => Buffer.from(bytes).toString('latin1');

test('UTF-8 becomes text, and bytes that are none are kept one by one', () => {
  assert.equal(headerText('plain'), 'plain');
  assert.equal(headerText(Buffer.from('ä € 😀 \ufffd').toString('latin1')), 'ä € 😀 \ufffd');
  assert.equal(headerText(raw(0x61, 0xff, 0x62)), 'a\udcffb');
  assert.equal(headerText(raw(0xe2, 0x82)), '\udce2\udc82');
  assert.equal(headerText(raw(0xe2, 0x82, 0xac, 0xe2)), '€\udce2');
});

test('overlong forms, surrogates and what is above the last character are no UTF-8', () => {
  assert.equal(headerText(raw(0xc0, 0x80)), '\udcc0\udc80');
  assert.equal(headerText(raw(0xe0, 0x9f, 0xbf)), '\udce0\udc9f\udcbf');
  assert.equal(headerText(raw(0xed, 0xa0, 0x80)), '\udced\udca0\udc80');
  assert.equal(headerText(raw(0xf4, 0x90, 0x80, 0x80)), '\udcf4\udc90\udc80\udc80');
  assert.equal(headerText(raw(0xf0, 0x8f, 0xbf, 0xbf)), '\udcf0\udc8f\udcbf\udcbf');
});
