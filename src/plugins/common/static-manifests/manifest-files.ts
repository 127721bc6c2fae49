// Upstream: k8s.io/apiserver/pkg/admission/plugin/manifest/loader.go
import { readFileSync, readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile, readWrittenFileSync } from '../../../base/regular-file.ts';

export interface ManifestFile {
  readonly path: string;
  readonly text: string;
}

/** YAML and JSON files of a folder, by name. */
export async function readManifestFiles(directory: string): Promise<ManifestFile[]> {
  const paths = manifestPaths(directory, await readdir(directory));
  return Promise.all(paths.map(async (path) => ({ path, text: String(await readRegularFile(path)) })));
}

/** The same while the server starts. */
export function readManifestFilesSync(directory: string): ManifestFile[] {
  return manifestPaths(directory, readdirSync(directory)).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

/** The same when the folder has just changed; throws where files look unfinished. */
export function readWrittenManifestsSync(directory: string): ManifestFile[] {
  return manifestPaths(directory, readdirSync(directory)).map((path) => ({ path, text: String(readWrittenFileSync(path)) }));
}

function manifestPaths(directory: string, names: readonly string[]): string[] {
  return names
    .filter((name) => /\.(ya?ml|json)$/i.test(name))
    .toSorted()
    .map((name) => join(directory, name));
}

export function documentsOf({ text }: ManifestFile): string[] {
  return text
    .split(/^---[^\S\n]*$/m)
    .map((document) => document.trim())
    .filter((document) => document !== '');
}
