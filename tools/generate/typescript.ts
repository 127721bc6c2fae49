import type { ServedGroupVersion } from '../../src/schema/resource-format.ts';
import type { FieldRow, StructRow, Table, TypeRow } from '../../src/schema/table-format.ts';
import { identifier } from './writer.ts';

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'Int64',
  uint32: 'number',
  uint64: 'Int64',
  float32: 'number',
  float64: 'number',
  bytes: 'Base64',
  quantity: 'Quantity',
  intOrString: 'IntOrString',
  time: 'Time',
  microTime: 'MicroTime',
  duration: 'Duration',
  raw: 'RawExtension',
  fieldsV1: 'FieldsV1',
  json: 'Json',
  unknown: 'Json',
};

/** Structs in Go that omitempty never leaves out; those in `nullWhenZero` show null when they are not set. */
const neverEmpty = new Set(['quantity', 'intOrString', 'time', 'microTime', 'duration', 'raw', 'fieldsV1', 'json']);
const nullWhenZero = new Set(['time', 'microTime', 'raw', 'fieldsV1', 'json', 'bytes']);

/** Interfaces for every type of a table, in canonical form: what is always there is required, what may be nil is null. */
export function writeTypes(table: Table, kindOfRow: (reference: string, from: Table) => RowKind): string {
  const writer = new TypesWriter(table, kindOfRow);
  const body = [
    ...Object.entries(table.enums).map(([name, values]) => writeEnum(name, values)),
    ...Object.entries(table.types).map(([name, row]) => writer.declaration(name, row)),
  ].join('\n');
  return writer.imports() + body;
}

/** For clients: the type of every kind that upstream serves, by apiVersion and kind. */
export function writeKindTypes(tables: readonly Table[], served: readonly ServedGroupVersion[]): string {
  const used = new Set<string>();
  const versions = served.map(({ group, version, resources }) => {
    const kinds = [...new Set(resources.map(({ kind }) => kind))].toSorted().map((kind) => {
      const table = tables.find((one) => one.group === group && one.version === version && kind in one.kinds);
      const name = table?.kinds[kind];
      if (table === undefined || name === undefined) throw new Error(`no type of ${group}/${version} ${kind}`);
      const [id, type] = name.includes('.') ? (name.split('.') as [string, string]) : [table.id, name];
      used.add(id);
      return `    ${kind}: ${identifier(id)}.${type};\n`;
    });
    return `  '${group === '' ? version : `${group}/${version}`}': {\n${kinds.join('')}  };\n`;
  });
  const imports = [...used].toSorted().map((id) => `import type * as ${identifier(id)} from './${id}.ts';\n`);
  return `${imports.join('')}\n/** Every built-in kind, by apiVersion. */\nexport interface BuiltInKinds {\n${versions.join('')}}\n`;
}

export type RowKind = 'struct' | 'list' | 'variant';

export function rowKind(row: TypeRow): RowKind | { readonly alias: string } {
  if (typeof row === 'string') return { alias: row };
  if ('items' in row) return 'list';
  return 'variant' in row ? 'variant' : 'struct';
}

/** Values from outside are not checked when they are read, so other strings have to be expected. */
function writeEnum(name: string, values: readonly string[]): string {
  const literals = values.map((value) => `'${value.replace(/['\\]/g, '\\$&')}'`);
  return `export type ${name} = ${[...literals, '(string & {})'].join(' | ')};\n`;
}

class TypesWriter {
  readonly #table: Table;
  readonly #kindOfRow: (reference: string, from: Table) => RowKind;
  readonly #scalars = new Set<string>();
  readonly #tables = new Set<string>();

  constructor(table: Table, kindOfRow: (reference: string, from: Table) => RowKind) {
    this.#table = table;
    this.#kindOfRow = kindOfRow;
  }

  imports(): string {
    const scalarImport =
      this.#scalars.size > 0 ? `import type { ${[...this.#scalars].toSorted().join(', ')} } from '../scalars.ts';\n` : '';
    const others = [...this.#tables].toSorted().map((id) => `import type * as ${identifier(id)} from './${id}.ts';\n`);
    return `${scalarImport}${others.join('')}\n`;
  }

  declaration(name: string, row: TypeRow): string {
    if (typeof row === 'string') return `export type ${name} = ${this.#type(row)};\n`;
    if ('items' in row) return `export type ${name} = ${this.#type(row.items)}[];\n`;
    if ('variant' in row) {
      const { object, array, bool } = row.variant;
      const shapes = [this.#type(object[1]), ...(array ? [`${this.#type(array[1])}[]`] : []), bool === undefined ? 'null' : 'boolean'];
      return `export type ${name} = ${shapes.join(' | ')};\n`;
    }
    return this.#interface(name, row);
  }

  #interface(name: string, row: StructRow): string {
    const rows: readonly FieldRow[] = 'extra' in row ? row.fields : row;
    const bases = rows.filter(([, , , flags]) => flags.includes('i')).map(([, type]) => this.#type(type));
    const own = rows.filter(([, , , flags]) => !flags.includes('i')).map((field) => `  ${this.#field(field)};\n`);
    const head = `export interface ${name}${bases.length > 0 ? ` extends ${bases.join(', ')}` : ''}`;
    return own.length > 0 ? `${head} {\n${own.join('')}}\n` : `${head} {}\n`;
  }

  #field([name, text, , flags]: FieldRow): string {
    const pointer = flags.includes('p');
    const empty = flags.includes('e');
    const zero = flags.includes('z');
    const type = this.#type(text);
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
    const collection = /^(\[\]|\{\})/.test(text) || (!(text in scalars) && !text.startsWith('=') && this.#kind(text) === 'list');
    const goStruct = neverEmpty.has(text) || (!(text in scalars) && !text.startsWith('=') && !collection);
    if (zero || (empty && (pointer || !goStruct))) return `${key}?: ${type}`;
    const nullable = pointer || collection || nullWhenZero.has(text);
    return `${key}: ${type}${nullable && type !== 'Json' ? ' | null' : ''}`;
  }

  #kind(reference: string): RowKind {
    return this.#kindOfRow(reference, this.#table);
  }

  #type(text: string): string {
    if (text.startsWith('[]*')) return `(${this.#type(text.slice(3))} | null)[]`;
    if (text.startsWith('[]')) return `${this.#type(text.slice(2))}[]`;
    if (text.startsWith('{}')) return `Record<string, ${this.#type(text.slice(2))}>`;
    const scalar = scalars[text];
    if (scalar !== undefined) {
      if (/^[A-Z]/.test(scalar)) this.#scalars.add(scalar);
      return scalar;
    }
    const reference = text.replace(/^=/, '');
    const dot = reference.indexOf('.');
    if (dot < 0) return reference;
    this.#tables.add(reference.slice(0, dot));
    return `${identifier(reference.slice(0, dot))}.${reference.slice(dot + 1)}`;
  }
}
