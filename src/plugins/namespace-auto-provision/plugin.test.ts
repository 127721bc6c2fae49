import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

interface List {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

const namespaces = '/api/v1/namespaces';
const x = { metadata: { name: 'x' } };

describe('NamespaceAutoProvision', () => {
  const server = admissionServer({ plugins: ['NamespaceAutoProvision'] });
  const names = async (): Promise<readonly string[]> => (await server.read<List>(namespaces)).items.map(({ metadata }) => metadata.name);

  const cases: readonly (readonly [what: string, path: string, status: number, made: readonly string[]])[] = [
    ['in a namespace that is there', `${namespaces}/default/configmaps`, 201, []],
    ['in a namespace that is not there', `${namespaces}/new/configmaps`, 201, ['new']],
    ['in a namespace that was made for another', `${namespaces}/new/secrets`, 201, []],
    ['in a dry run', `${namespaces}/dry/configmaps?dryRun=All`, 201, []],
    ['outside of namespaces', '/api/v1/nodes', 201, []],
    ['that is a namespace', namespaces, 201, ['x']],
    ['in a namespace whose name is none', `${namespaces}/No/configmaps`, 403, []],
  ];
  for (const [what, path, status, made] of cases) {
    test(`an object ${what} makes ${made.join() || 'no namespace'}`, async () => {
      const known = await names();
      const created = await server.create(path, x);
      assert.equal(created.status, status);
      assert.deepEqual(
        (await names()).filter((name) => !known.includes(name)),
        made,
      );
    });
  }
});
