import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { loadAll } from 'js-yaml';

/** One object of a project, as the project wrote it. */
export interface Document {
  readonly project: string;
  /** file and number of the document in it */
  readonly place: string;
  /** YAML, as it stands in the file */
  readonly text: string;
  readonly object: ManifestObject;
}

export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly generateName?: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

/** Larger ones are fixtures of load tests. */
const largestFile = 1_200_000;
/** Directives of Helm and of Go's templates. Expressions of workflows (`{{inputs.parameters.x}}`) are data. */
const template =
  /\{\{-|-\}\}|\{\{\s*(?:\.|\$|if|else|end|range|with|include|template|define|toYaml|default|quote|printf|tpl|block|required|lookup)/;

/** All Kubernetes objects in YAML files below the folder of a module. */
export function documentsIn(project: string, folder: string): Document[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    if (text.length > largestFile || template.test(text)) return [];
    const place = relative(folder, file);
    return text.split(/^---[^\S\n]*(?:#.*)?\r?\n/m).flatMap((part, index) => documentsOf(project, `${place}#${index}`, part));
  });
}

function documentsOf(project: string, place: string, text: string): Document[] {
  const object = soleObject(text);
  if (object === undefined) return [];
  if (!object.kind.endsWith('List') || !Array.isArray(object['items'])) return [{ project, place, text, object }];
  return object['items'].flatMap((item: unknown, index) =>
    isManifest(item) ? [{ project, place: `${place}[${index}]`, text: JSON.stringify(item), object: item }] : [],
  );
}

/** Parsed only to see what it is about: servers are sent the text. */
function soleObject(text: string): ManifestObject | undefined {
  if (!/^\s*"?apiVersion"?:/m.test(text)) return undefined;
  try {
    const [object, ...others] = loadAll(text) as unknown[];
    return others.length === 0 && isManifest(object) ? object : undefined;
  } catch {
    // Not YAML by itself: a fragment, or input of a parser's test.
    return undefined;
  }
}

function isManifest(value: unknown): value is ManifestObject {
  if (value === null || typeof value !== 'object') return false;
  const { apiVersion, kind, metadata } = value as Record<string, unknown>;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return false;
  if (metadata === null || typeof metadata !== 'object') return kind.endsWith('List');
  const { name, generateName, namespace } = metadata as Record<string, unknown>;
  const isText = (one: unknown): boolean => one === undefined || typeof one === 'string';
  return isText(name) && isText(generateName) && isText(namespace) && (Boolean(name) || Boolean(generateName));
}
