import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Type } from '../../src/machinery/type-model.ts';
import type { Schema } from '../../src/schema/index.ts';
import type { Table } from '../../src/schema/table-format.ts';

/** The published documents are made with enums switched off; the server's own definitions have them. */
const definitions = 'pkg/generated/openapi/zz_generated.openapi.go';

export function compareEnums(
  schema: Schema,
  tables: readonly Table[],
  kubernetes: string,
): { readonly compared: number; readonly differences: readonly string[] } {
  const names = functionNames(tables);
  const published = readEnums(join(kubernetes, definitions));
  const differences: string[] = [];
  let compared = 0;
  for (const [definition, name] of names) {
    for (const field of schema.structByName(name)?.fields ?? []) {
      const ours = JSON.stringify(enumOf(field.type));
      const theirs = JSON.stringify(published.get(`${definition} ${field.name}`));
      if (ours !== theirs) differences.push(`${name}.${field.name}: values ${ours} but published ${theirs}`);
      else if (ours !== undefined) compared++;
    }
  }
  return { compared, differences };
}

function enumOf(type: Type): readonly string[] | undefined {
  if (type.kind === 'list') return enumOf(type.element);
  if (type.kind === 'map') return enumOf(type.value);
  return type.kind === 'scalar' ? type.enum : undefined;
}

/** `io.k8s.api.core.v1.Pod` is defined by `schema_k8sio_api_core_v1_Pod`; outside of k8s.io/api the last parts make the name. */
function functionNames(tables: readonly Table[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const table of tables) {
    const prefix = table.package.startsWith('io.k8s.api.')
      ? table.package.replace('io.k8s.', 'k8sio_').replaceAll('.', '_')
      : table.package.split('.').slice(-4).join('_');
    for (const name of Object.keys(table.types)) names.set(`schema_${prefix}_${name}`, `${table.package}.${name}`);
  }
  return names;
}

function readEnums(file: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let definition = '';
  let property = '';
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    definition = /^func (schema_\w+)\(/.exec(line)?.[1] ?? definition;
    property = /^\t{5}"([^"]+)": \{$/.exec(line)?.[1] ?? property;
    const values = /Enum:\s+\[\]interface\{\}\{(.*)\},$/.exec(line)?.[1];
    if (values !== undefined) found.set(`${definition} ${property}`, JSON.parse(`[${values}]`) as string[]);
  }
  if (found.size < 100) throw new Error(`${file} has another form than expected`);
  return found;
}
