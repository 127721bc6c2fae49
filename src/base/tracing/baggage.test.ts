import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readBaggage } from './baggage.ts';

describe('readBaggage()', () => {
  const cases: readonly (readonly [what: string, header: string | undefined, read: string])[] = [
    ['nothing', undefined, ''],
    ['an empty header', '', ''],
    ['one member', 'a=b', 'a=b'],
    ['members with spaces around', ' a = b , c = d ', 'a=b,c=d'],
    ['an equals sign in a value', 'a=b=c', 'a=b=c'],
    ['an empty value', 'a=', 'a='],
    ['properties', 'a=b; ttl = 3 ;secret;', 'a=b;ttl=3;secret'],
    ['escapes that are needed', 'a=%20%22%2C%25', 'a=%20%22%2C%25'],
    ['escapes that are not needed', 'a=%41%42', 'a=AB'],
    ['letters of other scripts', 'a=%C3%A9', 'a=%C3%A9'],
    ['bytes that are no text', 'a=%FF', 'a=%EF%BF%BD'],
    ['two members with the same key', 'a=1,b=2,a=3', 'a=3,b=2'],
    ['a member without a value', 'a,b=c', 'b=c'],
    ['a key that is none', 'a b=c,(=d,=e,b=f', 'b=f'],
    ['values that must be escaped', 'a="b",c=d\\e,f=g h,i=é', ''],
    ['broken escapes', 'a=%4,b=%zz,c=%41', 'c=A'],
    ['a property that is none', 'a=b;(=c,d=e', 'd=e'],
    ['a header of more than 8192 bytes', `a=${'b'.repeat(8191)}`, ''],
  ];
  for (const [what, header, read] of cases) test(`reads ${what}`, () => assert.equal(readBaggage(header), read));

  test('keeps 64 members at most', () => {
    const header = Array.from({ length: 70 }, (_, index) => `k${index}=v`).join(',');
    assert.equal(readBaggage(header), header.split(',').slice(0, 64).join(','));
  });

  test('stops where escapes make it longer than 8192 bytes', () => {
    const header = Array.from({ length: 40 }, (_, index) => `k${index}=${'%FF'.repeat(60)}`).join(',');
    assert.ok(header.length <= 8192);
    const read = readBaggage(header);
    assert.ok(read.length <= 8192 && read.split(',').length < 40 && read.startsWith('k0='));
  });
});
