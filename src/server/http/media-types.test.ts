import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../machinery/errors.ts';
import type { Request } from './request.ts';
import type { Media, MediaTypes } from './media-types.ts';
import { mostClauses, negotiateInput, negotiateOutput, negotiateStream, parseAccept, wantsPretty } from './media-types.ts';

const plain: readonly Media[] = ['json', 'yaml', 'protobuf'];
const types: MediaTypes = { plain, metadata: plain, table: true };

function request(headers: Record<string, string>, rawQuery = ''): Request {
  return { header: (name: string) => headers[name], rawQuery, query: new URLSearchParams(rawQuery) } as unknown as Request;
}

const outputs: readonly (readonly [accept: string | undefined, expected: string])[] = [
  [undefined, 'json object'],
  ['*/*', 'json object'],
  ['application/*', 'json object'],
  ['application/yaml', 'yaml object'],
  ['application/vnd.kubernetes.protobuf,application/json', 'protobuf object'],
  ['application/json;q=0.1,application/yaml;q=0.9', 'yaml object'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'json object'],
  ['application/json;as=Table;v=v1;g=meta.k8s.io', 'json table'],
  ['application/json;as=Table;v=v9;g=meta.k8s.io,application/json', 'json object'],
  ['application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json', 'json object'],
  ['application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', 'protobuf metadata'],
  ['text/html', '406'],
  ['application/json;as=Nope;v=v1;g=meta.k8s.io', '406'],
];

function shown(answer: () => { media: string; as?: string } | Media): string {
  try {
    const found = answer();
    return typeof found === 'string' ? found : `${found.media} ${found.as}`;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return String(error.status.code);
  }
}

for (const [accept, expected] of outputs) {
  test(`Accept ${accept ?? 'missing'} is answered with ${expected}`, () => {
    assert.equal(
      shown(() => negotiateOutput(request(accept === undefined ? {} : { accept }), types)),
      expected,
    );
  });
}

const inputs: readonly (readonly [contentType: string, expected: string])[] = [
  ['', 'json'],
  ['application/json; charset=utf-8', 'json'],
  ['APPLICATION/JSON', 'json'],
  ['application/yaml', 'yaml'],
  ['application/cbor', '415'],
  ['text/plain', '415'],
  [';', '415'],
  ['application/json; charset', '415'],
];

for (const [contentType, expected] of inputs) {
  test(`Content-Type ${JSON.stringify(contentType)} is read as ${expected}`, () => {
    assert.equal(
      shown(() => negotiateInput(contentType, plain)),
      expected,
    );
  });
}

test('negotiateStream() refuses YAML', () => {
  assert.equal(
    shown(() => negotiateStream(request({ accept: 'application/yaml' }), types)),
    '406',
  );
});

test('parseAccept() puts what is more wanted and more specific first', () => {
  const order = parseAccept('*/*, application/*;q=0.9, application/json, text/html;q=0.1').map(({ type, subtype }) => `${type}/${subtype}`);
  assert.equal(order[0], 'application/json');
  assert.equal(order.at(-1), '*/*');
});

test('parseAccept() sorts as many as it looks at, also when the most wanted comes last', { timeout: 20_000 }, () => {
  const header = Array.from({ length: 60_000 }, (_, index) => `a/b;q=0.${String(index).padStart(6, '0')}`).join(',');
  const clauses = parseAccept(header);
  assert.equal(clauses.length, mostClauses);
  assert.equal(clauses[0]?.q, 0.019999);
  assert.equal(clauses.at(-1)?.q, 0);
});

test('wantsPretty() is true for people', () => {
  assert.equal(wantsPretty(request({ 'user-agent': 'curl/8' })), true);
  assert.equal(wantsPretty(request({ 'user-agent': 'curl/8' }, 'pretty=false')), false);
  assert.equal(wantsPretty(request({ 'user-agent': 'kubectl' }, 'pretty=true')), true);
  assert.equal(wantsPretty(request({})), false);
});

test('a refusal for a custom resource names protobuf, which only its metadata can be had in', () => {
  const custom: MediaTypes = { plain: ['json', 'yaml'], metadata: plain, table: true };
  const all = 'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';
  const asked = request({ accept: 'application/vnd.kubernetes.protobuf' });
  assert.throws(() => negotiateOutput(asked, custom), { message: all });
  assert.throws(() => negotiateStream(asked, custom), { message: all });
  assert.throws(() => negotiateStream(request({ accept: 'application/yaml' }), custom), {
    message: 'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
  });
});
