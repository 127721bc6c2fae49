import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompressionError, HpackDecoder } from './hpack-decoder.ts';
import { HpackEncoder } from './hpack-encoder.ts';

type Fields = readonly (readonly [string, string])[];

const enough = 1 << 20;
const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

function decode(decoder: HpackDecoder, block: Buffer, pieceSize = block.length): Fields {
  decoder.begin();
  for (let at = 0; at < block.length; at += pieceSize) decoder.write(block.subarray(at, at + pieceSize));
  decoder.finish();
  return pairs(decoder.lines);
}

function pairs(lines: readonly string[]): Fields {
  return Array.from({ length: lines.length / 2 }, (_, index) => [lines[2 * index] as string, lines[2 * index + 1] as string]);
}

const request: Fields = [
  [':method', 'GET'],
  [':scheme', 'http'],
  [':path', '/'],
  [':authority', 'www.example.com'],
];
const requests: readonly Fields[] = [
  request,
  [...request, ['cache-control', 'no-cache']],
  [
    [':method', 'GET'],
    [':scheme', 'https'],
    [':path', '/index.html'],
    [':authority', 'www.example.com'],
    ['custom-key', 'custom-value'],
  ],
];
const response = (status: string, date: string): Fields => [
  [':status', status],
  ['cache-control', 'private'],
  ['date', date],
  ['location', 'https://www.example.com'],
];
const first = 'Mon, 21 Oct 2013 20:13:21 GMT';
const second = 'Mon, 21 Oct 2013 20:13:22 GMT';
const cookie = 'foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1';
const responses: readonly Fields[] = [
  response('302', first),
  response('307', first),
  [...response('200', second), ['content-encoding', 'gzip'], ['set-cookie', cookie]],
];

/** RFC 7541, appendix C: blocks of one connection in turn, and what they say. */
const examples: readonly { name: string; tableSize: number; blocks: readonly string[]; lists: readonly Fields[] }[] = [
  {
    name: 'C.3, requests',
    tableSize: 4096,
    blocks: [
      '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
      '8286 84be 5808 6e6f 2d63 6163 6865',
      '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
    ],
    lists: requests,
  },
  {
    name: 'C.4, requests in the Huffman code',
    tableSize: 4096,
    blocks: [
      '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
      '8286 84be 5886 a8eb 1064 9cbf',
      '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
    ],
    lists: requests,
  },
  {
    name: 'C.5, responses and a small table',
    tableSize: 256,
    blocks: [
      '4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
      '4803 3330 37c1 c0bf',
      '88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31',
    ],
    lists: responses,
  },
  {
    name: 'C.6, responses in the Huffman code and a small table',
    tableSize: 256,
    blocks: [
      '4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3',
      '4883 640e ffc1 c0bf',
      '88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07',
    ],
    lists: responses,
  },
];

for (const { name, tableSize, blocks, lists } of examples) {
  for (const pieceSize of [1000, 7, 1]) {
    test(`the examples of the RFC are read: ${name}, in pieces of ${pieceSize} bytes`, () => {
      const decoder = new HpackDecoder(enough, tableSize);
      assert.deepEqual(
        blocks.map((block) => decode(decoder, bytes(block), pieceSize)),
        lists,
      );
    });
  }
}

const broken: Readonly<Record<string, string>> = {
  'an index of 0': '80',
  'an entry that is not in the table': 'be',
  'an integer that is too large': 'ff ffff ffff ff0f',
  'a table larger than allowed': '3f e2 1f',
  'a size of the table after a field': '82 20',
  'padding with zeros': '00 0161 81 18',
  'padding of more than seven bits': '00 0161 82 1fff',
  'the end of a string within it': '00 0161 84 ffff fffc',
  'a field that does not end': '00 0161',
};
for (const [name, hex] of Object.entries(broken)) {
  test(`a block with ${name} is an error`, () => {
    assert.throws(() => decode(new HpackDecoder(enough), bytes(hex)), CompressionError);
  });
}

test('a list that is too large is said to be so, and the table stays that of the peer', () => {
  const decoder = new HpackDecoder(200);
  const block = Buffer.concat([bytes('40 0161 64'), Buffer.alloc(100, 'v'), bytes('be be be')]);
  assert.equal(decode(decoder, block).length, 1);
  assert.ok(decoder.oversized);
  assert.deepEqual(decode(decoder, bytes('be')), [['a', 'v'.repeat(100)]]);
  assert.ok(!decoder.oversized);
});

test('names and values with characters that they may not have are found, from the table as well', () => {
  for (const [hex, malformed] of [
    ['40 0161 0162', false],
    ['40 0141 0162', true],
    ['40 0161 010a', true],
    ['40 0161 01ff', false],
    ['40 0161 0109', false],
    ['40 00 0162', true],
    ['40 023a61 0162', false],
  ] as const) {
    const decoder = new HpackDecoder(enough);
    decode(decoder, bytes(hex));
    assert.equal(decoder.malformed, malformed, hex);
    decode(decoder, bytes('be'));
    assert.equal(decoder.malformed, malformed, hex);
  }
});

function encode(encoder: HpackEncoder, fields: Fields): Buffer {
  const target = Buffer.alloc(fields.reduce((sum, [name, value]) => sum + HpackEncoder.bound(name, value), 16));
  let at = encoder.begin(target, 0);
  for (const [name, value] of fields) at = encoder.field(target, at, name, value);
  return target.subarray(0, at);
}

test('what is written is read again, and what repeats takes a byte', () => {
  const encoder = new HpackEncoder();
  const decoder = new HpackDecoder(enough);
  const fields = (id: number): Fields => [
    [':status', '200'],
    ['audit-id', `id-${id}`],
    ['content-type', 'application/json'],
    ['x-kubernetes-pf-flowschema-uid', 'a1b2'],
    ['x-kubernetes-pf-flowschema-uid', 'c3d4'],
  ];
  const lengths = [1, 2, 3].map((id) => {
    const block = encode(encoder, fields(id));
    assert.deepEqual(decode(decoder, block), fields(id));
    return block.length;
  });
  assert.equal(lengths[1], lengths[2]);
  assert.ok((lengths[1] as number) < 20);
});

test('thousands of values pass through a table that forgets, and through one that the peer makes smaller', () => {
  const encoder = new HpackEncoder();
  const decoder = new HpackDecoder(enough);
  for (let round = 0; round < 3000; round++) {
    if (round % 500 === 499) encoder.resize([0, 100, 5000, 60][(round / 500) & 3] as number);
    const fields: Fields = [
      ['x-a', `value ${round % 7}`],
      [`x-${round % 40}`, 'v'.repeat(round % 300)],
      ['x-a', `value ${round % 3}`],
    ];
    assert.deepEqual(decode(decoder, encode(encoder, fields)), fields);
  }
});

test('a table that shrank and grew between two blocks is announced as both: the peer forgets what this side forgot', () => {
  const encoder = new HpackEncoder();
  encode(encoder, [['x-a', 'b']]);
  encoder.resize(0);
  encoder.resize(4096);
  assert.equal(
    encode(encoder, [['x-c', 'd']])
      .subarray(0, 4)
      .toString('hex'),
    '203fe11f',
  );
});

test('a field that may not be sent is left out', () => {
  const fields: Fields = [
    ['x-a', 'b\r\nc'],
    ['x b', 'c'],
    ['x-c', 'd'],
  ];
  assert.deepEqual(decode(new HpackDecoder(enough), encode(new HpackEncoder(), fields)), [['x-c', 'd']]);
});
