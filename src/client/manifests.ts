import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { YamlValue } from '../machinery/codec/yaml/read.ts';
import { readYaml } from '../machinery/codec/yaml/read.ts';
import type { KubeObject } from '../machinery/kube-object.ts';
import type { Manifest } from './kinds.ts';

/** All objects in YAML and JSON files, and in those of folders, in the order of their names; lists are taken apart. */
export async function readManifests(places: readonly string[]): Promise<Manifest[]> {
  const files = (await Promise.all(places.map(filesIn))).flat();
  const read = files.map(async (file) => parseManifests(await readFile(file, 'utf8'), file));
  return (await Promise.all(read)).flat();
}

async function filesIn(place: string): Promise<string[]> {
  if (!(await stat(place)).isDirectory()) return [place];
  const names = (await readdir(place)).filter((name) => /\.(ya?ml|json)$/.test(name));
  return names.toSorted().map((name) => join(place, name));
}

/** Documents are separated by lines that begin with `---`. */
export function parseManifests(text: string, file: string): Manifest[] {
  const documents = text.split(/^---(?=\s|$).*$/m);
  return documents.flatMap((document, index) => {
    const where = documents.length === 1 ? file : `${file}, document ${index + 1}`;
    return objectsOf(parsed(document, where), where);
  });
}

function parsed(document: string, where: string): unknown {
  let read: YamlValue;
  try {
    read = readYaml(document);
  } catch (error) {
    throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
  }
  if (read.duplicates.length > 0) throw new Error(`${where}: ${read.duplicates.join(', ')}`);
  return read.value;
}

function objectsOf(value: unknown, where: string): Manifest[] {
  if (value === null || value === undefined) return [];
  const { apiVersion, kind, items, metadata } = value as Partial<KubeObject> & { readonly items?: unknown };
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') throw new Error(`${where}: apiVersion or kind is missing`);
  if (kind === 'List' && Array.isArray(items)) return items.flatMap((item) => objectsOf(item, where));
  return [{ ...(value as KubeObject), apiVersion, kind, metadata: metadata ?? {} }];
}
