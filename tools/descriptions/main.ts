// Takes the prose of the API from where it is published and writes dist/descriptions.json. None of it is part of this repository.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DescriptionTable } from '../../src/openapi/descriptions.ts';
import { readDefinitions } from './go-definitions.ts';
import { definitionsOfKubernetes } from './kubernetes.ts';
import { archiveOf } from './package.ts';
import { readPackage } from './pulumi.ts';

const cache = fileURLToPath(new URL('../../node_modules/.cache/descriptions/', import.meta.url));
const target = fileURLToPath(new URL('../../dist/descriptions.json', import.meta.url));

/** A server that starts waits for prose only so long; a build takes the time it takes. */
const timeLimit = process.argv.includes('--quick') ? 15_000 : 300_000;

interface Source {
  readonly name: string;
  read(): Promise<DescriptionTable>;
}

/** The best first. */
const sources: readonly Source[] = [
  {
    name: 'the Go module of Kubernetes',
    read: async () => readDefinitions(await definitionsOfKubernetes(AbortSignal.timeout(timeLimit))),
  },
  { name: 'an npm package', read: async () => readPackage(await archiveOf(cache)) },
];

async function extract(): Promise<DescriptionTable | undefined> {
  for (const { name, read } of sources) {
    try {
      return await read();
    } catch (error) {
      console.error(`descriptions not from ${name}: ${error instanceof Error ? error.message.trim() : String(error)}`);
    }
  }
  return undefined;
}

const table = await extract();
if (table === undefined) {
  // Nothing depends on prose: without a network there are documents without it.
  console.error('no descriptions for OpenAPI documents');
} else {
  await mkdir(dirname(target), { recursive: true });
  await writeFile(`${target}.new`, JSON.stringify(table));
  await rename(`${target}.new`, target);
  const texts = Object.values(table).reduce((sum, row) => sum + Object.keys(row).length, 0);
  console.error(`wrote ${texts} descriptions of ${Object.keys(table).length} types`);
}
