// Takes the prose of the API from packages that ship it and writes dist/descriptions.json. None of it is part of this repository.
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { selfWrittenTypes } from '../../src/openapi/definitions.ts';
import { tables } from '../../src/schema/generated/index.ts';
import { createSchema } from '../../src/schema/index.ts';
import type { Table } from '../../src/schema/table-format.ts';
import type { ClassTable } from './client-node.ts';
import { readModel, readOperations } from './client-node.ts';
import { readModule } from './kubernetes-types.ts';
import { archiveOf, clientNode, kubernetesTypes, pulumi } from './packages.ts';
import type { ShortTable } from './pulumi.ts';
import { readList, readTypes } from './pulumi.ts';
import { filesIn } from './tar.ts';

const cache = fileURLToPath(new URL('../../dist/packages/', import.meta.url));
const target = fileURLToPath(new URL('../../dist/descriptions.json', import.meta.url));

const types: ShortTable = new Map();
const classes: ClassTable = new Map();
const options: ShortTable = new Map();
const old: ShortTable = new Map();

await mkdir(cache, { recursive: true });
for (const { path, text } of filesIn(await archiveOf(pulumi, cache), (one) =>
  /^package\/(types\/output|\w+\/v\w+\/\w+List)\.d\.ts$/.test(one),
)) {
  if (path.endsWith('output.d.ts')) readTypes(text, types);
  else readList(path.slice('package'.length), text, types);
}
const wantedOfClient = /^package\/dist\/gen\/(models\/\w+|apis\/(Core|Scheduling)V1Api)\.d\.ts$/;
for (const { path, text } of filesIn(await archiveOf(clientNode, cache), (one) => wantedOfClient.test(one))) {
  if (path.includes('/models/')) readModel(text, classes);
  else readOperations(text, options);
}
for (const { path, text } of filesIn(await archiveOf(kubernetesTypes, cache), (one) => one.endsWith('.d.ts'))) {
  readModule(path.slice('package/'.length), text, old);
}

/** What every kind says of its kind and apiVersion. */
const common = types.get('core.v1.Pod');

/** Types of which no package tells, but for fields without words of their own: there stand those of the type they refer to. */
const borrowed: Readonly<Record<string, readonly [className: string, field: string]>> = {
  'apiextensions.v1.JSON': ['V1JSONSchemaProps', 'example'],
  'apiextensions.v1.JSONSchemaPropsOrArray': ['V1JSONSchemaProps', 'items'],
  'apiextensions.v1.JSONSchemaPropsOrBool': ['V1JSONSchemaProps', 'additionalItems'],
  'util.intstr.IntOrString': ['V1RollingUpdateDaemonSet', 'maxSurge'],
};
const wordless: ReadonlySet<string> = new Set(
  ['example', 'items', 'additionalItems', 'additionalProperties'].map((field) => `apiextensions.v1.JSONSchemaProps ${field}`),
);

function textOf(short: string, field: string): string | undefined {
  const [group = '', version = '', name = ''] = short.split('.');
  if (wordless.has(`${short} ${field}`)) return undefined;
  const lender = field === '' ? borrowed[short] : undefined;
  if (lender !== undefined) return classes.get(lender[0])?.get(lender[1])?.replaceAll('\n\n', '  ');
  const classVersion = capital(version);
  for (const one of [field, field.replaceAll('-', '_')]) {
    const young =
      types.get(short)?.get(one) ??
      options.get(short)?.get(one) ??
      classes.get(`${capital(group)}${classVersion}${name}`)?.get(one) ??
      classes.get(`${classVersion}${name}`)?.get(one);
    const ancient = old.get(short)?.get(one);
    // The younger words, but the older spaces where the words are the same.
    const chosen = young === undefined || (ancient !== undefined && words(ancient) === words(young)) ? ancient : young;
    if (chosen !== undefined) return chosen;
  }
  return field === 'kind' || field === 'apiVersion' ? common?.get(field) : undefined;
}

function words(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const schema = createSchema();
const names = tables.flatMap((source) => Object.keys((JSON.parse(source.text) as Table).types).map((name) => `${source.package}.${name}`));
const out: Record<string, Record<string, string>> = {};
for (const name of [...names, ...selfWrittenTypes]) {
  const short = name.split('.').slice(-3).join('.');
  const row: Record<string, string> = {};
  for (const field of ['', ...(schema.structByName(name)?.fields.map((one) => one.name) ?? [])]) {
    const text = textOf(short, field);
    if (text !== undefined) row[field] = text;
  }
  if (Object.keys(row).length > 0) out[name] = row;
}
await writeFile(target, JSON.stringify(out));
const texts = Object.values(out).reduce((sum, row) => sum + Object.keys(row).length, 0);
console.log(`${target}: ${texts} descriptions of ${Object.keys(out).length} types`);
