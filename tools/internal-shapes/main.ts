// Writes src/apis/core/pod/internal-shapes.generated.ts: the fields of upstream's internal PodSpec and of all types in it, in their order.
// Messages about refused pod updates show internal objects, so their shape is visible to clients.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { locateModules } from '../generate/modules.ts';

interface GoField {
  /** '' for an embedded struct */
  readonly name: string;
  readonly type: string;
  readonly json: string;
  readonly omitEmpty: boolean;
}

type GoStructs = ReadonlyMap<string, readonly GoField[]>;

const modules = locateModules();
const source = (name: keyof typeof modules, path: string): string => readFileSync(join(modules[name], path), 'utf8');
const internal = parse(source('k8s.io/kubernetes', 'pkg/apis/core/types.go'));
const external = parse(source('k8s.io/api', 'core/v1/types.go'));
const meta = parse(source('k8s.io/apimachinery', 'pkg/apis/meta/v1/types.go'));

/** Named types that are not structs, to their base. */
const named = new Map(
  [...source('k8s.io/kubernetes', 'pkg/apis/core/types.go').matchAll(/^type (\w+) (string|int32|int64|map\[\w+\][\w.]+)$/gm)].map(
    ([, name = '', base = '']) => [name, base] as const,
  ),
);

function parse(text: string): Map<string, GoField[]> {
  const structs = new Map<string, GoField[]>();
  for (const [, name = '', body = ''] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
    const fields = [
      ...body
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .matchAll(/^\t(?:(\w+)\s+)?(\*?(?:\[\]|map\[\w+\])?\*?[\w.]+)(?:\s+`([^`]*)`)?(?:\s*\/\/.*)?$/gm),
    ];
    structs.set(
      name,
      fields.map(([, field = '', type = '', tags = '']) => {
        const [json = '', ...flags] = (/json:"([^"]*)"/.exec(tags)?.[1] ?? '').split(',');
        return { name: field, type, json, omitEmpty: flags.includes('omitempty') };
      }),
    );
  }
  return structs;
}

/** With the fields of embedded structs in their place, as JSON has them. */
function flat(structs: GoStructs, name: string): GoField[] {
  return (structs.get(name) ?? fail(`no struct ${name}`)).flatMap((field) =>
    field.name === '' && !field.type.includes('.') ? flat(structs, field.type) : [field],
  );
}

const shapes = new Map<string, string[]>();

/** How a field's value is shown: `?` pointer, `[` list, `{` map, then a struct's name or the kind of a scalar. */
function codeOf(type: string, owner: 'core' | 'meta'): string {
  if (type.startsWith('*')) return `?${codeOf(type.slice(1), owner)}`;
  if (type.startsWith('[]')) return `[${codeOf(type.slice(2), owner)}`;
  const map = /^map\[\w+\](.*)$/.exec(type);
  if (map !== null) return `{${codeOf(map[1] as string, owner)}`;
  const base = owner === 'core' ? named.get(type) : undefined;
  if (base !== undefined) return codeOf(base, owner);
  if (type.startsWith('metav1.')) return codeOf(type.slice('metav1.'.length), 'meta');
  switch (type) {
    case 'string':
    case 'types.UID':
    case 'UID':
    case 'LabelSelectorOperator':
    case 'ManagedFieldsOperationType':
      return 's';
    case 'bool':
      return 'b';
    case 'int32':
    case 'int64':
    case 'intstr.IntOrString':
      return 'n';
    case 'resource.Quantity':
      return 'q';
    case 'Time':
    case 'FieldsV1':
      return 'j';
    default:
      (owner === 'core' ? addCore : addMeta)(type);
      return type;
  }
}

function addCore(name: string): void {
  if (shapes.has(name)) return;
  shapes.set(name, []);
  const jsonNames = new Map(flat(external, name).map((field) => [field.name, field.json]));
  const rows = flat(internal, name).flatMap((field) => {
    // Embedded metadata has its fields among the owner's.
    if (field.name === '') return metaRows(field.type.slice('metav1.'.length), 'metadata.');
    return `${field.name} ${jsonNames.get(field.name) ?? fail(`${name}.${field.name} has no counterpart`)} ${codeOf(field.type, 'core')}`;
  });
  shapes.set(name, rows);
}

/** These have JSON names of their own and leave out what is empty. */
function addMeta(name: string): void {
  if (shapes.has(name)) return;
  shapes.set(name, []);
  shapes.set(name, metaRows(name, ''));
}

function metaRows(name: string, prefix: string): string[] {
  return flat(meta, name).map(({ json, type, omitEmpty }) => `${json} ${prefix}${json} ${codeOf(type, 'meta')}${omitEmpty ? ' -' : ''}`);
}

function fail(message: string): never {
  throw new Error(message);
}

addCore('PodSpec');
addCore('EphemeralContainer');
const body = [...shapes]
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([name, rows]) => `  ${name}: [\n${rows.map((row) => `    '${row}',\n`).join('')}  ],\n`)
  .join('');
writeFileSync(
  'src/apis/core/pod/internal-shapes.generated.ts',
  `// Made by tools/internal-shapes; do not edit.\n\n/** Per type its fields: name shown, name in the API, kind of value; a dash marks those that are left out when empty. */\nexport const internalShapes: Readonly<Record<string, readonly string[]>> = {\n${body}};\n`,
);
