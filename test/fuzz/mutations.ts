import type { Random } from './random.ts';

export type Format = 'json' | 'yaml' | 'protobuf' | 'cbor';

/** Pieces that a format gives a meaning to, beside the bytes that valid documents are made of. */
const dictionary: Readonly<Record<Format, readonly Buffer[]>> = {
  json: pieces(
    'null',
    'true',
    '-',
    '-0',
    '1e400',
    '1.0',
    '9'.repeat(40),
    '1E-999',
    '"',
    '\\u',
    '\\ud800',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '{"a":',
    '"__proto__":',
    '"kind":',
    '"metadata":{',
    '\ufeff',
    '\u2028',
  ),
  yaml: pieces(
    '- ',
    ': ',
    '? ',
    '&a ',
    '*a',
    '<<: *a\n',
    '!!int ',
    '!!binary ',
    '|',
    '>-',
    '"',
    "'",
    '#',
    '%',
    '@',
    '\t',
    '\n',
    '---\n',
    '...\n',
    '{',
    '}',
    '[',
    ']',
    ',',
    '.inf',
    '0x',
    '1_0',
    '~',
    'yes',
    '\ufeff',
    '\u0085',
  ),
  protobuf: [
    ...bytes(
      'ff',
      'ffffffffffffffffff01',
      'ffffffffffffffffffff7f',
      '0a',
      '12',
      '0b',
      '0c',
      '0d',
      '09',
      '0affffffff0f',
      '0aff01',
      '00',
      '80',
    ),
    ...pieces('k8s\0'),
  ],
  cbor: bytes(
    'f6',
    'f7',
    'ff',
    '9f',
    'bf',
    '5f',
    '7f',
    '5bffffffffffffffff',
    '9b000000007fffffff',
    'bb0000000000200001',
    'c0',
    'c1',
    'c2',
    'd6',
    'd9d9f7',
    'f97e00',
    'fb7ff0000000000000',
    '1bffffffffffffffff',
    '3bffffffffffffffff',
    'f8ff',
    'a0',
    '80',
    '1c',
  ),
};

/** What opens a level, so that thousands of them make a document too deep to walk. */
const nesting: Readonly<Record<Format, readonly Buffer[]>> = {
  json: pieces('[', '{"a":', '{"not":', '{"items":'),
  yaml: pieces('[', '{a: ', '- ', '? '),
  protobuf: bytes('0a', '12', '0aff7f', '1aff7f'),
  cbor: bytes('81', 'a14161', '9f', 'bf4161', 'c6', 'd6'),
};

function pieces(...texts: readonly string[]): readonly Buffer[] {
  return texts.map((text) => Buffer.from(text));
}

function bytes(...texts: readonly string[]): readonly Buffer[] {
  return texts.map((text) => Buffer.from(text, 'hex'));
}

const brokenUtf8 = bytes('ff', 'c0af', 'e282', 'eda080', 'f8888080', 'f4908080', '80');

type Mutation = (input: Buffer, format: Format, random: Random) => Buffer;

const mutations: readonly Mutation[] = [
  // one byte becomes another
  (input, _, random) => splice(input, random.below(input.length), 1, random.bytes(1)),
  // a bit flips
  (input, _, random) => {
    const at = random.below(input.length);
    return splice(input, at, 1, Buffer.from([(input[at] ?? 0) ^ (1 << random.below(8))]));
  },
  // something goes missing
  (input, _, random) =>
    splice(input, random.below(input.length), 1 + random.below(random.below(8) === 0 ? input.length : 4), Buffer.alloc(0)),
  // the rest goes missing
  (input, _, random) => input.subarray(0, random.below(input.length)),
  // a piece with a meaning comes in
  (input, format, random) => splice(input, random.below(input.length), random.below(3), random.pick(dictionary[format])),
  // a part appears twice
  (input, _, random) => {
    const start = random.below(input.length);
    return splice(input, random.below(input.length), 0, input.subarray(start, start + 1 + random.below(64)));
  },
  // text that is no text
  (input, _, random) => splice(input, random.below(input.length), random.below(2), random.pick(brokenUtf8)),
  // a number out of any range
  (input, _, random) => {
    const digits = [...input.keys()].filter((at) => input[at]! >= 0x30 && input[at]! <= 0x39);
    return digits.length === 0
      ? input
      : splice(input, random.pick(digits), 0, Buffer.from('9'.repeat(1 + random.below(random.below(20) === 0 ? 2000 : 25))));
  },
];

/** A wrecked copy of a valid document, or now and then something that never was one. */
export function mutate(input: Buffer, format: Format, random: Random): Buffer {
  const kind = random.below(400);
  if (kind === 0) return deep(input, format, random);
  if (kind === 1) return random.bytes(random.below(200));
  let result = input;
  for (let left = random.below(4); left >= 0 && result.length > 0; left--) result = random.pick(mutations)(result, format, random);
  return result;
}

function deep(input: Buffer, format: Format, random: Random): Buffer {
  const at = random.below(input.length);
  const levels = Buffer.concat(Array(1 + random.below(20_000)).fill(random.pick(nesting[format])));
  return random.below(2) === 0 ? levels : splice(input, at, 0, levels);
}

function splice(input: Buffer, at: number, remove: number, insert: Buffer): Buffer {
  return Buffer.concat([input.subarray(0, at), insert, input.subarray(at + remove)]);
}
