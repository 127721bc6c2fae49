import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestServer } from './index.ts';
import { RawClient } from '../../test/support/raw-client.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const [strategic, merge, operations, apply] = [
  'application/strategic-merge-patch+json',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/apply-patch+yaml',
] as const;
const stated = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":"1"}}';

/** What is sent, and the warnings that come back. */
const warned: readonly (readonly [type: string, body: string, warnings: readonly string[]])[] = [
  [
    operations,
    '[{"op":"add","path":"/data","value":{},"x":1,"x":2,"value":{}}]',
    ['json patch unknown field "[0].x"', 'json patch duplicate field "[0].value"'],
  ],
  [
    strategic,
    '{"foo":1,"data":{"a":"1","a":"2"},"metadata":{"bar":1}}',
    ['duplicate field "data.a"', 'unknown field "foo"', 'unknown field "metadata.bar"'],
  ],
  [merge, '{"data":{"a":"1","a":"2"}}', ['duplicate field "data.a"']],
  [apply, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: "1"\n  a: "2"\n', ['line 7: key "a" already set in map']],
  [apply, `${stated.slice(0, -2)},"a":"2"}}`, ['line 1: key "a" already set in map']],
  [apply, `${stated} x`, []],
];

/** What is sent, and why it is not taken. */
const refused: readonly (readonly [type: string, body: string, message: string])[] = [
  [strategic, `{"data":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_001)}`, 'invalid JSON patch'],
  [merge, `{"data":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_001)}`, 'invalid JSON patch'],
  [apply, '{"a": {b', `error decoding patch: error converting YAML to JSON: yaml: line 1: did not find expected ',' or '}'`],
  [apply, 'a: {b', `error encoding patch: yaml: line 1: did not find expected ',' or '}'`],
  [apply, 'a: .nan', 'error encoding patch: json: unsupported value: NaN'],
  [merge, '{"data":1e999}', 'error decoding patch: json: cannot unmarshal number 1e999 into Go value of type float64'],
];

describe('field validation', () => {
  test('warns of what is unknown or comes twice, in every kind of patch', { timeout: 30_000 }, async () => {
    await using server = await startTestServer();
    await using client = new RawClient(server);
    const warnings = async (method: string, path: string, type: string, body: string): Promise<string[]> => {
      const { status, headers, text } = await client.call(method, path, { body, headers: { 'content-type': type } });
      assert.ok(status < 300, `${body}: ${text}`);
      const lines = [...(headers['warning'] ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)];
      return lines.map(([, line = '']) => line.replaceAll(/\\(.)/g, '$1'));
    };
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: "1"\n  a: "2"\nfoo: 1\nfoo: 2\n';
    assert.deepEqual(await warnings('POST', configMaps, 'application/yaml', yaml), [
      'line 7: key "a" already set in map',
      'line 9: key "foo" already set in map',
      'unknown field "foo"',
    ]);
    for (const [type, body, expected] of warned) {
      const query = type === apply ? '?fieldManager=m&force=true' : '';
      assert.deepEqual(await warnings('PATCH', `${configMaps}/c${query}`, type, body), expected, body);
    }
    for (const [type, body, expected] of refused) {
      const answer = await client.call('PATCH', `${configMaps}/c${type === apply ? '?fieldManager=m' : ''}`, {
        body,
        headers: { 'content-type': type },
      });
      const { code, message } = JSON.parse(answer.text) as { code: number; message: string };
      assert.deepEqual([code, message], [400, expected], body.slice(0, 100));
    }
  });
});
