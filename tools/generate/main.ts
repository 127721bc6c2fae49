/** Makes `src/schema/generated` and `src/schema/types` from what Kubernetes publishes. Needs Go; the outputs are committed. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGoFacts } from './go-facts.ts';
import { GoTypes } from './go-types.ts';
import { locateModules } from './modules.ts';
import { apiPackages, lenders } from './packages.ts';
import { compareEnums } from './enum-check.ts';
import { compareWithOpenApi } from './openapi-check.ts';
import { compareWithProto } from './proto-check.ts';
import { readProtoFiles } from './proto-files.ts';
import type { ProtoMessages } from './proto-files.ts';
import { readResources } from './resources.ts';
import { withRuledTypes } from './ruled-types.ts';
import { makeTable } from './tables.ts';
import { createSchema } from '../../src/schema/index.ts';
import type { Table } from '../../src/schema/table-format.ts';
import { rowKind, writeKindTypes, writeTypes } from './typescript.ts';
import type { RowKind } from './typescript.ts';
import { writeIndex, writeResources, writeTable } from './writer.ts';

const header = '// Made by `npm run generate`; do not edit.\n';

export function generate(): Map<string, string> {
  const modules = locateModules();
  const packages = apiPackages(modules);
  const facts = readGoFacts([
    ...packages,
    ...lenders.map(([module, directory]) => ({ path: `${module}/${directory}`, directory: join(modules[module], directory) })),
  ]);
  const types = new GoTypes(facts, packages);
  const messages = readProtoFiles(packages);
  const made = packages.map((pack) => {
    const found = facts[pack.path];
    if (found === undefined) throw new Error(`no facts about ${pack.path}`);
    return makeTable(pack, found, types, messages);
  });
  verify(made, messages, modules['k8s.io/kubernetes']);
  const tables = withRuledTypes(made);
  const files = new Map<string, string>();
  for (const table of tables) files.set(`generated/${table.id}.ts`, header + writeTable(table));
  const kindOfRow = rowKinds(tables);
  for (const table of tables) files.set(`types/${table.id}.ts`, header + writeTypes(table, kindOfRow));
  files.set('generated/index.ts', header + writeIndex(tables));
  const served = readResources(modules['k8s.io/kubernetes']);
  files.set('generated/resources.ts', header + writeResources(served));
  files.set('types/kinds.ts', header + writeKindTypes(tables, served));
  const checksums = [...files].map(([name, text]) => `  '${name}': '${createHash('sha256').update(text).digest('hex')}',\n`).join('');
  files.set('generated/manifest.ts', `${header}export const checksums: Readonly<Record<string, string>> = {\n${checksums}};\n`);
  return files;
}

/** Three sources tell the same story, or nothing is written. */
function verify(tables: readonly Table[], messages: ProtoMessages, kubernetes: string): void {
  const schema = createSchema(tables.map((table) => ({ ...table, text: JSON.stringify(table) })));
  const openApi = compareWithOpenApi(schema, kubernetes);
  const proto = compareWithProto(schema, messages);
  const enums = compareEnums(schema, tables, kubernetes);
  const differences = [...openApi.differences, ...proto.differences, ...enums.differences];
  if (differences.length > 0) throw new Error(`tables disagree with what is published:\n${differences.join('\n')}`);
  console.log(`${openApi.compared} types agree with OpenAPI, ${proto.compared} messages with generated.proto, ${enums.compared} enums`);
}

function rowKinds(tables: readonly Table[]): (reference: string, from: Table) => RowKind {
  const byId = new Map(tables.map((table) => [table.id, table]));
  return function kindOf(reference: string, from: Table): RowKind {
    const dot = reference.indexOf('.');
    const table = dot < 0 ? from : byId.get(reference.slice(0, dot));
    const row = table?.types[reference.slice(dot + 1)];
    if (table === undefined || row === undefined) throw new Error(`${from.id} mentions unknown type ${reference}`);
    const kind = rowKind(row);
    return typeof kind === 'string' ? kind : kindOf(kind.alias, table);
  };
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../../src/schema');
  const files = generate();
  for (const folder of ['generated', 'types']) {
    mkdirSync(join(root, folder), { recursive: true });
    for (const name of readdirSync(join(root, folder))) if (!files.has(`${folder}/${name}`)) rmSync(join(root, folder, name));
  }
  for (const [name, text] of files) writeFileSync(join(root, name), text);
  console.log(`${files.size} files`);
}
