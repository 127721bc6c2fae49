import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawClient } from '../../../test/support/raw-client.ts';
import { startApiServer } from '../../index.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = '/apis/example.com/v1/namespaces/default/things';
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

const columns = [
  { name: 'Text', type: 'string', jsonPath: '.spec.value' },
  { name: 'Whole', type: 'integer', jsonPath: '.spec.value' },
  { name: 'Real', type: 'number', jsonPath: '.spec.value' },
];
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
        additionalPrinterColumns: columns,
      },
    ],
  },
};

interface Table {
  readonly columnDefinitions: readonly { readonly name: string; readonly type: string; readonly format: string }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

test('cells of custom resources show values as upstream does, whatever they are', async () => {
  await using server = await startApiServer({ controllers: false });
  await using client = new RawClient(server);
  const post = async (path: string, body: unknown): Promise<void> => assert.equal((await client.call('POST', path, { body })).status, 201);
  const show = async (path: string): Promise<Table> => JSON.parse((await client.call('GET', path, { headers: table })).text) as Table;
  await post(definitions, definition);
  const values = [null, 1e21, -2.75, 'text', [1, null]];
  for (const [index, value] of values.entries())
    await post(things, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: `a${index}` }, spec: { value, replicas: index } });
  assert.deepEqual(
    (await show(things)).rows.map(({ cells }) => cells.slice(1)),
    [
      ['<no value>', null, null],
      // Go makes the least number of one that is out of range; it is rounded here only.
      ['1e+21', Number(-(2n ** 63n)), 1e21],
      ['-2.75', -2, -2.75],
      ['text', null, null],
      ['[1,null]', null, null],
    ],
  );
  const { columnDefinitions, rows } = await show(`${things}/a0/scale`);
  assert.deepEqual(
    columnDefinitions.map(({ name, type, format }) => [name, type, format]),
    [
      ['Name', 'string', 'name'],
      ['Desired', 'integer', ''],
      ['Available', 'integer', ''],
      ['Age', 'date', ''],
    ],
  );
  assert.deepEqual(rows[0]?.cells.slice(0, 3), ['a0', null, 0]);
  const list = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };
  const alone = await client.call('GET', `${things}/a0`, { headers: list });
  assert.deepEqual([alone.status, (JSON.parse(alone.text) as { message: string }).message], [500, 'content is not a list']);
});
