import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allSteps } from '../../../base/steps.ts';
import { parsingJson } from './parse-in-steps.ts';

const ballast = JSON.stringify(Array.from({ length: 60_000 }, (_, index) => `item ${index}`));
const fields = (prefix: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `"${prefix}${index}":${index}`).join(',');

function stepsOf(text: string): number {
  const steps = parsingJson(text);
  for (let count = 0; ; count++) if (steps.next().done === true) return count;
}

/** What JSON.parse makes of a text, or that it is none. */
function outcome(parse: () => unknown): unknown {
  try {
    return { value: parse() };
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error));
    return 'a SyntaxError';
  }
}

test('a large text is parsed in steps, a small one at once', () => {
  assert.equal(stepsOf('[1, 2]'), 0);
  assert.ok(stepsOf(ballast) > 5);
  assert.ok(stepsOf(`{"a":{"b":{"c":{${fields('k', 50_000)}}}}}`) > 5);
});

const documents: Readonly<Record<string, string>> = {
  'a list': ballast,
  'an object': `{${fields('k', 50_000)}}`,
  'names that are numbers': `{${fields('', 50_000)}}`,
  'names that come again': `{${fields('k', 30_000)},"a":{${fields('x', 30_000)}},${fields('k', 30_000)},"a":${ballast}}`,
  'lists in objects in lists': `[{"a":${ballast},"b":[1,${ballast}]}, ${ballast} ,[],{},{"a":{"b":{"c":${ballast}}}}]`,
  blanks: ` \t\r\n[ 1 ,\n${ballast.replaceAll(',', ' ,\n ')} , {"a" : ${ballast} , "b" :\t{} } ]\n`,
  'brackets and quotes in strings': JSON.stringify(Array.from({ length: 30_000 }, (_, index) => ({ [`]}"${index}\\`]: '{["\\,:' }))),
  'a name that is the prototype': `{"__proto__":{${fields('k', 20_000)}},"a":{"__proto__":${ballast},"b":${ballast}}}`,
  'a long string': JSON.stringify({ a: 'x'.repeat(400_000), b: [1] }),
  'one that is deep': `${'['.repeat(300)}${ballast}${']'.repeat(300)}`,
  'other values': `[true,false,null,-1.5e3,${ballast},"\\ud83d\\ude00\\n",{"a":null}]`,
};

for (const [what, text] of Object.entries(documents)) {
  test(`${what} is parsed as JSON.parse does`, () => {
    const found = allSteps(parsingJson(text));
    assert.deepEqual(found, JSON.parse(text));
    // with names in the same order
    assert.equal(JSON.stringify(found), JSON.stringify(JSON.parse(text)));
  });
}

const wrong: Readonly<Record<string, string>> = {
  'no comma after a part': `[${ballast} ${ballast}]`,
  'no comma before a part': `[1 ${ballast},1]`,
  'two commas before a part': `[1,,${ballast},1]`,
  'a comma before all parts': `[,${ballast}]`,
  'a comma after all parts': `[${ballast},]`,
  'two commas after a part': `[${ballast},,1]`,
  'a colon in a list': `[${ballast}:1]`,
  'a member without a name': `{"a":1,${ballast}}`,
  'a name without a colon': `{"a" ${ballast}}`,
  'two names': `{"a":"b":${ballast}}`,
  'a string for a member': `{"a":${ballast},"b"}`,
  'a number for a name': `{1:${ballast}}`,
  'brackets that do not match': `{"a":${ballast}]`,
  'a bracket too few': `[${ballast}`,
  'a bracket too many': `[${ballast}]]`,
  'something before': `x[${ballast}]`,
  'something after': `[${ballast}]x`,
  'a blank that is none': `[${ballast},\u00a0${ballast}]`,
  'a break in a string': `[${ballast},"\n"]`,
  'a string without an end': `[${ballast},"`,
  'half a word': `[${ballast},tru]`,
};

for (const [what, text] of Object.entries(wrong)) {
  test(`${what}: is refused as by JSON.parse`, () => assert.throws(() => allSteps(parsingJson(text)), SyntaxError));
}

test('texts with a sign too many or too few are judged as by JSON.parse', () => {
  let state = 7;
  const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  const base = `{"a":[1,{"b":${ballast.slice(0, 450_000).replace(/,[^,]*$/, ']')},"c":{}}],"d":{${fields('k', 15_000)}},"e":[]}`;
  for (let round = 0; round < 60; round++) {
    const at = random(2) === 0 ? random(30) : random(base.length);
    const sign = '{}[],:"\\ 1'[random(10)]!;
    const text = random(2) === 0 ? base.slice(0, at) + sign + base.slice(at) : base.slice(0, at) + base.slice(at + 1);
    assert.deepEqual(
      outcome(() => allSteps(parsingJson(text))),
      outcome(() => JSON.parse(text) as unknown),
      `${sign} at ${at}`,
    );
  }
});
