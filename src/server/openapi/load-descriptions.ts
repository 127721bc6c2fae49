import { readFile } from 'node:fs/promises';
import type { Descriptions, DescriptionTable } from '../../openapi/descriptions.ts';
import { descriptionsOf, noDescriptions } from '../../openapi/descriptions.ts';

/** Beside the bundle or above its chunks; in `dist` when the sources run as they are. */
const places = ['./descriptions.json', '../descriptions.json', '../../../dist/descriptions.json'].map(
  (path) => new URL(path, import.meta.url),
);

/** The prose that the build took from elsewhere; documents do without it when there is none. */
export async function loadDescriptions(): Promise<Descriptions> {
  for (const place of places) {
    try {
      return descriptionsOf(JSON.parse(await readFile(place, 'utf8')) as DescriptionTable);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return noDescriptions;
}
