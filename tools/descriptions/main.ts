// Takes the prose of the API from packages that ship it and writes dist/descriptions.json. None of it is part of this repository.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { selfWrittenTypes } from '../../src/openapi/definitions.ts';
import type { DescriptionTable } from '../../src/openapi/descriptions.ts';
import { tables } from '../../src/schema/generated/index.ts';
import { createSchema } from '../../src/schema/index.ts';
import type { Table } from '../../src/schema/table-format.ts';
import { archiveOf, clientNode, kubernetesTypes, pulumi } from './packages.ts';
import { Prose } from './prose.ts';

const cache = fileURLToPath(new URL('../../node_modules/.cache/descriptions/', import.meta.url));
const target = fileURLToPath(new URL('../../dist/descriptions.json', import.meta.url));

function tableOf(prose: Prose): DescriptionTable {
  const schema = createSchema();
  const declared = tables.flatMap((source) => {
    return Object.keys((JSON.parse(source.text) as Table).types).map((name) => `${source.package}.${name}`);
  });
  const out: Record<string, Record<string, string>> = {};
  for (const name of [...declared, ...selfWrittenTypes]) {
    const short = name.split('.').slice(-3).join('.');
    const row: Record<string, string> = {};
    for (const field of ['', ...(schema.structByName(name)?.fields.map((one) => one.name) ?? [])]) {
      const text = prose.textOf(short, field);
      if (text !== undefined) row[field] = text;
    }
    if (Object.keys(row).length > 0) out[name] = row;
  }
  return out;
}

async function extract(): Promise<void> {
  await mkdir(cache, { recursive: true });
  const archives = {
    pulumi: await archiveOf(pulumi, cache),
    clientNode: await archiveOf(clientNode, cache),
    kubernetesTypes: await archiveOf(kubernetesTypes, cache),
  };
  const table = tableOf(new Prose(archives));
  await mkdir(dirname(target), { recursive: true });
  await writeFile(`${target}.new`, JSON.stringify(table));
  await rename(`${target}.new`, target);
  const texts = Object.values(table).reduce((sum, row) => sum + Object.keys(row).length, 0);
  console.error(`wrote ${texts} descriptions of ${Object.keys(table).length} types`);
}

try {
  await extract();
} catch (error) {
  // Nothing depends on prose: without a network there are documents without it.
  console.error(`no descriptions for OpenAPI documents: ${error instanceof Error ? error.message : String(error)}`);
}
